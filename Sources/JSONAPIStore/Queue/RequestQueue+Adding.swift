import Foundation
public import JSONAPIArchive
public import JSONAPICodec
import JSONText

// Adding requests. Each function changes the store as if the server had already accepted the change, and queues the request.

extension RequestQueue {
    /// Creates a resource. The store has the resource immediately, under its lid or, with `clientID`, under the model's own id. It also
    /// has the resources that the model embeds or holds, and the fields that the request leaves out (`RestrictedFields`).
    ///
    /// The model's id must be optional unless `clientID` is true. Otherwise the store could not read the resource while it has no id.
    ///
    /// Throws `StoreError`, for example if the creation of a resource with the same identity is already queued. Throws `EncodingError` if the
    /// request is not valid, and `ArchiveError` if the file cannot be saved; the request is queued even then.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-creating>
    @discardableResult
    public func create<Model: Resource>(_ model: Model, clientID: Bool = false) throws -> QueuedRequest {
        try create(store.draft(new: model, clientID: clientID))
    }

    /// Creates the resource of a draft. The queue commits the draft when the answer arrives. Throws as the function above does, and
    /// `StoreError` after the draft was committed.
    @discardableResult
    public func create<Model: Resource>(_ draft: NewDraft<Model>) throws -> QueuedRequest {
        let request = try change { transaction in
            try transaction.checkIsNotCreated(draft.identifier)
            let create = draft.create
            // Finds the faults of what is sent.
            var text = try store.encoder.encode(create)
            if !store.encoder.rewriters.isEmpty { text = try store.encoder.withoutRewriters.encode(create) }
            let body = try JSON(parsing: Array(text)).object ?? JSONObject()
            // A rollback restores a resource that the draft replaces.
            let undo = transaction.former(of: draft).map(QueuedRequest.Undo.resource) ?? .nothing
            try transaction.show(draft)
            // The store has the resource by the request from now on.
            draft.noteShown(.queued, transaction.pending.outcome())
            let document = DocumentObject(members: body)
            return try transaction.queue(
                .create, draft.identifier, Model.self, document: document, undo: undo, leftOut: create._restrictedFields)
        }
        return store.handedOut(request)
    }

    /// Changes fields of a resource. Returns nil if there is nothing to send.
    ///
    /// The request leaves out fields that clients must not write (`RestrictedFields`). The store also changes these fields.
    ///
    /// `entityTag` is the text of the header `ETag` with which the resource was received: `EntityTag.description` of the module
    /// JSONAPIHTTP. Send it as the header `If-Match`. If the resource has changed on the server in the meantime, the server then refuses
    /// the request with 412. A weak tag (`W/"v1"`) never matches, so do not pass one.
    ///
    /// Throws `StoreError` if the store does not have the resource, `EncodingError` if the request is not valid, and `DecodingError` as
    /// `ResourceStore.apply(_:)` does. Throws `ArchiveError` if the file cannot be saved; the request is queued even then.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-updating>
    @discardableResult
    public func update(_ patch: Patch<some ResourceRepresentable>, entityTag: String? = nil) throws -> QueuedRequest? {
        try change { try $0.queueUpdate(patch, entityTag) }.map { store.handedOut($0) }
    }

    /// Commits a draft and queues its patch. Returns nil if there is nothing to send. If the request is rolled back, the draft still has
    /// the edit, so that the user can correct it and queue it again. Throws as the function above does, and the errors of `Draft.commit()`.
    @discardableResult
    public func update<Model>(_ draft: inout Draft<Model>, entityTag: String? = nil) throws -> QueuedRequest? {
        let queued: QueuedRequest? = try change { _ in
            var request: QueuedRequest?
            try draft.commit { transaction, patch in
                request = try transaction.queueUpdate(patch, entityTag)
                return request
            }
            return request
        }
        return queued.map { store.handedOut($0) }
    }

    /// Deletes a resource. The store removes it immediately. A UUID in upper case also names the resource with that UUID in lower case.
    ///
    /// Returns nil if the creation of the resource is still in the queue, waiting or failed. In that case there is nothing to send. The creation
    /// is rolled back, and with it the requests that are about the resource or link to it, as `rollBack` does. To learn which they are, call
    /// `rollBack` with the creation instead. If the creation has replaced a resource of the store, or if the server has sent the resource since
    /// then, that one is deleted.
    ///
    /// The server may have carried out a creation if `retry` was called without an answer, or if it failed with another status than 400 to
    /// 499. If the client has made the id of the resource, the creation stays in the queue then, and the deletion waits for it. A resource
    /// with a lid has no address. Its creation is rolled back even then, and the server keeps what it may have created.
    ///
    /// Throws `StoreError` if the store does not have the resource. Throws `ArchiveError` if the file cannot be saved; the request is
    /// queued even then.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-deleting>
    @discardableResult
    public func delete(_ identifier: ResourceIdentifier, entityTag: String? = nil) throws -> QueuedRequest? {
        try change { try $0.queueDeletion(identifier, entityTag) }
    }

    /// Adds resources to a to-many relationship.
    ///
    /// The name of the relationship is that of the document, and is not checked. If a model has the relationship, use its key path, which the
    /// compiler checks: `add([tag], to: \Article.tags, of: article)`.
    ///
    /// If the linkage of the relationship is not loaded, the store does not show the change. Throws the same errors as `update`.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-updating-to-many-relationships>
    @discardableResult
    public func add(
        _ identifiers: [ResourceIdentifier], to relationship: String, of resource: ResourceIdentifier, entityTag: String? = nil
    ) throws -> QueuedRequest {
        try change { try $0.queueLinkage(.add, .many(identifiers), relationship, resource, entityTag) }
    }

    /// Removes resources from a to-many relationship. Throws as `add` does.
    @discardableResult
    public func remove(
        _ identifiers: [ResourceIdentifier], from relationship: String, of resource: ResourceIdentifier, entityTag: String? = nil
    ) throws -> QueuedRequest {
        try change { try $0.queueLinkage(.remove, .many(identifiers), relationship, resource, entityTag) }
    }

    /// Replaces the linkage of a relationship with `.one`, `.null` or `.many`. Throws as `add` does.
    @discardableResult
    public func replace(
        _ relationship: String, of resource: ResourceIdentifier, with linkage: Linkage, entityTag: String? = nil
    ) throws -> QueuedRequest {
        try change { try $0.queueLinkage(.replace, linkage, relationship, resource, entityTag) }
    }
}

extension StoreTransaction {
    /// Throws if the creation of the resource is already queued. The server would get it twice, and one of the two would get the other's id.
    fileprivate func checkIsNotCreated(_ identifier: ResourceIdentifier) throws {
        let known = StoredIdentity(identifier).map(pending.requests(about:)) ?? []
        guard known.last(where: { $0.operation == .create || $0.operation == .delete })?.operation == .create else { return }
        throw StoreError(
            .identityTaken, identifier, expected: "a new resource", found: "one whose creation is already queued",
            advice: "change it with `update`, roll the earlier creation back, or make a new LocalID for each new resource")
    }

    fileprivate func queueUpdate<Model: ResourceRepresentable>(_ patch: Patch<Model>, _ entityTag: String?) throws -> QueuedRequest? {
        try pending.atomically {
            var (changes, undo) = try applying(patch)
            let unsent = changes.fields(patch._restrictedFields)
            changes.removeFields(patch._restrictedFields)
            guard changes.attributes != nil || changes.relationships != nil || changes.meta != nil, let target = changes.identifier else {
                return nil
            }
            // Finds the faults of what is sent. A resource with a lid gets an id before.
            let sent = target.id == nil ? ResourceObject(changes, as: ResourceIdentifier(type: target.type, id: target.lid ?? "")) : changes
            _ = try store.encoder.encode(Patch<ResourceObject>(target).finished { _ in sent })
            let document = DocumentObject(data: .one(changes))
            return try queue(.update, target, Model.self, document: document, entityTag, undo: .edit(undo), unsent: unsent)
        }
    }

    fileprivate func queueDeletion(_ identifier: ResourceIdentifier, _ entityTag: String?) throws -> QueuedRequest? {
        let (identity, shown) = try existing(identifier)
        return try pending.atomically {
            var deleted = shown
            if let creation = pending.requests(about: identity).last(where: { $0.operation == .create }), creation.state != .sent,
                identity.isLocal || !creation.mayHaveArrived
            {
                try rollBack(creation)
                guard let earlier = try pending.object(identity) else { return nil }
                deleted = earlier
            }
            let place = pending.listPlace(of: identity)
            pending.set(identity, .remove)
            return try queue(.delete, identity.identifier, nil, document: nil, entityTag, undo: .resource(deleted), place: place)
        }
    }

    fileprivate func queueLinkage(
        _ operation: QueuedRequest.Operation, _ linkage: Linkage, _ relationship: String, _ identifier: ResourceIdentifier,
        _ entityTag: String?
    ) throws -> QueuedRequest {
        let (identity, object) = try existing(identifier)
        return try pending.atomically {
            var body = try JSON(parsing: Array(store.encoder.encode(linkage))).object ?? JSONObject()
            body["data"] = body["data"].map { spelled(pending.replacement().linkage($0), linkage, as: object[relationship: relationship]) }
            let target = identity.identifier
            var request = QueuedRequest(
                nextRequestKey(), operation, target, relationship: relationship, document: DocumentObject(members: body),
                entityTag: entityTag)
            var edited = EditedResource(object)
            request.undo = edited.make(request)
            if let changed = edited.object, changed != object { pending.set(identity, .put(try StoredText.text(changed))) }
            return try queue(request)
        }
    }

    /// Returns linkage with the spellings of UUIDs that the relationship has, or else the store. Where both spellings are resources, an
    /// identifier names its own.
    private func spelled(_ data: JSON, _ linkage: Linkage, as present: RelationshipObject?) -> JSON {
        guard linkage.identifiers.contains(where: { StoredIdentity($0)?.otherSpellings.isEmpty == false }) else { return data }
        let members = Set((present?.data.identifiers ?? []).compactMap(StoredIdentity.init))
        let spelling = IdentityReplacement(replacesIDs: true) { identity in
            if members.contains(identity) { return identity }
            if let other = identity.otherSpellings.first(where: members.contains), !(self.isThere(identity) && self.isThere(other)) {
                return other
            }
            return self.named(identity.identifier) ?? identity
        }
        return spelling.linkage(data)
    }

    fileprivate func queue(
        _ operation: QueuedRequest.Operation, _ target: ResourceIdentifier, _ model: Any.Type?, document: DocumentObject?,
        _ entityTag: String? = nil, undo: QueuedRequest.Undo, unsent: ResourceObject? = nil, place: ListPlace? = nil,
        leftOut: [String] = []
    ) throws -> QueuedRequest {
        var request = QueuedRequest(nextRequestKey(), operation, target, document: document, entityTag: entityTag, undo: undo)
        request.unsent = unsent
        request.place = place
        request.leftOut = leftOut
        request.hasUUID = target.id != nil && model.map(StoredIdentity.hasUUID) ?? false
        return try queue(request)
    }

    /// Queues a request. Throws if the request refers to a resource that has no id and that no request creates. Such a request could never
    /// be sent.
    private func queue(_ request: QueuedRequest) throws -> QueuedRequest {
        if let missing = missingCreation(of: request) {
            let relationship = request.relationship(to: missing)
            throw StoreError(
                .missingIdentity, missing.identifier, at: relationship.map { JSONPointer("relationships", $0) },
                expected: "a resource with an id, or one whose creation is queued", found: "one with a lid alone",
                advice: "queue its creation first" + (relationship == nil ? "" : ", or unlink it if it was deleted"))
        }
        try put(request)
        return request
    }

    /// Returns a resource without an id to which a request refers, and that no request creates; nil if there is none.
    func missingCreation(of request: QueuedRequest) -> StoredIdentity? {
        let locals = request.mentioned.filter { $0.isLocal && !(request.operation == .create && $0 == request.identity) }
        return locals.first { local in !pending.requests(about: local).contains { $0.operation == .create } }
    }
}

extension QueuedRequest {
    /// Returns the name of the first relationship with which the request links to a resource; nil if there is none.
    fileprivate func relationship(to identity: StoredIdentity) -> String? {
        if linked.contains(identity), let relationship { return relationship }
        for (name, linking) in document?.data.resources.first?.relationships ?? Relationships(members: JSONObject())
        where linking.data.identifiers.contains(where: { StoredIdentity($0) == identity }) {
            return name
        }
        return nil
    }
}

extension ResourceObject {
    /// Returns the attributes and relationships with the given names; nil if there are none.
    fileprivate func fields(_ names: [String]) -> ResourceObject? {
        guard !names.isEmpty, var result = identifier.map({ ResourceObject($0) }) else { return nil }
        for name in names {
            if let value = self[attribute: name] { result[attribute: name] = value }
            if let relationship = self[relationship: name] { result[relationship: name] = relationship }
        }
        return result.attributes == nil && result.relationships == nil ? nil : result
    }
}
