import JSONAPIRules
import JSONText

/// Looks a whole document over, once: throws the first fault that the mode does not allow, reports everything that it tolerates.
///
/// ```
/// {"data": {"type": "articles", "id": "1", "attributes": {"type": "essay"}}}
///
/// strict     thrown: illegalName at /data/attributes/type
/// standard   reported: reservedFieldName at /data/attributes/type
/// ```
///
/// The rules are in `JSONAPIRules`: `RuleLook` finds what breaks them, and the table of `Verdict` says what each mode does about it. Here
/// is under which leniency.
///
/// In error objects every fault is reported unless the mode is strict: the server's message must not be lost. The same holds for the
/// members of whole resources in place of identifiers, which other modes ignore.
///
/// @-members count for nothing, members of extensions are looked at for their names alone, and attribute values and the
/// contents of `meta` are not looked at. Nothing recurses; time and memory are linear in the size of the document.
///
/// Identities of resource objects were checked when the index was built (`ResourceIndexBuilder`); what the leniencies let
/// through there is reported here.
struct DocumentSurvey {
    let document: ParsedDocument
    let view: TapeView
    let options: JSONAPIDecoder
    private var findings = SurveyFindings()
    /// What faults are reported as where nothing is thrown; nil where faults are thrown.
    private var tolerance: Diagnostic.Kind?

    private init(_ document: ParsedDocument) {
        self.document = document
        view = document.view
        options = document.options
    }

    /// The diagnostics of the document, in its order. Throws a `DecodingFailure` for the first fault that the mode rules out.
    ///
    /// - Parameter isPart: Whether other resources of the document are elsewhere, so that nobody knows what is linked.
    /// - Complexity: O(bytes).
    static func run(_ document: ParsedDocument, isPart: Bool = false) throws -> Diagnostics {
        try run(document) { survey in
            try survey.checkTopLevel()
            try survey.checkDuplicateResources()
            try survey.checkDuplicateNames()
            if !isPart { try survey.checkFullLinkage() }
        }
    }

    /// The diagnostics of a document of errors, whatever its data are. Throws only in strict mode.
    static func runErrors(_ document: ParsedDocument) throws -> Diagnostics {
        try run(document) { try $0.checkDocumentOfErrors() }
    }

    private static func run(_ document: ParsedDocument, _ check: (inout DocumentSurvey) throws -> Void) throws -> Diagnostics {
        var survey = DocumentSurvey(document)
        do {
            try check(&survey)
        } catch let fault as SurveyFault {
            throw survey.failure(fault)
        }
        return survey.findings.diagnostics(survey.view, maximumBytes: document.options.maximumDiagnosticBytes)
    }
}

/// A fault that is thrown, with its place as a word: most are caught and reported, and never need a pointer of their own.
struct SurveyFault: Error {
    let kind: DecodingFailure.Kind
    let word: Int
    let expected: String
    let found: String?
    let advice: String?
}

// MARK: - What is done about a fault

extension DocumentSurvey {
    var isStrict: Bool { options.mode == .strict }

    mutating func report(_ kind: Diagnostic.Kind, at word: Int, _ message: @autoclosure () -> String) {
        findings.add(kind, word, message)
    }

    /// Whether the mode throws a fault; else it reports it.
    func isRefused(_ fault: Fault, _ leniency: Leniencies.Name?) -> Bool {
        let isSet = leniency.map { options.leniencies.contains($0) || toleratesErrors } ?? false
        return switch fault.verdict.reading {
        case .refused: true
        case .refusedUnlessSet: !isSet
        case .refusedInStrict: isStrict && !isSet
        case .reported, .passed: false
        }
    }

    private func failure(_ fault: SurveyFault) -> DecodingFailure {
        DecodingFailure(
            fault.kind, at: view.pointer(to: fault.word), offset: view.start(of: fault.word),
            resource: document.identifier(holding: fault.word), expected: fault.expected,
            found: fault.found ?? view.kindName(at: fault.word), advice: fault.advice)
    }

    /// Does `body`, where faults are reported as that kind, not thrown.
    mutating func tolerating(_ kind: Diagnostic.Kind, _ body: (inout DocumentSurvey) throws -> Void) throws {
        let outer = tolerance
        tolerance = kind
        defer { tolerance = outer }
        try attempt(body)
    }

    /// Looks at one part. Where faults are tolerated, the first one in it is reported, and the caller goes on with the next part.
    /// Returns whether there was none.
    @discardableResult mutating func attempt(_ body: (inout DocumentSurvey) throws -> Void) throws -> Bool {
        do {
            try body(&self)
            return true
        } catch let fault as SurveyFault {
            guard let tolerance else { throw fault }
            let found = fault.found ?? view.kindName(at: fault.word)
            report(tolerance, at: fault.word, "expected \(fault.expected), found \(found); kept as it is")
            return false
        }
    }

    /// Whether error objects are looked at, and faults in them are no reason to refuse the document.
    private var toleratesErrors: Bool { tolerance == .leniency(.invalidErrorMembers) }
}

extension ParsedDocument {
    /// The identity of the resource object around a value, for failures.
    func identifier(holding word: Int) -> ResourceIdentifier? {
        guard let ordinal = index.ordinal(holding: word, view) else { return nil }
        let entry = index.entries[ordinal]
        guard entry.type != 0, view.isString(Int(entry.type)) else { return nil }
        let type = view.string(at: Int(entry.type))
        if entry.id != 0 { return ResourceIdentifier(type: type, id: view.string(at: Int(entry.id))) }
        return entry.lid == 0 ? nil : ResourceIdentifier(type: type, lid: view.string(at: Int(entry.lid)))
    }
}
