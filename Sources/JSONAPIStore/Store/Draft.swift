import JSONAPIArchive
import JSONAPICodec
import JSONText

/// A copy of a stored resource, to edit and then send, keep or discard.
///
/// ```swift
/// var draft = try store.draft(Article.self, id: "1")
/// draft.value.title = "New"
/// let body = try JSONAPIEncoder().encode(draft.patch)      // the request body
/// try draft.commit()                                       // changes the store
/// ```
///
/// If the decoder of the store has a key strategy, encode the patch with an encoder that matches it. Another encoder throws if it would write
/// a name that the stored resource has in a different spelling:
///
/// ```swift
/// let body = try JSONAPIEncoder(matching: decoder).encode(draft.patch)
/// ```
///
/// The draft compares encoded values, as `Patch(from:to:)` does. A nil attribute becomes null, and only the linkage of an embedded resource
/// is compared: edit the embedded resource with a draft of its own. The store does not change before `commit`. The model must not be a class,
/// because an edit of an object would also change the original, which the store shows to all readers.
public struct Draft<Model: ResourceRepresentable>: Sendable {
    /// The value to edit.
    public var value: Model

    private let store: ResourceStore
    private let identifier: ResourceIdentifier
    /// The state at the creation of the draft.
    private let first: Base
    /// The states after its commits.
    private var commits = OutcomeStates<Base>()

    /// A state to compare edits with.
    private struct Base: Sendable {
        let value: Model
        /// The resource that the value was read from. It includes the draft's own commits, but no changes by others.
        let stored: ResourceObject
    }

    init(_ value: Model, _ identifier: ResourceIdentifier, _ stored: ResourceObject, _ store: ResourceStore) {
        self.value = value
        self.identifier = identifier
        self.store = store
        first = Base(value: value, stored: stored)
    }

    /// The base of the edit.
    private var base: Base { commits.last ?? first }

    /// The value when the draft was made or last committed. A commit does not count if its transaction, or its request in a `RequestQueue`, was
    /// rolled back; then those after it do not count either.
    public var original: Model { base.value }
}

extension Draft {
    /// The request body with the changed fields. If an attribute is an object, the body contains the whole object, including members that
    /// only the store knows.
    ///
    /// Encoding throws for an embedded array that was read in part, because the patch would delete the rest.
    ///
    /// If an id has replaced a lid when the patch is encoded, the body contains the id, also in linkage. The body leaves out a new resource
    /// that was deleted since the draft was made, if the store has taken it out of the same to-many relationship.
    public var patch: Patch<Model> {
        let base = base.stored
        return edit.finished { current($0, since: base) }
    }

    /// The changed fields under the identities that the value was read with.
    private var edit: Patch<Model> { Patch(fromUnedited: base.value, to: value, base: base.stored) }

    /// Returns a resource with the current identities, and without links to new resources whose creation was rolled back. Such a link is in
    /// the base, with a local identity. The store has neither the link nor the resource.
    private func current(_ object: ResourceObject, since base: ResourceObject) -> ResourceObject {
        let replacement = store.replacement(Model.self)
        var result = replacement.resource(object)
        for (name, relationship) in replacement.linkage(of: base).relationships ?? Relationships(members: JSONObject()) {
            let new = Set(relationship.data.identifiers.compactMap(StoredIdentity.init).filter(\.isLocal))
            guard !new.isEmpty, let members = result[relationship: name]?.members["data"]?.array,
                let now = try? store.present(identifier, Model.self)
            else { continue }
            let gone = new.subtracting((now[relationship: name]?.data.identifiers ?? []).compactMap(StoredIdentity.init))
                // One that is damaged in the file is there.
                .filter { (try? store.present($0.identifier) == nil) ?? false }
            let rest = members.filter { !(ResourceIdentifier(json: $0).flatMap(StoredIdentity.init).map(gone.contains) ?? false) }
            if !gone.isEmpty { result[relationship: name]?.members["data"] = .array(JSONArray(rest)) }
        }
        return result
    }

    /// Returns a resource object with the identity and the changed fields only. Throws `EncodingError` if a value cannot be encoded, or the
    /// identity was changed.
    ///
    /// - Complexity: O(n), n = bytes of the encoded values.
    public func changes() throws -> ResourceObject {
        try patch.object(store.encoder, stored: nil)
    }

    /// Returns whether any field was changed. Throws the same errors as `changes()`.
    public func hasChanges() throws -> Bool {
        let changes = try changes()
        return changes.attributes != nil || changes.relationships != nil || changes.meta != nil
    }

    /// Returns the changed fields that somebody else has also changed in the store since the draft was made. The pointers start at the
    /// resource object. `commit` overwrites these fields. If the resource was removed from the store, returns no fields, and `commit`
    /// throws.
    ///
    /// The draft's own commits are not conflicts, and neither is a field that already has the draft's value. Inside a transaction, the changes
    /// of the transaction count as changes of the store.
    public func conflicts() throws -> [JSONPointer] {
        let changes = try changes()
        guard let now = try store.present(identifier, Model.self) else { return [] }
        let stored = current(base.stored, since: base.stored)
        let committed = ResourceMerge.patched(now, by: changes)
        return ResourceFields.places(of: changes).filter { pointer in
            JSON.object(stored.members)[pointer: pointer] != JSON.object(now.members)[pointer: pointer]
                && JSON.object(committed.members)[pointer: pointer] != JSON.object(now.members)[pointer: pointer]
        }
    }

    /// Discards all edits.
    public mutating func rollBack() { value = base.value }

    /// Writes the changed fields to the store. Other fields keep what has arrived in the meantime. Does nothing if no field was changed.
    ///
    /// Inside a transaction, the edit is committed with the transaction. If the transaction is rolled back, the draft still has the edit.
    /// The next `commit` then writes it.
    ///
    /// Throws `StoreError` if the store no longer has the resource, and the errors of `changes()`. The draft does not change then.
    public mutating func commit() throws {
        try commit { transaction, patch in
            try transaction.apply(patch)
            return nil
        }
    }

    /// Writes the changed fields with a function of the caller. `write` applies the patch and makes related changes in the same
    /// transaction. If it returns a request, and that is rolled back, the draft has the edit again.
    mutating func commit(_ write: (StoreTransaction, Patch<Model>) throws -> QueuedRequest?) throws {
        // The base keeps the identities that the value has.
        let changes = try edit.object(store.encoder, stored: nil)
        if try hasChanges() {
            let patch = patch
            let outcome = try store.transaction { transaction in
                let request = try write(transaction, patch)
                return transaction.pending.outcome(of: request)
            }
            let stored = ResourceMerge.patched(base.stored, by: changes)
            commits.append(Base(value: value, stored: stored), outcome)
        }
        guard try store.present(identifier, Model.self) != nil else { throw store.unresolved(identifier, Model.self) }
    }
}

extension ResourceStore {
    /// Returns a copy of a resource to edit. Throws `StoreError` if the store does not have the resource. Throws `DecodingError` if it
    /// cannot be read.
    ///
    /// A draft of a class, also as the case of a union, would share its object with the readers of the store, so this throws a `StoreError`
    /// of the kind `misuse`.
    public func draft<Model: ResourceRepresentable>(_ type: Model.Type, _ identifier: ResourceIdentifier) throws -> Draft<Model> {
        let model: any ResourceRepresentable.Type = (Model.self as? any ResourceUnion.Type)?.model(of: identifier.type) ?? Model.self
        guard !(model is AnyObject.Type) else {
            throw StoreError(
                .misuse, identifier, expected: "a model that is a struct or an enum", found: "the class \(model)",
                advice: "edit the resource as a struct or as ResourceObject, or build a Patch")
        }
        // With this order of reads, a concurrent write can cause at most one conflict too many.
        let current = StoredIdentity(identifier).map { core.current($0, type) }
        guard let current, let stored = try core.text(current).flatMap(StoredText.object) else { throw unresolved(identifier, type) }
        return Draft(try resolve(type, current.identifier), current.identifier, stored, self)
    }

    /// Returns a copy of the resource of the model's type with this id. Throws as the function above does, and `StoreError` for an id that
    /// is nil.
    public func draft<Model: Resource>(_ type: Model.Type, id: Model.ID) throws -> Draft<Model> {
        guard let text = id.wireText else {
            throw StoreError(.missingIdentity, expected: "the id of the resource to edit", found: "none")
        }
        return try draft(type, ResourceIdentifier(type: Model.type, id: text))
    }
}
