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
    /// and so are fields whose type accepts no other value, as some enumerations do.
    ///
    /// The variations are read without `included`. Do not use this for a model that embeds resources, such as `var author: Person`: it has no
    /// variations, or ones that differ in the embedded resources too. References such as `ToOne` are fine.
    ///
    /// Throws `EncodingError` if the model cannot be encoded.
    public static func all(
        of model: Model, encoder: JSONAPIEncoder = JSONAPIEncoder(), decoder: JSONAPIDecoder = JSONAPIDecoder()
    ) throws -> [ModelVariation] {
        let object = try encoder.resourceObject(model)
        let maker = Maker(object: object, encoder: encoder, decoder: decoder)
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

    private struct Maker {
        let object: ResourceObject
        let encoder: JSONAPIEncoder
        let decoder: JSONAPIDecoder

        /// The model with the first of those values that it can be read with, and that is still there when it is written.
        func variation(_ name: String, _ values: [JSON], _ set: (inout ResourceObject, JSON) -> Void) -> ModelVariation? {
            for value in values {
                var changed = object
                set(&changed, value)
                guard let model = model(of: changed), let written = try? encoder.resourceObject(model) else { continue }
                if written.json != object.json { return ModelVariation(field: name, value: model) }
            }
            return nil
        }

        private func model(of object: ResourceObject) -> Model? {
            var decoder = decoder
            if object.id == nil { decoder.source = .request }
            guard let text = try? JSONWriter().string(["data": object.json]) else { return nil }
            return try? decoder.decode(Model.self, from: .init(text.utf8))
        }
    }
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

    static func ofRelationship(_ json: JSON) -> [JSON] {
        guard let object = json.object, let linkage = object["data"].flatMap({ Linkage(json: $0) }) else { return [] }
        let others: [Linkage] =
            switch linkage {
            case .one(let identifier): [.one(ResourceIdentifier(type: identifier.type, id: (identifier.id ?? "") + "1")), .null]
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
