import JSONText

// What a value is. All answer false where nothing is, `isBlank` alone true. Without a path the value itself is meant.

extension MemberReading {
    // MARK: - Types

    /// Whether there is a value, null included.
    public func hasMember(at path: MappingPath) -> Bool { value(at: path) != nil }

    /// Whether there is a value other than null.
    public func hasValue(at path: MappingPath) -> Bool { value(at: path).map { !$0.isNull } ?? false }

    /// Whether there is a null.
    public func hasNull(at path: MappingPath) -> Bool { value(at: path)?.isNull ?? false }

    /// Whether there is a string.
    public func isString(at path: MappingPath = "") -> Bool { value(at: path)?.string != nil }

    /// Whether there is a number.
    public func isNumber(at path: MappingPath = "") -> Bool { value(at: path)?.number != nil }

    /// Whether there is a number without a fraction, as 2, 2.0 and 2e3 are.
    public func isWholeNumber(at path: MappingPath = "") -> Bool {
        guard let json = value(at: path), let number = json.number else { return false }
        return number.isInteger || json.double.map { $0.rounded() == $0 } ?? false
    }

    /// Whether there is a boolean.
    public func isBool(at path: MappingPath = "") -> Bool { value(at: path)?.bool != nil }

    /// Whether there is an array.
    public func isArray(at path: MappingPath = "") -> Bool { value(at: path)?.array != nil }

    /// Whether there is an object.
    public func isObject(at path: MappingPath = "") -> Bool { value(at: path)?.object != nil }

    /// Whether there is a value that the conversion accepts: `isConvertible(at: "born", to: .date())`.
    public func isConvertible<Value>(at path: MappingPath = "", to conversion: Conversion<JSON, Value>) -> Bool {
        value(at: path) != nil && value(at: path, as: conversion) != nil
    }

    // MARK: - Values

    /// Whether there is a string with something in it.
    public func isNonEmptyString(at path: MappingPath = "") -> Bool { value(at: path)?.string.map { !$0.isEmpty } ?? false }

    /// Whether there is a string with something else than blanks and line ends in it.
    public func isNonBlankString(at path: MappingPath = "") -> Bool {
        value(at: path)?.string.map { !LenientText.trimmed($0).isEmpty } ?? false
    }

    /// Whether there is an array with an element.
    public func isNonEmptyArray(at path: MappingPath = "") -> Bool { value(at: path)?.array.map { !$0.isEmpty } ?? false }

    /// Whether there is an object with a member.
    public func isNonEmptyObject(at path: MappingPath = "") -> Bool { value(at: path)?.object.map { !$0.isEmpty } ?? false }

    /// Whether nothing is there that says anything: missing, null, a string of blanks, `[]` or `{}`.
    public func isBlank(at path: MappingPath = "") -> Bool {
        switch value(at: path) {
        case nil, .null?: true
        case .string(let text)?: LenientText.trimmed(text).isEmpty
        case .array(let array)?: array.isEmpty
        case .object(let object)?: object.isEmpty
        case .bool?, .number?: false
        }
    }

    /// Whether there is a positive number.
    public func isPositiveNumber(at path: MappingPath = "") -> Bool { satisfies(.greater(than: 0), at: path) }

    /// Whether there is that value.
    public func isEqual(to other: JSON, at path: MappingPath = "") -> Bool { value(at: path) == .some(other) }

    /// Whether there is one of those values.
    public func isOne(of others: [JSON], at path: MappingPath = "") -> Bool { value(at: path).map { others.contains($0) } ?? false }

    /// Whether there is a value that meets a constraint: `satisfies(.atLeast(1), at: "pages")`.
    public func satisfies(_ constraint: Constraint<JSON>, at path: MappingPath = "") -> Bool {
        value(at: path).map { constraint.verdict(on: $0) == .passes } ?? false
    }
}
