import JSONAPIArchive
public import JSONAPICodec
import Foundation
import JSONText

/// A new resource that the server does not know yet.
///
/// ```swift
/// struct Note: Resource {
///     static let type = "notes"
///     var id: String?                  // nil until the server has answered
///     var text: String
/// }
/// var draft = store.draft(new: Note(text: "Milk"))
/// draft.value.text = "Milk and bread"
/// try draft.show()                                         // optional: lists now contain it
/// let body = try JSONAPIEncoder().encode(draft.create)     // the request
/// let note = try draft.commit(with: answer)                // the store has it under the server's id
/// ```
///
/// The draft has a lid as its local identity. It uses the `LocalID` of the model, or makes a lid of its own. The store does not have the
/// resource until `show` or `commit`, so lists do not contain it. `show` adds it under the lid, and other resources can then link to it.
/// `commit` replaces the lid with the id everywhere in the store, including linkage and waiting requests.
///
/// With `clientID`, the model's own id is the identity, and the server adopts it.
///
/// To keep the request until there is a network, use `RequestQueue.create(_:)`.
///
/// Specification: <https://jsonapi.org/format/1.1/#crud-creating>
public struct NewDraft<Model: Resource>: Sendable {
    /// The value to edit.
    public var value: Model

    let store: ResourceStore
    let sendsID: Bool
    private let lid = UUID().uuidString
    /// The identity before the first `commit`; nil until then. Afterwards, the value can have the id of an answer.
    private var local: ResourceIdentifier?
    /// The identities after `commit`.
    private var answers = OutcomeStates<ResourceIdentifier>()
    /// The states after each `show` and `rollBack`, and each request that creates the resource. The copies of a draft share them.
    private let shown = Locked(OutcomeStates<Shown>())

    enum Shown {
        /// The store has the resource by `show`, in place of the one that it had before.
        case added(over: ResourceObject?)
        /// The store has the resource by a request.
        case queued
        case rolledBack
    }

    init(_ value: Model, sendsID: Bool, _ store: ResourceStore) {
        self.value = value
        self.sendsID = sendsID
        self.store = store
    }
}

extension NewDraft {
    /// The identity after `commit`; nil before, and if the transaction of the commit was rolled back.
    private var final: ResourceIdentifier? { answers.last }

    /// The identity of the resource: its type with the lid or with the id of the client. After `commit`, the type with the server's id.
    public var identifier: ResourceIdentifier {
        if let known = final ?? local { return known }
        guard let own = value.identifier, sendsID || own.id == nil else { return ResourceIdentifier(type: Model.type, lid: lid) }
        return own
    }

    /// The request body. It contains the lid, so that other resources of the same document can refer to the resource.
    ///
    /// If an id has replaced a lid to which the value links, the body contains the id. Then the store's encoder makes its members, so encode
    /// it with an encoder that has the same strategies.
    public var create: Create {
        let create = Create(value, clientID: sendsID, lid: identifier.lid)
        // After a commit that was taken back, the value still has the id of the answer.
        let hasForeignID = !sendsID && identifier.id == nil && local != nil
        guard store.hasPromotions || hasForeignID, let body = try? store.encoder.withoutRewriters.encode(create),
            let written = (try? JSON(parsing: Array(body))["data"]?.object).map(ResourceObject.init(members:))
        else { return create }
        let own = hasForeignID ? ResourceObject(written, as: identifier) : written
        let current = store.replacement(Model.self, new: StoredIdentity(identifier)).resource(own)
        return current == written ? create : Create(current, restrictedFields: create._restrictedFields)
    }

    /// Whether the store has the resource.
    public var isShown: Bool {
        StoredIdentity(identifier).map { identity in store.core.read { $0.mayHave(identity) } } ?? false
    }

    var lastShown: Shown? { shown.withLock { $0.last } }

    func noteShown(_ state: Shown, _ outcome: ChangeOutcome) { shown.withLock { $0.append(state, outcome) } }

    /// Adds the current value to the store, under its local identity. Also adds the resources that are embedded in it and those that the
    /// program gave to its references. A second call, for example after an edit, replaces the stored resource.
    ///
    /// Throws `StoreError` after `commit` has replaced the lid. Also throws it if the resource has no id and the model's id is not
    /// optional, because the store could not read the resource again. Throws `EncodingError` if the value cannot be written.
    public func show() throws { try store.transaction { try $0.show(self) } }

    /// Stores the server's answer, and replaces the lid with the id. Returns the resource as the store has it now. If a waiting request deletes
    /// the resource, the store does not show it.
    ///
    /// Without a document, for example after the status 204, the store keeps the draft's value. This requires an id that the client has
    /// made.
    ///
    /// If the call is inside a transaction that is rolled back, the resource has its lid again, and `commit` can be called again. `value`
    /// is still that of the answer.
    ///
    /// Throws `StoreError` if the answer is not a single resource with an id, and `DecodingError` if it cannot be read. The store and the
    /// draft do not change then.
    @discardableResult
    public mutating func commit(with document: DocumentObject? = nil) throws -> Model {
        let (model, final, outcome) = try store.transaction { transaction in
            let final = try transaction.commit(self, document)
            guard let model = try transaction.committed(Model.self, final) else { throw store.unresolved(final, Model.self) }
            return (model, final, transaction.pending.outcome())
        }
        local = local ?? identifier
        answers.append(final, outcome)
        value = model
        return model
    }

    /// Stores a decoded answer of the server, and replaces the lid with the id. Throws as the function above does.
    @discardableResult
    public mutating func commit(with document: Document<Model>) throws -> Model {
        try commit(with: store.transaction { try $0.object(of: document) })
    }

    /// Removes the resource from the store, because the server has refused it or the user has given up. A resource that the store had under
    /// the id before `show` is back. The draft keeps its value, and can be shown again. Does nothing after `commit`, or after the request
    /// of a queue that creates the resource is done or rolled back.
    public func rollBack() {
        guard final == nil, let identity = StoredIdentity(identifier) else { return }
        store.transaction { transaction in
            let pending = transaction.pending
            // If a queue has sent the draft, the lid stands for the resource of the server, which stays.
            guard pending.current(identity) == identity else { return }
            let former: ResourceObject?
            switch lastShown {
            case .rolledBack?, nil: return
            case .added? where transaction.isThere(identity): former = transaction.former(of: self)
            case .queued?:
                // Without its creation, the resource is that of the server.
                guard let creation = pending.requests(about: identity).last(where: { $0.operation == .create }) else { return }
                former = creation.undo.earlier
            default: former = nil
            }
            if let text = try? former.map(StoredText.text) {
                pending.set(identity, .put(text))
            } else {
                _ = transaction.removeExactly(identifier)
            }
            noteShown(.rolledBack, pending.outcome())
        }
    }
}

// MARK: - In a store

extension ResourceStore {
    /// Returns a draft of a resource that does not exist yet. The store does not change.
    ///
    /// Set `clientID` to true to send the id of the model. An optional id that is not nil is always sent. In all other cases, the server
    /// chooses the id.
    public func draft<Model: Resource>(new value: Model, clientID: Bool = false) -> NewDraft<Model> {
        NewDraft(value, sendsID: clientID || (Model.ID.self is any OptionalType.Type && value.id.wireText != nil), self)
    }
}

extension StoreTransaction {
    /// Adds a new resource under its local identity.
    func show<Model: Resource>(_ draft: NewDraft<Model>) throws {
        try checkOpen()
        let former = former(of: draft)
        try add(draft)
        draft.noteShown(.added(over: former), pending.outcome())
    }

    /// Returns the resource that the store has under the identity of a draft, or had before the draft was shown; nil if there is none, or if
    /// it is damaged.
    func former<Model: Resource>(of draft: NewDraft<Model>) -> ResourceObject? {
        if case .added(let former)? = draft.lastShown { return former.map { pending.replacement().linkage(of: $0) } }
        return try? StoredIdentity(draft.identifier).flatMap(pending.object)
    }

    private func add<Model: Resource>(_ draft: NewDraft<Model>) throws {
        let identifier = draft.identifier
        if identifier.id != nil, !draft.sendsID {
            throw StoreError(.identityChanged, identifier, expected: "a draft that is not committed", found: "one that is")
        }
        let isOwn = draft.value.identifier?.isSameResource(as: identifier) == true
        guard isOwn || Model.ID.self is any OptionalType.Type else {
            throw StoreError(
                .missingIdentity, identifier, expected: "a model that can be without an id",
                found: "\(Model.self), whose id is not optional",
                advice: "declare its id optional, or make the draft with clientID: true when the id is the client's")
        }
        try show(draft.value, as: identifier)
    }

    /// Stores the answer to a creation. Returns the new identity of the resource.
    fileprivate func commit<Model: Resource>(_ draft: NewDraft<Model>, _ document: DocumentObject?) throws -> ResourceIdentifier {
        let local = draft.identifier
        guard let document, document.members.contains(name: "data") else {
            guard local.id != nil else { throw StoreError.withoutID(local) }
            try show(draft)
            return local
        }
        let created = try promote(local, by: document, hasUUID: StoredIdentity.hasUUID(Model.self))
        try ingest(document)
        return created
    }

    /// Returns the resource of a commit, even if a waiting request hides it.
    fileprivate func committed<Model: Resource>(_ type: Model.Type, _ identifier: ResourceIdentifier) throws -> Model? {
        if let model = try resource(type, identifier) { return model }
        guard let identity = StoredIdentity(identifier), let hidden = try belowRequests(identity) else { return nil }
        pending.set(identity, .put(try StoredText.text(hidden)))
        defer { pending.set(identity, .remove) }
        return try resource(type, identifier)
    }

    /// Gives a resource the id in the answer to its creation. Returns the new identity of the resource.
    func promote(_ local: ResourceIdentifier, by document: DocumentObject?, hasUUID: Bool) throws -> ResourceIdentifier {
        guard case .one(let resource)? = document?.data, resource.type.utf8.elementsEqual(local.type.utf8), let id = resource.id else {
            throw StoreError.withoutID(local)
        }
        if let document, local.id != nil { return try takeSpelling(of: document, local, hasUUID: hasUUID) }
        try promoteIfPresent(local, to: id)
        return ResourceIdentifier(type: local.type, id: id)
    }
}

extension StoreTransaction {
    /// Returns the identity of the resource in the answer to a request that has created or changed it. If that is another spelling of the
    /// same UUID, the resource gets it. Throws if the answer contains another resource, because both would be in the store then.
    func takeSpelling(of document: DocumentObject, _ expected: ResourceIdentifier, hasUUID: Bool) throws -> ResourceIdentifier {
        guard case .one(let resource) = document.data, let found = resource.identifier, found.id != nil,
            !found.isSameResource(as: expected)
        else { return expected }
        if hasUUID, let old = StoredIdentity(expected), let new = StoredIdentity(found), old.isRespelled(as: new) {
            try respell(old, as: new)
            return new.identifier
        }
        throw StoreError(
            .identityChanged, expected, at: JSONPointer("data"), expected: "the resource of the request", found: "another resource",
            advice: "check that the answer belongs to this request; if it does, finish the request without the document, and ingest it")
    }
}

extension QueuedRequest.Undo {
    /// The resource that the store has again after a rollback of a creation; nil if there is none.
    fileprivate var earlier: ResourceObject? {
        switch self {
        case .resource(let object), .arrived(let object): object
        case .nothing, .edit, .linkage: nil
        }
    }
}

extension StoreError {
    fileprivate static func withoutID(_ local: ResourceIdentifier) -> StoreError {
        StoreError(
            .missingIdentity, local, at: JSONPointer("data"), expected: "the resource that was created, with its id",
            found: "another answer",
            advice: "a response without the resource is complete only if the client chose the id; fetch it, and pass its document")
    }
}
