import JSONText

// Rewriting objects that have only some of their members.

extension Rewriter {
    /// Returns the rewriter for changes to an object: an object with only the members that change. Only rules for these members run, and no
    /// entry is required. So no default appears for a member that does not change.
    ///
    /// Throws a `ValidationError` for a rule that needs a member that does not change beside one that does.
    ///
    /// - Complexity: O(rules).
    package func forChanges(_ changes: JSONObject) throws -> Rewriter {
        var issues: [MappingIssue] = []
        let rules = rules.filter { rule in
            guard rule.paths.contains(where: { changes.contains(name: $0.root) }) else { return false }
            if rule.paths.count > 1, !rule.isReady(for: changes) { issues.append(Self.missingPart(of: rule)) }
            return true
        }
        guard issues.isEmpty else { throw ValidationError(issues, name: "rewriter") }
        return Rewriter(rules: rules.map(\.optional), unreferenced: unreferenced)
    }

    private static func missingPart(of rule: Rule) -> MappingIssue {
        let sources = rule.paths.map { "`\($0)`" }.joined(separator: " and ")
        return MappingIssue(
            .required, expected: "values from \(sources)", found: "changes to only some of them", advice: "change all of them together"
        ).moved(below: JSONPointer(rule.key), property: [rule.key])
    }

    /// Returns the rewriter without the rules that read a member for which `isLeftOut` returns true. So no default appears for it.
    package func leavingOut(_ isLeftOut: (String) -> Bool) -> Rewriter {
        Rewriter(rules: rules.filter { !$0.paths.contains { isLeftOut($0.root) } }, unreferenced: unreferenced)
    }
}
