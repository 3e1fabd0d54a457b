import Foundation
import JSONAPICodec
import JSONMapping
import JSONText

extension JSONAPIDecoder {
    /// Decodes the resource that a client asks a server to create, with the same rules as `Changes` for a PATCH request.
    ///
    /// ```swift
    /// let new = try decoder.decodeNew(NewArticle.self, from: body)       // 400, 403, 409 or 422 when it is not valid
    /// ```
    ///
    /// The resource needs no id. Declare `id` as an optional, or it is required. If the client sent an id, the model has it: use it, or
    /// refuse it with status 403.
    ///
    /// Throws `DecodingError` when the body is not a document with one resource, and when a field does not fit the model. Throws
    /// `ErrorDocument` with status 409 when the type differs from the model's, with status 400 when the resource is included as well, with
    /// status 403 for fields that only the server writes (`RestrictedFields`), with status 422 for a name that the model does not have, unless
    /// `ignoringUnknownNames` is true, with status 422 for linkage that a property of the model cannot hold, because it embeds resources that
    /// the request does not contain, or whose type is not a legal name, and with status 422 for the `lid` of a resource that the request does
    /// not contain. Every error can be passed to `ErrorDocument(error)` for the response. If the decoder has rewriters, every error about a
    /// field is an `ErrorDocument`, with pointers into the request.
    ///
    /// Resources that the request includes with a `lid` are checked by the same rules, if the model or what it refers to reads them as models.
    /// A model that a property embeds needs a property of type `LocalID` for this; without one, the request is refused with status 422.
    ///
    /// Status 422 is also that of an attribute among `RemainingMembers` whose name is not legal, unless `encoder` does not check names. Unless
    /// you set the maximum depth of the decoder, a request may be two levels less deep, because a response can have that many more.
    ///
    /// The rules apply to what the client has sent, under the names that a rewriter gives it. An attribute that only the rewriter supplies,
    /// such as a default, may be one that only the server writes, or that the model does not have.
    ///
    /// The model gets no links, and of each relationship only the linkage, as with `Changes`. The server would publish the rest as its own.
    /// For the same reason, a resource that the client has included under an id is not available; one with a `lid` is. A `ToOne` or `ToMany`
    /// then has no value, and a property that embeds the resource is an error with status 422.
    /// Members behind a coding key such as `relationships.author.links` are not left out: such a key asks for what the client sent.
    ///
    /// `encoder` must write what this decoder reads. With nil it is derived from the decoder, which works for all strategies but custom
    /// ones. It is used to learn the names of the model.
    ///
    /// A coding key with a path, such as `attributes.address.city`, gives the model one member of an object. The other members of that
    /// object are then unknown names. For any other attribute, its type decides which members it accepts.
    /// The other names of `@Alternatives`, under which the model writes nothing, are unknown names as well. The fields that a schema does not
    /// represent have the values that they have without a member, or that a rewriter supplies as attributes of a `SchemaResource`: nothing
    /// that a client sends is read into them. A member in their place is refused with status 422, also in the value of an attribute with a
    /// schema of its own, where it is not known whether the rewriter has supplied it.
    ///
    /// - Complexity: O(size of the body), with the cost of decoding it twice and of encoding each model once.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-creating-client-ids>
    public func decodeNew<Model: Resource>(
        _ type: Model.Type, from body: Data, encoder: JSONAPIEncoder? = nil, ignoringUnknownNames: Bool = false
    ) throws -> Model {
        let document = try SentDocument(body, of: type.type, self)
        let sent = try SentResource(rewriting: document.data, isChange: false, self)
        try RequestRefusal.check(sent, hasNone: FieldRestriction.whenCreating(type))
        try RequestRefusal.checkLocalIDs(in: document.resources, available: [document.data] + document.included)
        var reader = readerOfRequests
        reader.missingResources = .keep
        // Only for the model: the check of the document needs all resources.
        reader.ignoresResponseMembers = true
        try RefusedFields.checkRelationships(sent, of: type, reader.schemas)
        var shadow = Shadow()
        if sent.isRewritten { shadow.sent = sent.object.attributes ?? JSONObject() }
        shadow.put(into: &reader.userInfo)
        let (model, related) = try document.locating { try reader.decodeWithRelated(type, from: body) }
        let resources = try related.compactMap { try document.resource(at: $0.0.tokens) }
        try RefusedFields.check([sent] + resources, shadow)
        let check = NewResourceCheck(
            encoder: encoder ?? ownEncoder, ignoresUnknownNames: ignoringUnknownNames,
            created: document.data.identifier)
        try check.run(sent, as: model)
        for (place, values) in related {
            if let sent = try document.resource(at: place.tokens) { try check.run(sent, related: values) }
        }
        return model
    }

    /// The rewriter for a type; nil when there is none.
    func rewriter(for type: String) -> Rewriter? { rewriters.first { UTF8Bytes.areEqual($0.key, type) }?.value }

    /// A decoder with these options for what clients send. Except in lenient mode, it refuses repeated names, because a server that keeps them
    /// cannot send them. For the same reason, its default depth is two levels less: the result of an atomic operation has two more arrays or
    /// objects around a resource.
    var readerOfRequests: JSONAPIDecoder {
        var reader = self
        reader.source = .request
        reader.refusesOtherTypes = true
        if reading.maximumDepth == JSONReadingOptions().maximumDepth { reader.reading.maximumDepth -= 2 }
        if mode != .lenient { reader.reading.duplicateNames = .refuse }
        return reader
    }

    /// Throws `DecodingFailure` for a resource object that a request must not have as its data. A `lid` can be that of a resource in another
    /// place.
    func check(_ resource: JSON) throws {
        let text = try JSONWriter.unlimited.write(["data": resource])
        _ = try Tape.with(text.span, options: .unlimited) { tape in
            try DocumentSurvey.run(ParsedDocument(tape, options: readerOfRequests), isPart: true)
        }
    }
}

extension JSONAPIDecoder {
    /// An encoder that writes what this decoder reads, at any depth.
    var ownEncoder: JSONAPIEncoder {
        var encoder = JSONAPIEncoder(matching: self)
        encoder.maximumDepth = .max
        return encoder
    }
}
