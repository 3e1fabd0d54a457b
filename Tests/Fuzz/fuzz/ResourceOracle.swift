import Foundation
import Fuzzing
import JSONAPICodec
import JSONMapping
import JSONText

/// The expected result for one resource of a document.
enum ResourceOutcome<Model: Equatable & Sendable>: Equatable, Sendable {
    case value(Model)
    case fault
}

/// Predicts what a walk over a document returns, by decoding each resource alone in a whole document.
struct ResourceOracle {
    let tree: JSON
    let decoder: JSONAPIDecoder
    /// The decoder's result for the whole document, without models.
    let isInOrder: Bool
    /// The identities of the primary resources, in order.
    let primary: [JSON]
    let included: [JSON]
    private let isSingle: Bool

    init(_ input: [UInt8], _ tree: JSON, _ decoder: JSONAPIDecoder) {
        self.tree = tree
        self.decoder = decoder
        let data = tree["data"] ?? .null
        isSingle = data.object != nil
        primary = data.array.map { Array($0) } ?? (isSingle ? [data] : [])
        included = tree["included"]?.array.map { Array($0) } ?? []
        let text = Data(input)
        let isMany = data.array != nil
        isInOrder =
            (try? isMany
                ? decoder.decode([ResourceObject].self, from: text).count : decoder.decode(ResourceObject?.self, from: text) == nil ? 0 : 1)
            != nil
    }

    /// The result for a resource next to others; none if it is dropped.
    func outcomes<Model: PrimaryElement & Equatable>(
        _ type: Model.Type, _ resource: JSON, beside others: [JSON] = [], _ decoder: JSONAPIDecoder
    ) throws -> [ResourceOutcome<Model>] {
        var document: JSONObject = ["data": [resource]]
        if !others.isEmpty { document["included"] = .array(JSONArray(others)) }
        var writer = JSONWriter()
        writer.maximumDepth = .max
        var decoder = decoder
        if isSingle { decoder.reading.maximumDepth += 1 }
        let text = Data(try writer.write(.object(document)))
        do {
            return try decoder.decode([Model].self, from: text).map { .value($0) }
        } catch is ValidationError where decoder.invalidElements == .drop {
            // What a rewriter refuses fails a whole document, and a stream leaves it out.
            return []
        } catch {
            return [.fault]
        }
    }

    /// For findings.
    var options: String {
        "\(decoder.mode), \(decoder.source), missing \(String(describing: decoder.missingResources)), unknown \(decoder.unknownTypes), "
            + "invalid \(decoder.invalidElements), leniencies \(decoder.leniencies.rawValue)"
    }

    /// The document without the other primary resources.
    func others(than index: Int) -> [JSON] {
        included + primary.enumerated().filter { $0.offset != index }.map(\.element)
    }

    /// Whether the primary resources are only identifiers, so that `included` contains the resources.
    var hasBareData: Bool {
        primary.allSatisfy { $0["attributes"] == nil && $0["relationships"] == nil && $0["links"] == nil }
    }
}

// MARK: - Linkage

extension ResourceOracle {
    /// The identifiers in the relationships with the given names; in all relationships for nil.
    private func identifiers(_ resource: JSON, _ names: [String]? = nil) -> [JSON] {
        (resource["relationships"]?.object ?? JSONObject()).flatMap { member -> [JSON] in
            guard names?.contains(member.name) ?? true, let data = member.value["data"] else { return [] }
            return data.array.map { Array($0) } ?? (data.object == nil ? [] : [data])
        }
    }

    func links(_ resource: JSON, through names: [String]) -> Bool { !identifiers(resource, names).isEmpty }

    /// Whether a resource links to itself. Alone in a document, it can only find itself.
    func linksToItself(_ resource: JSON) -> Bool {
        identifiers(resource).contains { $0["type"] == resource["type"] && ($0["id"] == resource["id"] || $0["lid"] == resource["lid"]) }
    }

    /// Whether whole resources are accepted in place of identifiers.
    func readsResourcesInLinkage(_ resources: [JSON]) -> Bool {
        guard decoder.leniencies.contains(.embeddedResources) || decoder.leniencies.contains(.identifiersWithoutID) else { return false }
        return resources.contains { resource in
            identifiers(resource).contains { $0["attributes"] != nil || $0["relationships"] != nil || $0["id"] == nil }
        }
    }
}
