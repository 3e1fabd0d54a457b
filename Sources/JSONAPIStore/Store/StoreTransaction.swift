import Foundation
import JSONAPIArchive
import JSONAPICodec
import JSONText

/// Several changes of a store that happen together or not at all.
///
/// ```swift
/// try store.transaction { transaction in
///     try transaction.ingest(order)
///     try transaction.remove(draftIdentifier)
///     guard try transaction.resource(Customer.self, id: "9") != nil else { throw Stale() }   // undoes both changes
/// }
/// ```
///
/// A transaction sees its own changes, while others see the store as it was before. Writers take turns, so the values that you read stay
/// valid until the end. A function of the transaction that throws has changed nothing. All functions that change something also throw
/// `StoreError` of the kind `transactionEnded` after the end of the transaction.
public final class StoreTransaction {
    let pending: PendingChanges
    let store: ResourceStore
    private var isOpen = true

    init(_ store: ResourceStore) {
        self.store = store
        pending = PendingChanges(store)
    }

    /// Ends the transaction, and returns the changes to commit.
    func end() -> TransactionChanges {
        isOpen = false
        return pending.take()
    }

    func checkOpen() throws {
        guard isOpen else {
            throw StoreError(
                .transactionEnded, expected: "a transaction that is going on", found: "one that has ended",
                advice: "use a transaction only inside the closure that it was handed to")
        }
    }
}

// MARK: - Reading

extension StoreTransaction {
    /// The resource object with this identity. Nil if there is none, or if it cannot be read from the store's file.
    public subscript(identifier: ResourceIdentifier) -> ResourceObject? {
        StoredIdentity(identifier).flatMap { try? pending.object(pending.current($0)) }
    }

    /// Returns the resource with this identity as a model; nil if there is none. Each call reads it again. Throws `DecodingError` if it
    /// cannot be read.
    public func resource<Model: ResourceRepresentable>(_ type: Model.Type, _ identifier: ResourceIdentifier) throws -> Model? {
        if let type = subclass(in: type) as? any ResourceRepresentable.Type { return try resource(type, identifier) as? Model }
        guard let identity = StoredIdentity(identifier).map({ pending.current($0, type) }) else { return nil }
        return try store.reader.resource(type, identity.identifier, from: pending)
    }

    /// Returns the resource of the model's type with this id. Throws as the function above does.
    public func resource<Model: Resource>(_ type: Model.Type, id: Model.ID) throws -> Model? {
        guard let text = id.wireText else { return nil }
        return try resource(type, ResourceIdentifier(type: type.type, id: text))
    }
}

// MARK: - Writing

extension StoreTransaction {
    /// Adds the primary data and the included resources of a document. See `ResourceStore.ingest(_:merging:)`. Throws as that function
    /// does.
    @discardableResult
    public func ingest(_ document: DocumentObject, merging policy: MergePolicy = .fields) throws -> IngestReport {
        try ingest(document, hasPrimaryResources: true, policy)
    }

    /// Adds the resources of a decoded document as they were when it was decoded. These are the included resources and, unless they were
    /// decoded as identifiers, the primary data. Throws as `ResourceStore.ingest(_:merging:)` does.
    @discardableResult
    public func ingest<Primary: PrimaryValue>(
        _ document: Document<Primary>, merging policy: MergePolicy = .fields
    ) throws -> IngestReport {
        let object = try object(of: document, merging: policy)
        return try ingest(object, hasPrimaryResources: !KeptDocument.isLinkage(Primary.self), isRead: document.isRead, policy)
    }

    /// Adds included resources, and whole resources in the relationships of primary ones that are not added.
    func ingest(_ included: [ResourceObject], embeddedIn primary: [ResourceObject], merging policy: MergePolicy) throws {
        _ = try ingest { intake in
            let data = JSON.array(JSONArray(included.map { JSON.object($0.members) }))
            try intake.add([(data: data, pointer: JSONPointer("included"))], embeddedIn: primary + included, policy)
        }
    }

    func ingest(
        _ document: DocumentObject, hasPrimaryResources: Bool, isRead: Bool = true, _ policy: MergePolicy
    ) throws -> IngestReport {
        let groups = hasPrimaryResources ? ["data", "included"] : ["included"]
        let resources = groups.compactMap { document.members[$0] }.flatMap { $0.array.map(Array.init) ?? [$0] }.compactMap(\.object)
        return try ingest(isRead: isRead) { intake in
            let members = groups.map { (data: document.members[$0], pointer: JSONPointer($0)) }
            try intake.add(members, embeddedIn: resources.map { ResourceObject(members: $0) }, policy)
        }
    }

    /// Adds a resource and those that it embeds. See `ResourceStore.ingest(_:merging:)`. Throws as that function does.
    @discardableResult
    public func ingest(_ resource: some ResourceRepresentable, merging policy: MergePolicy = .fields) throws -> IngestReport {
        try ingest([resource], merging: policy)
    }

    /// Adds resources and those that they embed. See `ResourceStore.ingest(_:merging:)`. Throws as that function does.
    @discardableResult
    public func ingest<Model: ResourceRepresentable>(
        _ resources: [Model], merging policy: MergePolicy = .fields
    ) throws -> IngestReport {
        try ingest(isRead: Model.self == ResourceObject.self) { try add(resources, to: &$0, policy) }
    }

    /// Adds a new resource of the program under an identity. It replaces the stored one and the changes of waiting requests about it. The
    /// resources that it embeds or holds are added if the store lacks them. What others hold in turn is not looked at.
    func show(_ resource: some ResourceRepresentable, as identifier: ResourceIdentifier) throws {
        _ = try ingest { try add([resource], to: &$0, .fields, new: identifier) }
    }

    /// - Parameter identifier: the identity of a single resource that the program creates, in place of its own.
    private func add<Model: ResourceRepresentable>(
        _ resources: [Model], to intake: inout Intake, _ policy: MergePolicy, new identifier: ResourceIdentifier? = nil
    ) throws {
        let new = identifier.flatMap(StoredIdentity.init)
        if new == nil, let index = resources.firstIndex(where: { $0.identifier == nil }) {
            throw StoreError(
                .missingIdentity, at: resources.count == 1 ? .root : JSONPointer("\(index)"),
                expected: "a resource with a type and an id or a lid", found: "one without")
        }
        if let objects = resources as? [ResourceObject] {
            let current = pending.replacement(new: new)
            try intake.add([], embeddedIn: objects, policy)
            for object in objects { try add(current.resource(object), to: &intake, policy, new: new) }
            return
        }
        var encoder = store.encoder.forArchives
        // What a new resource holds is only linked, so two copies may differ.
        if new != nil { encoder.conflictingResources = .keepFirst }
        let isNeeded = { identifier in new == nil || self.isUnknown(identifier) }
        try encoder.forEachResource(
            of: resources, leavingOut: { [core = store.core] source, _ in source.owner === core }, as: identifier, isNeeded: isNeeded
        ) { _, text, parts, model in
            guard let object = try JSON(parsing: text, options: .unlimited).object else { return }
            let current = pending.replacement(model, new: new).resource(ResourceObject(members: object))
            // A resource object was read, so it has the values of the server.
            let isRead = model == ResourceObject.self
            try add(new == nil && !isRead ? withoutShown(current, policy, parts) : current, to: &intake, policy, new: new, parts)
        }
    }

    /// Whether the store does not have a resource, and no request is waiting for it.
    private func isUnknown(_ identifier: ResourceIdentifier) -> Bool {
        guard let identity = named(identifier) else { return true }
        return !isThere(identity) && pending.requests(about: identity).isEmpty
    }

    /// Adds a resource object that the program has written. Only the new one replaces what the store has.
    private func add(
        _ object: ResourceObject, to intake: inout Intake, _ policy: MergePolicy, new: StoredIdentity?,
        _ parts: AttributeParts = AttributeParts()
    ) throws {
        if let new, object.identifier.flatMap(StoredIdentity.init) == new {
            return try intake.add(object, at: .root, .replace, acceptsLocal: true, isBelowRequests: false)
        }
        try intake.add(object, at: .root, policy, acceptsLocal: true, parts)
    }

    /// Applies a patch, and returns an edit that undoes it. See `ResourceStore.apply(_:)`. Throws as that function does.
    @discardableResult
    public func apply(_ patch: Patch<some ResourceRepresentable>) throws -> ResourceEdit { try applying(patch).undo }

    /// Applies a patch. Returns the fields that it sets, and an edit that undoes it.
    func applying<Model: ResourceRepresentable>(_ patch: Patch<Model>) throws -> (changes: ResourceObject, undo: ResourceEdit) {
        try checkOpen()
        var stored = Result<ResourceObject?, any Error>.success(nil)
        let written = try patch.object(
            store.encoder,
            stored: { identifier in
                stored = Result {
                    try StoredIdentity(identifier).map { self.pending.current($0, Model.self) }.flatMap(self.pending.object)
                }
                return try? stored.get()
            })
        // The patch can still have a lid if the program made it before the answer to the creation.
        let changes = pending.replacement(Model.self).resource(written)
        guard let identity = changes.identifier.flatMap(StoredIdentity.init) else {
            throw StoreError(.missingIdentity, expected: "the id of the resource to change", found: "a patch without")
        }
        let identifier = identity.identifier
        guard let stored = try stored.get() ?? pending.object(identity) else {
            throw unresolved(identifier)
        }
        let patched = ResourceMerge.patched(stored, by: changes)
        var named = ResourceObject(type: identifier.type, id: identifier.id, lid: identifier.lid)
        for name in patch.namedAttributes where changes[attribute: name] != nil { named[attribute: name] = changes[attribute: name] }
        if named.attributes != nil { try check(ResourceMerge.patched(stored, by: named), isReadBy: Model.self, identity) }
        pending.set(identity, .put(try StoredText.text(patched)))
        var undo = ResourceEdit(identifier, from: patched, to: stored)
        undo.hasUUID = StoredIdentity.hasUUID(Model.self)
        return (changes, undo)
    }

    /// Throws `DecodingError` if a model can read the present resource, but not the given one in its place.
    private func check<Model: ResourceRepresentable>(
        _ object: ResourceObject, isReadBy model: Model.Type, _ identity: StoredIdentity
    ) throws {
        guard (try? resource(model, identity.identifier)) != nil else { return }
        do {
            try pending.atomically {
                pending.set(identity, .put(try StoredText.text(object)))
                _ = try resource(model, identity.identifier)
                throw Undone()
            }
        } catch is Undone {}
    }

    /// Sets the fields of a resource to the values of an edit. Returns an edit that undoes the change. Throws `StoreError` if the store
    /// does not have the resource.
    @discardableResult
    public func apply(_ edit: ResourceEdit) throws -> ResourceEdit {
        try checkOpen()
        var named = current(edit.identifier)
        if edit.hasUUID, let spelled = named, !isThere(spelled) { named = spelled.otherSpellings.first(where: isThere) }
        let (identity, stored) = try existing(named, edit.identifier)
        // An id may have replaced a lid in the linkage of the edit.
        let edited = pending.replacement().linkage(of: edit.applied(to: stored))
        pending.set(identity, .put(try StoredText.text(edited)))
        var undo = ResourceEdit(identity.identifier, from: edited, to: stored)
        undo.hasUUID = edit.hasUUID
        return undo
    }

    /// Returns the current identity of a resource that the program names, and the resource. Throws `StoreError` if the store does not have
    /// it.
    func existing(_ identifier: ResourceIdentifier) throws -> (identity: StoredIdentity, object: ResourceObject) {
        try existing(named(identifier), identifier)
    }

    private func existing(
        _ identity: StoredIdentity?, _ identifier: ResourceIdentifier
    ) throws -> (identity: StoredIdentity, object: ResourceObject) {
        guard let identity, let object = try pending.object(identity) else { throw unresolved(identifier) }
        return (identity, object)
    }

    /// The error for a resource that the store does not show.
    private func unresolved(_ identifier: ResourceIdentifier) -> StoreError {
        let isDeleted = named(identifier).map(pending.requests(about:))?.last?.operation == .delete
        return isDeleted ? .waitsForDeletion(identifier) : store.unresolved(identifier, ResourceObject.self)
    }

    /// Returns the current identity, spelled as it is.
    private func current(_ identifier: ResourceIdentifier) -> StoredIdentity? { StoredIdentity(identifier).map { pending.current($0) } }

    /// Returns the current identity that the program names. The identifiers of models with UUIDs are in upper case: if the store does not have
    /// such a resource, but one with the same UUID in lower case, that one is meant.
    func named(_ identifier: ResourceIdentifier) -> StoredIdentity? {
        guard let identity = current(identifier) else { return nil }
        guard let lower = identity.lowercasedUUID, !isThere(identity), isThere(lower) else { return identity }
        return lower
    }

    /// Returns whether there is a resource. One that is damaged in the file is there.
    func isThere(_ identity: StoredIdentity) -> Bool {
        do { return try pending.text(identity) != nil } catch { return true }
    }

    /// Removes a resource. Returns whether the store had it. References of other resources to it stay. A UUID in upper case also names the
    /// resource with that UUID in lower case. Throws `StoreError` after the end of the transaction.
    @discardableResult
    public func remove(_ identifier: ResourceIdentifier) throws -> Bool {
        try checkOpen()
        return removeWithoutCheck(identifier)
    }

    /// Removes all resources, or all resources of one type. Throws as `ResourceStore.removeAll(ofType:)` does.
    public func removeAll(ofType type: String? = nil) throws {
        try checkOpen()
        try removeAllWithoutCheck(type)
    }

    func removeWithoutCheck(_ identifier: ResourceIdentifier) -> Bool { remove(named(identifier)) }

    /// Removes a resource, whose identity is spelled as it is.
    func removeExactly(_ identifier: ResourceIdentifier) -> Bool { remove(current(identifier)) }

    private func remove(_ identity: StoredIdentity?) -> Bool {
        guard let identity else { return false }
        do {
            if try pending.text(identity) == nil { return false }
        } catch {
            // A resource that is damaged in the file can be removed as well.
        }
        pending.set(identity, .remove)
        return true
    }

    func removeAllWithoutCheck(_ type: String?) throws {
        for identity in try pending.identities(ofType: type) { pending.set(identity, .remove) }
        if type == nil, pending.kept(.promotions) != nil { pending.setKept(.promotions, .remove) }
    }

    /// Adds the resources of a document. Returns whether the transaction then has each of them exactly as in the document.
    func ingest(_ resources: DocumentResources, merging policy: MergePolicy) throws -> Bool {
        var areUnchanged = true
        pending.reserve(resources.primary.count + resources.included.count)
        _ = try ingest { intake in
            for item in resources.primary + resources.included {
                if try !intake.add(item.identifier, item.text, policy) { areUnchanged = false }
            }
        }
        return areUnchanged
    }

    private func ingest(isRead: Bool = true, _ body: (inout Intake) throws -> Void) throws -> IngestReport {
        try checkOpen()
        return try pending.atomically {
            var intake = Intake(pending, isRead: isRead)
            try body(&intake)
            try intake.finish()
            return intake.report
        }
    }
}

/// Ends a change that is only tried.
private struct Undone: Error {}
