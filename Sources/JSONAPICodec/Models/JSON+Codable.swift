import Foundation
public import JSONText

// JSON values from and to any type that conforms to `Codable`.

extension JSON {
    /// Decodes the value as a Swift type, with the strategies of a decoder.
    ///
    /// ```swift
    /// let page = try document.meta?["page"]?.decode(PageMeta.self)
    /// ```
    ///
    /// Throws `DecodingError` when the value does not fit the type.
    ///
    /// - Complexity: O(n), n = bytes of the JSON text.
    public func decode<Value: Decodable>(_ type: Value.Type, by decoder: JSONAPIDecoder = JSONAPIDecoder()) throws -> Value {
        try decoder.value(type, from: try JSONWriter.unlimited.write(self))
    }

    /// Creates a JSON value from a Swift value, with the strategies of an encoder. `decode(_:by:)` reads it back. Throws `EncodingError`
    /// when the value cannot be written.
    public init(encoding value: some Encodable, by encoder: JSONAPIEncoder = JSONAPIEncoder()) throws { self = try encoder.json(value) }
}

extension JSONObject {
    /// Decodes the object as a Swift type. Use it for the meta information of documents, resources, references and identifiers.
    ///
    /// ```swift
    /// let role = try article.author.identifier?.meta?.decode(Role.self)
    /// ```
    ///
    /// Throws `DecodingError` when the object does not fit the type.
    public func decode<Value: Decodable>(_ type: Value.Type, by decoder: JSONAPIDecoder = JSONAPIDecoder()) throws -> Value {
        try JSON.object(self).decode(type, by: decoder)
    }
}
