import JSONAPICodec
import JSONText

/// A resource without the changes of the requests that wait for it. This is the last state that the server is known to have.
///
/// ```
/// the server has                  title A
/// a request that sets title B     title B    undone by: title A
/// a request that sets title C     title C    undone by: title B       what the store shows
/// ```
///
/// The initializers undo the changes of the requests, newest first. The caller then changes `object`. Finally, `finish` applies the changes
/// again, and notes for each request how to undo it now.
///
/// What the program has changed on top of the requests without a request of its own stays on top of them: a local edit of a field that a
/// request changes, and the change of a request that was skipped.
///
/// The initializer for arriving resources does not undo the creation of a new resource, because arriving values belong to that resource.
struct RequestLayers {
    private let identity: StoredIdentity
    private let pending: PendingChanges
    /// The requests whose changes were undone, oldest first.
    private var requests: [QueuedRequest]
    /// The one of these requests that leaves the queue, and whose change stays visible.
    private var settled: RequestKey?
    /// The changes on top of the requests; nil if there are none.
    private let localEdit: ResourceEdit?

    /// The resource without the changes of these requests; nil if there is none.
    var object: ResourceObject?

    /// Returns nil if no requests wait for the resource.
    init?(_ identity: StoredIdentity, _ pending: PendingChanges) throws {
        let requests = pending.requests(about: identity)
        guard !requests.isEmpty else { return nil }
        try self.init(identity, pending, Self.afterCreation(requests))
    }

    /// Returns the requests without the creation of a new resource. A creation after a deletion, or over a resource that the store had, is not
    /// left out.
    private static func afterCreation(_ requests: [QueuedRequest]) -> [QueuedRequest] {
        guard let first = requests.first, first.operation == .create, case .nothing = first.undo else { return requests }
        return Array(requests.dropFirst())
    }

    /// Removes a request from the queue and keeps its change. The change becomes a part of the resource below the other requests. It stays
    /// visible on top of earlier requests.
    static func settle(_ request: QueuedRequest, _ pending: PendingChanges) throws {
        guard let identity = request.identity, let first = pending.firstRequest(about: identity), first.key < request.key else {
            // The oldest change already is below all others.
            pending.setKept(.request(request.key), .remove)
            return
        }
        let requests = pending.requests(about: identity)
        pending.setKept(.request(request.key), .remove)
        var layers = try RequestLayers(identity, pending, requests)
        layers.object = request.made(on: layers.object).object
        layers.settled = request.key
        try layers.finish()
    }

    /// Makes the changes of the requests about a resource on top of its text, which must not contain these changes.
    static func make(on identity: StoredIdentity, _ pending: PendingChanges) throws {
        var layers = try RequestLayers(identity, pending, [])
        layers.requests = pending.requests(about: identity).filter { $0.operation != .create }
        try layers.finish()
    }

    /// Undoes a request and all later ones about the resource, and removes the request from the queue.
    init(below request: QueuedRequest, _ identity: StoredIdentity, _ pending: PendingChanges) throws {
        try self.init(identity, pending, pending.requests(about: identity).filter { $0.key >= request.key })
        requests.removeAll { $0.key == request.key }
        pending.setKept(.request(request.key), .remove)
    }

    private init(_ identity: StoredIdentity, _ pending: PendingChanges, _ requests: [QueuedRequest]) throws {
        self.identity = identity
        self.pending = pending
        self.requests = requests
        let current = try pending.object(identity)
        let bottom = requests.reversed().reduce(current) { $1.takenBack(from: $0) }
        object = bottom
        let made = requests.reduce(bottom) { $1.made(on: $0).object }
        localEdit =
            if let made, let current, made != current {
                ResourceEdit(identity.identifier, from: made, to: current).without(Self.unsent(requests, bottom, made))
            } else {
                nil
            }
    }

    /// Returns the fields that requests change only in the store, because clients must not write them.
    private static func unsent(_ requests: [QueuedRequest], _ bottom: ResourceObject?, _ made: ResourceObject) -> Set<JSONPointer> {
        let (before, after) = (JSON.object(bottom?.members ?? JSONObject()), JSON.object(made.members))
        let undone = requests.flatMap { request -> [JSONPointer] in
            if case .edit(let edit) = request.undo { edit.fields } else { [] }
        }
        return Set(undone.filter { before[pointer: $0] == after[pointer: $0] })
    }

    var text: [UInt8]? { get throws { try object.map(StoredText.text) } }

    /// Applies the changes of the requests to `object` again.
    mutating func finish() throws {
        for request in requests {
            let (object, undo) = request.made(on: object)
            self.object = object
            if request.key == settled { continue }
            var changed = request
            changed.undo = undo
            pending.setKept(.request(request.key), .put(try KeptValue(changed)))
        }
        if let localEdit { object = object.map(localEdit.applied) }
        if let text = try text {
            pending.set(identity, .put(text))
        } else if try pending.text(identity) != nil {
            pending.set(identity, .remove)
        }
    }
}

extension QueuedRequest {
    /// Returns the resource without the change of the request.
    func takenBack(from object: ResourceObject?) -> ResourceObject? {
        switch undo {
        case .edit(let edit): object.map(edit.applied)
        case .resource(let earlier): operation == .create ? earlier : object ?? earlier
        case .nothing: operation == .create ? nil : object
        }
    }

    /// Returns the resource with the change of the request, and how to undo the change.
    func made(on object: ResourceObject?) -> (object: ResourceObject?, undo: Undo) {
        switch operation {
        case .create: return (document?.data.resources.first ?? object, object.map(Undo.resource) ?? .nothing)
        case .delete: return (nil, object.map(Undo.resource) ?? .nothing)
        default:
            guard let object else { return (nil, .nothing) }
            let changed = self.changed(object)
            return (changed, .edit(ResourceEdit(target, from: changed, to: object)))
        }
    }

    /// Returns the resource with the changes of an update, or of a request about one of its relationships.
    func changed(_ object: ResourceObject) -> ResourceObject {
        guard let relationship else {
            return document?.data.resources.first.map { ResourceMerge.patched(object, by: $0) } ?? object
        }
        var result = object
        var details = object[relationship: relationship] ?? RelationshipObject()
        let linkage = document?.linkage ?? .absent
        switch operation {
        case .replace: details.data = linkage
        case .add:
            // If the relationship is not loaded, its other members are not known.
            guard case .many(let present) = details.data else { return object }
            details.data = .many(present + linkage.identifiers.without(present))
        default:
            guard case .many(let present) = details.data else { return object }
            details.data = .many(present.without(linkage.identifiers))
        }
        result[relationship: relationship] = details
        return result
    }
}

extension [ResourceIdentifier] {
    /// Returns the elements that identify none of the other resources.
    fileprivate func without(_ others: [ResourceIdentifier]) -> [ResourceIdentifier] {
        let known = Set(others.compactMap(StoredIdentity.init))
        return filter { identifier in StoredIdentity(identifier).map { !known.contains($0) } ?? true }
    }
}
