import JSONAPIArchive
public import JSONAPICodec
import JSONText

/// A resource that the program is about to delete.
///
/// ```swift
/// var deletion = try store.deletion(of: ResourceIdentifier(type: "articles", id: "1"))
/// try deletion.hide()                          // lists do not show it any more
/// // … DELETE /articles/1 …
/// deletion.commit()                            // the server has agreed
/// deletion.rollBack()                          // or it has refused: the resource is back
/// ```
///
/// References of other resources to the hidden resource stay. If a document from the server contains the resource, the store shows it
/// again. To keep it hidden until the server has answered, use `RequestQueue.delete(_:)`.
///
/// Specification: <https://jsonapi.org/format/1.1/#crud-deleting>
public struct DeletionDraft: Sendable {
    /// The resource to delete, as the request names it.
    public var identifier: ResourceIdentifier { store.core.current(identity).identifier }

    private let store: ResourceStore
    private let identity: StoredIdentity
    private var states = OutcomeStates<State>()

    private enum State {
        /// The resource is hidden, and had this text.
        case hidden([UInt8])
        /// The deletion was committed or rolled back.
        case ended
    }

    init(_ identity: StoredIdentity, _ store: ResourceStore) {
        self.identity = identity
        self.store = store
    }

    /// Hides the resource by removing it from the store. Does nothing if it is already hidden.
    ///
    /// Inside a transaction that is rolled back, no method of the draft has an effect.
    ///
    /// Throws `ArchiveError` if the resource is damaged in its file.
    public mutating func hide() throws {
        let (text, outcome) = try store.transaction { transaction in
            let identity = transaction.pending.current(identity)
            let text = try transaction.pending.text(identity)
            if text != nil { transaction.pending.set(identity, .remove) }
            return (text, transaction.pending.outcome())
        }
        if let text { states.append(.hidden(text), outcome) }
    }

    /// Removes the resource from the store permanently.
    public mutating func commit() {
        let outcome = store.transaction { transaction in
            _ = transaction.removeExactly(identity.identifier)
            return transaction.pending.outcome()
        }
        states.append(.ended, outcome)
    }

    /// Restores the resource exactly as it was when it was hidden. Its place among the resources of its type can change. Does nothing if
    /// the resource was not hidden, or if it has arrived again in the meantime.
    public mutating func rollBack() {
        guard case .hidden(let text)? = states.last else { return }
        let outcome = store.transaction { transaction in
            let pending = transaction.pending
            let current = pending.current(identity)
            // A resource that is damaged in the file counts as missing.
            if ((try? pending.text(current)) ?? nil) == nil {
                pending.set(current, .put((try? StoredText.text(text, as: current)) ?? text))
            }
            return pending.outcome()
        }
        states.append(.ended, outcome)
    }
}

extension ResourceStore {
    /// Returns a draft that deletes a resource. The store does not change. Throws `StoreError` if the store does not have the resource.
    public func deletion(of identifier: ResourceIdentifier) throws -> DeletionDraft {
        guard let identity = StoredIdentity(identifier), try present(identifier) != nil else {
            throw unresolved(identifier, ResourceObject.self)
        }
        return DeletionDraft(identity, self)
    }

    /// Returns a draft that deletes a resource. The store does not change. Throws `StoreError` if the store does not have the resource.
    public func deletion<Model: Resource>(of resource: Model) throws -> DeletionDraft {
        guard let identity = resource.identifier.flatMap(StoredIdentity.init) else {
            throw StoreError(.missingIdentity, expected: "a resource with an id or a lid", found: "one without")
        }
        return try deletion(of: core.current(identity, Model.self).identifier)
    }
}
