import JSONText

/// Looks at parts of a document by the rules that all readers share, and gathers what it finds in the order of looking. Nothing
/// recurses on the depth of the document.
///
/// Of members of one name the last is looked at. What a part without faults costs is its walk: no finding, no memory.
package struct RuleLook {
    /// Who looks. What follows from a finding is the asker's; some findings serve one asker alone, and are made for that one only.
    package enum Asker: Sendable { case decoder, writer, validator }

    package let view: TapeView
    package private(set) var findings: [RuleFinding] = []
    /// The part that is looked at now.
    package var part = 0
    let asker: Asker
    /// The namespaces of the extensions that are applied; nil where the members of any extension are taken for what they are.
    private let namespaces: [[UInt8]]?
    /// The words of whole resources in place of identifiers, which are looked at as resources.
    private let embedded: [UInt32: Int]
    let known = KnownNames()

    package init(
        _ view: TapeView, for asker: Asker = .decoder, namespaces: [[UInt8]]? = nil, embedded: [UInt32: Int] = [:]
    ) {
        self.view = view
        self.asker = asker
        self.namespaces = namespaces
        self.embedded = embedded
    }

    /// Forgets what was found, so that the next part can be looked at.
    package mutating func forgetFindings() { findings.removeAll(keepingCapacity: true) }

    mutating func add(_ content: RuleFinding.Content, _ word: Int, name: Int = 0) {
        findings.append(RuleFinding(content: content, word: word, name: name, part: part))
    }

    mutating func broken(_ rule: Rule, _ how: RuleFinding.Break, at word: Int, name: Int = 0) {
        add(.broken(rule, how), word, name: name)
    }

    /// Whether it is a string; otherwise the rule is broken.
    mutating func isString(_ word: Int, _ rule: Rule, _ how: RuleFinding.Break = .kind) -> Bool {
        if view.isString(word) { return true }
        broken(rule, how, at: word)
        return false
    }

    /// Whether it is an object; otherwise the rule is broken.
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

    /// Whose a member is, told from its name: the name of a member of an extension that is not applied is an illegal one.
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

    /// Whether it is the name of a member of an extension that is applied.
    func isOfExtension(_ name: Int) -> Bool {
        switch owner(ofName: name) {
        case .ofExtension, .illegalOfExtension: true
        case .legal, .illegal, .at: false
        }
    }

    /// Whether an object has a member of an extension that is applied.
    package func hasExtensionMember(_ object: Int) -> Bool { Members(view, of: object).contains { isOfExtension($0.name) } }
}

// MARK: - Meta information

extension RuleLook {
    /// Every `meta` is an object; what is in it is the server's. A validator looks into it.
    ///
    /// <https://jsonapi.org/format/1.1/#document-meta>
    package mutating func checkMeta(_ meta: Int, of place: MetaPlace) {
        if asker == .validator { add(.meta(place), meta) } else { _ = isObject(meta, .metaObject, isInError: place == .error) }
    }
}
