import JSONAPIRules
import JSONText

// What holds for every object: https://jsonapi.org/format/1.1/#document-structure

extension ValidationRule {
    static let additionalMember = ValidationRule(.additionalMember)
}

extension DocumentCheck {
    /// Checks a member that is none of those an object is defined with. `advice` is what may be done but remove it.
    mutating func checkOther(
        _ name: Int, _ value: Int, in what: String, defined: [StaticString], advice: String = "put it into `meta`"
    ) {
        switch RuleLook(view, for: .validator, namespaces: namespaces).owner(ofName: name) {
        case .at: break
        case .ofExtension: refuseUnknownAtomicMember(name, value)
        case .illegalOfExtension: report(Fault(.extensionRemainder, .text, at: value))
        case .legal, .illegal: refuseMember(name, value, in: what, defined: defined, advice: advice)
        }
    }

    private mutating func refuseMember(_ name: Int, _ value: Int, in what: String, defined: [StaticString], advice: String) {
        let view = view
        report(
            .additionalMember, at: value, "\(what) has no member `\(view.shown(name))` in the specification",
            Self.cure(forName: view.shown(name), defined, advice))
    }

    private static func cure(forName text: String, _ defined: [StaticString], _ advice: String) -> String {
        if defined.contains(where: { "\($0)" == "prev" }), text == "previous" { return "the specification's name is `prev`" }
        if let nearest = NearestName.find(text, in: defined.map { "\($0)" }) { return "remove it; `\(nearest)` may be meant" }
        if text.contains(":") { return "remove it, or apply the extension whose member it is" }
        return "remove it, or \(advice)"
    }

    /// The extension for atomic operations defines two members, at the top level.
    ///
    /// <https://jsonapi.org/ext/atomic/#document-structure>
    mutating func refuseUnknownAtomicMember(_ name: Int, _ value: Int) {
        guard appliesAtomic, view.textBytes(at: name).starts(with: "atomic:".utf8) else { return }
        let text = view.shown(name)
        report(
            .additionalMember, at: value, "the extension for atomic operations has no member `\(text)` here",
            "remove it; `atomic:operations` and `atomic:results` are at the top level")
    }
}
