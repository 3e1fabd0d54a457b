import Foundation
import JSONMapping
import JSONText

/// Values and errors in the neutral form of the golden cases.
enum SeedValues {
    /// Returns a converted value. `{"$date": …}` and `{"$url": …}` mean typed values.
    static func json(_ value: Any) -> JSON {
        switch value {
        case let value as JSON: value
        case let value as SeedValue: value.base.map { json($0) } ?? .null
        case let value as Bool: .bool(value)
        case let value as Int: .number(JSONNumber(value))
        case let value as Double: (try? JSONNumber(value)).map { .number($0) } ?? .null
        case let value as Float: (try? JSONNumber(value)).map { .number($0) } ?? .null
        case let value as String: .string(value)
        case let value as Date: ["$date": .string(DateLayout.rfc3339.text(value) ?? "?")]
        case let value as URL: ["$url": .string(value.absoluteString)]
        case let value as DynamicObject: object(value)
        case let values as [Any]: .array(JSONArray(values.map { json($0) }))
        case let values as [String: Any]:
            .object(JSONObject(members: values.map { JSONObject.Member(name: $0.key, value: json($0.value)) }))
        default: .null
        }
    }

    static func object(_ object: DynamicObject) -> JSON {
        var members = object.unmapped
        for property in object.properties { members[property.name] = property.value.map { json($0) } ?? .null }
        return .object(members)
    }

    static func date(_ json: JSON) -> Date? {
        json["$date"]?.string.flatMap { DateLayout.iso8601.date($0) }
    }

    static func url(_ json: JSON) -> URL? {
        json["$url"]?.string.flatMap { URL(string: $0) }
    }

    /// The issues in the form of the cases, sorted.
    static func errors(_ issues: [MappingIssue]) -> JSON {
        .array(JSONArray(issues.map { error($0) }.sorted { "\($0)" < "\($1)" }))
    }

    static func error(_ issue: MappingIssue) -> JSON {
        let at: JSON =
            issue.alternatives.isEmpty
            ? .string(issue.pointer.description) : .array(JSONArray(issue.alternatives.map { .string($0.description) }))
        return ["kind": .string(issue.kind.description), "at": at]
    }

    static func sorted(_ errors: JSON) -> JSON {
        .array(JSONArray((errors.array ?? []).map { ["kind": $0["kind"] ?? .null, "at": $0["at"] ?? .null] }.sorted { "\($0)" < "\($1)" }))
    }

    /// `{"value": …}`, or `{"errors": […]}` for a `ValidationError`.
    static func outcome(_ body: () throws -> JSON) throws -> JSON {
        do { return ["value": try body()] } catch let error as ValidationError { return ["errors": errors(error.issues)] }
    }
}

/// A value of any property, so that one kind of field works for all types of a configuration.
struct SeedValue: Hashable, Sendable {
    let base: (any Hashable & Sendable)?

    static func == (a: SeedValue, b: SeedValue) -> Bool { a.base.map { AnyHashable($0) } == b.base.map { AnyHashable($0) } }

    func hash(into hasher: inout Hasher) { hasher.combine(base.map { AnyHashable($0) }) }
}

extension Report {
    /// Compares an outcome with the expected one.
    mutating func expect(_ seed: SeedCase, outcome: JSON, equals expected: JSON) {
        if let errors = expected["errors"] {
            expect(seed, outcome["errors"], equals: SeedValues.sorted(errors))
        } else {
            expect(seed, outcome["value"] ?? outcome["errors"], equals: expected["value"])
        }
    }
}
