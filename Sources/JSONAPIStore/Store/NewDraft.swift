public import JSONAPICodec
import Foundation
import JSONText

/// A resource that is being made, and that the server does not know yet.
///
/// ```swift
/// struct Note: Resource {
///     static let type = "notes"
///     var id: String?                  // nil until the server has answered
///     var text: String
/// }
/// var draft = store.draft(new: Note(text: "Milk"))
/// draft.value.text = "Milk and bread"
/// try draft.show()                                         // if lists are to have it already
/// let body = try JSONAPIEncoder().encode(draft.create)     // the request
/// let note = try draft.commit(with: answer)                // the store has it under the server's id
/// ```
///
/// The draft has a local identity, its lid: that of a `LocalID` in the model, or one of its own. Until `show` or `commit` the store does not
/// have the resource, so no list shows it. `show` puts it there under the lid; other resources may link to it. `commit` changes the lid
/// to the id everywhere in the store, linkage and waiting requests included.
///
/// With `clientID` the model's own id counts, which the server takes over.
///
/// To keep the request until there is a network, use `RequestQueue.create(_:)`.
///
/// Specification: <https://jsonapi.org/format/1.1/#crud-creating>
public struct NewDraft<Model: Resource>: Sendable {
    /// The value that is edited.
    public var value: Model

    let store: ResourceStore
    let sendsID: Bool
    private let lid = UUID().uuidString
    /// What the server calls the resource.
    private var final: ResourceIdentifier?

    init(_ value: Model, sendsID: Bool, _ store: ResourceStore) {
        self.value = value
        self.sendsID = sendsID
        self.store = store
    }
}

extension NewDraft {
    /// The resource: its type with its lid, with the id that the client has made, or, after `commit`, with the server's id.
    public var identifier: ResourceIdentifier {
        if let final { return final }
        guard let own = value.identifier, sendsID || own.id == nil else { return ResourceIdentifier(type: Model.type, lid: lid) }
        return own
    }

    /// The request body. The lid is written: a document that creates several resources refers to them by it.
    public var create: Create { Create(value, clientID: sendsID, lid: identifier.lid) }

    /// Whether the store has the resource.
    public var isShown: Bool { store.contains(identifier) }

    /// Puts the resource into the store as it is now, under its local identity. Shown again after an edit, it takes the place of what the
    /// store had of it.
    ///
    /// Throws `StoreError` after `commit`, and for a model whose id is not optional: without an id the store could not read it again.
    /// Throws `EncodingError` for a value that cannot be written.
    public func show() throws { try store.transaction { try $0.show(self) } }

    /// Puts the server's answer into the store, the resource's id in place of its lid, and returns the resource as the store has it now.
    ///
    /// Without a document, for an answer such as 204, the value counts as it is; that takes an id that the client has made.
    ///
    /// Throws `StoreError` when the answer is not one resource with an id, and `DecodingError` when it cannot be read. The store and the
    /// draft are as before then.
    @discardableResult
    public mutating func commit(with document: DocumentObject? = nil) throws -> Model {
        let (model, identifier) = try store.transaction { transaction in
            let identifier = try transaction.commit(self, document)
            guard let model = try transaction.resource(Model.self, identifier) else { throw store.unresolved(identifier, Model.self) }
            return (model, identifier)
        }
        final = identifier
        value = model
        return model
    }

    /// The same for a document that was read.
    @discardableResult
    public mutating func commit(with document: Document<Model>) throws -> Model { try commit(with: document.object) }

    /// Takes the resource out of the store again: the server has refused it, or the user has given up. The draft keeps its value, and may
    /// be shown again. After `commit` nothing happens.
    public func rollBack() {
        if final == nil { store.remove(identifier) }
    }
}

// MARK: - In a store

extension ResourceStore {
    /// A draft of a resource that does not exist yet. The store is not changed.
    ///
    /// `clientID` says that the id of the model is sent; without it the server makes one.
    public func draft<Model: Resource>(new value: Model, clientID: Bool = false) -> NewDraft<Model> {
        NewDraft(value, sendsID: clientID || (Model.ID.self is any OptionalID.Type && value.id.wireText != nil), self)
    }
}

/// An id type that may be nil.
private protocol OptionalID {}
extension Optional: OptionalID {}

extension StoreTransaction {
    /// Puts a new resource in, under its local identity.
    func show<Model: Resource>(_ draft: NewDraft<Model>) throws {
        try checkOpen()
        let identifier = draft.identifier
        if identifier.id != nil, !draft.sendsID {
            throw StoreError(.identityChanged, identifier, expected: "a draft without an answer", found: "one that is committed")
        }
        if draft.value.identifier?.isSameResource(as: identifier) == true {
            try ingest(draft.value, merging: .replace)
            return
        }
        guard Model.ID.self is any OptionalID.Type else {
            throw StoreError(
                .missingIdentity, identifier, expected: "a model that can be without an id",
                found: "\(Model.self), whose id is not optional",
                advice: "declare its id optional, or make the draft with clientID: true when the id is the client's")
        }
        let body = try store.encoder.encode(draft.create)
        guard var object = try JSON(parsing: Array(body))["data"]?.object.map(ResourceObject.init(members:)) else { return }
        object.lid = identifier.lid
        try ingest(object, merging: .replace)
    }

    /// Puts the answer to a creation in. Returns what the resource is called now.
    fileprivate func commit<Model: Resource>(_ draft: NewDraft<Model>, _ document: DocumentObject?) throws -> ResourceIdentifier {
        let local = draft.identifier
        guard let document, document.members.contains(name: "data") else {
            guard local.id != nil else { throw StoreError.withoutID(local) }
            try show(draft)
            return local
        }
        let created = try promote(local, by: document)
        try ingest(document)
        return created
    }

    /// Gives a resource the id that the answer to its creation has. Returns what the resource is called now.
    func promote(_ local: ResourceIdentifier, by document: DocumentObject?) throws -> ResourceIdentifier {
        guard case .one(let resource)? = document?.data, resource.type.utf8.elementsEqual(local.type.utf8), let id = resource.id else {
            throw StoreError.withoutID(local)
        }
        try promoteIfPresent(local, to: id)
        return ResourceIdentifier(type: local.type, id: id)
    }
}

extension StoreError {
    fileprivate static func withoutID(_ local: ResourceIdentifier) -> StoreError {
        StoreError(
            .missingIdentity, local, at: JSONPointer("data"), expected: "the resource that was created, with its id",
            found: "another answer",
            advice: "an answer without it can only be taken for a resource whose id the client has made")
    }
}
