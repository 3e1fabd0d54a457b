/// What a driven type has seen.
struct DrivenTrace {
    var events: [Event] = []

    struct Event {
        var kind: DrivenProgram.Kind
        var step: String
        var outcome: String
        var path: [Position]?
        var isError = false
        var probe = ""

        /// The parts of the outcome that are compared.
        var compared: Substring {
            guard isError else { return outcome[...] }
            if DrivenTrace.ignored.contains("kinds") { return "fails" }
            return DrivenTrace.ignored.contains("types") || !DrivenDifferences.namesType(kind, outcome)
                ? outcome.prefix { $0 != " " } : outcome[...]
        }

        var summary: String { isError ? String(outcome) : "a value" }
    }

    /// The parts that are ignored, according to the command line.
    nonisolated(unsafe) static var ignored: Set<String> = []

    /// One key of a coding path.
    struct Position {
        var name: String
        var intValue: Int?

        init(_ key: any CodingKey) {
            name = key.stringValue
            intValue = key.intValue
        }

        /// The key of an index, in Foundation's form.
        var isIndex: Bool { intValue.map { name == "Index \($0)" } ?? false }

        var text: String { isIndex ? "\(intValue ?? 0)" : name }
    }
}

/// The difference between two traces.
struct DrivenDifference {
    /// Equal for all differences of one kind.
    let kind: String
    let description: String
}

extension DrivenTrace {
    /// The difference in `other`, if this trace is Foundation's.
    func difference(_ other: DrivenTrace) -> DrivenDifference? {
        var isFromDictionary = false
        var hasNoPath = false
        for (index, event) in events.enumerated() {
            guard index < other.events.count else {
                return DrivenDifference(kind: "short", description: "nothing instead of \(event)")
            }
            let found = other.events[index]
            if event.step != found.step {
                return DrivenDifference(kind: "steps", description: "\(found) instead of \(event)")
            }
            // The error of a nested dictionary while it passes through the outer values. Any of several faults can be the first.
            isFromDictionary =
                index > 0 && event.isError && found.isError && events[index - 1].isError
                && (isFromDictionary || events[index - 1].outcome == "fails")
            if isFromDictionary { continue }
            if event.compared != found.compared, !DrivenDifferences.isNullMismatch(event.compared, found.compared),
                !DrivenDifferences.isNamedOtherwise(event.compared, found.compared)
            {
                return DrivenDifference(
                    kind: "\(event.kind.rawValue) \(event.probe): \(found.summary) instead of \(event.summary)",
                    description: "\(found) instead of \(event)")
            }
            // An error without a comparable path has none in the outer values either.
            hasNoPath = event.isError && (DrivenDifferences.path(of: event) == nil || hasNoPath)
            if hasNoPath { continue }
            if let fault = Self.pathFault(DrivenDifferences.path(of: event), DrivenDifferences.path(of: found)) {
                return DrivenDifference(kind: "path: \(fault)", description: "\(fault): \(found) instead of \(event)")
            }
        }
        guard other.events.count == events.count else {
            return DrivenDifference(kind: "long", description: "\(other.events[events.count]) instead of the end")
        }
        return nil
    }

    /// Whether the last error comes from a dictionary and was rethrown by the outer values.
    var endsInDictionary: Bool {
        for event in events.reversed() {
            guard event.isError else { return false }
            if event.outcome == "fails" { return true }
        }
        return false
    }

    static func pathFault(_ expected: [Position]?, _ found: [Position]?) -> String? {
        guard let expected, let found, !ignored.contains("paths") else { return nil }
        if expected.map(\.text) != found.map(\.text) { return "another path" }
        for (key, other) in zip(expected, found) where key.isIndex && other.intValue != key.intValue {
            return "a position without intValue"
        }
        return nil
    }
}

extension DrivenTrace.Event: CustomStringConvertible {
    var description: String {
        "\(step) → \(outcome)"
            + (path.map { " at [\($0.map { $0.isIndex ? "#\($0.intValue ?? 0)" : $0.name }.joined(separator: ", "))]" } ?? "")
    }
}
