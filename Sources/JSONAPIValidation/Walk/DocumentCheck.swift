import JSONAPIRules
import JSONText

/// The validation of one document. It walks the tape once, and stores the data for rules about the whole document.
///
/// The rules are in `Rules/`, with a file for each section of the standard. A file contains the rules, and an extension of this type that
/// checks them. A value of the wrong type is reported, and its contents are not checked, so that each problem gives one issue. Only one
/// resource in place of a collection, or the reverse, is checked all the same. @-members are ignored. For members of applied extensions,
/// only the names are checked. Attribute values and the contents of `meta` are not checked.
struct DocumentCheck {
    let view: TapeView
    let tape: Tape
    let context: ValidationContext
    let appliesAtomic: Bool
    let appliesCursorPagination: Bool
    let query: RequestedQuery?

    /// The check against the shared rules. It remembers the names of similar resources.
    var ruleCheck: RuleCheck
    var issues: IssueList
    var top = TopLevel()
    /// The indices of `atomic:operations` and `atomic:results`. 0 stands for a missing member.
    var operations = 0
    var results = 0
    /// Whether all objects in the primary data lack fields and links, so that they may be linkage.
    var hasBareData = true
    /// Whether the primary data has the right form.
    var hasUsableData = false
    var resources = ResourceList()
    var locals = LocalIdentities()
    /// Whether a value that may contain linkage is invalid, so that the linked resources are unknown.
    var hasBrokenLinkage = false

    init(_ tape: Tape, _ context: ValidationContext, _ issues: IssueList) {
        self.tape = tape
        view = tape.view
        self.context = context
        let extensions = context.appliedExtensions
        ruleCheck = RuleCheck(
            view, for: .validator, namespaces: extensions.map { Array($0.namespace.utf8) },
            hasUnknownExtension: view.namesExtension(except: extensions.map(\.uri)))
        appliesAtomic = extensions.contains(where: \.isAtomic)
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

extension TapeView {
    /// Whether `jsonapi.ext` has a URI that is not among the given ones.
    fileprivate func namesExtension(except known: [String]) -> Bool {
        guard isObject(root), let object = member("jsonapi", of: root), isObject(object), let list = member("ext", of: object)
        else { return false }
        return isArray(list)
            && Elements(self, of: list).contains { word in
                isString(word) && !known.contains { $0.utf8.elementsEqual(textBytes(at: word)) }
            }
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

    /// Reports a broken rule whose interpretation is contested: an error in strict mode, and otherwise a warning.
    mutating func reportContested(
        _ rule: ValidationRule, at word: Int, _ message: @autoclosure () -> String, _ cure: @autoclosure () -> String
    ) {
        issues.add(rule, context.isStrict ? .error : .warning, word, message, cure)
    }

    /// Reports a value of the wrong type.
    mutating func reportKind(_ rule: ValidationRule, at word: Int, _ what: @autoclosure () -> String, _ expected: @autoclosure () -> String)
    {
        let found = view.kindName(at: word)
        report(rule, at: word, "\(what()) is \(found)", "make it \(expected())")
    }

    /// Returns whether a value is a string, and otherwise reports the rule.
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

    /// Returns the index of the value of the last member with a name, or 0 if there is none.
    func member(_ name: StaticString, of object: Int) -> Int { view.member(name, of: object) ?? 0 }
}
