import Foundation
import JSONText

/// A value with members that hand-written code reads one by one: `JSON` and `JSONObject`.
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
/// Every way is a path, dotted or of segments; the empty path is the whole value. Nothing here throws: what is missing, null or of another
/// type is nil, false or the default. Conversions are strict unless another one is named; `read` throws where that is wanted.
public protocol MemberReading {
    /// The value at the end of a path; nil when a step finds nothing. A null is a value.
    func value(at path: MappingPath) -> JSON?
}

extension JSON: MemberReading {
    /// The value at the end of a path; nil when a step finds nothing. A null is a value.
    public func value(at path: MappingPath) -> JSON? { path.value(in: self) }
}

extension JSONObject: MemberReading {
    /// The value at the end of a path; nil when a step finds nothing. A null is a value.
    public func value(at path: MappingPath) -> JSON? { path.value(in: self) }
}

// MARK: - Conversions and defaults

extension MemberReading {
    /// The converted value, nil when it is missing or cannot be converted. A conversion that handles absent values is asked for a missing
    /// one and for null.
    public func value<Value>(at path: MappingPath, as conversion: Conversion<JSON, Value>) -> Value? {
        guard let json = value(at: path), !(conversion.handlesAbsent && json.isNull) else { return try? conversion.decode(nil) }
        return try? conversion.decode(json)
    }

    /// The converted value, else the default.
    public func value<Value>(at path: MappingPath, as conversion: Conversion<JSON, Value>, default standard: @autoclosure () -> Value)
        -> Value
    {
        value(at: path, as: conversion) ?? standard()
    }

    /// The value as its type says; else the default.
    public func value<Value: JSONConvertible>(at path: MappingPath, default standard: @autoclosure () -> Value) -> Value {
        value(at: path, as: Value.conversion) ?? standard()
    }

    /// A string: `stringValue(at: "code", as: .lenientString)` takes a number's text, too.
    public func stringValue(at path: MappingPath, as conversion: Conversion<JSON, String> = .string) -> String? {
        value(at: path, as: conversion)
    }

    /// A string, else the default.
    public func stringValue(
        at path: MappingPath, as conversion: Conversion<JSON, String> = .string, default standard: @autoclosure () -> String
    ) -> String {
        stringValue(at: path, as: conversion) ?? standard()
    }

    /// A whole number: `intValue(at: "count", as: .lenientInt)` takes text and cuts fractions off, too.
    public func intValue(at path: MappingPath, as conversion: Conversion<JSON, Int> = .int) -> Int? {
        value(at: path, as: conversion)
    }

    /// A whole number, else the default.
    public func intValue(at path: MappingPath, as conversion: Conversion<JSON, Int> = .int, default standard: @autoclosure () -> Int) -> Int
    {
        intValue(at: path, as: conversion) ?? standard()
    }

    /// A number.
    public func doubleValue(at path: MappingPath, as conversion: Conversion<JSON, Double> = .double) -> Double? {
        value(at: path, as: conversion)
    }

    /// A number, else the default.
    public func doubleValue(
        at path: MappingPath, as conversion: Conversion<JSON, Double> = .double, default standard: @autoclosure () -> Double
    ) -> Double {
        doubleValue(at: path, as: conversion) ?? standard()
    }

    /// A number, digit by digit.
    public func numberValue(at path: MappingPath, as conversion: Conversion<JSON, JSONNumber> = .number) -> JSONNumber? {
        value(at: path, as: conversion)
    }

    /// A number, digit by digit, else the default.
    public func numberValue(
        at path: MappingPath, as conversion: Conversion<JSON, JSONNumber> = .number, default standard: @autoclosure () -> JSONNumber
    ) -> JSONNumber {
        numberValue(at: path, as: conversion) ?? standard()
    }

    /// A boolean: `boolValue(at: "open", as: .lenientBool)` takes `"yes"` and 1, too.
    public func boolValue(at path: MappingPath, as conversion: Conversion<JSON, Bool> = .bool) -> Bool? {
        value(at: path, as: conversion)
    }

    /// A boolean, else the default.
    public func boolValue(at path: MappingPath, as conversion: Conversion<JSON, Bool> = .bool, default standard: @autoclosure () -> Bool)
        -> Bool
    {
        boolValue(at: path, as: conversion) ?? standard()
    }

    /// A date as text; ISO 8601 unless another layout is named.
    public func dateValue(at path: MappingPath, _ layout: DateLayout = .iso8601) -> Date? {
        value(at: path, as: .date(layout))
    }

    /// A date as text, else the default.
    public func dateValue(at path: MappingPath, _ layout: DateLayout = .iso8601, default standard: @autoclosure () -> Date) -> Date {
        dateValue(at: path, layout) ?? standard()
    }

    /// A URL as text.
    public func urlValue(at path: MappingPath) -> URL? { value(at: path, as: .url) }

    /// A URL as text, else the default.
    public func urlValue(at path: MappingPath, default standard: @autoclosure () -> URL) -> URL { urlValue(at: path) ?? standard() }

    /// An array as it is.
    public func arrayValue(at path: MappingPath) -> JSONArray? { value(at: path, as: .array) }

    /// An array as it is, else the default.
    public func arrayValue(at path: MappingPath, default standard: @autoclosure () -> JSONArray) -> JSONArray {
        arrayValue(at: path) ?? standard()
    }

    /// An object as it is.
    public func objectValue(at path: MappingPath) -> JSONObject? { value(at: path, as: .object) }

    /// An object as it is, else the default.
    public func objectValue(at path: MappingPath, default standard: @autoclosure () -> JSONObject) -> JSONObject {
        objectValue(at: path) ?? standard()
    }
}
