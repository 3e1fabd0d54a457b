/// Any JSON value, as a tree.
///
/// ```swift
/// let article: JSON = ["type": "articles", "id": "1", "attributes": ["title": "JSON:API", "words": 1200]]
/// article["attributes"]?["words"]?.int  // 1200
/// ```
///
/// Strings and member names are equal when their UTF-8 bytes are: composed and decomposed é differ. Numbers are equal
/// when their exact values are: `1.0`, `1` and `10e-1` are one number, and `-0` equals `0`. Objects are equal when each
/// name leads to equal values, whatever the order. `isIdentical(to:)` also tells order and number text apart.
///
/// Copying costs O(1): containers share their storage until one of the copies changes. Comparing, hashing, printing,
/// writing and freeing use no recursion, so a value may be nested to any depth on any stack. The conformance to
/// `Codable` is the exception: there the foreign coder recurses.
public enum JSON: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, as it is written.
    case number(JSONNumber)
    /// A string, without escapes.
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

    /// The value of a boolean, nil for every other kind.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The number, nil for every other kind.
    public var number: JSONNumber? {
        if case .number(let value) = self { value } else { nil }
    }

    /// The value of a number that is whole and fits `Int`, else nil. `1.0` and `1E2` are whole.
    ///
    /// - Complexity: O(n), n = digits.
    public var int: Int? {
        if case .number(let value) = self { try? value.integer(as: Int.self) } else { nil }
    }

    /// The nearest `Double` of a number, nil for every other kind and for a number beyond its range.
    ///
    /// - Complexity: O(n), n = digits.
    public var double: Double? {
        if case .number(let value) = self { try? value.double() } else { nil }
    }

    /// The text of a string, nil for every other kind.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The array, nil for every other kind.
    public var array: JSONArray? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The object, nil for every other kind.
    public var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// An upper bound for how deeply containers are nested: 0 for a scalar, 1 for an array of scalars.
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
    /// The value of the last member of that name; nil when there is none or the value is no object.
    ///
    /// Setting replaces that member in place or appends one; nil removes every member of the name. `null` becomes an
    /// object when a value is set. Any other kind stays as it is: nothing is set, and reading still returns nil.
    ///
    /// - Complexity: O(1) for reading and setting, O(n) for removing, n = members.
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

    /// The element at that position, from 0; nil beyond the end, below 0 or when the value is no array.
    ///
    /// Setting replaces the element; nil removes it. Where reading returns nil, setting changes nothing.
    ///
    /// - Complexity: O(1) for reading and setting, O(n) for removing, n = elements.
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
    /// Moves an array out and leaves `null`, so that the array can change without a copy; nil for every other kind.
    ///
    /// `switch self { case .array(var array): self = .null … }` is not the same: without optimization a second
    /// reference lives to the end of the switch.
    mutating func takeArray() -> JSONArray? {
        guard case .array(let array) = self else { return nil }
        self = .null
        return array
    }

    /// Moves an object out and leaves `null`, so that the object can change without a copy; nil for every other kind.
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
    /// - Complexity: O(n), n = bytes of the text.
    public var description: String {
        let output = JSONOutput()
        _ = output.value(self)
        return output.string
    }
}
