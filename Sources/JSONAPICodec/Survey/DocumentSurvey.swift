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
/// A fault is one of three. What can be read in spite of it is thrown in strict mode and reported otherwise. What needs a
/// decision of the caller's is thrown unless its leniency is set, and reported under its name if so. The rest is always
/// thrown. What the specification bans and tells readers to ignore is thrown in strict mode and reported otherwise.
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

/// A fault that was found, with its place as a word: most are reported and never need a pointer of their own.
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

    func failure(
        _ kind: DecodingFailure.Kind, at word: Int, expected: String, found: String? = nil, advice: String? = nil
    ) -> SurveyFault {
        SurveyFault(kind: kind, word: word, expected: expected, found: found, advice: advice)
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
    var toleratesErrors: Bool { tolerance == .leniency(.invalidErrorMembers) }

    /// Thrown in strict mode, reported in the others.
    mutating func refuseInStrict(
        _ kind: DecodingFailure.Kind, at word: Int, expected: @autoclosure () -> String, found: @autoclosure () -> String? = nil,
        else diagnostic: Diagnostic.Kind, _ message: @autoclosure () -> String
    ) throws {
        guard !isStrict else {
            throw failure(kind, at: word, expected: expected(), found: found(), advice: "the modes standard and lenient read it")
        }
        report(diagnostic, at: word, message())
    }

    /// Reported when the leniency is set, else thrown.
    mutating func refuse(
        _ kind: DecodingFailure.Kind, at word: Int, unless leniency: Leniencies.Name, expected: @autoclosure () -> String,
        found: @autoclosure () -> String? = nil, _ message: @autoclosure () -> String
    ) throws {
        guard options.leniencies.contains(leniency) || toleratesErrors else {
            throw failure(
                kind, at: word, expected: expected(), found: found(), advice: "set the leniency \(leniency.rawValue) to read it")
        }
        report(.leniency(leniency), at: word, message())
    }
}

// MARK: - Containers

extension DocumentSurvey {
    /// Whether there is an object to look into. A null or an empty array in its place may be read by leniency.
    mutating func isObject(
        _ word: Int, _ what: String, null: Leniencies.Name = .nullContainers
    ) throws -> Bool {
        if view.isObject(word) { return true }
        if view.isNull(word) {
            try refuse(.wrongType, at: word, unless: null, expected: what, "null in place of \(what), taken as absent")
        } else if view.isArray(word), view.count(at: word) == 0 {
            try refuse(
                .wrongType, at: word, unless: .emptyArrayContainers, expected: what, found: "an empty array",
                "an empty array in place of \(what), taken as an empty object")
        } else {
            throw failure(.wrongType, at: word, expected: what)
        }
        return false
    }

    /// Every `meta` is an object; what is in it is the server's.
    ///
    /// <https://jsonapi.org/format/1.1/#document-meta>
    mutating func checkMeta(_ word: Int) throws { _ = try isObject(word, "an object: the meta information") }

    /// A member that the specification does not define in this object: banned, and to be ignored by readers. Strict mode refuses it.
    ///
    /// <https://jsonapi.org/format/1.1/#document-structure>
    mutating func checkAdditional(_ name: Int, _ value: Int, in what: String) throws {
        switch MemberName(view, name) {
        case .at, .ofExtension: return
        case .illegalOfExtension: try refuseExtensionName(value)
        case .legal, .illegal:
            let view = view
            try refuseInStrict(
                .unknownMember, at: value, expected: "no member beyond those that the specification defines for \(what)",
                found: "one called `\(view.shown(name))`", else: .unknownMember,
                "\(what) has no such member in the specification; ignored, and kept in the raw view")
        }
    }

    /// <https://jsonapi.org/format/1.1/#extension-members>
    mutating func refuseExtensionName(_ value: Int) throws {
        try refuseInStrict(
            .illegalName, at: value, expected: "a legal member name behind the extension's namespace",
            found: "reserved characters, or nothing", else: .illegalName, "the rest of an extension member's name is no legal member name")
    }
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
