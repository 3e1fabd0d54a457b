import JSONAPIRules
import JSONText

/// What an embedded array lacks of the resources that its linkage names, and what follows from that.
///
/// An array that is one element short would be written back as the whole relationship, and the server would drop the rest. So a
/// `[Comment]` is whole or an error. A `[Comment]?` is nil where none of the resources is in the document, and where a circle of
/// embedded values ends; with some of them missing it is an error as well. The options may say to leave elements out, which is
/// reported.
struct ArrayGaps {
    private let list: IdentifierList
    /// Whether the property is `[Element]`, which has to be whole.
    private let isRequired: Bool
    /// The word of the first identifier whose resource is not in the document; 0 while all were there.
    private var missing = 0
    /// Whether the source was asked for what is missing.
    private var isWanted = false
    /// Whether an identifier leads back to a resource that is being read, and the array ends there.
    private(set) var isInCircle = false

    init(_ list: IdentifierList, isRequired: Bool) {
        self.list = list
        self.isRequired = isRequired
    }

    /// For an identifier whose resource is not in the document.
    mutating func noteMissing(
        _ session: DecodingSession, _ identifier: IdentifierEntry, _ name: FieldName, _ plan: AnyElementPlan
    ) throws {
        if !isWanted {
            isWanted = true
            session.want(list, name)
        }
        if session.leavesOutElements {
            return session.report(
                .notIncluded, at: identifier.word, "the related resource is not in the document; left out of `\(name.text)`")
        }
        if isRequired || session.options.missingResources == .throw { throw failure(session, identifier, name, plan) }
        if missing == 0 { missing = identifier.word }
    }

    /// For an identifier of a resource that is being read, further out.
    mutating func noteCircle(
        _ session: DecodingSession, _ identifier: IdentifierEntry, _ name: FieldName, _ plan: AnyElementPlan
    ) throws {
        session.cut(identifier, name)
        if session.leavesOutElements { return }
        guard !isRequired else {
            throw session.cycle(
                identifier, name.text, plan.valueType,
                advice: "declare `\(name.text)` as ToMany<\(plan.valueType)>, or as [\(plan.valueType)]?, which is nil there")
        }
        isInCircle = true
    }

    /// Whether an array that came out short is a value; false when nil stands for it. Throws when it may be neither.
    ///
    /// - Parameter count: how many elements there are.
    func admit(_ count: Int, _ session: DecodingSession, _ name: FieldName, _ plan: AnyElementPlan) throws -> Bool {
        if isInCircle { return false }
        guard missing != 0 else { return true }
        guard count == 0 else {
            throw failure(session, IdentifierEntry(session.view, at: missing), name, plan)
        }
        session.report(.notIncluded, at: missing, "the resources that `\(name.text)` leads to are not in the document; it is nil")
        return false
    }

    private func failure(
        _ session: DecodingSession, _ identifier: IdentifierEntry, _ name: FieldName, _ plan: AnyElementPlan
    ) -> DecodingFailure {
        session.notIncluded(
            identifier, name.text,
            advice: """
                ask the server to include `\(name.text)`, declare it as ToMany<\(plan.valueType)>, which keeps the identifiers, or as \
                [\(plan.valueType)]?, which is nil where none is included; or set missingResources to omit, which leaves it out
                """)
    }
}

extension DecodingSession {
    /// Whether embedded arrays go without what is not at hand: resources that are not in the document, and relationships that are not
    /// loaded.
    var leavesOutMissing: Bool {
        options.missingResources == .omit || options.mode == .lenient && options.missingResources == .keep
    }

    /// Whether embedded arrays go without resources that cannot be embedded.
    var leavesOutElements: Bool { leavesOutMissing || options.invalidElements == .drop }

    /// Notes the resources of an embedded array that the document does not have, for a session with a source: all at once, as an error
    /// may end the array.
    fileprivate func want(_ list: IdentifierList, _ name: FieldName) {
        if source == nil { return }
        view.forEachElement(of: list.word) { word, _ in
            guard view.isObject(word) else { return }
            let identifier = IdentifierEntry(view, at: word)
            guard identifier.type != 0, view.isString(identifier.type), identifier.id != 0 || identifier.lid != 0,
                index.ordinal(of: identifier, view) == nil
            else { return }
            want(identifier, name.text)
        }
    }

    /// What an array is whose relationship is not loaded: an error that says how to do without it, or nothing, where the options say so.
    func unloaded<Value>(_ name: FieldName, of ordinal: Int, _ type: Value.Type) throws -> [Value] {
        let word = relationship(name, of: ordinal)
        guard leavesOutMissing else {
            let advice = """
                ask the server to include `\(name.text)`, or declare it as [\(type)]?, or as ToMany<\(type)>, which knows that it is not \
                loaded
                """
            guard let word else { throw missingRelationship(name.text, in: ordinal, advice: advice) }
            throw notLoaded(name.text, RelationshipEntry(view, at: word), advice: advice)
        }
        report(.notLoaded, at: word ?? Int(entries[ordinal].word), "`\(name.text)` is not loaded; shown as an empty array")
        return []
    }
}
