import Foundation
public import JSONAPICodec
import JSONText

/// A request that waits in a `RequestQueue` of the module JSONAPIStore until it is sent and answered.
///
/// A request contains no address. Create the address from `method`, `target` and `relationship`. `AddressTemplates` of the module
/// JSONAPIHTTP does that. It contains no headers either: `MediaType.jsonapi.requestHeaders(hasDocument: body != nil)` creates them.
///
/// ```
/// operation    method  address                                      body
/// create       POST    /articles                                    the resource
/// update       PATCH   /articles/1                                  the changed fields
/// delete       DELETE  /articles/1                                  none
/// add          POST    /articles/1/relationships/tags               linkage
/// remove       DELETE  /articles/1/relationships/tags               linkage
/// replace      PATCH   /articles/1/relationships/tags               linkage
/// ```
///
/// Specification: <https://jsonapi.org/format/1.1/#crud>
public struct QueuedRequest: Sendable, Identifiable {
    /// What a request does. New values may be added, so always handle the rest.
    public struct Operation: Sendable, Hashable, CustomStringConvertible {
        /// The operation's name, such as `create`.
        public let description: String
        init(_ name: String) { description = name }

        /// Creates a resource.
        public static let create = Operation("create")
        /// Changes fields of a resource.
        public static let update = Operation("update")
        /// Deletes a resource.
        public static let delete = Operation("delete")
        /// Adds to a to-many relationship.
        public static let add = Operation("add")
        /// Removes from a to-many relationship.
        public static let remove = Operation("remove")
        /// Replaces the linkage of a relationship.
        public static let replace = Operation("replace")
    }

    /// The progress of a request. New values may be added, so always handle the rest.
    public struct State: Sendable, Hashable, CustomStringConvertible {
        /// The state's name, such as `waiting`.
        public let description: String
        init(_ name: String) { description = name }

        /// The request has not been sent, or will be sent again.
        public static let waiting = State("waiting")
        /// The program has received the request from `next`, and the answer is not known yet.
        public static let sent = State("sent")
        /// The server refused the request, a rewriter refused its document, or another program has removed the creation that it needs from the
        /// queue. The property `error` contains the reason.
        public static let failed = State("failed")
    }

    /// The identity of the request as long as it is in the queue. It stays the same when the program is launched again.
    public var id: UUID { key.id }

    /// What the request does.
    public let operation: Operation

    /// The resource that the request changes. A new resource has a lid, or an id that the client made.
    public package(set) var target: ResourceIdentifier

    /// The relationship that the request changes; nil unless the operation is `add`, `remove` or `replace`.
    public package(set) var relationship: String?

    /// The document to send; nil for a deletion.
    public package(set) var document: DocumentObject? {
        get { presented?.document ?? written }
        set { (written, presented) = (newValue, nil) }
    }

    /// The document as the store has it.
    private var written: DocumentObject?

    /// What the program gets as the document, if that is another one.
    package var presented: LazyDocument?

    /// The entity tag of the resource, as the text of the header `If-Match`. Nil if the request does not depend on the version on the
    /// server.
    public package(set) var entityTag: String?

    /// The progress of the request.
    public package(set) var state = State.waiting

    /// The reason for which the request has failed; nil unless it has.
    public package(set) var error: ErrorDocument?

    /// Whether the server may have carried out the request: it was sent before, and the program does not know that the server refused it.
    package var mayHaveArrived = false

    /// The values of the fields that the request changes only in the store, because clients must not write them. Nil if there are none.
    package var unsent: ResourceObject?

    /// Whether the ids of the model are UUIDs, so that the server may answer with another spelling of the id.
    package var hasUUID = false

    /// How to undo the change of the request in the store.
    package var undo = Undo.nothing

    /// The fields that a creation leaves out, because clients must not write them.
    package var leftOut: [String] = []

    /// The place of a deleted resource in the list of its type; nil for other operations, and if it is not known.
    package var place: ListPlace?

    package let key: RequestKey

    package init(
        _ key: RequestKey, _ operation: Operation, _ target: ResourceIdentifier, relationship: String? = nil, document: DocumentObject?,
        entityTag: String?, undo: Undo = .nothing
    ) {
        self.key = key
        self.operation = operation
        self.target = target
        self.relationship = relationship
        written = document
        self.entityTag = entityTag
        self.undo = undo
    }

    /// How to undo the change of a request.
    package enum Undo: Sendable {
        case nothing
        /// Restores the earlier values of fields.
        case edit(ResourceEdit)
        /// Restores the members of a to-many relationship.
        case linkage(LinkageEdit)
        /// Restores a deleted resource, or one that a creation has replaced.
        case resource(ResourceObject)
        /// Restores what the server has sent of the resource since its creation was queued.
        case arrived(ResourceObject)
    }
}

extension QueuedRequest.Undo: Equatable {
    package static func == (a: Self, b: Self) -> Bool {
        switch (a, b) {
        case (.nothing, .nothing): true
        case (.edit(let a), .edit(let b)):
            a.identifier == b.identifier && a.values.elementsEqual(b.values) { $0.place == $1.place && $0.value == $1.value }
        case (.linkage(let a), .linkage(let b)): a == b
        case (.resource(let a), .resource(let b)), (.arrived(let a), .arrived(let b)): a == b
        default: false
        }
    }
}

// MARK: - To be sent

extension QueuedRequest {
    /// The HTTP method: POST, PATCH or DELETE.
    public var method: String {
        switch operation {
        case .create, .add: "POST"
        case .update, .replace: "PATCH"
        default: "DELETE"
        }
    }

    /// The text of `document`; nil for a deletion.
    ///
    /// The body of a creation omits the lid if nothing in the document refers to it. Servers that know only JSON:API 1.0 may refuse a lid.
    public var body: Data? {
        guard let document = sentDocument else { return nil }
        // Writing cannot fail, because the document was written once when the request was queued.
        return (try? JSONWriter().write(document.json)).map { Data($0) }
    }

    private var sentDocument: DocumentObject? {
        guard operation == .create, var document, case .one(var resource) = document.data else { return document }
        let refersToItself = (resource.relationships ?? Relationships(members: JSONObject())).contains { _, relationship in
            relationship.data.identifiers.contains { $0.isSameResource(as: target) }
        }
        guard !refersToItself else { return document }
        resource.lid = nil
        document.data = .one(resource)
        return document
    }

    /// Whether sending the request twice has the same effect as sending it once. This is false only for the creation of a resource without
    /// an id.
    ///
    /// The second answer to a request with an entity tag may be 412, even if the first request succeeded. The second answer to the creation
    /// of a resource with an id from the client is 409 then. Fetch the resource, and call `RequestQueue.finish(_:with:)` with the document.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-creating-responses-409>
    public var isRepeatable: Bool { operation != .create || target.id != nil }
}

extension QueuedRequest: CustomStringConvertible {
    /// The operation, the resource and the state.
    public var description: String {
        let place = relationship.map { "\(target) \($0)" } ?? "\(target)"
        return "\(operation) \(place): \(state)"
    }
}

// MARK: - Resources

extension QueuedRequest {
    /// The identity of the resource that the request changes.
    package var identity: StoredIdentity? { StoredIdentity(target) }

    /// Whether the request creates a resource that the store did not have. What the server sends then belongs to the new resource.
    package var createsNewResource: Bool {
        switch undo {
        case .nothing, .arrived: operation == .create
        case .edit, .linkage, .resource: false
        }
    }

    /// The resources that its document links to.
    package var linked: [StoredIdentity] {
        guard let document else { return [] }
        if relationship != nil { return document.linkage.identifiers.compactMap(StoredIdentity.init) }
        let relationships = document.data.resources.first?.relationships ?? Relationships(members: JSONObject())
        return relationships.flatMap { $1.data.identifiers.compactMap(StoredIdentity.init) }
    }

    /// The resource that the request changes, and those that its document links to.
    package var mentioned: [StoredIdentity] { (identity.map { [$0] } ?? []) + linked }
}
