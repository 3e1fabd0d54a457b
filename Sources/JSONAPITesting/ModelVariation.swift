import Foundation
import JSONAPICodec
import JSONText

/// A model with one changed field, to test that equality, a patch or a view notices every field.
///
/// ```swift
/// for variation in try ModelVariation.all(of: article) {
///     #expect(variation.value != article, "\(variation.field) does not count")
/// }
/// ```
public struct ModelVariation<Model: Resource>: Sendable {
    /// The name of the attribute or relationship in the document.
    public let field: String
    /// The model with another value in that field.
    public let value: Model

    /// Returns a variation for each field that has a value: a longer text, a number plus one, another id. Absent fields are left out,
    /// and so are fields whose type accepts no other value, as some enumerations do. A relationship that is null or empty is left out, too,
    /// because its document does not have the type of another resource for it. Give the model a resource there.
    ///
    /// The resources that the model embeds stay as they are. Another id of an embedded resource makes a copy of it with that id. The
    /// rewriters of the encoder and of the decoder, and the check of the encoder, are not used. By default, the encoder matches `decoder`.
    ///
    /// Throws `EncodingError` if the model cannot be encoded, and `DecodingError` if it cannot be read from what it was encoded as. The
    /// decoder's `missingResources`, or `ToOne` and `ToMany` instead of embedded resources, can help.
    ///
    /// - Complexity: O(fields × size of the model with its related resources).
    public static func all(
        of model: Model, encoder: JSONAPIEncoder? = nil, decoder: JSONAPIDecoder = JSONAPIDecoder()
    ) throws -> [ModelVariation] {
        var encoder = encoder ?? JSONAPIEncoder(matching: decoder)
        encoder.rewriters = [:]
        encoder.check = nil
        let object = try encoder.resourceObject(model)
        var decoder = decoder
        decoder.rewriters = [:]
        if object.id == nil { decoder.source = .request }
        let document = DocumentObject(members: try JSON(parsing: encoder.encode(model)).object ?? JSONObject())
        let reader = Reader(related: RelatedResources(of: object, document.included ?? []), decoder: decoder)
        let unchanged = try encoder.resourceObject(reader.model(of: object)).json
        let maker = Maker(object: object, unchanged: unchanged, encoder: encoder, reader: reader)
        let attributes = (object.attributes ?? [:]).compactMap { member in
            maker.variation(member.name, FieldVariants.of(member.value)) { object, value in object[attribute: member.name] = value }
        }
        let relationships = (object.relationships?.members ?? [:]).compactMap { member in
            maker.variation(member.name, FieldVariants.ofRelationship(member.value)) { object, value in
                object[relationship: member.name] = RelationshipObject(json: value)
            }
        }
        return attributes + relationships
    }

    private struct Reader {
        let related: RelatedResources
        let decoder: JSONAPIDecoder

        func model(of object: ResourceObject) throws -> Model {
            var document: JSONObject = ["data": object.json]
            let included = related.included(with: object)
            if !included.isEmpty { document["included"] = .array(JSONArray(included.map(\.json))) }
            return try decoder.decode(Model.self, from: Data(JSONWriter().string(.object(document)).utf8))
        }
    }

    private struct Maker {
        let object: ResourceObject
        /// The object of the model that is read without a change.
        let unchanged: JSON
        let encoder: JSONAPIEncoder
        let reader: Reader

        /// The model with the first of those values that it can be read with, and that is still there when it is written.
        func variation(_ name: String, _ values: [JSON], _ set: (inout ResourceObject, JSON) -> Void) -> ModelVariation? {
            for value in values {
                var changed = object
                set(&changed, value)
                guard let model = try? reader.model(of: changed), let written = try? encoder.resourceObject(model) else { continue }
                if written.json != unchanged { return ModelVariation(field: name, value: model) }
            }
            return nil
        }
    }
}

/// The resources that are written with a model, and copies with the other ids that `FieldVariants` gives them.
private struct RelatedResources {
    private var resources: [ResourceIdentifier: ResourceObject] = [:]

    init(of object: ResourceObject, _ included: [ResourceObject]) {
        for resource in included {
            if let identifier = resource.identifier { resources[identifier] = resource }
        }
        for (_, relationship) in object.relationships ?? [:] {
            guard case .one(let identifier) = relationship.data, var copy = resources[identifier.withoutDetails] else { continue }
            let other = FieldVariants.other(than: identifier)
            copy.lid = nil
            copy.id = other.id
            if resources[other] == nil { resources[other] = copy }
        }
    }

    /// Returns those that an object leads to. Strict mode refuses any others.
    func included(with object: ResourceObject) -> [ResourceObject] {
        var known = Set([object.identifier].compactMap { $0 })
        var found: [ResourceObject] = []
        var next = [object]
        while let resource = next.popLast() {
            for (_, relationship) in resource.relationships ?? [:] {
                for identifier in relationship.data.identifiers.map(\.withoutDetails) where known.insert(identifier).inserted {
                    guard let target = resources[identifier] else { continue }
                    found.append(target)
                    next.append(target)
                }
            }
        }
        return found
    }
}

extension ResourceIdentifier {
    /// The identity alone, without meta and other members.
    fileprivate var withoutDetails: ResourceIdentifier { ResourceIdentifier(type: type, id: id, lid: lid, meta: nil) }
}

/// Values that differ from one in a field, the likeliest to be read first.
enum FieldVariants {
    /// Members within each other that are looked into.
    private static let maximumLevels = 8

    static func of(_ json: JSON, level: Int = 0) -> [JSON] {
        switch json {
        case .null: ["a", 1, true, [], [:]]
        case .bool(let value): [.bool(!value)]
        case .number(let number): numbers(number)
        case .string(let text): texts(text)
        case .array(let array): array.isEmpty ? [["a"], [1]] : [.array(JSONArray(array.dropLast()))]
        case .object(let object): level < maximumLevels ? objects(object, level) : []
        }
    }

    private static func numbers(_ number: JSONNumber) -> [JSON] {
        if let integer = JSON.number(number).int, integer < .max { return [.number(JSONNumber(integer + 1)), .number(JSONNumber(0))] }
        return [.number(JSONNumber(1)), .number(JSONNumber(2))]
    }

    /// A letter more; then one digit less or more, for dates and numbers in text.
    private static func texts(_ text: String) -> [JSON] {
        let bytes = Array(text.utf8)
        let digits = bytes.indices.reversed().filter { 0x30...0x39 ~= bytes[$0] }
        return [.string(text + "a")]
            + digits.prefix(20).map { position in
                var changed = bytes
                changed[position] = bytes[position] == 0x30 ? 0x31 : bytes[position] - 1
                return .string(String(decoding: changed, as: UTF8.self))
            }
    }

    private static func objects(_ object: JSONObject, _ level: Int) -> [JSON] {
        guard !object.isEmpty else { return [["a": "b"], ["a": 1]] }
        return object.prefix(10).flatMap { member in
            of(member.value, level: level + 1).map { value in
                var changed = object
                changed[member.name] = value
                return .object(changed)
            }
        }
    }

    /// Another resource of the same type.
    static func other(than identifier: ResourceIdentifier) -> ResourceIdentifier {
        ResourceIdentifier(type: identifier.type, id: (identifier.id ?? "") + "1")
    }

    static func ofRelationship(_ json: JSON) -> [JSON] {
        guard let object = json.object, let linkage = object["data"].flatMap({ Linkage(json: $0) }) else { return [] }
        let others: [Linkage] =
            switch linkage {
            case .one(let identifier): [.one(other(than: identifier)), .null]
            case .many(let identifiers): identifiers.isEmpty ? [] : [.many(identifiers.dropLast())]
            case .null, .absent: []
            }
        return others.compactMap(\.json).map { data in
            var changed = object
            changed["data"] = data
            return .object(changed)
        }
    }
}
