import JSONMapping
import JSONText

/// Golden cases of requirements.
enum SeedConstraints {
    @Sendable static func check(_ seed: SeedCase, _ report: inout Report) throws {
        let constraints = seed.config["constraints"]?.array ?? []
        let results = try zip(seed.input.array ?? [], constraints).map { input, json -> JSON in
            let value = input["value"].flatMap { $0.isNull ? Optional<JSON>.none : $0 }
            return .bool(try constraint(json).allows(value))
        }
        report.expect(seed, .array(JSONArray(results)), equals: seed.expected["results"])
    }

    /// A list, and several words in one object, mean that all must hold.
    static func constraint(_ json: JSON) throws -> Constraint<JSON> {
        if let list = json.array { return .all(try list.map { try constraint($0) }) }
        let words = try (json.object ?? [:]).map { try word($0.name, $0.value) }
        return words.count == 1 ? words[0] : .all(words)
    }

    private static func word(_ name: String, _ json: JSON) throws -> Constraint<JSON> {
        switch name {
        case "exists": return json.bool == false ? .not(.exists) : .exists
        case "passes": return .satisfies { _ in json == "always" }
        case "largerThan": return .greater(than: json.double ?? 0)
        case "largerThanOrEqualTo": return .atLeast(json.double ?? 0)
        case "smallerThan": return .less(than: json.double ?? 0)
        case "smallerThanOrEqualTo": return .atMost(json.double ?? 0)
        case "equalTo": return .equal(to: json)
        case "not": return .not(try constraint(json))
        case "either": return .any(try (json.array ?? []).map { try constraint($0) })
        case "all": return .all(try (json.array ?? []).map { try constraint($0) })
        default: throw UnknownWord(word: name)
        }
    }
}
