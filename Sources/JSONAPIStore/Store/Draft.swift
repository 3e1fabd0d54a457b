import JSONAPICodec
import JSONText

/// A copy of a stored resource that is edited, and then sent, kept or dropped.
///
/// ```swift
/// var draft = try store.draft(Article.self, id: "1")
/// draft.value.title = "New"
/// let body = try JSONAPIEncoder().encode(draft.patch)      // what the server is told
/// try draft.commit()                                       // what the store is told
/// ```
///
/// What differs is found by comparing encoded values, as `Patch(from:to:)` does: an attribute that is nil becomes null, and of
/// an embedded resource only the link counts. The store is not touched before `commit`.
public struct Draft<Model: ResourceRepresentable>: Sendable {
    /// The value that is edited.
    public var value: Model

    private let store: ResourceStore
    private let identifier: ResourceIdentifier
    /// What the draft was made of, and what its commits made of it: the last one that was not taken back counts.
    private var bases: [Base]

    /// A state that edits are compared with.
    private struct Base: Sendable {
        let value: Model
        /// The resource that the value was read of, with what was committed since: not with what others changed meanwhile.
        let stored: ResourceObject
        /// What became of the commit; nil for the state that the draft was made of.
        let outcome: ChangeOutcome?
    }

    init(_ value: Model, _ identifier: ResourceIdentifier, _ stored: ResourceObject, _ store: ResourceStore) {
        self.value = value
        self.identifier = identifier
        self.store = store
        bases = [Base(value: value, stored: stored, outcome: nil)]
    }

    private var base: Base { bases.last { $0.outcome?.isTakenBack != true } ?? bases[0] }

    /// The value as it was when the draft was made, or committed last. A commit inside a transaction that was rolled back does not count.
    public var original: Model { base.value }
}

extension Draft {
    /// The request body with what differs. An attribute that is an object is sent whole, with what the store has of it beside what the
    /// model knows.
    ///
    /// Encoding throws for an embedded array that was read in part: it would delete the rest.
    public var patch: Patch<Model> { Patch(from: base.value, to: value, base: base.stored) }

    /// What differs, as a resource object with the identity and the changed fields alone. Throws `EncodingError` when one of the
    /// values cannot be encoded, or the identity was changed.
    ///
    /// - Complexity: O(n), n = bytes of the encoded values.
    public func changes() throws -> ResourceObject { try patch.object(store.encoder) }

    /// Whether anything differs. Throws as `changes()` does.
    public func hasChanges() throws -> Bool {
        let changes = try changes()
        return changes.attributes != nil || changes.relationships != nil || changes.meta != nil
    }

    /// The changed fields that somebody else changed in the store, too, since the draft was made: pointers into the resource
    /// object. `commit` overwrites them. A resource that is gone from the store has none; `commit` throws then.
    ///
    /// What the draft itself has committed is no conflict. Inside a transaction its changes count as the store's.
    public func conflicts() throws -> [JSONPointer] {
        let changes = try changes()
        guard let now = try store.present(identifier) else { return [] }
        let stored = base.stored
        return ResourceMerge.places(of: changes).filter { pointer in
            JSON.object(stored.members)[pointer: pointer] != JSON.object(now.members)[pointer: pointer]
        }
    }

    /// Drops all edits.
    public mutating func rollBack() { value = base.value }

    /// Writes what differs to the store, and nothing else: what arrived for other fields meanwhile stays. Without changes it does
    /// nothing.
    ///
    /// Inside a transaction the edit is committed with that. When the transaction is rolled back, the draft has the edit still, and
    /// `commit` writes it the next time.
    ///
    /// Throws `StoreError` when the store does not have the resource any more, and as `changes()` does; the draft stays as it
    /// is then.
    public mutating func commit() throws { try commit { try $0.apply($1) } }

    /// The same; `write` applies the patch, and does what belongs to it in the same transaction.
    mutating func commit(_ write: (StoreTransaction, Patch<Model>) throws -> Void) throws {
        let changes = try changes()
        if try hasChanges() {
            let patch = patch
            let outcome = try store.transaction { transaction in
                try write(transaction, patch)
                return transaction.pending.outcome()
            }
            let stored = ResourceMerge.patched(base.stored, by: changes)
            bases.removeAll { $0.outcome?.isTakenBack == true }
            // States before one that is in the store for good are never come back to.
            if let last = bases.lastIndex(where: { $0.outcome?.isFinal == true }) { bases.removeFirst(last) }
            bases.append(Base(value: value, stored: stored, outcome: outcome))
        }
        guard try store.present(identifier) != nil else { throw store.unresolved(identifier, Model.self) }
    }
}

extension ResourceStore {
    /// A copy of a resource to be edited. Throws `StoreError` when the store does not have it, and `DecodingError` when it cannot
    /// be read.
    public func draft<Model: ResourceRepresentable>(_ type: Model.Type, _ identifier: ResourceIdentifier) throws -> Draft<Model> {
        // In this order a write between the two can only be reported as a conflict too much.
        guard let stored = try core.resourceText(identifier).flatMap(StoredText.object) else { throw unresolved(identifier, type) }
        return Draft(try resolve(type, identifier), identifier, stored, self)
    }

    /// A copy of the resource of the model's type with this id.
    public func draft<Model: Resource>(_ type: Model.Type, id: Model.ID) throws -> Draft<Model> {
        guard let text = id.wireText else {
            throw StoreError(.missingIdentity, expected: "the id of the resource to edit", found: "none")
        }
        return try draft(type, ResourceIdentifier(type: Model.type, id: text))
    }
}
