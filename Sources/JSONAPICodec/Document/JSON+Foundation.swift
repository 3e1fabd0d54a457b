import Foundation
public import JSONText

// Trees of other systems: Foundation's dictionaries and arrays, and any type that conforms to `Codable`.

extension JSON {
    /// A tree of Foundation, as `JSONSerialization` takes and makes it: `[String: Any]`, `[Any]`, `String`, numbers, `Bool`, `NSNull`, and
    /// their Objective-C relatives.
    ///
    /// ```swift
    /// let json = try JSON(foundation: ["title": "Clocks", "pages": 12, "tags": ["time"]])
    /// json["pages"]?.int      // 12
    /// ```
    ///
    /// The members of an object come in the order of their names. Throws `EncodingError` for anything else in it, NaN and infinity included.
    ///
    /// - Complexity: O(n), n = bytes of the JSON text.
    public init(foundation value: Any) throws {
        // Asking first: what cannot be written stops the process on Apple systems.
        guard JSONSerialization.isValidJSONObject([value]) else {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(
                    codingPath: [],
                    debugDescription: "expected dictionaries with names of type String, arrays, texts, finite numbers, booleans and NSNull")
            )
        }
        let text = try JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
        self = try JSON(parsing: text)
    }

    /// The value as a tree of Foundation, as `JSONSerialization` makes it: `[String: Any]`, `[Any]`, `String`, `NSNumber`, `NSNull`.
    ///
    /// Of a name that an object has twice the last value counts. Throws what `JSONSerialization` throws: for values that are nested deeper
    /// than it reads, and numbers beyond its range.
    ///
    /// - Complexity: O(n), n = bytes of the JSON text.
    public var foundation: Any {
        get throws {
            try JSONSerialization.jsonObject(with: Data(try JSONWriter().write(self)), options: .fragmentsAllowed)
        }
    }

    /// The value as a Swift type, by the strategies of a decoder.
    ///
    /// ```swift
    /// let page = try document.meta?["page"]?.decode(PageMeta.self)
    /// ```
    ///
    /// Throws `DecodingError`.
    ///
    /// - Complexity: O(n), n = bytes of the JSON text.
    public func decode<Value: Decodable>(_ type: Value.Type, by decoder: JSONAPIDecoder = JSONAPIDecoder()) throws -> Value {
        try decoder.value(type, from: try JSONWriter().write(self))
    }

    /// A Swift value as JSON, by the strategies of an encoder: what `decode(_:by:)` reads. Throws `EncodingError`.
    public init(encoding value: some Encodable, by encoder: JSONAPIEncoder = JSONAPIEncoder()) throws { self = try encoder.json(value) }
}

extension JSONObject {
    /// The object as a Swift type: for the meta information of documents, resources, references and identifiers.
    ///
    /// ```swift
    /// let role = try article.author.identifier?.meta?.decode(Role.self)
    /// ```
    ///
    /// Throws `DecodingError`.
    public func decode<Value: Decodable>(_ type: Value.Type, by decoder: JSONAPIDecoder = JSONAPIDecoder()) throws -> Value {
        try JSON.object(self).decode(type, by: decoder)
    }
}
