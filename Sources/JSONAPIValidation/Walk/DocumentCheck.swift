import JSONAPIRules
import JSONText

/// One validation of one document: walks its tape once, and keeps what the rules about the whole document need.
///
/// The rules are in `Rules/`, a file for each section of the standard: its statements, and the extension of this type that checks
/// them. A value of the wrong kind is reported and not looked into, so that one broken thing gives one issue. @-members count for
/// nothing; of members of applied extensions the names are looked at; attribute values and the contents of `meta` are not.
struct DocumentCheck {
    let view: TapeView
    let tape: Tape
    let context: ValidationContext
    let namespaces: [[UInt8]]
    let appliesAtomic: Bool
    let appliesCursorPagination: Bool
    let query: RequestedQuery?

    var issues: IssueList
    var top = TopLevel()
    /// The words of `atomic:operations` and `atomic:results`; 0 for one that is absent.
    var operations = 0
    var results = 0
    /// Whether all primary data are objects of nothing but `type`, `id`, `lid` and `meta`: they may be linkage.
    var hasBareData = true
    /// Whether primary data are of a right shape.
    var hasUsableData = false
    var resources = ResourceList()
    var locals = LocalIdentities()
    /// Whether something that may hold linkage could not be read: nobody knows then what is linked.
    var hasBrokenLinkage = false

    init(_ tape: Tape, _ context: ValidationContext, _ issues: IssueList) {
        self.tape = tape
        view = tape.view
        self.context = context
        let extensions = context.appliedExtensions
        namespaces = extensions.map { Array($0.namespace.utf8) }
        appliesAtomic = extensions.contains { $0.namespace == ValidationContext.Extension.atomic.namespace }
        appliesCursorPagination = context.appliesCursorPagination
        query = context.query.map(RequestedQuery.init)
        self.issues = issues
    }

    mutating func run() {
        checkDuplicateNames()
        guard view.isObject(view.root) else { return refuseRoot() }
        checkTopLevel()
        checkCompoundDocument()
        checkLocalIdentities()
        checkIncludes()
        checkLocation()
        if appliesCursorPagination { checkPagination() }
        checkCursorError()
    }
}

// MARK: - Reporting

extension DocumentCheck {
    /// Reports a broken rule: an error for a MUST, a warning for a SHOULD.
    mutating func report(
        _ rule: ValidationRule, at word: Int, _ message: @autoclosure () -> String, _ cure: @autoclosure () -> String
    ) {
        let severity: ValidationIssue.Severity = rule.level == .must || rule.level == .mustNot ? .error : .warning
        issues.add(rule, severity, word, message, cure)
    }

    /// Reports what breaks a rule after one of several readings: an error in strict mode, else a warning.
    mutating func reportContested(
        _ rule: ValidationRule, at word: Int, _ message: @autoclosure () -> String, _ cure: @autoclosure () -> String
    ) {
        issues.add(rule, context.isStrict ? .error : .warning, word, message, cure)
    }

    /// Reports a value of the wrong kind.
    mutating func reportKind(_ rule: ValidationRule, at word: Int, _ what: @autoclosure () -> String, _ expected: @autoclosure () -> String)
    {
        let found = view.kindName(at: word)
        report(rule, at: word, "\(what()) is \(found)", "make it \(expected())")
    }

    /// Whether it is a string; otherwise the rule is broken.
    mutating func checkString(_ word: Int, _ rule: ValidationRule, _ what: @autoclosure () -> String) -> Bool {
        if view.isString(word) { return true }
        reportKind(rule, at: word, what(), "a string")
        return false
    }
}

// MARK: - Walking

extension DocumentCheck {
    func members(of object: Int) -> Members { Members(view, of: object) }

    func elements(of array: Int) -> Elements { Elements(view, of: array) }

    /// The last member of that name, 0 for none.
    func member(_ name: StaticString, of object: Int) -> Int { view.member(name, of: object) ?? 0 }
}
