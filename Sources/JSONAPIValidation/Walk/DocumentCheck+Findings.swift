import JSONAPIRules
import JSONText

// Reports the findings of the shared rules.

extension DocumentCheck {
    /// Checks a part of the document against the shared rules, and reports the findings.
    @discardableResult mutating func check<Result>(_ body: (inout RuleCheck) -> Result) -> Result {
        let result = body(&ruleCheck)
        let findings = ruleCheck.findings
        // Reporting a finding can check a further part.
        ruleCheck.forgetFindings()
        for finding in findings { report(finding) }
        return result
    }

    private mutating func report(_ finding: RuleFinding) {
        let word = finding.word
        switch finding.content {
        case .broken(let rule, let how): reportOnce(Fault(rule, how, at: word, name: finding.name))
        case .other(.unwrappedIdentifier) where view.string(at: finding.name, isOneOf: DefinedMembers.identity): break
        case .other(let object):
            checkOther(finding.name, word, in: object.words, defined: object.names, advice: advice(finding.name, object))
        case .meta(let place): checkMeta(word, of: place)
        case .extensionField: refuseUnknownAtomicMember(finding.name, word)
        case .localIdentifier: mention(word)
        // The context names the applied extensions, and linkage can repeat an identifier.
        case .extensionURI, .repeatedIdentifier: break
        }
    }

    /// Returns the alternative to removing a member.
    private func advice(_ name: Int, _ object: DefinedObject) -> String {
        switch object {
        case .identifier where view.string(at: name, isOneOf: ["attributes", "relationships", "links"]): "put the resource into `included`"
        case .resource: "put it into `attributes`"
        case .errorSource: "put it into `meta` of the error"
        default: "put it into `meta`"
        }
    }

    private mutating func reportOnce(_ fault: Fault) {
        if fault.hidesLinkage { hasBrokenLinkage = true }
        switch (fault.rule, fault.how) {
        // A field called `type` or `id` has already been reported. Other names are reported at the later of the two members.
        case (.commonNamespace, _):
            guard !view.isReservedFieldName(fault.name) else { return }
            report(Fault(fault.rule, fault.how, at: max(fault.word, view.next(after: fault.name)), name: fault.name))
        // The data of a request is never a page.
        case (.paginationPlace, _): if !context.isRequest { report(fault) }
        case (.requiredMember, _) where context.kind == .error:
            let problem = fault.messages(view).problem
            report(ValidationRule(fault.rule), at: fault.word, problem, "add `errors`")
        case (.requiredMember, _) where appliesAtomic:
            let name = context.isRequest ? "atomic:operations" : "atomic:results"
            let other = context.isRequest ? "" : ", or `errors`"
            report(ValidationRule(fault.rule), at: fault.word, "a document without `\(name)`", "add `\(name)`\(other)")
        case (.errorPointer, .missing): checkPointerOfOperation(fault.word)
        default: report(fault)
        }
    }

    /// Reports a fault according to its verdict.
    mutating func report(_ fault: Fault) {
        let (rule, view) = (ValidationRule(fault.rule), view)
        switch fault.verdict.validation {
        case .issue: report(rule, at: fault.word, fault.messages(view).problem, fault.messages(view).cure)
        case .contested: reportContested(rule, at: fault.word, fault.messages(view).problem, fault.messages(view).cure)
        case .strictOnly:
            if context.isStrict { reportContested(rule, at: fault.word, fault.messages(view).problem, fault.messages(view).cure) }
        case .passed: break
        }
    }
}

extension Fault {
    /// Whether the fault may hide linkage, so that the linked resources are unknown.
    fileprivate var hidesLinkage: Bool {
        switch rule {
        case .relationshipsObject, .relationshipObject, .linkageShape, .identifierType, .identifierID: true
        case .identifierIdentityString: how != .lid
        default: how == .unwrapped
        }
    }
}

extension DefinedObject {
    fileprivate var words: String {
        switch self {
        case .document: "a document"
        case .jsonapi: "the `jsonapi` object"
        case .resource: "a resource object"
        case .identifier: "a resource identifier object"
        case .relationship, .unwrappedIdentifier: "a relationship object"
        case .link: "a link object"
        case .error: "an error object"
        case .errorSource: "the `source` of an error"
        case .links(.document): "the `links` object of a document"
        case .links(.resource): "the `links` object of a resource"
        case .links(.relationship): "the `links` object of a relationship"
        case .links(.error): "the `links` object of an error"
        }
    }
}
