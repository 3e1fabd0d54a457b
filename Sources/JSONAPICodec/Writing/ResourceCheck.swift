import JSONText

/// What has to hold for a resource object that is written, looked at in its finished text.
///
/// The objects of models are checked name by name while they are written. Their text is looked at where that was not possible:
/// values at paths, containers that are written in any order, more names than are kept. Every resource object of a request is
/// looked at, whoever wrote it. Raw objects in a response stay as they are: they may be what a server sent.
enum ResourceCheck {
    /// Throws for names that are repeated, reserved or shared by an attribute and a relationship, for members of another type than
    /// the specification gives them, and in a request for relationships without linkage.
    static func run(_ text: [UInt8], _ session: EncodingSession, at place: ObjectPlace, isRequest: Bool) throws {
        try Tape.with(text.span, options: session.reading) { tape in
            if let duplicate = tape.duplicates.first { throw repeated(duplicate, tape.view, session, place) }
            try check(tape.view, session, place, isRequest)
        }
    }

    private static func repeated(
        _ duplicate: Tape.Duplicate, _ view: TapeView, _ session: EncodingSession, _ place: ObjectPlace
    ) -> EncodingFailure {
        let name = view.string(at: duplicate.name)
        return failure(
            .duplicateName, place, view.pointer(to: duplicate.object).tokens, session, expected: "each name once in an object",
            found: "`\(name)` twice")
    }

    private static func check(_ view: TapeView, _ session: EncodingSession, _ place: ObjectPlace, _ isRequest: Bool) throws {
        guard view.isObject(view.root) else { return }
        let entry = ResourceEntry(view, at: view.root)
        try checkIdentity(entry, view, session, place)
        try checkObjects(in: view.root, at: [], view, session, place)
        let attributes = try fields(Int(entry.attributes), "attributes", view, session, place, isRequest)
        let relationships = try fields(Int(entry.relationships), "relationships", view, session, place, isRequest)
        let names = Set(attributes.map { Array($0.utf8) })
        if let both = relationships.first(where: { names.contains(Array($0.utf8)) }) {
            throw failure(
                .duplicateName, place, ["relationships", both], session, expected: "a name that no attribute has",
                found: "`\(both)`, which is an attribute, too")
        }
    }

    private static func checkIdentity(
        _ entry: ResourceEntry, _ view: TapeView, _ session: EncodingSession, _ place: ObjectPlace
    ) throws {
        for (name, word) in [("id", Int(entry.id)), ("lid", Int(entry.lid))] where word != 0 && !view.isString(word) {
            throw failure(
                .missingIdentity, place, [name], session, expected: "a text", found: view.kindName(at: word),
                advice: "leave `\(name)` out where there is none")
        }
        if entry.id != 0, entry.lid != 0 {
            throw failure(
                .documentStructure, place, ["lid"], session, expected: "an id or a lid", found: "both",
                advice: "a lid names a resource that has no id yet")
        }
    }

    /// The names of attributes or relationships, checked.
    private static func fields(
        _ object: Int, _ group: String, _ view: TapeView, _ session: EncodingSession, _ place: ObjectPlace, _ isRequest: Bool
    ) throws -> [String] {
        guard object != 0 else { return [] }
        guard view.isObject(object) else {
            throw failure(.wrongPlace, place, [group], session, expected: "an object", found: view.kindName(at: object))
        }
        var names: [String] = []
        try view.forEachMember(of: object) { name, value in
            let text = view.string(at: name)
            guard MemberKind(of: text) == .plain else { return }
            session.resource.place = place
            try session.checkField(text, in: group)
            if group == "relationships" { try checkRelationship(text, value, view, session, place, isRequest) }
            names.append(text)
        }
        return names
    }

    private static func checkRelationship(
        _ name: String, _ value: Int, _ view: TapeView, _ session: EncodingSession, _ place: ObjectPlace, _ isRequest: Bool
    ) throws {
        guard view.isObject(value), let data = view.member("data", of: value) else {
            if view.isObject(value), !isRequest { return try checkObjects(in: value, at: ["relationships", name], view, session, place) }
            throw failure(
                .missingLinkage, place, ["relationships", name], session, expected: "a relationship object with `data`",
                found: view.isObject(value) ? "one without" : view.kindName(at: value),
                advice: "leave the relationship out to keep it as it is")
        }
        try checkObjects(in: value, at: ["relationships", name], view, session, place)
        guard let linkage = Linkage(json: view.json(at: data)) else {
            throw failure(
                .wrongPlace, place, ["relationships", name, "data"], session,
                expected: "linkage: null, an identifier or an array of them", found: view.kindName(at: data))
        }
        for identifier in linkage.identifiers {
            if identifier.isWithoutIdentity {
                throw failure(
                    .missingIdentity, place, ["relationships", name, "data"], session,
                    expected: "resource identifiers: a type with an id or a lid", found: "one without")
            }
            if let meta = identifier.members["meta"], meta.object == nil {
                throw failure(
                    .wrongPlace, place, ["relationships", name, "data"], session,
                    expected: "resource identifiers with meta that is an object", found: meta.kindName)
            }
        }
    }

    /// Throws for links or meta of an object that are no objects.
    private static func checkObjects(
        in object: Int, at tokens: [String], _ view: TapeView, _ session: EncodingSession, _ place: ObjectPlace
    ) throws {
        for name in ["links", "meta"] {
            guard let member = view.member(name, of: object), !view.isObject(member) else { continue }
            throw failure(
                .wrongPlace, place, tokens + [name], session, expected: "`\(name)` that is an object", found: view.kindName(at: member),
                advice: "leave `\(name)` out where there are none")
        }
    }

    private static func failure(
        _ kind: EncodingFailure.Kind, _ place: ObjectPlace, _ tokens: [String], _ session: EncodingSession, expected: String,
        found: String, advice: String? = nil
    ) -> EncodingFailure {
        EncodingFailure(
            kind, at: JSONPointer(tokens: place.tokens + tokens), resource: session.identified, expected: expected,
            found: found, advice: advice)
    }
}

extension ResourceIdentifier {
    /// Whether type, or id and lid, are missing or empty.
    var isWithoutIdentity: Bool {
        let identities = [id, lid].compactMap(\.self)
        return type.isEmpty || identities.isEmpty || identities.contains(where: \.isEmpty)
    }
}
