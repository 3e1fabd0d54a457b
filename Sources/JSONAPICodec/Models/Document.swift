import JSONAPIRules
import JSONText

/// A document with its primary data as values.
///
/// ```swift
/// let document = try JSONAPIDecoder().decode(Document<[Article]>.self, from: data)
/// document.data[0].title
/// document.links.next?.href
/// try document.meta(PageMeta.self)?.total
/// try document.included(Person.self)
/// document[document.data[0].author]?.firstName
/// document.diagnostics
/// ```
///
/// The document keeps the text that it was read from. You can therefore ask for every included resource later, also for those of unknown
/// types.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-top-level>
public struct Document<Primary: PrimaryValue>: Sendable {
    /// The primary data.
    public var data: Primary
    /// The document's links; empty when it has none.
    public var links: Links
    /// The document's meta; nil when it has none.
    public var meta: JSONObject?
    /// The errors of a document with both data and errors. Only the leniency `dataWithErrors` reads such a document.
    public let errors: [ErrorObject]
    /// What the server says about itself: version, extensions, profiles.
    public var jsonapi: JSONAPIObject?
    /// What the decoder tolerated, cut or left out.
    public let diagnostics: Diagnostics
    /// The document that the value was read from; nil when the program made it.
    let resolver: DocumentResolver?
    /// The decoder for the meta of a document that a store or an archive has kept.
    package var decoder: JSONAPIDecoder?
}

extension Document {
    /// Creates a document to be written. Its included resources are those that `data` contains or refers to.
    ///
    /// ```swift
    /// try JSONAPIEncoder().encode(Document(articles, links: ["next": "/articles?page[number]=2"]), include: ["author"])
    /// ```
    public init(_ data: Primary, links: Links = Links(), meta: JSONObject? = nil, jsonapi: JSONAPIObject? = nil) {
        self.data = data
        self.links = links
        self.meta = meta
        self.jsonapi = jsonapi
        errors = []
        diagnostics = Diagnostics()
        resolver = nil
    }

    init(_ data: Primary, session: DecodingSession, survey: Diagnostics) throws {
        let layout = session.document.layout
        let view = session.view
        self.data = data
        links = Links(members: layout.links == 0 ? JSONObject() : view.object(at: layout.links))
        meta = layout.meta == 0 || !view.isObject(layout.meta) ? nil : view.object(at: layout.meta)
        errors = layout.errors == 0 ? [] : ErrorObject.list(in: view.json(at: layout.errors))
        jsonapi = layout.jsonapi == 0 ? nil : JSONAPIObject(json: view.json(at: layout.jsonapi))
        var found = survey
        found.append(session.diagnostics)
        diagnostics = found
        resolver = session.documentResolver()
        try session.finish()
    }

    /// Returns the meta object as a value; nil when the document has none. Throws `DecodingError` when the object does not fit the type.
    public func meta<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        guard let meta else { return nil }
        let text = try JSONWriter.unlimited.write(["meta": .object(meta)])
        let document = try ParsedDocument(of: text, options: resolver?.document.options ?? decoder ?? JSONAPIDecoder())
        do {
            return try DecodingSession.run(DecodingSession(document)) { session in
                try session.edge([PathKey("meta")], type) {
                    try session.value(of: type, at: ValuePlace(document.layout.meta, .elsewhere, in: nil))
                }
            }
        } catch {
            throw ErrorRelocation.withoutOffsets.moved(error)
        }
    }

    /// The included resources as they were read, in order. Empty when there are none, and when the program made the document.
    ///
    /// - Complexity: O(n) on each call, n = bytes of their text.
    public var included: [ResourceObject] {
        guard let document = resolver?.document else { return [] }
        return document.index.includedOrdinals.filter { document.index.entries[$0].type != 0 }.map {
            ResourceObject(members: document.view.object(at: Int(document.index.entries[$0].word)))
        }
    }

    /// Returns the included resources of one type as models, in order. The static type counts, even if `type` is a subclass. Throws
    /// `DecodingError` when one of them cannot be read. A decoder whose `invalidElements` is `drop` leaves that one out instead.
    public func included<Model: Resource>(_ type: Model.Type) throws -> [Model] {
        guard let resolver else { return [] }
        let document = resolver.document
        let ordinals = document.index.includedOrdinals.filter { ordinal in
            let word = Int(document.index.entries[ordinal].type)
            return word != 0 && document.view.string(at: word, equals: Model.type)
        }
        return try resolver.values(type, ordinals)
    }

    /// The resource that the reference refers to, from the primary data or the included resources. Nil when the reference is empty, or when
    /// the document does not contain the resource.
    public subscript<Target: ResourceRepresentable>(reference: ToOne<Target>) -> Target? {
        guard let resolver, let identifier = reference.identifier else { return nil }
        if reference.resolver === resolver, reference.heldValue == nil { return reference.value }
        return try? resolver.value(Target.self, identifier)
    }

    /// The resources that the references refer to, in order. Resources that the document does not contain are left out.
    public subscript<Target: ResourceRepresentable>(reference: ToMany<Target>) -> [Target] {
        guard let resolver else { return [] }
        // The values that were read with the reference include those whose identifiers have no id.
        if reference.resolver === resolver, !reference.holdsValues { return reference.values }
        let isRead = reference.resolver === resolver
        return (reference.identifiers ?? []).enumerated().compactMap { index, identifier in
            try? resolver.value(Target.self, identifier, in: isRead ? reference.readCell(index) : nil)
        }
    }

    /// Returns the resource with the given identity as a model; nil when the document does not contain it. Throws `DecodingError` when the
    /// resource cannot be read.
    public func resource<Model: ResourceRepresentable>(_ type: Model.Type, _ identifier: ResourceIdentifier) throws -> Model? {
        if let type = subclass(in: type) as? any ResourceRepresentable.Type { return try resource(type, identifier) as? Model }
        return try resolver?.value(type, identifier)
    }

    /// The whole document as it was read, with all unknown members. For a document that the program made: what an encoder without options
    /// writes, or no members when the document cannot be written.
    ///
    /// - Complexity: O(n) on each call, n = bytes of its text.
    public var object: DocumentObject { (try? object(writtenBy: JSONAPIEncoder())) ?? DocumentObject(members: JSONObject()) }

    /// Whether the document was read, and not made by the program.
    package var isRead: Bool { resolver != nil }

    /// Returns the whole document as it was read. A document that the program made is written by an encoder.
    ///
    /// - Parameters:
    ///   - asRead: False to write a document that was read, too, so that its models are in the form of the encoder.
    ///   - noteParts: Called with the identity of each resource that is written, and with what it contains only in part.
    ///   - isLeftOut: Whether to leave out a resource that a reference finds in a source; see `EncodingSession.leavesOut`.
    package func object(
        writtenBy encoder: JSONAPIEncoder, asRead: Bool = true, noteParts: ((ResourceIdentifier, AttributeParts) -> Void)? = nil,
        leavingOut isLeftOut: @escaping (any ResourceSource, ResourceIdentifier?) -> Bool = { _, _ in false }
    ) throws -> DocumentObject {
        if asRead, let document = resolver?.document { return DocumentObject(members: document.view.object(at: document.view.root)) }
        let text = try encoder.write(.response(query: nil), .init(Primary.self), include: .all, fields: [:]) { session in
            (session.noteParts, session.leavesOut) = (noteParts, isLeftOut)
            try write(to: session)
        }
        return DocumentObject(members: try JSON(parsing: text, options: .unlimited).object ?? JSONObject())
    }
}

// MARK: - Writing

extension Document {
    /// Writes all members: `jsonapi`, `data`, `included`, `links`, `meta`, then those of extensions and @-members.
    func write(to session: EncodingSession) throws {
        guard errors.isEmpty else {
            throw EncodingFailure(
                .documentStructure, at: JSONPointer("errors"), expected: "data or errors", found: "a document that was read with both",
                advice: "make a new Document of its data")
        }
        session.resolver = resolver
        try session.write(data, links, meta, jsonapi)
    }
}

extension EncodingSession {
    /// Writes primary data and the members beside it, and those of the document that it was read from. Empty links are written only if that
    /// document had `links`.
    func write<Primary: PrimaryValue>(_ data: Primary, _ links: Links, _ meta: JSONObject?, _ jsonapi: JSONAPIObject?) throws {
        let source = document
        let known = output.mark
        try writeTop("jsonapi", jsonapi?.json)
        try data._encode(PrimaryTarget(session: self))
        let needsIncluded = tree.root >= 0 || (tree.root == IncludeTree.everything && source?.layout.included ?? 0 != 0)
        if Primary.self != NoData.self { try writeIncluded(isRequired: needsIncluded, order: source) }
        if !links.members.isEmpty || source?.layout.links ?? 0 != 0 { try writeTop("links", links.json) }
        try writeTop("meta", meta.map(JSON.object))
        if let source { writeOthers(of: source) }
        guard output.mark.count > known.count else {
            throw EncodingFailure(
                .documentStructure, at: .root, expected: "data, meta or a member of an extension", found: "a document without any")
        }
    }

    /// Writes a member of the top level; nothing for nil.
    func writeTop(_ name: String, _ value: JSON?) throws {
        guard let value else { return }
        begin(at: ObjectPlace(name))
        output.name(name)
        try writeTree(value, into: output, at: [])
    }

    /// Writes the members that no property holds: @-members and those of extensions.
    fileprivate func writeOthers(of document: ParsedDocument) {
        let view = document.view
        view.forEachMember(of: view.root) { name, value in
            let text = view.string(at: name)
            guard !MemberName(text).isPlain else { return }
            output.name(text)
            view.write(value, into: output)
        }
    }
}
