import JSONText

// Checks of a value. All return false when there is no value, except `isBlank`, which returns true. Without a path they check the value
// itself.

extension MemberReading {
    // MARK: - Types

    /// Returns whether there is a value, which may be null.
    public func hasMember(at path: MappingPath) -> Bool { value(at: path) != nil }

    /// Returns whether there is a value other than null.
    public func hasValue(at path: MappingPath) -> Bool { value(at: path).map { !$0.isNull } ?? false }

    /// Returns whether there is a null.
    public func hasNull(at path: MappingPath) -> Bool { value(at: path)?.isNull ?? false }

    /// Returns whether there is a string.
    public func isString(at path: MappingPath = "") -> Bool { value(at: path)?.string != nil }

    /// Returns whether there is a number.
    public func isNumber(at path: MappingPath = "") -> Bool { value(at: path)?.number != nil }

    /// Returns whether there is a whole number, such as 2, 2.0 or 2e3.
    public func isWholeNumber(at path: MappingPath = "") -> Bool {
        value(at: path)?.number?.isWhole ?? false
    }

    /// Returns whether there is a boolean.
    public func isBool(at path: MappingPath = "") -> Bool { value(at: path)?.bool != nil }

    /// Returns whether there is an array.
    public func isArray(at path: MappingPath = "") -> Bool { value(at: path)?.array != nil }

    /// Returns whether there is an object.
    public func isObject(at path: MappingPath = "") -> Bool { value(at: path)?.object != nil }

    /// Returns whether there is a value that the conversion accepts: `isConvertible(at: "born", to: .date())`.
    public func isConvertible<Value>(at path: MappingPath = "", to conversion: Conversion<JSON, Value>) -> Bool {
        value(at: path) != nil && value(at: path, as: conversion) != nil
    }

    // MARK: - Values

    /// Returns whether there is a string that is not empty.
    public func isNonEmptyString(at path: MappingPath = "") -> Bool { value(at: path)?.string.map { !$0.isEmpty } ?? false }

    /// Returns whether there is a string with a character other than ASCII whitespace.
    public func isNonBlankString(at path: MappingPath = "") -> Bool {
        value(at: path)?.string.map { !LenientText.trimmed($0).isEmpty } ?? false
    }

    /// Returns whether there is an array with at least one element.
    public func isNonEmptyArray(at path: MappingPath = "") -> Bool { value(at: path)?.array.map { !$0.isEmpty } ?? false }

    /// Returns whether there is an object with at least one member.
    public func isNonEmptyObject(at path: MappingPath = "") -> Bool { value(at: path)?.object.map { !$0.isEmpty } ?? false }

    /// Returns whether the value is missing, null, a string that is empty or only whitespace, `[]` or `{}`.
    public func isBlank(at path: MappingPath = "") -> Bool {
        switch value(at: path) {
        case nil, .null?: true
        case .string(let text)?: LenientText.trimmed(text).isEmpty
        case .array(let array)?: array.isEmpty
        case .object(let object)?: object.isEmpty
        case .bool?, .number?: false
        }
    }

    /// Returns whether there is a number greater than 0.
    public func isPositiveNumber(at path: MappingPath = "") -> Bool { satisfies(.greater(than: 0), at: path) }

    /// Returns whether there is a value equal to `other`.
    public func isEqual(to other: JSON, at path: MappingPath = "") -> Bool { value(at: path) == .some(other) }

    /// Returns whether there is a value equal to one of `others`.
    public func isOne(of others: [JSON], at path: MappingPath = "") -> Bool { value(at: path).map { others.contains($0) } ?? false }

    /// Returns whether there is a value that passes a constraint: `satisfies(.atLeast(1), at: "pages")`.
    public func satisfies(_ constraint: Constraint<JSON>, at path: MappingPath = "") -> Bool {
        value(at: path).map { constraint.verdict(on: $0) == .passes } ?? false
    }
}
