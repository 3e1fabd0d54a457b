import JSONText

/// What has to hold for a resource object in a request, looked at in the text that was made: nothing invalid leaves, whoever
/// wrote it.
enum RequestCheck {
    /// Throws for names that are repeated, reserved or shared by an attribute and a relationship, and for relationships without
    /// linkage.
    static func run(_ text: [UInt8], _ session: EncodingSession, at place: ObjectPlace) throws {
        try text.withUnsafeBufferPointer { bytes in
            let tape = try Tape.borrowing(bytes, options: session.reading)
            try withExtendedLifetime(tape) {
                if let duplicate = tape.duplicates.first { throw repeated(duplicate, tape.view, session, place) }
                try check(tape.view, session, place)
            }
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

    private static func check(_ view: TapeView, _ session: EncodingSession, _ place: ObjectPlace) throws {
        guard view.isObject(view.root) else { return }
        let entry = ResourceEntry(view, at: view.root)
        try checkIdentity(entry, view, session, place)
        let attributes = try fields(Int(entry.attributes), "attributes", view, session, place)
        let relationships = try fields(Int(entry.relationships), "relationships", view, session, place)
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
        _ object: Int, _ group: String, _ view: TapeView, _ session: EncodingSession, _ place: ObjectPlace
    ) throws -> [String] {
        guard object != 0 else { return [] }
        guard view.isObject(object) else {
            throw failure(.wrongPlace, place, [group], session, expected: "an object", found: view.kindName(at: object))
        }
        var names: [String] = []
        try view.forEachMember(of: object) { name, value in
            let text = view.string(at: name)
            guard MemberKind(of: text) == .plain else { return }
            try checkName(text, group, session, place)
            if group == "relationships" { try checkRelationship(text, value, view, session, place) }
            names.append(text)
        }
        return names
    }

    private static func checkName(_ name: String, _ group: String, _ session: EncodingSession, _ place: ObjectPlace) throws {
        guard session.checksNames else { return }
        session.resource.place = place
        try session.checkName(name, at: [group, name])
        if DecodingSession.isIdentityName(name) {
            throw failure(
                .illegalName, place, [group, name], session, expected: "a field that is not called `id` or `type`", found: "`\(name)`",
                advice: "set checksNames to false for a server that asks for it")
        }
    }

    private static func checkRelationship(
        _ name: String, _ value: Int, _ view: TapeView, _ session: EncodingSession, _ place: ObjectPlace
    ) throws {
        guard view.isObject(value), let data = view.member("data", of: value) else {
            throw failure(
                .missingLinkage, place, ["relationships", name], session, expected: "a relationship object with `data`",
                found: view.isObject(value) ? "one without" : view.kindName(at: value),
                advice: "leave the relationship out to keep it as it is")
        }
        guard let linkage = Linkage(json: view.json(at: data)) else {
            throw failure(
                .wrongPlace, place, ["relationships", name, "data"], session,
                expected: "linkage: null, an identifier or an array of them", found: view.kindName(at: data))
        }
        for identifier in linkage.identifiers where identifier.isWithoutIdentity {
            throw failure(
                .missingIdentity, place, ["relationships", name, "data"], session,
                expected: "resource identifiers: a type with an id or a lid", found: "one without")
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
