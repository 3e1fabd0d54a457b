import JSONAPIRules
import JSONText

/// The resources that an embedded array lacks although its linkage names them, and the consequences.
///
/// An array without one element would be written back as the whole relationship, and the server would remove the missing resource. A
/// `[Comment]` must therefore be complete, or decoding throws. A `[Comment]?` is nil when the document contains none of the resources, and
/// where a cycle of embedded values ends. When only some of them are missing, decoding throws as well. Options can allow elements to be
/// left out, which is reported. With these options too, a `[Comment]?` is nil when the document contains none of the resources.
struct ArrayGaps {
    private let list: IdentifierList
    /// Whether the property is `[Element]`, which must be complete.
    private let isRequired: Bool
    /// The word of the first identifier whose resource is not in the document; 0 while all were found.
    private var missing = 0
    /// Whether the missing resources were requested from the source.
    private var isWanted = false
    /// Whether an identifier refers back to a resource that is being read. The array ends there.
    private(set) var isInCircle = false

    init(_ list: IdentifierList, isRequired: Bool) {
        self.list = list
        self.isRequired = isRequired
    }

    /// Handles an identifier whose resource is not in the document.
    mutating func noteMissing(_ session: DecodingSession, _ identifier: IdentifierEntry, _ name: FieldName, _ plan: AnyElementPlan) throws {
        if !isWanted {
            isWanted = true
            session.want(list, as: plan.valueType)
        }
        if session.leavesOutElements {
            ignore(identifier.word)
            return session.report(
                .notIncluded, at: identifier.word, "the related resource is not in the document; it was left out of `\(name.text)`")
        }
        if isRequired || session.options.missingResources == .throw { throw failure(session, identifier, name, plan) }
        if missing == 0 { missing = identifier.word }
    }

    /// Notes an identifier whose resource is not in the document, when arrays leave out such resources.
    @inline(__always)
    mutating func ignore(_ word: Int) { missing = word }

    /// Handles an identifier of a resource that is being read around this one.
    mutating func noteCircle(_ session: DecodingSession, _ identifier: IdentifierEntry, _ name: FieldName, _ plan: AnyElementPlan) throws {
        session.cut(identifier, name, of: list.relationship, plan.valueType)
        // An element that cannot be read is dropped, but what could be nil is not a part.
        if isRequired ? session.leavesOutElements : session.leavesOutMissing { return }
        guard !isRequired else {
            throw session.cycle(
                identifier, name.text, plan.valueType,
                advice: "declare `\(name.text)` as ToMany<\(plan.valueType)>, or as [\(plan.valueType)]?, which is nil in this case")
        }
        isInCircle = true
    }

    /// Returns whether an incomplete array is a value; false when the property is nil. Throws when neither is allowed.
    ///
    /// - Parameter count: The number of elements.
    func admit(_ count: Int, _ session: DecodingSession, _ name: FieldName, _ plan: AnyElementPlan) throws -> Bool {
        if isInCircle { return false }
        guard missing != 0 else { return true }
        if session.leavesOutElements { return isRequired || count > 0 }
        guard count == 0 else { throw failure(session, IdentifierEntry(session.view, at: missing), name, plan) }
        session.report(.notIncluded, at: missing, "the document contains none of the resources of `\(name.text)`, which is nil")
        return false
    }

    private func failure(
        _ session: DecodingSession, _ identifier: IdentifierEntry, _ name: FieldName, _ plan: AnyElementPlan
    ) -> DecodingFailure {
        session.notIncluded(
            identifier, name.text,
            advice: """
                ask the server to include `\(name.text)`, declare it as ToMany<\(plan.valueType)>, which keeps the identifiers\
                \(isRequired ? ", or as [\(plan.valueType)]?, which is nil when none is included" : ""); or set missingResources to omit, \
                which leaves it out
                """)
    }
}

extension DecodingSession {
    /// Whether embedded arrays leave out unavailable resources, and are empty for relationships that are not loaded.
    var leavesOutMissing: Bool { options.missingResources == .omit || options.mode == .lenient && options.missingResources == .keep }

    /// Whether embedded arrays leave out resources that cannot be embedded.
    var leavesOutElements: Bool { leavesOutMissing || options.invalidElements == .drop }

    /// Notes all missing resources of an embedded array at once, when the session has a source. An error may end the array early.
    fileprivate func want(_ list: IdentifierList, as model: Any.Type) {
        if source == nil { return }
        view.forEachElement(of: list.word) { word, _ in
            guard view.isObject(word) else { return }
            let identifier = IdentifierEntry(view, at: word)
            guard identifier.type != 0, view.isString(identifier.type), identifier.id != 0 || identifier.lid != 0,
                index.ordinal(of: identifier, view) == nil
            else { return }
            want(identifier, named: list.relationship, as: model)
        }
    }

    /// Throws when the linkage is only a page of the relationship. An array of it would be written back as the whole, and the server would
    /// remove the links of the other pages.
    @inline(never)
    func checkWhole(_ relationship: RelationshipEntry) throws {
        guard isPage(relationship) else { return }
        let name = view.string(at: view.name(ofValue: relationship.word))
        let found = "one page of them: the relationship has a link to the next or the previous one, or the member `@page`"
        guard leavesOutMissing else {
            throw failure(
                .notIncluded, at: relationship.data, expected: "all resources of `\(name)`", found: found,
                advice: "declare it as ToMany, which a patch does not mistake for the whole; or set missingResources to omit")
        }
        report(.notIncluded, at: relationship.data, "`\(name)` has only \(found)")
    }

    /// Throws when an array that is read on its own is the linkage of the current resource, and only a page of the relationship.
    func checkWhole(linkageAt word: Int) throws {
        guard view.isArray(word), let ordinal = frames.last?.ordinal else { return }
        let relationships = Int(entries[ordinal].relationships)
        guard relationships != 0, view.isObject(relationships), word > relationships, word < view.end(of: relationships) else { return }
        if pages.relationships != relationships {
            pages = (relationships, [:])
            view.forEachMember(of: relationships) { _, relationship in
                guard view.isObject(relationship) else { return }
                let entry = RelationshipEntry(view, at: relationship)
                if isPage(entry) { pages.byData[entry.data] = relationship }
            }
        }
        guard let page = pages.byData[word] else { return }
        try checkWhole(RelationshipEntry(view, at: page))
        // Reported once.
        pages.byData[word] = nil
    }

    /// Whether the linkage of a relationship is marked as a part, or its links lead to further pages.
    ///
    /// https://jsonapi.org/format/1.1/#fetching-pagination
    func isPage(_ relationship: RelationshipEntry) -> Bool {
        if options.ignoresResponseMembers { return false }
        if relationship.hasOthers, view.member("@page", of: relationship.word) != nil { return true }
        guard relationship.links != 0, view.isObject(relationship.links) else { return false }
        var hasLink = false
        view.forEachMember(of: relationship.links) { name, value in
            if view.string(at: name, equals: "next") || view.string(at: name, equals: "prev") { hasLink = hasLink || !view.isNull(value) }
        }
        return hasLink && Links(members: view.object(at: relationship.links)).hasFurtherPages
    }

    /// Returns an empty array for a relationship that is not loaded, if the options say so. Otherwise throws an error that says how to
    /// avoid it.
    func unloaded<Value>(_ name: FieldName, of ordinal: Int, _ type: Value.Type) throws -> [Value] {
        let word = relationship(name, of: ordinal) ?? relationship(atPath: name.text, of: ordinal)
        guard leavesOutMissing else {
            let advice = """
                ask the server to include `\(name.text)`, or declare it as [\(type)]?, or as ToMany<\(type)>, which knows that it is not \
                loaded
                """
            guard let word else { throw missingRelationship(name.text, in: ordinal, advice: advice) }
            throw notLoaded(name.text, RelationshipEntry(view, at: word), advice: advice)
        }
        report(.notLoaded, at: word ?? Int(entries[ordinal].word), "`\(name.text)` is not loaded; it was read as an empty array")
        return []
    }
}
