import Foundation
import JSONAPICodec
import JSONText

extension FuzzTarget {
    /// Programs that encode values with `JSONAPIEncoder` and with `JSONEncoder`. Both results must decode to equal values.
    static let encodable = FuzzTarget(name: "encodable", seeds: { _ in [[]] }) { _, random in
        let writingCase = WritingCase.random(&random)
        guard let difference = writingCase.difference else { return }
        // Reducing a finding takes longer than one execution may.
        FuzzWatch.end()
        throw FuzzFinding(writingCase.reduced(difference.kind).description, kind: difference.kind)
    }
}

/// A program that encodes a value, and the place in a document.
struct WritingCase: Sendable {
    enum Route: CaseIterable, Sendable { case attribute, nested, meta, direct, json, flat, objectWriter, included }

    var program: WritingProgram
    var route: Route
    var count = 1
    var dates = 4
    var isIndented = false
    var sortsNames = false
    var repeatsNames = false

    static func random(_ random: inout FuzzRandom) -> WritingCase {
        var writingCase = WritingCase(program: .random(&random), route: random.pick(Route.allCases))
        writingCase.count = random.chance(1, in: 3) ? 2 : 1
        writingCase.dates = random.below(5)
        writingCase.isIndented = random.chance(1, in: 6)
        writingCase.sortsNames = random.chance(1, in: 6)
        writingCase.repeatsNames = random.chance(1, in: 10)
        return writingCase
    }
}

// MARK: - Models

struct WritingModel: Resource {
    static let type = "written"
    var id: String
    var value: Written
}

struct WritingNestedModel: Resource {
    static let type = "written"
    var id: String
    var outer: Outer

    struct Outer: Codable, Sendable {
        var x = 1
        var value = Written()
        var y = 2
    }
}

struct WritingMetaModel: Resource {
    static let type = "written"
    var id: String
    var value: ResourceMeta<Written>
}

struct WritingTrunk: Resource {
    static let type = "trunks"
    var id: String
    var leaves: [WritingModel]
}

struct WritingFlatModel: Resource {
    static let type = "written"
    var id: String

    init(id: String) { self.id = id }
    init(from decoder: any Decoder) throws { id = "" }
    func encode(to encoder: any Encoder) throws {
        try WritingRun.current.write(encoder, isResource: true)
    }
}

struct WritingDirectModel: DirectResource {
    static let type = "written"
    var id: String
    var isNested: Bool

    init(id: String, isNested: Bool) { (self.id, self.isNested) = (id, isNested) }
    init(resource: ResourceView) throws { (id, isNested) = ("", false) }
    init(from decoder: any Decoder) throws { (id, isNested) = ("", false) }
    func encode(to encoder: any Encoder) throws {}
    func write(to resource: ResourceWriter) throws {
        guard isNested else { return try resource.attribute("value", Written()) }
        try resource.attribute("outer") { object in
            object.member("x", 1)
            try object.member("value", Written())
            object.member("y", "z")
        }
    }
}

/// The form in which Foundation gets the value.
struct WritingPlain: Encodable {
    var isFlat: Bool
    var value = Written()

    enum CodingKeys: CodingKey { case value }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if isFlat { try container.encode(WritingPlainResource(), forKey: .value) } else { try container.encode(value, forKey: .value) }
    }
}

/// The attributes of a resource, which are always an object.
struct WritingPlainResource: Encodable {
    func encode(to encoder: any Encoder) throws {
        _ = encoder.container(keyedBy: DrivenKey.self)
        try WritingRun.current.write(encoder, isResource: true)
    }
}

// MARK: - Writing

extension WritingCase {
    typealias Outcome = (run: WritingRun, values: Result<[JSON], any Error>)

    /// The values in Foundation's output.
    func writeTheirs() -> Outcome {
        let encoder = JSONEncoder()
        if let info = DrivenRun.info { encoder.userInfo[info] = 7 }
        switch dates {
        case 0: encoder.dateEncodingStrategy = .deferredToDate
        case 1: encoder.dateEncodingStrategy = .secondsSince1970
        case 2: encoder.dateEncodingStrategy = .millisecondsSince1970
        default: encoder.dateEncodingStrategy = .iso8601
        }
        if dates == 3 { encoder.dataEncodingStrategy = .deferredToData }
        if dates == 2 {
            encoder.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        }
        return run(passesErrors: true) {
            let text = try encoder.encode(WritingPlain(isFlat: route == .flat))
            return [try value(JSON(parsing: text), ["value"])]
        }
    }

    func writeOurs() -> Outcome {
        var encoder = JSONAPIEncoder()
        if let info = DrivenRun.info { encoder.userInfo[info] = 7 }
        switch dates {
        case 0: encoder.dateEncodingStrategy = .deferredToDate
        case 1: encoder.dateEncodingStrategy = .secondsSince1970
        case 2: encoder.dateEncodingStrategy = .millisecondsSince1970
        default: encoder.dateEncodingStrategy = .iso8601
        }
        if dates == 3 { encoder.dataEncodingStrategy = .deferredToData }
        if dates == 2 {
            encoder.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        }
        if isIndented { encoder.style = .indented() }
        encoder.sortsNames = sortsNames
        // Names come from the program, and can be any JSON string.
        encoder.checksNames = false
        return run(passesErrors: false) {
            let ids = (0..<count).map { "\($0)" }
            switch route {
            case .json: return [try encoder.json(Written())]
            case .attribute: return try read(encoder.encode(ids.map { WritingModel(id: $0, value: Written()) }), ["attributes", "value"])
            case .nested:
                return try read(encoder.encode(ids.map { WritingNestedModel(id: $0, outer: .init()) }), ["attributes", "outer", "value"])
            case .meta: return try read(encoder.encode(ids.map { WritingMetaModel(id: $0, value: ResourceMeta(Written())) }), ["meta"])
            case .direct:
                return try read(encoder.encode(ids.map { WritingDirectModel(id: $0, isNested: false) }), ["attributes", "value"])
            case .objectWriter:
                return try read(encoder.encode(ids.map { WritingDirectModel(id: $0, isNested: true) }), ["attributes", "outer", "value"])
            case .flat: return try read(encoder.encode(ids.map { WritingFlatModel(id: $0) }), ["attributes"])
            case .included:
                let trunk = WritingTrunk(id: "t", leaves: ids.map { WritingModel(id: $0, value: Written()) })
                return try read(encoder.encode([trunk]), ["attributes", "value"], in: "included")
            }
        }
    }

    private func run(passesErrors: Bool, _ body: () throws -> [JSON]) -> Outcome {
        let run = WritingRun(program, repeatsNames: repeatsNames, passesErrors: passesErrors)
        WritingRun.current = run
        return (run, Result { try body() })
    }

    private func value(_ tree: JSON, _ names: [String]) throws -> JSON {
        try names.reduce(tree) { tree, name in
            // A resource without attributes has no such member.
            if names.count == 1, name == "attributes", tree.object?[name] == nil { return .object(JSONObject()) }
            guard let value = tree.object?[name] else { throw FuzzFinding("no \(name) in \(tree)") }
            return value
        }
    }

    /// The values of all resources, decoded by this library.
    private func read(_ text: Data, _ names: [String], in member: String = "data") throws -> [JSON] {
        do {
            _ = try JSONAPIDecoder().decode([ResourceObject].self, from: text)
            let tree = try JSON(parsing: text)
            return try (tree.object?[member]?.array ?? []).map { try value($0, names) }
        } catch {
            throw FuzzFinding("not read back: \(error) in \(String(decoding: text, as: UTF8.self))")
        }
    }
}

// MARK: - Judging

extension WritingCase {
    var difference: DrivenDifference? {
        var first = self
        // Every value is encoded in the same way.
        first.count = 1
        let theirs = first.writeTheirs()
        let ours = writeOurs()
        if case .failure(let finding as FuzzFinding) = ours.values {
            return DrivenDifference(kind: "not read back", description: finding.description)
        }
        for (index, event) in theirs.run.events.enumerated() {
            guard index < ours.run.events.count else {
                // Nothing is recorded after an error.
                if ours.run.firstError != nil { break }
                return DrivenDifference(kind: "short", description: "nothing instead of \(event)")
            }
            if ours.run.events[index] != event {
                return DrivenDifference(kind: "event \(event.step)", description: "\(ours.run.events[index]) instead of \(event)")
            }
        }
        let isMeta = route == .meta
        switch (theirs.values, ours.values) {
        case (.failure, .success(let values)):
            return DrivenDifference(kind: "only Foundation refuses", description: "\(values)")
        case (.failure(let expected), .failure(let found)):
            let kinds = [expected, found].map { $0 is EncodingError ? "EncodingError" : "\(type(of: $0))" }
            if kinds[0] == kinds[1] || ours.run.hasRepeated || isMeta { return nil }
            // An error of the program itself, after it ignored an error that ended the other run.
            if found is DrivenFailure, ours.run.firstError is EncodingError { return nil }
            return DrivenDifference(kind: "end: \(kinds[1]) instead of \(kinds[0])", description: "\(found) instead of \(expected)")
        case (.success(let expected), .failure(let error)):
            // A repeated name is an error on purpose. So is an error that the model ignores, because the value would be incomplete.
            if ours.run.hasRepeated { return nil }
            if isMeta, expected[0].object == nil { return nil }
            return DrivenDifference(kind: "only ours refuses", description: "\(error)")
        case (.success(let expected), .success(let values)):
            // Two objects at one place of a resource are merged, as with keys that contain paths.
            if theirs.run.hasRepeated {
                return route == .flat ? nil : DrivenDifference(kind: "a repeated name is written", description: "\(values)")
            }
            let count = route == .json ? 1 : count
            guard values.count == count else { return DrivenDifference(kind: "count", description: "\(values.count) values, not \(count)") }
            for value in values where !Self.areEqual(value, expected[0]) {
                return DrivenDifference(kind: "another value", description: "\(value) instead of \(expected[0])")
            }
            return nil
        }
    }

    /// Whether values are equal: names and strings by bytes, names in any order, numbers by value.
    static func areEqual(_ a: JSON, _ b: JSON) -> Bool {
        switch (a, b) {
        case (.object(let a), .object(let b)):
            guard a.count == b.count else { return false }
            return a.allSatisfy { member in b[member.name].map { areEqual(member.value, $0) } ?? false }
        case (.array(let a), .array(let b)): return a.count == b.count && zip(a, b).allSatisfy { areEqual($0, $1) }
        case (.string, .string):
            guard let a = a.string, let b = b.string else { return false }
            return Array(a.utf8) == Array(b.utf8)
        case (.number(let a), .number(let b)):
            // Foundation writes a Double without a fraction in another form.
            return a == b || Double(a.description) == Double(b.description) && !(a.description + b.description).allSatisfy(\.isNumber)
        default: return a == b
        }
    }

    func reduced(_ kind: String) -> WritingCase {
        var best = self
        var tries = 1500
        var isSmaller = true
        while isSmaller, tries > 0 {
            isSmaller = false
            for candidate in best.smaller {
                tries -= 1
                if tries == 0 { break }
                if candidate.difference?.kind == kind {
                    best = candidate
                    isSmaller = true
                    break
                }
            }
        }
        return best
    }

    private var smaller: [WritingCase] {
        var cases: [WritingCase] = []
        func add(_ change: (inout WritingCase) -> Void) {
            var changed = self
            change(&changed)
            cases.append(changed)
        }
        if count > 1 { add { $0.count = 1 } }
        if isIndented { add { $0.isIndented = false } }
        if sortsNames { add { $0.sortsNames = false } }
        if repeatsNames { add { $0.repeatsNames = false } }
        if dates != 4 { add { $0.dates = 4 } }
        if route != .attribute, route != .flat { add { $0.route = .attribute } }
        for program in program.smaller { add { $0.program = program } }
        return cases
    }
}

extension WritingCase: CustomStringConvertible {
    var description: String {
        let difference = difference
        return """
            [\(difference?.kind ?? "no difference")] route \(route), strategy \(dates), \(count) times\
            \(isIndented ? ", indented" : "")\(sortsNames ? ", sorted" : "")\(repeatsNames ? ", repeats names" : "")
            \(program)
              \(difference?.description ?? "")
            """
    }
}
