import Foundation
public import JSONText

// Conversion from and to other representations: Foundation's dictionaries and arrays, and any type that conforms to `Codable`.

extension JSON {
    /// Creates a value from Foundation's representation of JSON, as `JSONSerialization` uses it: `[String: Any]`, `[Any]`, `String`,
    /// numbers, `Bool`, `NSNull`, and their Objective-C counterparts.
    ///
    /// ```swift
    /// let json = try JSON(foundation: ["title": "Clocks", "pages": 12, "tags": ["time"]])
    /// json["pages"]?.int      // 12
    /// ```
    ///
    /// The members of an object are sorted by name. Throws `EncodingError` when the value contains anything else, such as NaN or infinity.
    ///
    /// - Complexity: O(n), n = bytes of the JSON text.
    public init(foundation value: Any) throws {
        // `JSONSerialization` stops the process on Apple systems when it cannot write a value, so check first.
        guard JSONSerialization.isValidJSONObject([value]) else {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(
                    codingPath: [],
                    debugDescription:
                        "Expected dictionaries with names of type String, arrays, strings, finite numbers, booleans and NSNull.")
            )
        }
        let text = try JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
        self = try JSON(parsing: text)
    }

    /// The value in Foundation's representation, as `JSONSerialization` returns it: `[String: Any]`, `[Any]`, `String`, `NSNumber`,
    /// `NSNull`.
    ///
    /// When an object repeats a name, the last value is used. Throws what `JSONSerialization` throws: when values are nested too deeply for
    /// it, and when a number is out of its range.
    ///
    /// - Complexity: O(n), n = bytes of the JSON text.
    public var foundation: Any {
        get throws {
            try JSONSerialization.jsonObject(with: Data(try JSONWriter().write(self)), options: .fragmentsAllowed)
        }
    }

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
        try decoder.value(type, from: try JSONWriter().write(self))
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
