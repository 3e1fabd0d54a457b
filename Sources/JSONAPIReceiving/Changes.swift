import Foundation
import JSONAPICodec
import JSONMapping
import JSONText

/// The changes to a resource that a client requests with PATCH.
///
/// ```swift
/// let changes = try Changes<Article>(body, for: "1")          // 400, 409 or 403 when they are not valid
/// changes.names                                               // ["title", "subtitle", "author"]
/// changes["subtitle"]                                         // .null: to be cleared
/// changes["text"]                                             // .absent: stays as it is
/// changes.linkage("author")                                   // .one({"type":"people","id":"9"})
/// let changed = try changes.applied(to: article)              // 422 when a value does not fit
/// ```
///
/// An attribute in the request replaces the old one as a whole, and linkage replaces the whole linkage of a relationship. Meta replaces the
/// whole meta of a model that has a property for it, such as `ResourceMeta`. If a model has only values in meta, at keys such as
/// `meta.revision`, a value that the request does not have stays. Everything else stays.
///
/// Meta is not a field, so `RestrictedFields` cannot contain it. If clients must not change it, set the property back after applying.
///
/// Every error that is thrown can be passed to `ErrorDocument(error)` for the response.
///
/// Specification: <https://jsonapi.org/format/1.1/#crud-updating>
public struct Changes<Model: Resource>: Sendable {
    /// The resource object as the client sent it, or as the decoder's rewriter makes it.
    public let object: ResourceObject
    /// The resource to change, with the id as the model writes it.
    public let identifier: ResourceIdentifier

    private let decoder: JSONAPIDecoder
    private let sent: SentResource

    /// Creates the changes from the body of a request.
    ///
    /// `id` is the id of the resource at the request's address; with nil it is not compared. Ids are compared as the model writes them: a
    /// `UUID` in upper or lower case, and all others byte by byte.
    ///
    /// Throws `DecodingError` when the body is not a document with one resource. Throws `ErrorDocument` with status 400 for a resource
    /// that has no id or is included as well, 409 when the type differs from the model's or the id from `id`, 403 for fields that clients must
    /// not change (`RestrictedFields`), and 422 for an empty id, and for linkage with a `lid`, because the request creates no resource.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-updating-responses>
    public init(_ body: Data, for id: Model.ID? = nil, decoder: JSONAPIDecoder = JSONAPIDecoder()) throws {
        try self.init(body, forText: id?.wireText, decoder: decoder)
    }

    /// Creates the changes, with the id of the resource as text.
    init(_ body: Data, forText wanted: String?, decoder: JSONAPIDecoder) throws {
        let object = try SentDocument(body, of: Model.type, decoder).data
        guard let text = object.id else {
            throw RequestRefusal.error(400, "No id", "Expected the id of the resource to change.", at: ["data"])
        }
        let id = Self.written(text)
        if let wanted, !UTF8Bytes.areEqual(Self.written(wanted), id) {
            throw RequestRefusal.error(409, "Another id", "Expected the id of the resource at this address.", at: ["data", "id"])
        }
        if text.isEmpty {
            throw RequestRefusal.error(422, "The document does not fit", "Expected an id with at least one character.", at: ["data", "id"])
        }
        sent = try SentResource(rewriting: object, isChange: true, decoder)
        self.object = sent.object
        try RequestRefusal.check(sent, hasNone: FieldRestriction.whenUpdating(Model.self))
        try RequestRefusal.checkLocalIDs(in: [sent], available: [])
        self.decoder = decoder
        identifier = ResourceIdentifier(type: Model.type, id: id)
    }

    /// Returns an id as the model writes it: a UUID in upper case, and any other as it is. An id that the model cannot represent stays.
    private static func written(_ id: String) -> String { Model.ID(wireText: id)?.wireText ?? id }
}

// MARK: - Reading

extension Changes {
    /// The id of the resource to change; nil when `Model.ID` cannot represent it.
    public var id: Model.ID? { identifier.id.flatMap { Model.ID(wireText: $0) } }

    /// The names of the attributes and relationships in the request, in order.
    ///
    /// - Complexity: O(n), n = names.
    public var names: [String] { object.fieldNames }

    /// Whether there are no changes.
    public var isEmpty: Bool { names.isEmpty && object.meta == nil }

    /// Whether the request has an attribute or a relationship with the given name.
    public func contains(_ name: String) -> Bool { object[attribute: name] != nil || object[relationship: name] != nil }

    /// An attribute: absent when the request does not have it, null when it is to be cleared.
    public subscript(attribute: String) -> Field<JSON> {
        switch object[attribute: attribute] {
        case nil: .absent
        case .null: .null
        case let value?: .value(value)
        }
    }

    /// Returns an attribute as a value, with the strategies of the decoder. Throws `ErrorDocument` when it does not fit the type.
    ///
    /// ```swift
    /// if case .value(let date) = try changes.value(Date.self, of: "publishedAt") { … }
    /// ```
    public func value<Value: Decodable>(_ type: Value.Type, of attribute: String) throws -> Field<Value> {
        switch self[attribute] {
        case .absent: return .absent
        case .null: return .null
        case .value(let json):
            do {
                return .value(try decoder.value(type, from: JSONWriter.unlimited.write(json)))
            } catch let error as DecodingError {
                throw RequestRefusal.moved(error) { sent.place(of: ["attributes", attribute] + $0) }
            }
        }
    }

    /// Returns the new linkage of a relationship; `.absent` when the request does not have it. The identifiers have only the members that
    /// the specification defines.
    public func linkage(_ relationship: String) -> Linkage {
        object[relationship: relationship]?.data.withoutAdditionalMembers ?? .absent
    }
}

// MARK: - Applying

extension Changes {
    /// Returns the model with these changes.
    ///
    /// The model is encoded, changed and decoded again, so every property that `Codable` encodes is kept, and every field of a schema, also
    /// if `representing` leaves it out. References to resources that the model holds stay resolved. A relationship to a resource that the
    /// model does not hold becomes a reference without a value. Declare it as `ToOne` or `ToMany`; for a property that embeds the resource,
    /// this throws an error with status 422. Links are compared byte by byte, also to a UUID in lower case.
    ///
    /// The dates of the model are written and read with the decoder's strategy, too, and keep only what it writes. With a layout without
    /// seconds, their seconds become 0.
    ///
    /// `encoder` must write what the decoder reads. With nil it is derived from the decoder, which works for all strategies but custom
    /// ones.
    ///
    /// Throws `ErrorDocument`: with status 409 for a model with a different identity; with status 422 for a name that the model does not
    /// have, unless `ignoringUnknownNames` is true; with status 403 for a field that clients must not change according to the class of
    /// `model`, and for a value at another place from which the model reads such a field (`RestrictedFields`); with status 422 for a link to a type that is
    /// not a legal name, unless the encoder does not check names; and with the status of `ErrorDocument(_:)` for a value that does not fit,
    /// with the pointer into the request's document.
    ///
    /// A coding key with a path, such as `attributes.address.city`, gives the model one member of an object. The other members of that
    /// object are then names that the model does not have. For any other attribute, its type decides which members it accepts.
    /// The other names of `@Alternatives`, under which the model writes nothing, are names that it does not have.
    ///
    /// Clients do not know the fields that a schema does not represent, and cannot set them, also not those of the schema of a value in an
    /// attribute, in meta or in linkage: nothing in the request is read into such a field, and a member in its place is refused with status
    /// 422. If a request replaces the object around the field, the field stays. Null for an attribute clears the fields that only the schema
    /// of its value has, and so does an object in the attribute that the request leaves out. The elements of an array are replaced with them,
    /// because nothing shows which new element is which old one. A field that cannot be written, because its conversion only reads, is not
    /// kept. Code that calls a schema itself, such as `Login.schema.decode(JSON(from: decoder))`, reads all fields. If one field has a part of
    /// the property of another, as `\.login.name` has of `\.login`, represent both or neither. An instance inside a value is read by the
    /// schema of the property's type, also if its class is a subclass. An existing instance that `make` returns changes even if the request is
    /// refused afterwards.
    ///
    /// - Complexity: O(size of the model and what it holds).
    public func applied(
        to model: Model, encoder: JSONAPIEncoder? = nil, ignoringUnknownNames: Bool = false
    ) throws -> Model {
        guard let own = model.identifier, own.isSameResource(as: identifier) else {
            throw RequestRefusal.error(409, "Another resource", "Expected the resource that the changes are for.", at: ["data"])
        }
        // The model can be of a subclass, which can restrict more fields.
        let restricted = FieldRestriction.whenUpdating(type(of: model))
        try RequestRefusal.check(sent, hasNone: restricted)
        var encoder = encoder ?? decoder.ownEncoder
        // Members that only a response has would stay in the model.
        encoder.linkMaker = nil
        encoder.check = nil
        // The attributes of the request were rewritten to those of the model.
        encoder.rewriters = [:]
        try RefusedFields.checkRelationships(sent, of: type(of: model), encoder.schemas)
        // What documents of the model leave out stays in the model, in shadows, which clients cannot write.
        var shadow = Shadow()
        shadow.trustsIncluded = true
        var (whole, reader) = (encoder, resultReader)
        SchemaSet.writeAll(in: &whole.userInfo)
        shadow.put(into: &whole.userInfo)
        shadow.put(into: &reader.userInfo)
        let old = try encoder.fields(of: model)
        let document = try changed(whole.encode(Document(model)), old.metaParts, shadow)
        let result: Model
        do {
            // A subclass stays one.
            result = try reader.decode(type(of: model), from: document)
        } catch let error as DecodingError {
            guard error.failure?.pointer.tokens.first == "data" else { throw error }
            throw RequestRefusal.moved(error) { $0.first == "data" ? sent.place(of: Array($0.dropFirst())) : nil }
        } catch let error as ValidationError where sent.isRewritten {
            throw RequestRefusal.moved(error) { sent.place(of: Array($0.dropFirst())) }
        }
        try RefusedFields.check([sent], shadow)
        let fields = try RequestRefusal.writable(sent) { try encoder.fields(of: result) }
        try RefusedFields.checkIsNotKept(shadow, in: fields.object)
        let known = KnownFields([old, fields])
        try known.checkRestrictions(of: type(of: model))
        try known.checkAlternatives(sent, of: restricted)
        if !ignoringUnknownNames { try known.check(sent) }
        try known.checkNames(sent, in: fields.object, encoder)
        try known.checkLinkage(sent, in: fields.object, encoder)
        return result
    }

    /// Applies the changes to a model. Throws as `applied(to:)` does; the model stays as it is then.
    public func apply(to model: inout Model) throws { model = try applied(to: model) }

    /// Returns the text of the document with the changes in its primary data. A relationship without `data` says nothing about the linkage.
    ///
    /// - Parameters:
    ///   - metaParts: The paths of the values in meta that stay if the request has none.
    ///   - shadow: What stays in any case in the objects that have it.
    private func changed(_ text: Data, _ metaParts: [[String]], _ shadow: Shadow) throws -> Data {
        var document = DocumentObject(members: try JSON(parsing: text, options: .unlimited).object ?? JSONObject())
        guard case .one(var resource) = document.data else { return text }
        for member in object.attributes ?? JSONObject() {
            let old = resource[attribute: member.name]
            resource[attribute: member.name] = old.map { member.value.keeping(shadow, of: $0) } ?? member.value
        }
        for (name, relationship) in object.relationships ?? Relationships(members: JSONObject()) {
            // The other members that a client writes into an identifier are not the server's.
            guard let data = relationship.data.withoutAdditionalMembers.json else { continue }
            var changed = resource[relationship: name] ?? RelationshipObject()
            // What a schema has beside one link is not that of another.
            var new = data
            if case .one(let old) = changed.data, case .one(let linked) = relationship.data, linked.isSameResource(as: old) {
                new = data.keeping(shadow, of: changed.members["data"] ?? .null)
            }
            changed.replaceLinkage(by: new)
            resource[relationship: name] = changed
        }
        if let meta = object.meta {
            let old = resource.meta.map { JSON.object($0) }
            let new = AttributeParts.keeping(metaParts, of: "meta", from: old, in: .object(meta))
            resource.meta = (old.flatMap { new?.keeping(shadow, of: $0) } ?? new)?.object
        }
        document.data = .one(resource)
        return Data(try JSONWriter.unlimited.write(document.json))
    }

    /// A decoder for the encoder's output, with the strategies of the decoder but not its strict mode or its limits, which apply to
    /// requests.
    private var resultReader: JSONAPIDecoder {
        var reader = JSONAPIDecoder()
        // The names are those of the request.
        reader.source = .request
        reader.refusesOtherTypes = true
        reader.leniencies = decoder.leniencies
        reader.keyStrategy = decoder.keyStrategy
        reader.dateDecodingStrategy = decoder.dateDecodingStrategy
        reader.dataDecodingStrategy = decoder.dataDecodingStrategy
        reader.nonConformingFloatDecodingStrategy = decoder.nonConformingFloatDecodingStrategy
        reader.userInfo = decoder.userInfo
        reader.reading = .unlimited
        reader.problems = decoder.problems
        reader.reportsPositions = false
        return reader
    }
}
