import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONMapping
import JSONText
import TestSupport
import Testing

/// Random resources of a server, which models see only in part. A model is decoded, edited, and sent as a patch. The server applies the
/// body by the rules of the standard, with code of its own. The resource must then be the one with the edit made by hand.
///
/// `SERVER_PATCHES=20000 swift test --filter ServerPatchTests` tries more of them.
@Suite struct ServerPatchTests {
    private static let count = ProcessInfo.processInfo.environment["SERVER_PATCHES"].flatMap(UInt64.init) ?? 40

    @Test func wholeAttributesAndReferences() throws { try check(ServerModels.Plain.self) }
    @Test func partsOfAttributes() throws { try check(ServerModels.Parts.self) }
    @Test func valuesThatCannotBeDecoded() throws { try check(ServerModels.Cards.self) }
    @Test func embeddedResources() throws { try check(ServerModels.Embedding.self) }

    private func check<Model: ServerModel>(_ type: Model.Type) throws {
        var sent = 0
        for seed in 0..<Self.count {
            var random = SeededRandom(seed: seed)
            let server = ServerOf<Model>(hidden: random.bool(), &random)
            try server.checkRoundTrip(seed)
            for hasBase in [true, false] { if try server.checkPatch(hasBase: hasBase, seed, &random) { sent += 1 } }
            try server.checkKeyPath(seed, &random)
        }
        // Many edits must be possible.
        #expect(sent > Int(Self.count) / 4)
    }
}

/// A server with one resource, and its client.
private struct ServerOf<Model: ServerModel> {
    let hidden: Bool
    let resource: Object
    let text: Data
    let decoder: JSONAPIDecoder
    let encoder: JSONAPIEncoder

    init(hidden: Bool, _ random: inout SeededRandom) {
        self.hidden = hidden
        resource = Model.resource(&random, hidden: hidden)
        var document: Object = ["data": resource]
        if !Model.included.isEmpty { document["included"] = Model.included }
        text = (try? JSONSerialization.data(withJSONObject: document)) ?? Data()
        var decoder = JSONAPIDecoder()
        decoder.keyStrategy = Model.strategy
        self.decoder = decoder
        var encoder = JSONAPIEncoder()
        encoder.keyStrategy = Model.strategy
        encoder.checksNames = false
        self.encoder = encoder
    }

    private func note(_ seed: UInt64, _ edits: [ServerEdit<Model>] = []) -> Comment {
        "\(Model.type), seed \(seed), edits of \(edits.map(\.property)): \(resource.sortedText)"
    }

    /// Decodes, encodes and decodes again. A request to create the resource has the same fields.
    func checkRoundTrip(_ seed: UInt64) throws {
        let model = try decoder.decode(Model.self, from: text)
        let written = try encoder.encode(Document(model))
        let again = try decoder.decode(Model.self, from: written)
        #expect(try sorted(encoder.encode(Document(again))) == sorted(written), note(seed))
        let created = try JSONSerialization.jsonObject(with: encoder.encode(Create(model))) as? Object
        let first = try JSONSerialization.jsonObject(with: written) as? Object
        #expect(
            created?[["data", "attributes"]].map { ["a": $0] }?.sortedText == first?[["data", "attributes"]].map { ["a": $0] }?.sortedText,
            note(seed))
        guard !hidden else { return }
        for (name, value) in first?[["data", "attributes"]] as? Object ?? [:] {
            guard let old = resource[["attributes", name]], !(old is NSNull) else { continue }
            #expect(Object.withoutNulls(["x": value]).sortedText == Object.withoutNulls(["x": old]).sortedText, note(seed))
        }
    }

    /// Returns whether a body was sent. Otherwise it was refused, as it had to be.
    func checkPatch(hasBase: Bool, _ seed: UInt64, _ random: inout SeededRandom) throws -> Bool {
        let old = try decoder.decode(Model.self, from: text)
        var edits: [ServerEdit<Model>] = []
        for edit in Model.edits(of: old, resource, hidden: hidden, &random).shuffled(using: &random).prefix(1 + random.int(3))
        where !edits.contains(where: { $0.property == edit.property }) && (hasBase || !edit.isBlind) { edits.append(edit) }
        var (new, expected) = (old, resource)
        for edit in edits {
            edit.change(&new)
            edit.hand(&expected)
        }
        let body: Data
        do {
            let patch =
                hasBase
                ? Patch(from: old, to: new, base: try decoder.decode(ResourceObject.self, from: text)) : Patch(from: old, to: new)
            body = try encoder.encode(patch)
        } catch let error as EncodingError {
            #expect(error.failure?.advice != nil, note(seed, edits))
            #expect(edits.contains { $0.isImpossible || !hasBase && $0.isPartial }, "\(error) \(note(seed, edits))")
            return false
        }
        #expect(!edits.contains { $0.isImpossible || !hasBase && $0.isPartial }, note(seed, edits))
        let result = try resource.patched(by: body)
        #expect(
            result.comparable.sortedText == expected.comparable.sortedText,
            "\(note(seed, edits)) base \(hasBase) body \(String(decoding: body, as: UTF8.self))")
        guard Model.isApplicable else { return true }
        // With a base, the body has members that the model does not have.
        let applied = try Changes<Model>(body, decoder: decoder).applied(to: old, encoder: encoder, ignoringUnknownNames: hidden)
        #expect(try fields(applied) == fields(new), note(seed, edits))
        return true
    }

    private func sorted(_ text: Data) throws -> String {
        (try JSONSerialization.jsonObject(with: text) as? Object ?? [:]).sortedText
    }

    /// Returns the fields of a model, without what only a document has, and without null.
    private func fields(_ model: Model) throws -> String {
        var object = try encoder.resourceObject(model)
        object.members["meta"] = nil
        object.members["links"] = nil
        for (name, relationship) in object.relationships ?? Relationships(members: JSONObject()) {
            let data = relationship.members["data"]
            object[relationship: name] = data == nil || data == .null ? nil : RelationshipObject(data: relationship.data)
        }
        if object.relationships?.members.isEmpty == true { object.relationships = nil }
        return try Object.withoutNulls(object.json.foundation as? Object ?? [:]).sortedText
    }

    func checkKeyPath(_ seed: UInt64, _ random: inout SeededRandom) throws {
        let old = try decoder.decode(Model.self, from: text)
        for edit in Model.edits(of: old, resource, hidden: hidden, &random) {
            guard let path = edit.path else { continue }
            var expected = resource
            edit.hand(&expected)
            let body: Data
            do {
                body = try encoder.encode(path(Patch<Model>(id: old.id)))
            } catch let error as EncodingError {
                #expect(error.failure?.advice != nil && (edit.isPartial || edit.isImpossible), "\(error) \(note(seed, [edit]))")
                continue
            }
            #expect(try resource.patched(by: body).comparable.sortedText == expected.comparable.sortedText, note(seed, [edit]))
        }
    }
}

extension Object {
    /// The resource object without null inside the values of its attributes. A nil inside a value is not written.
    fileprivate var comparable: Object {
        var result = self
        for (name, value) in self["attributes"] as? Object ?? [:] where name != "free" {
            result[["attributes", name]] = value is NSNull ? value : Object.withoutNulls(["x": value])["x"]
        }
        return result
    }

    /// Returns the object without null and without empty objects. A nil inside a value is not written, or written as null.
    fileprivate static func withoutNulls(_ object: Object) -> Object {
        func stripped(_ value: Any) -> Any {
            switch value {
            case let object as Object: withoutNulls(object)
            case let array as [Any]: array.map(stripped)
            default: value
            }
        }
        return object.mapValues(stripped).filter { !($0.value is NSNull) && ($0.value as? Object)?.isEmpty != true }
    }
}
