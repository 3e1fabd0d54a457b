import JSONAPIRules
import JSONText

/// What has to hold for a resource object that is written, looked at in its finished text, by the same rules as what is read.
///
/// The objects of models are checked name by name while they are written. Their text is looked at where that was not possible:
/// values at paths, containers that are written in any order, more names than are kept. Every resource object of a request is
/// looked at, whoever wrote it. Raw objects in a response stay as they are: they may be what a server sent.
struct ResourceCheck {
    private let view: TapeView
    private let session: EncodingSession
    private let place: ObjectPlace

    /// Throws for what the table of verdicts refuses in a resource object that is written: names that are repeated, reserved or shared by an
    /// attribute and a relationship, members of another type than the specification gives them, and in a request relationships without
    /// linkage.
    static func run(_ text: [UInt8], _ session: EncodingSession, at place: ObjectPlace, isRequest: Bool) throws {
        try Tape.with(text.span, options: session.reading) { tape in
            let check = ResourceCheck(view: tape.view, session: session, place: place)
            if let duplicate = tape.duplicates.first { throw check.repeated(duplicate) }
            guard tape.view.isObject(tape.view.root) else { return }
            var look = RuleLook(tape.view, for: .writer)
            look.checkResource(tape.view.root, isRequest ? .create : .response)
            for finding in look.findings {
                guard case .broken(let rule, let how) = finding.content else { continue }
                let fault = Fault(rule, how, at: finding.word, name: finding.name)
                if fault.verdict.writing == .refused { try check.refuse(fault) }
            }
        }
    }

    private func repeated(_ duplicate: Tape.Duplicate) -> EncodingFailure {
        failure(
            .duplicateName, view.pointer(to: duplicate.object).tokens, expected: "each name once in an object",
            found: "`\(view.string(at: duplicate.name))` twice")
    }

    /// Throws, but for a name that the encoder was told not to check.
    private func refuse(_ fault: Fault) throws {
        let tokens = view.pointer(to: fault.word).tokens
        switch fault.rule {
        case .nonEmptyName, .reservedCharacters, .startAndEnd, .reservedFieldName:
            session.resource.place = place
            try session.checkField(view.string(at: fault.name), in: tokens[0])
        case .commonNamespace:
            throw failure(
                .duplicateName, tokens, expected: "a name that no attribute has", found: "`\(tokens[1])`, which is an attribute, too")
        case .resourceIdentityString:
            throw failure(
                .missingIdentity, tokens, expected: "a text", found: view.kindName(at: fault.word),
                advice: "leave `\(tokens[0])` out where there is none")
        case .additionalMember:
            throw failure(
                .documentStructure, tokens, expected: "an id or a lid", found: "both",
                advice: "a lid names a resource that has no id yet")
        case .relationshipObject, .creationRelationship:
            throw failure(
                .missingLinkage, tokens, expected: "a relationship object with `data`",
                found: view.isObject(fault.word) ? "one without" : view.kindName(at: fault.word),
                advice: "leave the relationship out to keep it as it is")
        default:
            throw tokens.count > 2 && tokens[2] == "data" ? linkageFailure(fault, tokens) : containerFailure(fault, tokens)
        }
    }

    /// `attributes`, `relationships`, `links` or `meta` of another kind.
    private func containerFailure(_ fault: Fault, _ tokens: [String]) -> EncodingFailure {
        let found = view.kindName(at: fault.word)
        guard fault.rule == .linksObject || fault.rule == .metaObject, let name = tokens.last else {
            return failure(.wrongPlace, tokens, expected: "an object", found: found)
        }
        return failure(
            .wrongPlace, tokens, expected: "`\(name)` that is an object", found: found,
            advice: "leave `\(name)` out where there are none")
    }

    /// A fault in linkage is one of the whole.
    private func linkageFailure(_ fault: Fault, _ tokens: [String]) -> EncodingFailure {
        let tokens = Array(tokens.prefix(3))
        switch (fault.rule, fault.how) {
        case (.metaObject, _):
            return failure(
                .wrongPlace, tokens, expected: "resource identifiers with meta that is an object", found: view.kindName(at: fault.word))
        case (.linkageShape, _), (.identifierType, _), (_, .type):
            let linkage = view.member("relationships", of: view.root).flatMap { view.member(tokens[1], of: $0) }
            let data = linkage.flatMap { view.member("data", of: $0) } ?? fault.word
            return failure(
                .wrongPlace, tokens, expected: "linkage: null, an identifier or an array of them", found: view.kindName(at: data))
        default:
            return failure(
                .missingIdentity, tokens, expected: "resource identifiers: a type with an id or a lid", found: "one without")
        }
    }

    private func failure(
        _ kind: EncodingFailure.Kind, _ tokens: [String], expected: String, found: String, advice: String? = nil
    ) -> EncodingFailure {
        EncodingFailure(
            kind, at: JSONPointer(tokens: place.tokens + tokens), resource: session.identified, expected: expected, found: found,
            advice: advice)
    }
}

extension ResourceIdentifier {
    /// Whether type, or id and lid, are missing or empty.
    var isWithoutIdentity: Bool {
        let identities = [id, lid].compactMap(\.self)
        return type.isEmpty || identities.isEmpty || identities.contains(where: \.isEmpty)
    }
}
