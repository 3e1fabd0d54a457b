/// What a driven type saw.
struct DrivenTrace {
    var events: [Event] = []

    struct Event {
        var kind: DrivenProgram.Kind
        var step: String
        var outcome: String
        var path: [Position]?
        var isError = false
        var probe = ""

        /// What is compared of the outcome.
        var compared: Substring {
            guard isError else { return outcome[...] }
            if DrivenTrace.ignored.contains("kinds") { return "fails" }
            return DrivenTrace.ignored.contains("types") || !DrivenDifferences.namesType(kind, outcome)
                ? outcome.prefix { $0 != " " } : outcome[...]
        }

        var summary: String { isError ? String(outcome) : "a value" }
    }

    /// What is not looked at, as the command line says.
    nonisolated(unsafe) static var ignored: Set<String> = []

    /// One key of a coding path.
    struct Position {
        var name: String
        var intValue: Int?

        init(_ key: any CodingKey) {
            name = key.stringValue
            intValue = key.intValue
        }

        /// As Foundation names positions in arrays.
        var isIndex: Bool { intValue.map { name == "Index \($0)" } ?? false }

        var text: String { isIndex ? "\(intValue ?? 0)" : name }
    }
}

/// How one trace differs from another.
struct DrivenDifference {
    /// The same for all differences of one kind.
    let kind: String
    let description: String
}

extension DrivenTrace {
    /// What is different in `other`, where this one is Foundation's.
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
            // The error of a dictionary inside, on its way out through one value after the other: of several faults another may be the
            // first.
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
            // An error without a path that could be compared has none further out either.
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

    /// Whether the last error is that of a dictionary, handed on by the values around it.
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
