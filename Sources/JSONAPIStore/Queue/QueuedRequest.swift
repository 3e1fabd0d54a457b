import Foundation
public import JSONAPICodec
import JSONText

/// A request that waits in a `RequestQueue` until it is sent and answered.
///
/// It knows no addresses: make one from `method`, `target` and `relationship`, as `AddressTemplates` of the module JSONAPIHTTP does.
///
/// ```
/// operation    method  address                                      body
/// create       POST    /articles                                    the resource
/// update       PATCH   /articles/1                                  what has changed
/// delete       DELETE  /articles/1                                  none
/// add          POST    /articles/1/relationships/tags               linkage
/// remove       DELETE  /articles/1/relationships/tags               linkage
/// replace      PATCH   /articles/1/relationships/tags               linkage
/// ```
///
/// Specification: <https://jsonapi.org/format/1.1/#crud>
public struct QueuedRequest: Sendable, Identifiable {
    /// What a request does. The set may grow: always handle the rest.
    public struct Operation: Sendable, Hashable, CustomStringConvertible {
        /// The operation's name, as `create`.
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
        /// Replaces what a relationship links to.
        public static let replace = Operation("replace")
    }

    /// How far a request has come. The set may grow: always handle the rest.
    public struct State: Sendable, Hashable, CustomStringConvertible {
        /// The state's name, as `waiting`.
        public let description: String
        init(_ name: String) { description = name }

        /// It has not been sent, or is to be sent again.
        public static let waiting = State("waiting")
        /// It was handed out to be sent, and its answer is not known.
        public static let sent = State("sent")
        /// The server refused it: `error` says why.
        public static let failed = State("failed")
    }

    /// Identifies the request as long as it is in the queue, across launches of the program.
    public var id: UUID { key.id }

    /// What it does.
    public let operation: Operation

    /// Which resource it is about. A resource to be created has a lid, or the id that the client made.
    public internal(set) var target: ResourceIdentifier

    /// The relationship that it changes; nil unless it is `add`, `remove` or `replace`.
    public let relationship: String?

    /// The document to send; nil for a deletion.
    public internal(set) var document: DocumentObject?

    /// The entity tag of the resource that was changed, for the header `If-Match`; nil for a request that is made whatever the server has.
    public internal(set) var entityTag: String?

    /// How far it has come.
    public internal(set) var state = State.waiting

    /// Why the server refused it; nil unless it has failed.
    public internal(set) var error: ErrorDocument?

    /// How what it did to the store is taken back.
    var undo = Undo.nothing

    let key: RequestKey

    init(
        _ key: RequestKey, _ operation: Operation, _ target: ResourceIdentifier, relationship: String? = nil, document: DocumentObject?,
        entityTag: String?, undo: Undo = .nothing
    ) {
        self.key = key
        self.operation = operation
        self.target = target
        self.relationship = relationship
        self.document = document
        self.entityTag = entityTag
        self.undo = undo
    }

    /// What takes the change of a request back.
    enum Undo: Sendable {
        case nothing
        /// Fields as they were.
        case edit(ResourceEdit)
        /// The resource as it was.
        case resource(ResourceObject)
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
    /// The lid of a resource to be created is left out where nothing in the document refers to it: servers that know only JSON:API 1.0
    /// may refuse it.
    public var body: Data? {
        guard let document = sentDocument else { return nil }
        // It was written when the request was queued.
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

    /// Whether sending it twice does what sending it once does: true for everything but the creation of a resource without an id.
    ///
    /// Of a request with an entity tag the second answer may be 412, though the first one succeeded.
    public var isRepeatable: Bool { operation != .create || target.id != nil }
}

extension QueuedRequest: CustomStringConvertible {
    /// What it does to which resource, and how far it has come.
    public var description: String {
        let place = relationship.map { "\(target) \($0)" } ?? "\(target)"
        return "\(operation) \(place): \(state)"
    }
}

// MARK: - Resources

extension QueuedRequest {
    /// The resource that it is about.
    var identity: StoredIdentity? { StoredIdentity(target) }

    /// The resources that its document links to.
    var linked: [StoredIdentity] {
        guard let document else { return [] }
        if relationship != nil { return document.linkage.identifiers.compactMap(StoredIdentity.init) }
        let relationships = document.data.resources.first?.relationships ?? Relationships(members: JSONObject())
        return relationships.flatMap { $1.data.identifiers.compactMap(StoredIdentity.init) }
    }

    /// The resource that it is about, and those that it links to.
    var mentioned: [StoredIdentity] { (identity.map { [$0] } ?? []) + linked }
}
