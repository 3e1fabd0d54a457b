import JSONText

/// A document with its primary data as values.
///
/// ```swift
/// let document = try JSONAPIDecoder().decode(Document<[Article]>.self, from: data)
/// document.data[0].title
/// document.links.next?.href
/// try document.meta(PageMeta.self)?.total
/// document.included(Person.self)
/// document[document.data[0].author]?.firstName
/// document.diagnostics
/// ```
///
/// It keeps the text it came from, so that every included resource, of known type or not, can still be asked for.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-top-level>
public struct Document<Primary: PrimaryValue>: Sendable {
    /// The primary data.
    public var data: Primary
    /// The document's links; empty when it has none.
    public var links: Links
    /// The document's meta; nil when it has none.
    public var meta: JSONObject?
    /// The errors of a document that has both data and errors, which only the leniency `dataWithErrors` lets through.
    public let errors: [ErrorObject]
    /// What the server says about itself: version, extensions, profiles.
    public var jsonapi: JSONAPIObject?
    /// What was tolerated, cut or left out.
    public let diagnostics: Diagnostics
    let resolver: ReferenceResolver
}

extension Document {
    init(_ data: Primary, session: DecodingSession, survey: Diagnostics) throws {
        let layout = session.document.layout
        let view = session.view
        self.data = data
        links = Links(members: layout.links == 0 ? JSONObject() : view.object(at: layout.links))
        meta = layout.meta == 0 || !view.isObject(layout.meta) ? nil : view.object(at: layout.meta)
        errors = layout.errors == 0 ? [] : DocumentObject(members: ["errors": view.json(at: layout.errors)]).errors ?? []
        jsonapi = layout.jsonapi == 0 ? nil : JSONAPIObject(json: view.json(at: layout.jsonapi))
        var found = survey
        found.append(session.diagnostics)
        diagnostics = found
        resolver = session.referenceResolver()
        try session.finish()
    }

    /// The meta object as a value; nil when the document has none. Throws `DecodingError` when it has another shape.
    public func meta<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        let document = resolver.document
        guard document.layout.meta != 0 else { return nil }
        let session = DecodingSession(document, resolver: resolver)
        return try session.edge([PathKey("meta")]) { try session.plan(for: type).decode(session, at: document.layout.meta) }
    }

    /// The included resources as they are, in order; empty when there are none.
    ///
    /// - Complexity: O(their text), at each call.
    public var included: [ResourceObject] {
        let document = resolver.document
        return document.index.includedOrdinals.map {
            ResourceObject(members: document.view.object(at: Int(document.index.entries[$0].word)))
        }
    }

    /// The included resources of one type as models, in order. Throws `DecodingError` for one that cannot be read.
    public func included<Model: Resource>(_ type: Model.Type) throws -> [Model] {
        let document = resolver.document
        return try document.index.includedOrdinals.compactMap { ordinal in
            let entry = document.index.entries[ordinal]
            guard entry.type != 0, document.view.string(at: Int(entry.type), equals: Model.type) else { return nil }
            return try resolver.value(type, ordinal)
        }
    }

    /// The resource that a reference leads to, of primary data or included; nil when the document does not have it, or the
    /// reference leads to nothing.
    public subscript<Target: ResourceRepresentable>(reference: ToOne<Target>) -> Target? {
        reference.identifier.flatMap { try? resolver.value(Target.self, $0) }
    }

    /// The resources that references lead to, in order; those that the document does not have are left out.
    public subscript<Target: ResourceRepresentable>(reference: ToMany<Target>) -> [Target] {
        (reference.identifiers ?? []).compactMap { try? resolver.value(Target.self, $0) }
    }

    /// The resource with this identity as a model. Throws `DecodingError` when it cannot be read; nil when the document does
    /// not have it.
    public func resource<Model: ResourceRepresentable>(_ type: Model.Type, _ identifier: ResourceIdentifier) throws -> Model? {
        try resolver.value(type, identifier)
    }

    /// The whole document as it was read, unknown members and all.
    ///
    /// - Complexity: O(its text), at each call.
    public var object: DocumentObject {
        let document = resolver.document
        return DocumentObject(members: document.view.object(at: document.view.root))
    }
}
