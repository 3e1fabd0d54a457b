import JSONAPICodec
import JSONAPILegacy
import JSONText

/// Cases of `expand-templates` and `expand-document`.
enum SeedExpansion {
    static func checkTemplates(_ seed: SeedCase, _ report: inout Report) throws {
        let expander = try expander(seed)
        check(seed, &report) { () throws(ExpansionError) in try expander.expand(legacy: seed.input) }
    }

    static func checkDocument(_ seed: SeedCase, _ report: inout Report) throws {
        let expander = try expander(seed)
        let document = DocumentObject(members: seed.input.object ?? JSONObject())
        check(seed, &report) { () throws(ExpansionError) in try document.expanded(expander) }
    }

    private static func expander(_ seed: SeedCase) throws -> Expander {
        var expander = Expander()
        let options = seed.config["options"]?.object ?? JSONObject()
        if let missing = options["missing"] {
            guard let policy = missing.string.flatMap(Expander.Missing.init) else { throw CaseFolder.Unusable("missing: \(missing)") }
            expander.missing = policy
        }
        if let primary = options["primary"], !primary.isNull {
            expander.primary = primary.array?.compactMap(\.string) ?? primary.string.map { [$0] }
        }
        return expander
    }

    private static func check(_ seed: SeedCase, _ report: inout Report, _ expand: () throws(ExpansionError) -> JSON) {
        do throws(ExpansionError) {
            let tree = try expand()
            if let errors = seed.expected["errors"] {
                report.fail(seed.name, "expected the errors \(errors), found \(tree)")
            } else {
                report.expect(seed, tree, equals: seed.expected["value"])
            }
        } catch {
            let found = error.problems.map { "\(hyphenated($0.kind.description)) at \($0.pointer)" }.sorted()
            let expected = seed.expected["errors"]?.array?.map { "\($0["kind"]?.string ?? "?") at \($0["at"]?.string ?? "?")" }.sorted()
            if found != expected ?? [] { report.fail(seed.name, "expected the errors \(expected ?? []), found \(found)") }
        }
    }

    /// `nameConflict` as `name-conflict`.
    private static func hyphenated(_ name: String) -> String {
        name.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
    }
}
