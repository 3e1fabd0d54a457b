import JSONMapping
import JSONText

/// Golden cases of rewriting one object to another.
enum SeedRewriting {
    @Sendable static func rewrite(_ seed: SeedCase, _ report: inout Report) throws {
        let outcome = try outcome(of: seed.input, seed.config)
        report.expect(seed, outcome: outcome, equals: .object(seed.expected))
        if let missing = seed.expected["missing"] { report.expect(seed, outcome["missing"], equals: missing) }
    }

    @Sendable static func rewriteEach(_ seed: SeedCase, _ report: inout Report) throws {
        let inputs = seed.input.array ?? []
        for (input, expected) in zip(inputs, seed.expected["results"]?.array ?? []) {
            let outcome = try outcome(of: input, seed.config)
            report.expect(seed, outcome: outcome, equals: expected)
            if let missing = expected["missing"] { report.expect(seed, outcome["missing"], equals: missing) }
        }
        let rewriter = rewriter(seed.config)
        if (try? inputs.map { try rewriter.rewrite($0) }) == nil, (try? rewriter.rewrite(each: seed.input)) != nil {
            report.fail(seed.name, "all were rewritten at once, but not one by one")
        }
    }

    private static func outcome(of input: JSON, _ config: JSONObject) throws -> JSON {
        let rewriter = rewriter(config)
        return try SeedValues.outcome { () -> JSON in
            guard let completion = config["completion"] else { return .object(try rewriter.rewrite(input)) }
            return .object(try rewriter.rewrite(input) { try complete(completion, $0, $1) } ?? ["": .null])
        }.withMissing(config["completion"] == nil ? nil : try? rewriter.report(input).missing.map { $0 } ?? [])
    }

    private static func complete(_ completion: JSON, _ result: JSONObject, _ missing: [String]?) throws -> JSONObject? {
        switch completion["fn"]?.string {
        case "identity": return result
        case "none": return nil
        case "const": return completion["value"]?.object
        case "attachMissing":
            var result = result
            result[completion["as"]?.string ?? "missing"] = missing.map { .array(JSONArray($0.map { .string($0) })) } ?? .null
            return result
        default: throw UnknownWord(word: "\(completion)")
        }
    }

    private static func rewriter(_ config: JSONObject) -> Rewriter {
        let rules = (config["rules"]?.array ?? []).map { json in
            var rule = Rule(
                json["key"]?.string ?? "", from: Paths((json["paths"]?.array ?? []).map { path($0) }), value: function(json["value"]))
            if let missing = json["missing"] { rule = rule.ifMissing(function(missing)) }
            return json["required"]?.bool == true ? rule : rule.optional
        }
        return Rewriter(rules: Array(rules), unreferenced: config["unreferenced"].map { .value(function($0)) } ?? .drop)
    }

    static func path(_ json: JSON) -> MappingPath {
        json.string.map { MappingPath($0) } ?? MappingPath(segments: (json.array ?? []).compactMap(\.string))
    }

    private static func function(_ json: JSON?) -> Rule.Value {
        { rule, input in
            let json = json ?? ["fn": "copy"]
            let values = rule.paths.compactMap { $0.value(in: .object(input)) }
            switch json["fn"]?.string {
            case "copy": return json["path"].map { path($0).value(in: .object(input)) } ?? values.first
            case "const": return json["value"]
            case "none": return nil
            case "object":
                return .object(
                    JSONObject(
                        members: (json["members"]?.object ?? [:]).compactMap { member in
                            path(member.value).value(in: .object(input)).map { JSONObject.Member(name: member.name, value: $0) }
                        }))
            case "join":
                return .string(try values.map { try $0.read("", as: .lenientString) }.joined(separator: json["separator"]?.string ?? " "))
            case "number":
                guard let value = values.first else { return json["default"] }
                return try convert(value, .lenientNumber, json["default"]) { .number($0) }
            case "string":
                guard let value = values.first else { return json["default"] }
                return try convert(value, .lenientString, json["default"]) { .string($0) }
            case "onlyIfString": return values.first?.string.map { .string($0) }
            case "describeRule":
                return ["key": .string(rule.key), "paths": .array(JSONArray(rule.paths.map { .string($0.description) }))]
            case "unlessPrefixed": return rule.key.hasPrefix(json["prefix"]?.string ?? "_") ? nil : values.first
            default: throw UnknownWord(word: "\(json)")
            }
        }
    }

    private static func convert<Value>(
        _ json: JSON, _ conversion: Conversion<JSON, Value>, _ standard: JSON?, _ write: (Value) -> JSON
    ) throws -> JSON? {
        if let standard { return json.readIfPossible("", as: conversion).map(write) ?? standard }
        return try conversion.decode(json).map(write)
    }
}

/// A word of a configuration that the test does not know.
struct UnknownWord: Error { let word: String }

extension JSON {
    fileprivate func withMissing(_ missing: [String]?) -> JSON {
        var json = self
        // An empty object with an empty name means that the completion returned nil.
        if json["value"] == ["": .null] { json["value"] = .some(.null) }
        if let missing { json["missing"] = missing.isEmpty ? .null : .array(JSONArray(missing.map { .string($0) })) }
        return json
    }
}
