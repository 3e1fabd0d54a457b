import Foundation
import JSONAPICodec
import JSONText

/// A place in a document from which driven values are decoded.
enum DrivenRoute: Int, CaseIterable, Sendable {
    case attribute, document, lenient, meta, documentMeta, direct, objectView, included, flat, nested
}

/// A case to compare: the values, the program, and the place.
struct DrivenCase: Sendable {
    var values: [DrivenTree]
    /// Other members next to the values.
    var decoys: [DrivenTree.Member]
    var program: DrivenProgram
    var route: DrivenRoute
    var style = DrivenTree.Style()
    var dates = 0

    static func random(_ random: inout FuzzRandom) -> DrivenCase {
        let route = random.pick(DrivenRoute.allCases)
        let count = route == .documentMeta ? 1 : 1 + random.below(3)
        let needsObject = [.meta, .documentMeta, .flat].contains(route)
        let values = (0..<count).map { _ -> DrivenTree in
            let tree = DrivenTree.random(&random)
            if case .object = tree { return tree }
            return needsObject ? .object([.init(name: "a", value: tree)]) : tree
        }
        let decoys = (0..<random.below(3)).map { _ in
            DrivenTree.Member(name: random.pick(DrivenTree.names), value: .value(&random, .init(depth: 2)))
        }
        var drivenCase = DrivenCase(values: values, decoys: decoys, program: .random(&random), route: route)
        drivenCase.style.escapes = random.chance(1, in: 6)
        drivenCase.style.blanks = random.chance(1, in: 6)
        drivenCase.dates = random.below(6)
        if !DrivenDifferences.readsEscapes(drivenCase.dates) { drivenCase.style.escapes = false }
        if route == .flat { drivenCase.values = values.map { $0.withoutReservedNames } }
        return drivenCase
    }

    /// The document for this library.
    var document: String {
        let value = style
        func text(_ tree: DrivenTree) -> String { tree.text(value) }
        func decoy(_ index: Int) -> String {
            guard decoys.indices.contains(index) else { return "" }
            return DrivenTree.object([decoys[index]]).text().dropFirst().dropLast() + ","
        }
        let resources = values.enumerated().map { index, tree in
            let identity = "\"type\":\"driven\",\"id\":\"r\(index)\""
            switch route {
            case .meta: return "{\(identity),\"attributes\":{\(decoy(0))\"z\":1},\"meta\":\(text(tree))}"
            case .flat: return "{\(identity),\"attributes\":\(text(tree))}"
            case .objectView, .nested:
                return "{\(identity),\"attributes\":{\(decoy(0))\"outer\":{\(decoy(1))\"value\":\(text(tree)),\"y\":2},\"z\":1}}"
            case .included: return "{\(identity),\"relationships\":{\"leaf\":{\"data\":{\"type\":\"leaves\",\"id\":\"\(index)\"}}}}"
            default: return "{\(identity),\"attributes\":{\(decoy(0))\"value\":\(text(tree)),\(decoy(1))\"z\":1}}"
            }
        }
        switch route {
        case .documentMeta: return "{\"data\":null,\"meta\":\(text(values[0]))}"
        case .included:
            let leaves = values.enumerated().map { index, tree in
                "{\"type\":\"leaves\",\"id\":\"\(index)\",\"attributes\":{\(decoy(0))\"value\":\(text(tree)),\"z\":1}}"
            }
            return "{\"data\":[\(resources.joined(separator: ","))],\"included\":[\(leaves.joined(separator: ","))]}"
        default: return "{\"data\":[\(resources.joined(separator: ","))]}"
        }
    }

    /// The text for Foundation: the same value inside an object.
    func plain(_ index: Int) -> String {
        var style = style
        style.withoutRepeats = true
        guard route == .flat, case .object(let members) = values[index] else { return "{\"value\":\(values[index].text(style))}" }
        let identity = [DrivenTree.Member(name: "id", value: .string("r\(index)")), .init(name: "type", value: .string("driven"))]
        return "{\"value\":\(DrivenTree.object(identity + members).text(style))}"
    }
}

extension DrivenTree {
    /// As attributes, where names with a dot and the names of the identity have other meanings.
    var withoutReservedNames: DrivenTree {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { !["id", "type", "super"].contains($0.name) && !$0.name.contains(".") })
    }
}

// MARK: - Models

struct DrivenModel: Resource {
    static let type = "driven"
    var id: String
    var value: Driven
}

struct DrivenMetaModel: Resource {
    static let type = "driven"
    var id: String
    var meta: ResourceMeta<Driven>
}

struct DrivenNestedModel: Resource {
    static let type = "driven"
    var id: String
    var outer: Outer

    struct Outer: Codable, Sendable {
        var value: Driven
        var y: Int
    }
}

struct DrivenLeaf: Resource {
    static let type = "leaves"
    var id: String
    var value: Driven
}

struct DrivenTrunk: Resource {
    static let type = "driven"
    var id: String
    var leaf: DrivenLeaf
}

struct DrivenFlatModel: Resource {
    static let type = "driven"
    var id: String

    init(from decoder: any Decoder) throws {
        id = ""
        _ = try Driven(from: decoder)
    }
    func encode(to encoder: any Encoder) throws {}
}

struct DrivenDirectModel: DirectResource {
    static let type = "driven"
    var id: String
    var value: Driven

    init(resource: ResourceView) throws {
        id = try resource.id()
        value = try resource.attribute("value")
    }
}

struct DrivenViewModel: DirectResource {
    static let type = "driven"
    var id: String
    var value: Driven

    init(resource: ResourceView) throws {
        id = try resource.id()
        value = try resource.attribute("outer") { try $0.member("value") }
    }
}

/// The form in which Foundation gets the value.
struct DrivenPlain: Decodable {
    var value: Driven
}

// MARK: - Reading

extension DrivenCase {
    /// The trace of this library, and its final error.
    func readOurs() -> (DrivenRun, (any Error)?) {
        var decoder = JSONAPIDecoder(mode: route == .lenient ? .lenient : .standard)
        if let info = DrivenRun.info { decoder.userInfo[info] = 7 }
        switch dates {
        case 0: decoder.dateDecodingStrategy = .deferredToDate
        case 1: decoder.dateDecodingStrategy = .secondsSince1970
        case 2:
            decoder.dateDecodingStrategy = .millisecondsSince1970
            decoder.dataDecodingStrategy = .deferredToData
        case 3:
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(positiveInfinity: "a", negativeInfinity: "b", nan: "text")
        default: break
        }
        let data = Data(document.utf8)
        return run {
            switch route {
            case .attribute: _ = try decoder.decode([DrivenModel].self, from: data)
            case .document, .lenient: _ = try decoder.decode(Document<[DrivenModel]>.self, from: data)
            case .meta: _ = try decoder.decode([DrivenMetaModel].self, from: data)
            case .documentMeta: _ = try decoder.decode(Document<ResourceObject?>.self, from: data).meta(Driven.self)
            case .direct: _ = try decoder.decode([DrivenDirectModel].self, from: data)
            case .objectView: _ = try decoder.decode([DrivenViewModel].self, from: data)
            case .included: _ = try decoder.decode([DrivenTrunk].self, from: data)
            case .flat: _ = try decoder.decode([DrivenFlatModel].self, from: data)
            case .nested: _ = try decoder.decode([DrivenNestedModel].self, from: data)
            }
        }
    }

    /// The trace of Foundation, up to the value that it rejects.
    func readTheirs() -> (DrivenRun, (any Error)?) {
        let decoder = JSONDecoder()
        if let info = DrivenRun.info { decoder.userInfo[info] = 7 }
        decoder.dateDecodingStrategy = .iso8601
        switch dates {
        case 0: decoder.dateDecodingStrategy = .deferredToDate
        case 1: decoder.dateDecodingStrategy = .secondsSince1970
        case 2:
            decoder.dateDecodingStrategy = .millisecondsSince1970
            decoder.dataDecodingStrategy = .deferredToData
        case 3:
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(positiveInfinity: "a", negativeInfinity: "b", nan: "text")
        default: break
        }
        return run {
            for index in values.indices { _ = try decoder.decode(DrivenPlain.self, from: Data(plain(index).utf8)) }
        }
    }

    private func run(_ body: () throws -> Void) -> (DrivenRun, (any Error)?) {
        let run = DrivenRun(program)
        DrivenRun.current = run
        defer { run.end() }
        do {
            try body()
            return (run, nil)
        } catch {
            return (run, error)
        }
    }
}
