import JSONAPIValidation

/// The rules that the cases break, by section of the standard.
struct RuleCoverage {
    private var broken: Set<String> = []

    mutating func note(_ report: ValidationReport) { broken.formUnion(report.issues.map(\.rule.id)) }

    /// A line for each section: the number of rules, of rules with their own id, and of rules that a case breaks.
    var table: String {
        var sections: [(name: String, rules: [ValidationRule])] = []
        for rule in ValidationRule.all {
            let parts = rule.id.split(separator: "/")
            let name = parts.count > 2 ? "\(parts[0])/\(parts[1])" : String(parts[0])
            if let index = sections.firstIndex(where: { $0.name == name }) {
                sections[index].rules.append(rule)
            } else {
                sections.append((name, [rule]))
            }
        }
        return sections.map { section in
            let own = section.rules.filter(\.reportedAs.isEmpty)
            let shown = own.filter { broken.contains($0.id) }
            return
                "rules: \(section.name): \(section.rules.count) rules, \(own.count) reported by themselves, \(shown.count) broken by cases"
        }.joined(separator: "\n")
    }
}
