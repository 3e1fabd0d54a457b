import JSONAPIRules
import JSONText

// Rules for all objects: https://jsonapi.org/format/1.1/#document-structure

extension ValidationRule {
    static let additionalMember = ValidationRule(.additionalMember)
}

extension DocumentCheck {
    /// Checks a member that the specification does not define for an object. `advice` is the alternative to removing it.
    mutating func checkOther(
        _ name: Int, _ value: Int, in what: String, defined: [StaticString], advice: String = "put it into `meta`"
    ) {
        switch ruleCheck.owner(ofName: name) {
        case .at: break
        case .ofExtension: refuseUnknownAtomicMember(name, value)
        case .illegalOfExtension: report(Fault(.extensionRemainder, .text, at: value))
        case .legal, .illegal: refuseMember(name, value, in: what, defined: defined, advice: advice)
        }
    }

    private mutating func refuseMember(_ name: Int, _ value: Int, in what: String, defined: [StaticString], advice: String) {
        let (view, appliesAtomic) = (view, appliesAtomic)
        report(
            .additionalMember, at: value, "the specification does not define a member `\(view.shown(name))` for \(what)",
            Self.cure(forName: view.shown(name), defined, advice, appliesAtomic))
    }

    private static func cure(forName text: String, _ defined: [StaticString], _ advice: String, _ appliesAtomic: Bool) -> String {
        func isDefined(_ name: String) -> Bool { defined.contains { "\($0)" == name } }
        if isDefined("prev"), text == "previous" { return "use the name `prev`" }
        if appliesAtomic, isDefined("jsonapi"), ["operations", "results"].contains(text) { return "use the name `atomic:\(text)`" }
        if let nearest = NearestName.find(text, in: defined.map { "\($0)" }) { return "remove it, or use the name `\(nearest)`" }
        if text.contains(":") { return "remove it, or apply the extension that defines it" }
        return "remove it, or \(advice)"
    }

    /// Reports a member in the namespace of Atomic Operations, which defines only two members at the top level.
    ///
    /// <https://jsonapi.org/ext/atomic/#document-structure>
    mutating func refuseUnknownAtomicMember(_ name: Int, _ value: Int) {
        guard appliesAtomic, view.textBytes(at: name).starts(with: "atomic:".utf8) else { return }
        let text = view.shown(name)
        report(
            .additionalMember, at: value, "the extension Atomic Operations does not define a member `\(text)` here",
            "remove it; the extension only defines `atomic:operations` and `atomic:results`, at the top level")
    }
}
