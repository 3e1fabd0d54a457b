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
/// The restored resource has the changes of the requests that waited for it when it was hidden. If one of these is rolled back in between, its
/// change comes back. `RequestQueue.delete(_:)` does not have this limit.
///
/// Specification: <https://jsonapi.org/format/1.1/#crud-deleting>
public struct DeletionDraft: Sendable {
    /// The resource to delete, as the request names it.
    public var identifier: ResourceIdentifier {
        let (identity, isNew) = (last, states.last == nil)
        return store.core.read { isNew ? $0.named(identity) : $0.current(identity) }.identifier
    }

    private let store: ResourceStore
    private let identity: StoredIdentity
    private var states = OutcomeStates<State>()

    private enum State {
        /// The resource is hidden, and had this identity, text and place in the list of its type.
        case hidden(StoredIdentity, [UInt8], ListPlace?)
        /// The deletion of the resource with this identity was committed or rolled back.
        case ended(StoredIdentity)
    }

    init(_ identity: StoredIdentity, _ store: ResourceStore) {
        self.identity = identity
        self.store = store
    }

    /// The identity that the resource had last.
    private var last: StoredIdentity {
        switch states.last {
        case .hidden(let identity, _, _)?, .ended(let identity)?: identity
        case nil: identity
        }
    }

    /// Returns the identity to remove. As long as the draft has done nothing, that can be the server's spelling of a UUID. Afterwards the
    /// other spelling can only be another resource.
    private func current(_ transaction: StoreTransaction) -> StoredIdentity {
        guard states.last == nil, let named = transaction.named(identity.identifier) else { return transaction.pending.current(last) }
        return named
    }

    /// Hides the resource by removing it from the store. Does nothing if it is already hidden.
    ///
    /// Inside a transaction that is rolled back, no method of the draft has an effect.
    ///
    /// Throws `ArchiveError` if the resource is damaged in its file.
    public mutating func hide() throws {
        let (hidden, outcome) = try store.transaction { transaction in
            let identity = current(transaction)
            let text = try transaction.pending.text(identity)
            let hidden = text.map { State.hidden(identity, $0, transaction.pending.listPlace(of: identity)) }
            if text != nil { transaction.pending.set(identity, .remove) }
            return (hidden, transaction.pending.outcome())
        }
        if let hidden { states.append(hidden, outcome) }
    }

    /// Removes the resource from the store permanently.
    public mutating func commit() {
        let (identity, outcome) = store.transaction { transaction in
            let identity = current(transaction)
            _ = transaction.removeExactly(identity.identifier)
            return (identity, transaction.pending.outcome())
        }
        states.append(.ended(identity), outcome)
    }

    /// Restores the resource exactly as it was when it was hidden, in its earlier place among the resources of its type. If the file of the
    /// store was opened or compacted in between, the resource is the last one. Does nothing if the resource was not hidden, if it has arrived
    /// again in the meantime, or if a waiting request deletes it.
    public mutating func rollBack() {
        guard case .hidden(let hidden, let text, let place)? = states.last else { return }
        let outcome = store.transaction { transaction in
            let pending = transaction.pending
            let current = pending.current(hidden)
            let isDeleted = pending.requests(about: current).contains { $0.operation == .delete }
            // A resource that is damaged in the file counts as missing.
            if !isDeleted, ((try? pending.text(current)) ?? nil) == nil {
                pending.restore(place, of: current)
                pending.set(current, .put((try? StoredText.text(text, as: current)) ?? text))
            }
            return pending.outcome()
        }
        states.append(.ended(hidden), outcome)
    }
}

extension ResourceStore {
    /// Returns a draft that deletes a resource. The store does not change. Throws `StoreError` if the store does not have the resource.
    public func deletion(of identifier: ResourceIdentifier) throws -> DeletionDraft {
        // A UUID in upper case also names the resource with that UUID in lower case.
        let spellings = StoredIdentity(identifier).map { [$0, $0.lowercasedUUID].compactMap { $0 } } ?? []
        guard let identity = try spellings.first(where: { try present($0.identifier) != nil }) else {
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
