import Foundation
import JSONMapping
import JSONText

/// Golden cases of reading single values.
enum SeedReading {
    @Sendable static func read(_ seed: SeedCase, _ report: inout Report) throws {
        let results = try (seed.config["reads"]?.array ?? []).map { try result($0, seed) }
        report.expect(seed, .array(JSONArray(results)), equals: seed.expected["results"])
    }

    private static func result(_ read: JSON, _ seed: SeedCase) throws -> JSON {
        var conversion = try conversion(read["as"]?.string ?? "json", read, seed.config["enums"] ?? [:])
        if let name = read["transform"]?.string { conversion = conversion.then(try transform(name)) }
        let from = read["from"] ?? ""
        let paths = from.string.map { Paths(MappingPath($0)) } ?? Paths((from.array ?? []).map { SeedRewriting.path($0) })
        if read["optional"]?.bool == true {
            return ["value": seed.input.readIfPossible(paths, as: conversion) ?? read["fallback"] ?? .null]
        }
        do {
            return ["value": try seed.input.read(paths, as: conversion)]
        } catch let error as ValidationError {
            return ["error": error.issues.first.map { SeedValues.error($0) } ?? .null]
        }
    }

    private static func conversion(_ name: String, _ read: JSON, _ enums: JSON) throws -> Conversion<JSON, JSON> {
        if name.hasPrefix("["), name.hasSuffix("]") {
            let inner = String(name.dropFirst().dropLast())
            let element = try conversion(inner, read, enums)
            guard enums[inner] != nil else { return neutral(.list(element)) }
            let replacement = read["default"] ?? read["replace"] ?? read["unknown"].flatMap { $0 == "drop" ? nil : $0 }
            return neutral(.list(element, unknown: replacement.map { .replace($0) } ?? .drop))
        }
        if name.hasPrefix("{"), name.hasSuffix("}") {
            return neutral(.dictionary(try conversion(String(name.dropFirst().dropLast()), read, enums)))
        }
        if let values = enums[name]?.array { return raw(Array(values)) }
        switch name {
        case "string": return neutral(.string)
        case "int": return neutral(.int)
        case "double": return neutral(.double)
        case "float": return neutral(.float)
        case "bool": return neutral(.bool)
        case "url": return neutral(.url)
        case "object": return neutral(Conversion<JSON, JSONObject>.object.then(decode: { JSON.object($0) }))
        case "array": return neutral(Conversion<JSON, JSONArray>.array.then(decode: { JSON.array($0) }))
        case "json", "any", "raw", "value": return .json
        case "named": return neutral(.object(MappingSchema<DynamicObject>("named") { MappingField("id", .required, .string) }))
        default: throw UnknownWord(word: name)
        }
    }

    private static func neutral<Value>(_ conversion: Conversion<JSON, Value>) -> Conversion<JSON, JSON> {
        conversion.then(decode: { SeedValues.json($0) })
    }

    /// A type with the given raw values, which are all texts or all numbers.
    private static func raw(_ values: [JSON]) -> Conversion<JSON, JSON> {
        Conversion(decode: { json in
            guard values.contains(where: { $0.string != nil }) == (json.string != nil), json.string != nil || json.number != nil else {
                throw MappingIssue(.typeMismatch, expected: "a raw value", found: "another type")
            }
            guard values.contains(json) else {
                throw MappingIssue(.invalidValue, expected: "a raw value", found: "another one")
            }
            return json
        })
    }

    private static func transform(_ name: String) throws -> Conversion<JSON, JSON> {
        switch name {
        case "plusOne": return Conversion(decode: { json in json.int.map { .number(JSONNumber($0 &+ 1)) } })
        case "firstWord":
            return Conversion(decode: { json in json.string?.split(separator: " ").first.map { .string(String($0)) } })
        case let word where word.hasPrefix("keyedBy:"): return neutral(keyed(by: String(word.dropFirst("keyedBy:".count))))
        default: throw UnknownWord(word: name)
        }
    }

    /// A list as an object, with each element under the text of the given member.
    private static func keyed(by name: String) -> Conversion<JSON, [String: JSON]> {
        let element = Conversion<JSON, JSON>(decode: { json in
            _ = try json.read(Paths(MappingPath(segments: [name])), as: .string)
            return json
        })
        return .keyed(by: { $0[name]?.string ?? "" }, element)
    }
}
