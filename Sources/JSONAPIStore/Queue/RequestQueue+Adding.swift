import Foundation
public import JSONAPICodec
import JSONText

// What the program wants the server to do. Each function changes the store as if the server had done it already, and queues the request.

extension RequestQueue {
    /// Creates a resource: the store has it at once, under its lid, or under the model's own id with `clientID`.
    ///
    /// The model's id has to be optional, unless the id is the client's: the store could not read a resource without an id otherwise.
    ///
    /// Throws `StoreError`, `EncodingError` for what is no valid request, and `ArchiveError` when it could not be saved; it is queued then.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-creating>
    @discardableResult
    public func create<Model: Resource>(_ model: Model, clientID: Bool = false) throws -> QueuedRequest {
        try create(store.draft(new: model, clientID: clientID))
    }

    /// Creates the resource of a draft. The queue commits it when the answer comes.
    @discardableResult
    public func create<Model: Resource>(_ draft: NewDraft<Model>) throws -> QueuedRequest {
        try change { transaction in
            let body = try JSON(parsing: Array(store.encoder.encode(draft.create))).object ?? JSONObject()
            try transaction.show(draft)
            return try transaction.queue(.create, draft.identifier, document: DocumentObject(members: body))
        }
    }

    /// Changes fields of a resource. Nil when the patch changes nothing.
    ///
    /// With the entity tag of the resource, which its header `ETag` has, the server makes the change only while the resource is as the user
    /// saw it, and otherwise refuses it with 412: send the tag as the header `If-Match`.
    ///
    /// Throws `StoreError` when the store does not have the resource, `EncodingError` for what is no valid request, and `ArchiveError` when
    /// it could not be saved; it is queued then.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-updating>
    @discardableResult
    public func update(_ patch: Patch<some ResourceRepresentable>, entityTag: String? = nil) throws -> QueuedRequest? {
        try change { try $0.queueUpdate(patch, entityTag) }
    }

    /// Commits a draft and queues its patch. Nil when nothing differs.
    @discardableResult
    public func update<Model>(_ draft: inout Draft<Model>, entityTag: String? = nil) throws -> QueuedRequest? {
        try change { _ in
            var request: QueuedRequest?
            try draft.commit { request = try $0.queueUpdate($1, entityTag) }
            return request
        }
    }

    /// Deletes a resource: the store does not have it any more. Nil for a resource that was created offline and whose creation was not sent:
    /// its requests leave the queue, and there is nothing to send.
    ///
    /// Throws `StoreError` when the store does not have the resource, and `ArchiveError` when it could not be saved; it is queued then.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-deleting>
    @discardableResult
    public func delete(_ identifier: ResourceIdentifier, entityTag: String? = nil) throws -> QueuedRequest? {
        try change { try $0.queueDeletion(identifier, entityTag) }
    }

    /// Adds to a to-many relationship.
    ///
    /// Throws as `update` does. Of a relationship whose linkage is not loaded the store shows nothing new.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-updating-to-many-relationships>
    @discardableResult
    public func add(
        _ identifiers: [ResourceIdentifier], to relationship: String, of resource: ResourceIdentifier, entityTag: String? = nil
    ) throws -> QueuedRequest {
        try change { try $0.queueLinkage(.add, .many(identifiers), relationship, resource, entityTag) }
    }

    /// Removes from a to-many relationship.
    @discardableResult
    public func remove(
        _ identifiers: [ResourceIdentifier], from relationship: String, of resource: ResourceIdentifier, entityTag: String? = nil
    ) throws -> QueuedRequest {
        try change { try $0.queueLinkage(.remove, .many(identifiers), relationship, resource, entityTag) }
    }

    /// Replaces what a relationship links to: `.one`, `.null` or `.many`.
    @discardableResult
    public func replace(
        _ relationship: String, of resource: ResourceIdentifier, with linkage: Linkage, entityTag: String? = nil
    ) throws -> QueuedRequest {
        try change { try $0.queueLinkage(.replace, linkage, relationship, resource, entityTag) }
    }
}

extension StoreTransaction {
    fileprivate func queueUpdate(_ patch: Patch<some ResourceRepresentable>, _ entityTag: String?) throws -> QueuedRequest? {
        try pending.atomically {
            let (changes, undo) = try applying(patch)
            guard changes.attributes != nil || changes.relationships != nil || changes.meta != nil, let target = changes.identifier else {
                return nil
            }
            // As an encoder would refuse it.
            _ = try store.encoder.encode(Create(changes))
            return try queue(.update, target, document: DocumentObject(data: .one(changes)), entityTag, .edit(undo))
        }
    }

    fileprivate func queueDeletion(_ identifier: ResourceIdentifier, _ entityTag: String?) throws -> QueuedRequest? {
        guard let identity = try StoredIdentity(identifier).map(pending.current),
            let object = try pending.text(identity).flatMap(StoredText.object)
        else {
            throw store.unresolved(identifier, ResourceObject.self)
        }
        return try pending.atomically {
            let creation = pending.requests(about: identity).last { $0.operation == .create }
            if let creation, creation.state != .sent {
                try rollBack(creation)
                return nil
            }
            pending.set(identity, .remove)
            return try queue(.delete, identity.identifier, document: nil, entityTag, .resource(object))
        }
    }

    fileprivate func queueLinkage(
        _ operation: QueuedRequest.Operation, _ linkage: Linkage, _ relationship: String, _ identifier: ResourceIdentifier,
        _ entityTag: String?
    ) throws -> QueuedRequest {
        guard let identity = try StoredIdentity(identifier).map(pending.current),
            let object = try pending.text(identity).flatMap(StoredText.object)
        else {
            throw store.unresolved(identifier, ResourceObject.self)
        }
        return try pending.atomically {
            let body = try JSON(parsing: Array(store.encoder.encode(linkage))).object ?? JSONObject()
            let target = identity.identifier
            var request = QueuedRequest(
                nextRequestKey(), operation, target, relationship: relationship, document: DocumentObject(members: body),
                entityTag: entityTag)
            let changed = request.changed(object)
            request.undo = .edit(ResourceEdit(target, from: changed, to: object))
            if changed != object { pending.set(identity, .put(try StoredText.text(changed))) }
            return try queue(request)
        }
    }

    fileprivate func queue(
        _ operation: QueuedRequest.Operation, _ target: ResourceIdentifier, document: DocumentObject?, _ entityTag: String? = nil,
        _ undo: QueuedRequest.Undo = .nothing
    ) throws -> QueuedRequest {
        try queue(QueuedRequest(nextRequestKey(), operation, target, document: document, entityTag: entityTag, undo: undo))
    }

    /// Queues a request. Throws when it refers to a resource that has no id, and that no request creates: it could never be sent.
    private func queue(_ request: QueuedRequest) throws -> QueuedRequest {
        let locals = request.mentioned.filter { $0.isLocal && !(request.operation == .create && $0 == request.identity) }
        if let missing = locals.first(where: { local in !pending.requests(about: local).contains { $0.operation == .create } }) {
            throw StoreError(
                .missingIdentity, missing.identifier, expected: "a resource with an id, or one whose creation is queued",
                found: "one with a lid alone", advice: "queue its creation first")
        }
        try put(request)
        return request
    }
}
