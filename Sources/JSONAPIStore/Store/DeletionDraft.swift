public import JSONAPICodec
import JSONText

/// A resource that is going to be deleted.
///
/// ```swift
/// var deletion = try store.deletion(of: ResourceIdentifier(type: "articles", id: "1"))
/// try deletion.hide()                          // lists do not show it any more
/// // … DELETE /articles/1 …
/// try deletion.commit()                        // the server has agreed
/// try deletion.rollBack()                      // or it has refused: the resource is back
/// ```
///
/// Others keep their references to the resource. A document of the server that arrives meanwhile and has the resource brings it back; to
/// keep it hidden until the server has answered, use `RequestQueue.delete(_:)`.
///
/// Specification: <https://jsonapi.org/format/1.1/#crud-deleting>
public struct DeletionDraft: Sendable {
    /// The resource that is to be deleted, as the request names it.
    public let identifier: ResourceIdentifier

    private let store: ResourceStore
    private let identity: StoredIdentity
    /// The resource, while it is hidden.
    private var hidden: [UInt8]?

    init(_ identifier: ResourceIdentifier, _ identity: StoredIdentity, _ store: ResourceStore) {
        self.identifier = identifier
        self.identity = identity
        self.store = store
    }

    /// Takes the resource out of the store for the time being. Nothing happens when it is hidden already.
    ///
    /// Throws `ArchiveError` when the resource is in a file and damaged there.
    public mutating func hide() throws {
        let text = try store.transaction { transaction in
            let text = try transaction.pending.text(identity)
            if text != nil { transaction.pending.set(identity, .remove) }
            return text
        }
        if let text { hidden = text }
    }

    /// Takes the resource out of the store for good.
    public mutating func commit() {
        store.remove(identifier)
        hidden = nil
    }

    /// Brings the resource back exactly as it was when it was hidden; it is the last one of its type then. A resource that was not
    /// hidden, or that has arrived again since, stays as it is.
    public mutating func rollBack() {
        guard let text = hidden else { return }
        store.transaction { transaction in
            // One that is damaged in a file cannot be told from none.
            if ((try? transaction.pending.text(identity)) ?? nil) == nil { transaction.pending.set(identity, .put(text)) }
        }
        hidden = nil
    }
}

extension ResourceStore {
    /// A draft that deletes a resource. The store is not changed. Throws `StoreError` when the store does not have the resource.
    public func deletion(of identifier: ResourceIdentifier) throws -> DeletionDraft {
        guard let identity = StoredIdentity(identifier), try present(identifier) != nil else {
            throw unresolved(identifier, ResourceObject.self)
        }
        return DeletionDraft(identifier, identity, self)
    }

    /// A draft that deletes a resource.
    public func deletion<Model: Resource>(of resource: Model) throws -> DeletionDraft {
        guard let identifier = resource.identifier else {
            throw StoreError(.missingIdentity, expected: "a resource with an id or a lid", found: "one without")
        }
        return try deletion(of: identifier)
    }
}
