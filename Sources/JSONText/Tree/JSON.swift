/// A JSON value as a tree.
///
/// ```swift
/// let article: JSON = ["type": "articles", "id": "1", "attributes": ["title": "JSON:API", "words": 1200]]
/// article["attributes"]?["words"]?.int  // 1200
/// ```
///
/// Strings and member names are equal if their UTF-8 bytes are equal: composed and decomposed é differ. Numbers are equal if their exact
/// values are equal: `1.0`, `1` and `10e-1` are equal, and so are `-0` and `0`. Objects are equal if they have equal values for the same
/// names, in any order. `isIdentical(to:)` also compares the order of members and the text of numbers.
///
/// Copying is O(1), because containers share their storage until one of the copies changes. Comparing, hashing, printing, writing and
/// freeing do not recurse, so values can be nested to any depth. Only the conformance to `Codable` recurses, as the coder does.
public enum JSON: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number with its original text.
    case number(JSONNumber)
    /// A string, with its escapes decoded.
    case string(String)
    /// An array.
    case array(JSONArray)
    /// An object.
    case object(JSONObject)
}

// MARK: - Accessors

extension JSON {
    /// Whether the value is `null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The value of a boolean, or nil for any other kind of value.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The number, or nil for any other kind of value.
    public var number: JSONNumber? {
        if case .number(let value) = self { value } else { nil }
    }

    /// The value of a whole number in the range of `Int`, or else nil. `1.0` and `1E2` are whole numbers.
    ///
    /// - Complexity: O(n), n = number of digits.
    public var int: Int? {
        if case .number(let value) = self { try? value.integer(as: Int.self) } else { nil }
    }

    /// The nearest `Double` of a number, or nil for any other kind of value and for a number outside the range of `Double`.
    ///
    /// - Complexity: O(n), n = number of digits.
    public var double: Double? {
        if case .number(let value) = self { try? value.double() } else { nil }
    }

    /// The text of a string, or nil for any other kind of value.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The array, or nil for any other kind of value.
    public var array: JSONArray? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The object, or nil for any other kind of value.
    public var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// An upper bound of the nesting depth: 0 for a scalar, 1 for an array of scalars.
    ///
    /// - Complexity: O(1).
    package var height: Int {
        switch self {
        case .array(let array): array.height
        case .object(let object): object.height
        default: 0
        }
    }
}

// MARK: - Subscripts

extension JSON {
    /// The value of the last member with a name, or nil if there is none or if this value is not an object.
    ///
    /// Setting a value replaces that member in place, or appends a member. Setting nil removes all members with the name. Setting a value
    /// in `null` turns it into an object. Any other kind of value does not change.
    ///
    /// - Complexity: O(1) for reading and setting, and O(n) for removing, n = number of members.
    public subscript(name: String) -> JSON? {
        get {
            guard case .object(let object) = self else { return nil }
            return object[name]
        }
        _modify {
            if var object = takeObject() {
                defer { self = .object(object) }
                yield &object[name]
            } else {
                var value: JSON?
                defer {
                    if isNull, let value { self = .object(JSONObject(members: [.init(name: name, value: value)])) }
                }
                yield &value
            }
        }
    }

    /// The element at a position, from 0. Nil if the position is out of range, or if this value is not an array.
    ///
    /// Setting a value replaces the element, and setting nil removes it. If there is no element at the position, setting does nothing.
    ///
    /// - Complexity: O(1) for reading and setting, and O(n) for removing, n = number of elements.
    public subscript(position: Int) -> JSON? {
        get {
            guard case .array(let array) = self, array.indices.contains(position) else { return nil }
            return array[position]
        }
        _modify {
            guard hasElement(at: position), var array = takeArray() else {
                var ignored: JSON?
                yield &ignored
                return
            }
            var value: JSON? = array.take(at: position)
            defer {
                if let value { array[position] = value } else { array.remove(at: position) }
                self = .array(array)
            }
            yield &value
        }
    }

    private func hasElement(at position: Int) -> Bool {
        guard case .array(let array) = self else { return false }
        return array.indices.contains(position)
    }
}

// MARK: - Moving containers out

extension JSON {
    /// Moves the array out and leaves `null`, so that the array can change without a copy. Returns nil for any other kind of value.
    ///
    /// `switch self { case .array(var array): self = .null … }` is not equivalent: without optimization, a second reference lives until the
    /// end of the switch.
    mutating func takeArray() -> JSONArray? {
        guard case .array(let array) = self else { return nil }
        self = .null
        return array
    }

    /// Moves the object out and leaves `null`, so that the object can change without a copy. Returns nil for any other kind of value.
    mutating func takeObject() -> JSONObject? {
        guard case .object(let object) = self else { return nil }
        self = .null
        return object
    }
}

// MARK: - Text

extension JSON: CustomStringConvertible {
    /// The value as compact JSON text.
    ///
    /// - Complexity: O(n), n = number of bytes in the text.
    public var description: String {
        let output = JSONOutput()
        _ = output.value(self)
        return output.string
    }
}

extension JSON {
    /// The kind of the value, for messages: "a string", "null", "an object".
    package var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
