import JSONAPIRules
import JSONText

// Handles the findings one by one.

extension DocumentSurvey {
    /// Throws or reports the findings in order, and removes them. When faults are tolerated, the first one in a part is reported and the
    /// others in that part are skipped.
    mutating func settle(_ ruleCheck: inout RuleCheck) throws {
        guard !ruleCheck.findings.isEmpty else { return }
        var skipped = -1
        for index in ruleCheck.findings.indices where ruleCheck.findings[index].part != skipped {
            let finding = ruleCheck.findings[index]
            let isSettled = try attempt { try $0.settle(finding) }
            if !isSettled { skipped = finding.part }
        }
        ruleCheck.forgetFindings()
    }

    private mutating func settle(_ finding: RuleFinding) throws {
        switch finding.content {
        case .broken(let rule, let how):
            try settle(Fault(rule, how, at: finding.word, name: finding.name, isInElement: finding.isInElement))
        case .other(let object): try settleUnknownMember(finding, in: object)
        case .extensionURI: try settleExtension(finding.word)
        case .localIdentifier: try settleLocalIdentifier(finding.word)
        case .repeatedIdentifier:
            report(.repeatedIdentifier, at: finding.word, "this relationship contains the identifier twice; both are kept")
        // Only the validator checks these.
        case .meta, .extensionField: break
        }
    }

    /// Handles a fault as the table of verdicts says.
    mutating func settle(_ fault: Fault) throws {
        let view = view
        // Whole resources in place of identifiers have their own report.
        if fault.rule == .resourceID, document.index.embedded[UInt32(truncatingIfNeeded: fault.word)] != nil { return }
        // The data of a request is never a page.
        guard fault.verdict.reading != .passed, fault.rule != .paginationPlace || options.source != .request else { return }
        // What is left out needs no leniency.
        let leniency = fault.leniency(view).flatMap { isLeftOut(fault) && !options.leniencies.contains($0) ? nil : $0 }
        if !isRefused(fault, leniency) {
            report(leniency.map { .leniency($0) } ?? fault.diagnosticKind, at: fault.word, fault.messages(view).note)
        } else {
            throw document.failure(fault)
        }
        if fault.rule == .resourceType, fault.how == .missingBoth { try settle(Fault(.resourceID, .missingID, at: fault.word)) }
    }

    /// Handles a member that the specification does not define in this object. It is forbidden, and readers ignore it. Strict mode rejects
    /// it. An @-member is accepted; of an extension member only the name is checked.
    ///
    /// <https://jsonapi.org/format/1.1/#document-structure>
    private mutating func settleUnknownMember(_ finding: RuleFinding, in object: DefinedObject) throws {
        switch MemberName(view, finding.name) {
        case .at, .ofExtension: return
        case .illegalOfExtension: return try settle(Fault(.extensionRemainder, .text, at: finding.word))
        case .legal, .illegal: break
        }
        let isLink = if case .links = object { true } else { false }
        let hint = isLink && view.string(at: finding.name, equals: "previous") ? "; the specification's name is `prev`" : ""
        if isRefused(Fault(.additionalMember, .text, at: finding.word), nil) {
            let place =
                isLink
                ? "link beyond those that the specification defines here\(hint)"
                : "member beyond those that the specification defines for \(object.phrase)"
            throw document.failure(
                .unknownMember, at: finding.word, expected: "no \(place)", found: "`\(view.shown(finding.name))`",
                advice: "the standard and lenient modes read it")
        }
        let cure = isWholeResource(finding, in: object) ? ". The leniency embeddedResources reads whole resources here" : ""
        report(
            isLink ? .unknownLink : .unknownMember, at: finding.word,
            isLink
                ? "a link that the specification does not define here; it is kept\(hint)"
                : "\(object.phrase) has no such member in the specification; it is ignored, and kept in the raw view\(cure)")
    }

    /// Whether a member shows that a whole resource is in place of an identifier.
    private func isWholeResource(_ finding: RuleFinding, in object: DefinedObject) -> Bool {
        guard case .identifier = object, view.isObject(finding.word) else { return false }
        return view.string(at: finding.name, equals: "attributes") || view.string(at: finding.name, equals: "relationships")
    }

    /// Handles a `lid` in a request. It replaces the id when the document contains a resource with that lid.
    private mutating func settleLocalIdentifier(_ word: Int) throws {
        if isPart { return }
        let identifier = IdentifierEntry(view, at: word)
        guard document.index.ordinal(of: identifier, view) == nil else { return }
        try settle(Fault(.identifierLocalID, .missing, at: identifier.lid))
    }

    private mutating func settleExtension(_ element: Int) throws {
        let uri = view.string(at: element)
        if let supported = options.supportedExtensions {
            guard !supported.contains(uri) else { return }
            throw document.failure(
                .unsupportedExtension, at: element, expected: "an extension of `supportedExtensions`", found: "another extension",
                advice: "add its URI to supportedExtensions, or set it to nil")
        }
        if uri != "https://jsonapi.org/ext/atomic" {
            report(.unknownExtension, at: element, "an extension that this library does not know; its members are kept in the raw view")
        }
    }
}

extension DefinedObject {
    /// The name of the object in failures and diagnostics.
    fileprivate var phrase: String {
        switch self {
        case .document: "a document"
        case .jsonapi: "the JSON:API object"
        case .resource: "a resource object"
        case .identifier: "an identifier"
        case .relationship, .unwrappedIdentifier: "a relationship object"
        case .link: "a link object"
        case .error: "an error object"
        case .errorSource: "an error's source"
        case .links: "a links object"
        }
    }
}
