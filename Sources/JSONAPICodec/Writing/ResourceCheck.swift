import JSONAPIRules
import JSONText

/// Checks the finished text of a resource object, with the same rules as for reading.
///
/// Objects of models are checked name by name while they are written. Their text is checked only when that was not possible: for values at
/// paths, for containers that are written in any order, and for more names than the table holds. Every resource object of a request is
/// checked, however it was written. Raw objects in a response stay as they are, because a server may have sent them.
struct ResourceCheck {
    private let view: TapeView
    private let session: EncodingSession

    /// Throws for the faults that the table of verdicts rejects in a resource object that is written: names that are repeated, reserved or
    /// shared by an attribute and a relationship; members whose type differs from the specification; and in a request, relationships
    /// without linkage.
    static func run(_ text: [UInt8], _ session: EncodingSession, at place: ObjectPlace, isRequest: Bool) throws {
        try Tape.with(text.span, options: .unlimited) { tape in
            session.resource.place = place
            let check = ResourceCheck(view: tape.view, session: session)
            if let duplicate = tape.duplicates.outermost { throw check.repeated(duplicate) }
            guard tape.view.isObject(tape.view.root) else { return }
            var ruleCheck = RuleCheck(tape.view, for: .writer)
            ruleCheck.checkResource(tape.view.root, isRequest ? .create : .response)
            for finding in ruleCheck.findings {
                guard case .broken(let rule, let how) = finding.content else { continue }
                // The comparison of two values only needs to see a difference. An identifier that was read may have no id.
                if rule == .identifierID, how != .empty, session.clearsParts { continue }
                let fault = Fault(rule, how, at: finding.word, name: finding.name)
                if fault.verdict.writing == .refused { try check.refuse(fault) }
            }
        }
    }

    private func repeated(_ duplicate: Tape.Duplicate) -> EncodingFailure {
        session.failure(
            .duplicateName, at: view.pointer(to: duplicate.object).tokens, expected: "each name once in an object",
            found: "`\(view.string(at: duplicate.name))` twice", advice: EncodingFailure.adviceOnRepeatedName)
    }

    /// Throws, except for a name that the encoder is set not to check.
    private func refuse(_ fault: Fault) throws {
        let tokens = view.pointer(to: fault.word).tokens
        switch fault.rule {
        case .nonEmptyName, .reservedCharacters, .startAndEnd, .extensionRemainder, .reservedFieldName:
            try session.checkField(view.string(at: fault.name), in: tokens[0])
        case .typeName where fault.how == .text:
            // What was read with a document is written as it was.
            guard session.document == nil else { return }
            try session.checkName(view.string(at: fault.word), at: tokens, isType: true)
        case .commonNamespace:
            throw session.repeated(tokens[1], false, in: tokens[0])
        case .resourceIdentityString:
            throw session.failure(
                .missingIdentity, at: tokens, expected: "a string", found: view.kindName(at: fault.word),
                advice: "leave out `\(tokens[0])` when there is none")
        case .additionalMember:
            throw session.failure(
                .documentStructure, at: tokens, expected: "an id or a lid", found: "both",
                advice: "a lid names a resource that has no id yet")
        case .relationshipObject, .creationRelationship:
            throw session.failure(
                .missingLinkage, at: tokens, expected: "a relationship object with `data`",
                found: view.isObject(fault.word) ? "an object without it" : view.kindName(at: fault.word),
                advice: "leave out the relationship to keep it unchanged")
        case .relationshipMember:
            throw session.failure(
                .missingLinkage, at: tokens, expected: "a relationship object with `data`",
                found: "a resource or an identifier in its place",
                advice: "write the relationship by its name in the container of the resource, or by Key.relationships")
        default:
            throw tokens.count > 2 && tokens[2] == "data" ? linkageFailure(fault, tokens) : containerFailure(fault, tokens)
        }
    }

    /// The failure for `attributes`, `relationships`, `links` or `meta` of another kind.
    private func containerFailure(_ fault: Fault, _ tokens: [String]) -> EncodingFailure {
        let name = fault.rule == .linksObject || fault.rule == .metaObject ? tokens.last : nil
        return session.failure(
            .wrongPlace, at: tokens, expected: name.map { "`\($0)` as an object" } ?? "an object", found: view.kindName(at: fault.word),
            advice: name.map { "leave out `\($0)` when there are none" })
    }

    /// The failure for a fault in linkage. It names the linkage as a whole.
    private func linkageFailure(_ fault: Fault, _ tokens: [String]) -> EncodingFailure {
        let tokens = Array(tokens.prefix(3))
        switch (fault.rule, fault.how) {
        case (.metaObject, _):
            return session.failure(
                .wrongPlace, at: tokens, expected: "resource identifiers whose meta is an object", found: view.kindName(at: fault.word))
        case (.linkageShape, _), (.identifierType, _), (_, .type):
            let data = tokens.reduce(view.root) { word, name in word.flatMap { view.member(name, of: $0) } } ?? fault.word
            return session.failure(
                .wrongPlace, at: tokens, expected: "linkage: null, an identifier or an array of them", found: view.kindName(at: data))
        default:
            return session.failure(
                .missingIdentity, at: tokens, expected: "resource identifiers: a type with an id or a lid",
                found: "an identifier without these")
        }
    }
}

extension EncodingFailure {
    /// The advice for a name that an object has twice.
    static let adviceOnRepeatedName = "write each name of an object once, because a reader keeps only one of its values"
}

extension ResourceIdentifier {
    /// Whether the type, or both id and lid, are missing or empty.
    var isWithoutIdentity: Bool {
        let identities = [id, lid].compactMap(\.self)
        return type.isEmpty || identities.isEmpty || identities.contains(where: \.isEmpty)
    }
}
