import JSONAPIRules
import JSONText

/// Checks a whole document once. It throws the first fault that the mode does not allow, and reports everything that it tolerates.
///
/// ```
/// {"data": {"type": "articles", "id": "1", "attributes": {"type": "essay"}}}
///
/// strict     thrown: illegalName at /data/attributes/type
/// standard   reported: reservedFieldName at /data/attributes/type
/// ```
///
/// The rules are in `JSONAPIRules`: `RuleCheck` finds faults, and the table of `Verdict` says what each mode does about them. The leniencies
/// are assigned here.
///
/// Outside strict mode, every fault in error objects is only reported, because the server's message must not be lost. The same applies to
/// the members of whole resources in place of identifiers, which other modes ignore.
///
/// @-members are ignored, members of extensions are checked only for their names, and attribute values and the contents of `meta` are not
/// checked. Nothing recurses; time and memory are linear in the size of the document.
///
/// Identities of resource objects are checked when the index is built (`ResourceIndexBuilder`). What the leniencies accept there is
/// reported here.
package struct DocumentSurvey {
    let document: ParsedDocument
    let view: TapeView
    let options: JSONAPIDecoder
    /// Whether other resources of the document are elsewhere.
    let isPart: Bool
    private var findings = TapeFindings()
    /// The kind of diagnostics for tolerated faults; nil when faults are thrown.
    private var tolerance: Diagnostic.Kind?

    private init(_ document: ParsedDocument, isPart: Bool) {
        self.document = document
        self.isPart = isPart
        view = document.view
        options = document.options
    }

    /// Returns the diagnostics of the document, in document order. Throws a `DecodingFailure` for the first fault that the mode does not
    /// allow.
    ///
    /// - Parameter isPart: Whether other resources of the document are elsewhere. Then neither full linkage nor the targets of lids are
    ///   checked.
    /// - Complexity: O(bytes).
    package static func run(_ document: ParsedDocument, isPart: Bool = false) throws -> Diagnostics {
        try run(document, isPart: isPart) { survey in
            try survey.checkTopLevel()
            try survey.checkDuplicateResources()
            try survey.checkDuplicateNames()
            if !isPart { try survey.checkFullLinkage() }
        }
    }

    /// In strict mode, throws for the first fault of a part of a document. With leniencies, returns the diagnostics of their uses: the other
    /// diagnostics of a whole document are not needed to read a part, and neither are its faults that do not concern the models. Such a fault
    /// hides no use of a leniency after it.
    package static func check(part document: ParsedDocument) throws -> Diagnostics {
        if document.options.mode == .strict { return try run(document, isPart: true).ofLeniencies }
        guard !document.options.leniencies.isEmpty else { return Diagnostics() }
        return try run(document, isPart: true) { try $0.tolerating(.documentStructure) { try $0.checkTopLevel() } }.ofLeniencies
    }

    /// In strict mode, throws for a fault of primary data that is read as an identifier: the survey of a document takes it for a resource.
    /// No resource of the document has its lid.
    static func check(identifier word: Int, of document: ParsedDocument) throws {
        guard document.options.mode == .strict, !document.options.leniencies.contains(.embeddedResources) else { return }
        _ = try run(document, isPart: true) { survey in try survey.check { $0.checkIdentifier(word, allowsLocal: false) } }
    }

    /// Returns the diagnostics of a document of errors, whatever its data is. Throws only in strict mode.
    static func runErrors(_ document: ParsedDocument) throws -> Diagnostics {
        try run(document, isPart: false) { try $0.checkDocumentOfErrors() }
    }

    private static func run(
        _ document: ParsedDocument, isPart: Bool, _ check: (inout DocumentSurvey) throws -> Void
    ) throws -> Diagnostics {
        var survey = DocumentSurvey(document, isPart: isPart)
        do { try check(&survey) } catch let failure as DecodingFailure { throw failure.spelled }
        return survey.findings.diagnostics(survey.view, maximumBytes: document.options.maximumDiagnosticBytes)
    }
}

// MARK: - Handling faults

extension DocumentSurvey {
    var isStrict: Bool { options.mode == .strict }

    mutating func report(_ kind: Diagnostic.Kind, at word: Int, _ message: @autoclosure () -> String) {
        findings.add(kind, word, findings.isFull ? nil : message())
    }

    /// Whether the mode throws a fault; otherwise the fault is reported.
    func isRefused(_ fault: Fault, _ leniency: Leniencies.Name?) -> Bool {
        if isLeftOut(fault) { return false }
        let isSet = leniency.map { options.leniencies.contains($0) || toleratesErrors } ?? false
        return switch fault.verdict.reading {
        case .refused: true
        case .refusedUnlessSet: !isSet
        case .refusedInStrict: isStrict && !isSet
        case .reported, .passed: false
        }
    }

    /// Whether the fault is in an element of linkage that the models leave out.
    func isLeftOut(_ fault: Fault) -> Bool {
        fault.isOfUnreadableElement && options.invalidElements == .drop && options.source == .response
    }

    /// Runs `body`, and reports faults with the given kind instead of throwing them.
    mutating func tolerating(_ kind: Diagnostic.Kind, _ body: (inout DocumentSurvey) throws -> Void) throws {
        let outer = tolerance
        tolerance = kind
        defer { tolerance = outer }
        try attempt(body)
    }

    /// Checks one part. When faults are tolerated, the first one in the part is reported, and the caller continues with the next part.
    /// Returns whether there was none.
    @discardableResult mutating func attempt(_ body: (inout DocumentSurvey) throws -> Void) throws -> Bool {
        do {
            try body(&self)
            return true
        } catch let failure as DecodingFailure {
            guard let tolerance, let note = failure.note else { throw failure }
            let (expected, found, _) = note.words
            report(tolerance, at: note.word, "expected \(expected), found \(found); it is kept unchanged")
            return false
        }
    }

    /// Whether error objects are checked, so that faults in them are no reason to reject the document.
    private var toleratesErrors: Bool { tolerance == .leniency(.invalidErrorMembers) }
}
