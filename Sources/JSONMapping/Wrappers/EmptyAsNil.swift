import JSONText

/// An optional property that is nil for each way in which servers write "no value": a missing member, null, `""`, `[]`, or `{}`.
///
/// ```swift
/// struct Venue: Codable {
///     var name: String
///     @EmptyAsNil var openedAt: Date? = nil       // nil for {"openedAt": ""}
///     @EmptyAsNil var address: Address? = nil     // nil for {"address": []}, as PHP writes an empty map
/// }
/// ```
///
/// What was read is written again: nil is written as null, `""`, `[]`, or `{}` if it was read from that, and left out if the member was
/// missing. After the property is set to nil, it is written like any other optional. A value that `Value` can represent is always read as
/// that value, so an empty string is not nil for `String`. All other values throw the error of `Value`. A relationship of a resource is read
/// and written like one without the wrapper. Only wrapped values are compared.
@propertyWrapper public struct EmptyAsNil<Value> {
    private var value: Value?
    private var form: EmptyForm

    /// The value; nil if there is none, in any form.
    public var wrappedValue: Value? {
        get { value }
        set { self = EmptyAsNil(wrappedValue: newValue) }
        _modify {
            // A caller that throws ends this accessor at `yield`.
            defer { if value != nil { form = .missing } }
            yield &value
        }
    }

    /// Creates a property with the given value. Nil has the form of a missing member.
    public init(wrappedValue: Value?) {
        value = wrappedValue
        form = .missing
    }

    package init(_ form: EmptyForm) {
        value = nil
        self.form = form
    }

    /// The form of nil; `missing` for a value.
    package var emptyForm: EmptyForm { form }
}

/// The ways to write that there is no value.
package enum EmptyForm: UInt8, Sendable {
    case missing, null, text, array, object

    /// The form of a value; nil for a value with contents.
    package init?(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .string(let text) where text.isEmpty: self = .text
        case _ where json.array?.isEmpty == true: self = .array
        case _ where json.object?.isEmpty == true: self = .object
        default: return nil
        }
    }

    /// The JSON value of the form; null for a missing member.
    package var json: JSON {
        switch self {
        case .missing, .null: .null
        case .text: ""
        case .array: []
        case .object: [:]
        }
    }
}

// MARK: - Codable

extension EmptyAsNil: Decodable where Value: Decodable {
    /// Reads the value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self.init(.null)
            return
        }
        do {
            self.init(wrappedValue: try container.decode(Value.self))
        } catch {
            guard let form = EmptyForm(at: decoder) else { throw error }
            self.init(form)
        }
    }
}

extension EmptyForm {
    /// The form of the value at a decoder's place, which is not null; nil for a value with contents. The contents are not read, because the
    /// values inside of them may have failed in the same way.
    fileprivate init?(at decoder: any Decoder) {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            guard text.isEmpty else { return nil }
            self = .text
        } else if let elements = try? decoder.unkeyedContainer() {
            guard elements.isAtEnd else { return nil }
            self = .array
        } else {
            guard let members = try? decoder.container(keyedBy: NameKey.self), members.allKeys.isEmpty else { return nil }
            self = .object
        }
    }
}

extension EmptyAsNil: Encodable where Value: Encodable {
    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        guard let value else { return try form.json.write(to: encoder) }
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

extension EmptyAsNil: Sendable where Value: Sendable {}

extension EmptyAsNil: Equatable where Value: Equatable {
    /// Whether the wrapped values are equal.
    public static func == (a: EmptyAsNil, b: EmptyAsNil) -> Bool { a.value == b.value }
}

extension EmptyAsNil: Hashable where Value: Hashable {
    /// Feeds the wrapped value to `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension KeyedDecodingContainer {
    /// Returns nil for a missing member. Synthesized `Decodable` code calls this method.
    public func decode<Value: Decodable>(_ type: EmptyAsNil<Value>.Type, forKey key: Key) throws -> EmptyAsNil<Value> {
        try decodeIfPresent(type, forKey: key) ?? EmptyAsNil(contains(key) ? .null : .missing)
    }
}

extension KeyedEncodingContainer {
    /// Writes nil in the form that was read. Synthesized `Encodable` code calls this method.
    public mutating func encode<Value: Encodable>(_ value: EmptyAsNil<Value>, forKey key: Key) throws {
        guard value.emptyForm != .missing else { return try encodeIfPresent(value.wrappedValue, forKey: key) }
        try encode(value.emptyForm.json, forKey: key)
    }
}
