import JSONText

// Rewriting objects that have only some of their members.

extension Rewriter {
    /// Returns the rewriter for changes to an object: an object with only the members that change. Only rules for these members run, and no
    /// entry is required. So no default appears for a member that does not change.
    ///
    /// Throws a `ValidationError` for a rule that needs a value that the changes do not have beside a member that changes. A rule with the
    /// empty path needs the whole input.
    ///
    /// - Complexity: O(rules).
    package func forChanges(_ changes: JSONObject) throws -> Rewriter {
        let rewriter = withoutDefaults(for: changes)
        let issues = rewriter.rules.filter { $0.readsWholeInput || !$0.isReady(for: changes) }.map { Self.unchangedPart(of: $0) }
        guard issues.isEmpty else { throw ValidationError(issues, name: "rewriter") }
        return rewriter
    }

    /// Returns the rewriter for the members that an object has. Only rules for these members run, and no entry is required. So all entries of
    /// the result are made from the object, and none is a default.
    ///
    /// - Complexity: O(rules).
    package func withoutDefaults(for input: JSONObject) -> Rewriter {
        let rules = rules.filter { rule in !input.isEmpty && rule.mayRead { input.contains(name: $0) } }
        return Rewriter(rules: rules.map(\.optional), unreferenced: unreferenced)
    }

    /// Returns the path of the only value in an object that an entry of the result is made from. Nil if there are several, or none.
    ///
    /// - Complexity: O(rules).
    package func source(of entry: String, in input: JSONObject) -> MappingPath? {
        func isEntry(_ name: String) -> Bool { UTF8Bytes.areEqual(name, entry) }
        let own = rules.filter { isEntry($0.key) && $0.isReady(for: input) }
        let isKept = own.isEmpty && unreferenced.entry != nil && !rules.contains { $0.paths.contains { $0.root.map(isEntry) ?? false } }
        let paths = isKept ? [MappingPath(segments: [entry])] : own.flatMap(\.paths)
        let found = paths.filter { $0.value(in: input) != nil }
        return found.count == 1 ? found[0] : nil
    }

    private static func unchangedPart(of rule: Rule) -> MappingIssue {
        if rule.paths.count > 1 || rule.readsWholeInput {
            return missingPart(of: rule, "changes to only some of them", advice: "change all of them together")
        }
        return missingPart(of: rule, "a change that has no value there", advice: "send the whole value, with null for a part without one")
    }

    private static func missingPart(of rule: Rule, _ found: String, advice: String) -> MappingIssue {
        let sources = rule.paths.map { "`\($0)`" }.joined(separator: " and ")
        let expected = rule.readsWholeInput ? "all members" : "\(rule.paths.count > 1 ? "values" : "a value") from \(sources)"
        let advice = rule.readsWholeInput ? "give the rule the paths that it reads instead of the empty path" : advice
        return MappingIssue(.required, expected: expected, found: found, advice: advice)
            .moved(below: JSONPointer(rule.key), property: [rule.key])
    }

    /// Returns the names of the members of an object that no rule reads, if they are dropped.
    package func dropped(from input: JSONObject) -> [String] {
        guard unreferenced.entry == nil, !rules.contains(where: \.readsWholeInput) else { return [] }
        let read = Set(rules.flatMap(\.paths).compactMap(\.root).map { ByteText($0) })
        return input.names.filter { !read.contains(ByteText($0)) }
    }

    /// Returns the rewriter without the rules that read a member for which `isLeftOut` returns true, and without rules with the empty path.
    /// So no default appears for the member. The default rule does not run for the other members that these rules name, because they have
    /// no place of their own in the result.
    package func leavingOut(_ isLeftOut: (String) -> Bool) -> Rewriter {
        let left = rules.filter { $0.mayRead(isLeftOut) }
        if left.isEmpty { return self }
        let kept = rules.filter { !$0.mayRead(isLeftOut) }
        let names = Set(left.flatMap(\.paths).compactMap(\.root).map { ByteText($0) })
        return Rewriter(rules: kept, unreferenced: unreferenced.skipping { names.contains(ByteText($0)) })
    }

    /// Does the same for the members of `input`. Throws a `ValidationError` for a rule that reads a member that is left out beside one that
    /// `input` has, because the value of the latter would be lost.
    package func leavingOut(from input: JSONObject, _ isLeftOut: (String) -> Bool) throws -> Rewriter {
        let hasRest = input.names.contains { !isLeftOut($0) }
        let issues = rules.filter { rule in
            hasRest && rule.mayRead(isLeftOut) && rule.mayRead { !isLeftOut($0) && input.contains(name: $0) }
        }.map { Self.missingPart(of: $0, "a request that leaves out some of them", advice: "leave out all of them, or none") }
        guard issues.isEmpty else { throw ValidationError(issues, name: "rewriter") }
        return leavingOut(isLeftOut)
    }
}
