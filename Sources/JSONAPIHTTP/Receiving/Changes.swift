import Foundation
import JSONAPICodec
import JSONText

/// The changes to a resource that a client asks for: what a PATCH sends.
///
/// ```swift
/// let changes = try Changes<Article>(body, for: "1")          // 400, 409 or 403 when they cannot be made
/// changes.names                                               // ["title", "subtitle", "author"]
/// changes["subtitle"]                                         // .null: to be cleared
/// changes["text"]                                             // .absent: stays as it is
/// changes.linkage("author")                                   // .one({"type":"people","id":"9"})
/// let changed = try changes.applied(to: article)              // 422 when a value does not fit
/// ```
///
/// An attribute that is sent replaces the old one whole, and the linkage of a relationship all that it linked to. What is not sent stays.
///
/// Everything that is wrong is thrown as an error that `ErrorDocument(error)` turns into an answer.
///
/// Specification: <https://jsonapi.org/format/1.1/#crud-updating>
public struct Changes<Model: Resource>: Sendable {
    /// The resource object as it was sent.
    public let object: ResourceObject
    /// The resource to change.
    public let identifier: ResourceIdentifier

    private let decoder: JSONAPIDecoder
    private let place: [String]

    /// The changes of a request's body.
    ///
    /// `id` is the resource that the address of the request stands for; nil compares nothing.
    ///
    /// Throws `DecodingError` for a body that is no document of one resource, and `ErrorDocument`: 400 for a resource without id, 409 for
    /// another type than the model's and for another id, 403 for fields that clients do not change (`RestrictedFields`).
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-updating-responses>
    public init(_ body: Data, for id: Model.ID? = nil, decoder: JSONAPIDecoder = JSONAPIDecoder()) throws {
        var reader = decoder
        reader.source = .request
        let object = try reader.decode(Document<ResourceObject>.self, from: body).data
        try self.init(object, for: id, decoder: decoder, at: ["data"])
    }

    /// The changes of a resource object that was read, at a place of the request's document.
    init(_ object: ResourceObject, for id: Model.ID?, decoder: JSONAPIDecoder, at place: [String]) throws {
        guard UTF8Bytes.areEqual(object.type, Model.type) else {
            throw RequestRefusal.error(409, "Another type", "Expected the type `\(Model.type)`.", at: place + ["type"])
        }
        guard let text = object.id else {
            throw RequestRefusal.error(400, "No id", "Expected the id of the resource to change.", at: place)
        }
        if let wanted = id?.wireText, !UTF8Bytes.areEqual(wanted, text) {
            throw RequestRefusal.error(409, "Another id", "Expected the id of the resource at this address.", at: place + ["id"])
        }
        try RequestRefusal.check(object, hasNone: FieldRestriction.whenUpdating(Model.self), at: place)
        self.object = object
        self.decoder = decoder
        self.place = place
        identifier = ResourceIdentifier(type: Model.type, id: text)
    }
}

// MARK: - Reading

extension Changes {
    /// The id of the resource to change. Nil when `Model.ID` cannot hold it.
    public var id: Model.ID? { identifier.id.flatMap { Model.ID(wireText: $0) } }

    /// The attributes and relationships that are sent, in order.
    ///
    /// - Complexity: O(n), n = names.
    public var names: [String] { object.fieldNames }

    /// Whether nothing is to be changed.
    public var isEmpty: Bool { names.isEmpty && object.meta == nil }

    /// Whether an attribute or a relationship of that name is sent.
    public func contains(_ name: String) -> Bool { object[attribute: name] != nil || object[relationship: name] != nil }

    /// An attribute: absent when it is not sent, null when it is to be cleared.
    public subscript(attribute: String) -> Field<JSON> {
        switch object[attribute: attribute] {
        case nil: .absent
        case .null: .null
        case let value?: .value(value)
        }
    }

    /// An attribute as a value, by the strategies of the decoder. Throws `ErrorDocument` when it does not fit.
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
                return .value(try decoder.value(type, from: JSONWriter().write(json)))
            } catch let error as DecodingError {
                let tokens = Array((error.failure?.pointer.tokens ?? []).dropFirst())
                throw RequestRefusal.moved(error, to: place + ["attributes", attribute] + tokens)
            }
        }
    }

    /// What a relationship is to link to; `.absent` when it is not sent.
    public func linkage(_ relationship: String) -> Linkage { object[relationship: relationship]?.data ?? .absent }
}

// MARK: - Applying

extension Changes {
    /// The model with these changes.
    ///
    /// The model is encoded, changed and decoded again, so that every property which `Codable` keeps stays as it is. References to
    /// resources that the model holds stay resolved. A relationship to a resource that the model does not hold becomes a reference without
    /// a value: declare it as `ToOne` or `ToMany`, since a property that embeds the resource cannot be made of it, which is a 422.
    ///
    /// `encoder` has to write what the decoder reads; nil derives it from the decoder, which suits all strategies but custom ones.
    ///
    /// Throws `ErrorDocument`: 409 for a model of another identity, 422 for a name that the model does not have, unless
    /// `ignoringUnknownNames`; and `DecodingError` for a value that does not fit, with the pointer into the request's document.
    ///
    /// - Complexity: O(size of the model and what it holds).
    public func applied(
        to model: Model, encoder: JSONAPIEncoder? = nil, ignoringUnknownNames: Bool = false
    ) throws -> Model {
        guard let own = model.identifier, own.isSameResource(as: identifier) else {
            throw RequestRefusal.error(409, "Another resource", "Expected the resource that the changes are for.", at: place)
        }
        var encoder = encoder ?? JSONAPIEncoder(matching: decoder)
        // What only a response has would stay with the model.
        encoder.linkMaker = nil
        encoder.check = nil
        let document = try changed(encoder.encode(Document(model)))
        let result: Model
        do {
            result = try resultReader.decode(Model.self, from: document)
        } catch let error as DecodingError {
            guard let tokens = error.failure?.pointer.tokens, tokens.first == "data" else { throw error }
            throw RequestRefusal.moved(error, to: place + tokens.dropFirst())
        }
        let known = try Set((encoder.fieldNames(of: model) + encoder.fieldNames(of: result)).map { Array($0.utf8) })
        if !ignoringUnknownNames { try checkNames(known) }
        try checkLinkage(of: encoder.resourceObject(result), known)
        return result
    }

    /// Applies the changes to a model, or leaves it as it is and throws. See `applied(to:)`.
    public func apply(to model: inout Model) throws { model = try applied(to: model) }

    /// The text of the document with the changes in its primary data.
    private func changed(_ text: Data) throws -> Data {
        var document = DocumentObject(members: try JSON(parsing: text).object ?? JSONObject())
        guard case .one(var resource) = document.data else { return text }
        for member in object.attributes ?? JSONObject() { resource[attribute: member.name] = member.value }
        for (name, relationship) in object.relationships ?? Relationships(members: JSONObject()) {
            var changed = resource[relationship: name] ?? RelationshipObject()
            changed.members["data"] = relationship.members["data"]
            resource[relationship: name] = changed
        }
        if let meta = object.meta { resource.meta = meta }
        document.data = .one(resource)
        return Data(try JSONWriter().write(document.json))
    }

    /// Reads what the encoder wrote: by the strategies of the decoder, without its strictness about what leads to what.
    private var resultReader: JSONAPIDecoder {
        var reader = JSONAPIDecoder()
        reader.leniencies = decoder.leniencies
        reader.keyStrategy = decoder.keyStrategy
        reader.dateDecodingStrategy = decoder.dateDecodingStrategy
        reader.dataDecodingStrategy = decoder.dataDecodingStrategy
        reader.nonConformingFloatDecodingStrategy = decoder.nonConformingFloatDecodingStrategy
        reader.rewriters = decoder.rewriters
        reader.userInfo = decoder.userInfo
        reader.reading = decoder.reading
        reader.reportsPositions = false
        return reader
    }

    /// Throws 422 for a relationship that does not link to what was sent: a property that embeds resources cannot hold those that are not at
    /// hand.
    private func checkLinkage(of result: ResourceObject, _ known: Set<[UInt8]>) throws {
        for (name, relationship) in object.relationships ?? Relationships(members: JSONObject()) where known.contains(Array(name.utf8)) {
            let (sent, kept) = (relationship.data.identifiers, result[relationship: name]?.data.identifiers ?? [])
            guard sent.count == kept.count, zip(sent, kept).allSatisfy({ $0.isSameResource(as: $1) }) else {
                throw RequestRefusal.error(
                    422, "Unknown resources", "The relationship cannot link to resources that are not at hand.",
                    at: place + ["relationships", name])
            }
        }
    }

    /// Throws 422 for names that neither the old nor the new value has: nothing would come of them.
    private func checkNames(_ known: Set<[UInt8]>) throws {
        let names = known.map { String(decoding: $0, as: UTF8.self) }.sorted(by: UTF8Bytes.isLess)
        func unknown(_ sent: [String], _ group: String) -> [ErrorObject] {
            sent.filter { !known.contains(Array($0.utf8)) && MemberKind(of: $0) == .plain }.map { name in
                let nearest = NearestName.find(name, in: names).map { " Did you mean `\($0)`?" } ?? ""
                return RequestRefusal.object(
                    422, "Unknown field", "The resource has no field of this name." + nearest, at: place + [group, name])
            }
        }
        let problems =
            unknown(object.attributes?.map(\.name) ?? [], "attributes") + unknown(object.relationships?.names ?? [], "relationships")
        if !problems.isEmpty { throw ErrorDocument(errors: ErrorDocument.errors(of: problems)) }
    }
}
