import Foundation
import JSONAPICodec

/// A document of resources with attributes, as Foundation reads it.
struct PlainList<Attributes: Codable>: Codable { var data: [PlainResource<Attributes>] }

/// The same with one resource.
struct PlainOne<Attributes: Codable>: Codable { var data: PlainResource<Attributes> }

struct PlainResource<Attributes: Codable>: Codable {
    var type: String
    var id: String
    var attributes: Attributes
}

struct PlainLinked<Attributes: Codable, Relationships: Codable>: Codable {
    var type: String
    var id: String
    var attributes: Attributes
    var relationships: Relationships
}

// MARK: - From models

extension PlainResource {
    /// The model as Foundation would have read it. Foundation also writes the model for this, as the plain value that it is.
    init<Model: Resource>(_ model: Model, _ separator: Character?) throws where Model.ID == String {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        if let separator { encoder.keyEncodingStrategy = .custom { AnyName($0.last, separator) } }
        let text = try encoder.encode(model)
        self.init(type: Model.type, id: model.id, attributes: try FoundationCoding.decoder.decode(Attributes.self, from: text))
    }
}

/// A name of a model, in the form of the document.
private struct AnyName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ key: (any CodingKey)?, _ separator: Character) {
        stringValue = (key?.stringValue ?? "").reduce(into: "") { name, character in
            if character.isUppercase { name.append(separator) }
            name += character.lowercased()
        }
    }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

// MARK: - Checksum

extension Encodable {
    /// A number computed from everything in the value.
    var checksum: UInt64 {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return try encoder.encode(self).reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        }
    }
}
