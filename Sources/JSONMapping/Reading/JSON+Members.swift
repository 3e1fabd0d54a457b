import Foundation
import JSONText

/// A JSON value whose members can be read by path. `JSON` and `JSONObject` conform.
///
/// ```swift
/// let rewriter = Rewriter {
///     Rule("title", from: "headline") { _, input in
///         input.isNonEmptyString(at: "headline") ? input.value(at: "headline") : "untitled"
///     }
///     Rule("pages", from: "info") { _, input in
///         .number(JSONNumber(input.intValue(at: "info.pages", as: .lenientInt, default: 1)))
///     }
/// }
/// ```
///
/// The empty path is the whole value. These methods do not throw. They return nil, false or the default when the value is missing, null or
/// of another type. Conversions are strict unless you pass another one. To get an error instead, use `read`.
public protocol MemberReading {
    /// Returns the value at the end of a path, or nil if a step finds nothing. A null is a value.
    func value(at path: MappingPath) -> JSON?
}

extension JSON: MemberReading {
    /// Returns the value at the end of a path, or nil if a step finds nothing. A null is a value.
    public func value(at path: MappingPath) -> JSON? { path.value(in: self) }
}

extension JSONObject: MemberReading {
    /// Returns the value at the end of a path, or nil if a step finds nothing. A null is a value.
    public func value(at path: MappingPath) -> JSON? { path.value(in: self) }
}

// MARK: - Conversions and defaults

extension MemberReading {
    /// Returns the converted value, or nil when it is missing or cannot be converted. A conversion that handles absent values is also
    /// called for a missing value and for null.
    public func value<Value>(at path: MappingPath, as conversion: Conversion<JSON, Value>) -> Value? {
        try? conversion.decode(value(at: path))
    }

    /// Returns the converted value, or the default.
    public func value<Value>(at path: MappingPath, as conversion: Conversion<JSON, Value>, default standard: @autoclosure () -> Value)
        -> Value
    {
        value(at: path, as: conversion) ?? standard()
    }

    /// Returns the value by the conversion of its type, or the default.
    public func value<Value: JSONConvertible>(at path: MappingPath, default standard: @autoclosure () -> Value) -> Value {
        value(at: path, as: Value.conversion) ?? standard()
    }

    /// Returns a string, or nil. `stringValue(at: "code", as: .lenientString)` also accepts the text of a number.
    public func stringValue(at path: MappingPath, as conversion: Conversion<JSON, String> = .string) -> String? {
        value(at: path, as: conversion)
    }

    /// Returns a string, or the default.
    public func stringValue(
        at path: MappingPath, as conversion: Conversion<JSON, String> = .string, default standard: @autoclosure () -> String
    ) -> String {
        stringValue(at: path, as: conversion) ?? standard()
    }

    /// Returns a whole number, or nil. `intValue(at: "count", as: .lenientInt)` also accepts text, and truncates fractions.
    public func intValue(at path: MappingPath, as conversion: Conversion<JSON, Int> = .int) -> Int? {
        value(at: path, as: conversion)
    }

    /// Returns a whole number, or the default.
    public func intValue(at path: MappingPath, as conversion: Conversion<JSON, Int> = .int, default standard: @autoclosure () -> Int) -> Int
    {
        intValue(at: path, as: conversion) ?? standard()
    }

    /// Returns a number, or nil.
    public func doubleValue(at path: MappingPath, as conversion: Conversion<JSON, Double> = .double) -> Double? {
        value(at: path, as: conversion)
    }

    /// Returns a number, or the default.
    public func doubleValue(
        at path: MappingPath, as conversion: Conversion<JSON, Double> = .double, default standard: @autoclosure () -> Double
    ) -> Double {
        doubleValue(at: path, as: conversion) ?? standard()
    }

    /// Returns a number with all its digits, or nil.
    public func numberValue(at path: MappingPath, as conversion: Conversion<JSON, JSONNumber> = .number) -> JSONNumber? {
        value(at: path, as: conversion)
    }

    /// Returns a number with all its digits, or the default.
    public func numberValue(
        at path: MappingPath, as conversion: Conversion<JSON, JSONNumber> = .number, default standard: @autoclosure () -> JSONNumber
    ) -> JSONNumber {
        numberValue(at: path, as: conversion) ?? standard()
    }

    /// Returns a boolean, or nil. `boolValue(at: "open", as: .lenientBool)` also accepts `"yes"` and 1.
    public func boolValue(at path: MappingPath, as conversion: Conversion<JSON, Bool> = .bool) -> Bool? {
        value(at: path, as: conversion)
    }

    /// Returns a boolean, or the default.
    public func boolValue(at path: MappingPath, as conversion: Conversion<JSON, Bool> = .bool, default standard: @autoclosure () -> Bool)
        -> Bool
    {
        boolValue(at: path, as: conversion) ?? standard()
    }

    /// Returns a date from text, or nil. The layout defaults to ISO 8601.
    public func dateValue(at path: MappingPath, _ layout: DateLayout = .iso8601) -> Date? {
        value(at: path, as: .date(layout))
    }

    /// Returns a date from text, or the default.
    public func dateValue(at path: MappingPath, _ layout: DateLayout = .iso8601, default standard: @autoclosure () -> Date) -> Date {
        dateValue(at: path, layout) ?? standard()
    }

    /// Returns a URL from text, or nil.
    public func urlValue(at path: MappingPath) -> URL? { value(at: path, as: .url) }

    /// Returns a URL from text, or the default.
    public func urlValue(at path: MappingPath, default standard: @autoclosure () -> URL) -> URL { urlValue(at: path) ?? standard() }

    /// Returns an array, or nil. Its elements are not converted.
    public func arrayValue(at path: MappingPath) -> JSONArray? { value(at: path, as: .array) }

    /// Returns an array, or the default.
    public func arrayValue(at path: MappingPath, default standard: @autoclosure () -> JSONArray) -> JSONArray {
        arrayValue(at: path) ?? standard()
    }

    /// Returns an object, or nil. Its members are not converted.
    public func objectValue(at path: MappingPath) -> JSONObject? { value(at: path, as: .object) }

    /// Returns an object, or the default.
    public func objectValue(at path: MappingPath, default standard: @autoclosure () -> JSONObject) -> JSONObject {
        objectValue(at: path) ?? standard()
    }
}
