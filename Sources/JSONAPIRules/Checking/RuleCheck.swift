import JSONText

/// Checks parts of a document against the shared rules, and collects its findings in order. It does not recurse on the depth of the
/// document.
///
/// If a name is repeated, only its last member is checked. A part without findings needs no memory.
package struct RuleCheck {
    /// The caller, which determines the consequences of a finding. Some findings are only produced for one caller.
    package enum Caller: Sendable { case decoder, writer, validator }

    package let view: TapeView
    package private(set) var findings: [RuleFinding] = []
    /// The index of the part that is being checked.
    package var part = 0
    /// Whether an element of linkage is being checked.
    var isInElement = false
    let caller: Caller
    /// The namespaces of the applied extensions, or nil to accept the members of any extension.
    private let namespaces: [[UInt8]]?
    /// Whether the document applies an extension whose namespace is unknown.
    let hasUnknownExtension: Bool
    /// The indices of whole resource objects in place of identifiers. They are checked as resource objects.
    private let embedded: [UInt32: Int]
    let known = KnownNames()

    package init(
        _ view: TapeView, for caller: Caller = .decoder, namespaces: [[UInt8]]? = nil, hasUnknownExtension: Bool = false,
        embedded: [UInt32: Int] = [:]
    ) {
        self.view = view
        self.caller = caller
        self.namespaces = namespaces
        self.hasUnknownExtension = hasUnknownExtension
        self.embedded = embedded
    }

    /// Removes all findings before the next part is checked.
    package mutating func forgetFindings() { findings.removeAll(keepingCapacity: true) }

    mutating func add(_ content: RuleFinding.Content, _ word: Int, name: Int = 0) {
        findings.append(RuleFinding(content: content, word: word, name: name, part: part, isInElement: isInElement))
    }

    mutating func broken(_ rule: Rule, _ how: RuleFinding.Break, at word: Int, name: Int = 0) {
        add(.broken(rule, how), word, name: name)
    }

    /// Returns whether a value is a string, and otherwise reports the rule.
    mutating func isString(_ word: Int, _ rule: Rule, _ how: RuleFinding.Break = .kind) -> Bool {
        if view.isString(word) { return true }
        broken(rule, how, at: word)
        return false
    }

    /// Returns whether a value is an object, and otherwise reports the rule.
    mutating func isObject(_ word: Int, _ rule: Rule, isInError: Bool = false) -> Bool {
        if view.isObject(word) { return true }
        if view.isNull(word) {
            broken(rule, isInError ? .nullInError : .null, at: word)
        } else {
            broken(rule, isEmptyArray(word) ? .emptyArray : .kind, at: word)
        }
        return false
    }

    func isEmptyArray(_ word: Int) -> Bool { view.isArray(word) && view.count(at: word) == 0 }

    mutating func other(_ name: Int, _ value: Int, in object: DefinedObject) { add(.other(object), value, name: name) }

    func isEmbedded(_ word: Int) -> Bool { !embedded.isEmpty && embedded[UInt32(truncatingIfNeeded: word)] != nil }

    /// Returns the kind of a member by its name. The name of a member of an extension that is not applied is illegal.
    package func owner(ofName name: Int) -> MemberName {
        let owner = MemberName(view, name)
        switch owner {
        case .ofExtension, .illegalOfExtension: return isApplied(name) ? owner : .illegal
        case .legal, .illegal, .at: return owner
        }
    }

    private func isApplied(_ name: Int) -> Bool {
        guard let namespaces else { return true }
        guard !namespaces.isEmpty else { return false }
        let namespace = view.textBytes(at: name).prefix { $0 != UInt8(ascii: ":") }
        return namespaces.contains { $0.elementsEqual(namespace) }
    }

    /// Returns whether a name is that of a member of an applied extension.
    func isOfExtension(_ name: Int) -> Bool {
        switch owner(ofName: name) {
        case .ofExtension, .illegalOfExtension: true
        case .legal, .illegal, .at: false
        }
    }

    /// Returns whether an object has a member of an applied extension.
    package func hasExtensionMember(_ object: Int) -> Bool { Members(view, of: object).contains { isOfExtension($0.name) } }
}

// MARK: - Meta information

extension RuleCheck {
    /// Checks that `meta` is an object. Its members are not restricted. The validator checks them itself.
    ///
    /// <https://jsonapi.org/format/1.1/#document-meta>
    package mutating func checkMeta(_ meta: Int, of place: MetaPlace) {
        if caller == .validator { add(.meta(place), meta) } else { _ = isObject(meta, .metaObject, isInError: place == .error) }
    }
}
