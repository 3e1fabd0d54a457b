import JSONAPICodec
import JSONText

/// A resource below the changes of the requests that wait for it: as the server is known to have it.
///
/// ```
/// the server has                  title A
/// a request that sets title B     title B    takes back: title A
/// a request that sets title C     title C    takes back: title B       what the store shows
/// ```
///
/// The requests are taken back, newest first; whoever asks changes `object`, and `finish` makes the requests again, so that each takes back
/// to what it finds then.
///
/// A creation is not taken back: below it there is no resource.
struct RequestLayers {
    private let identity: StoredIdentity
    private let pending: PendingChanges
    /// The requests that were taken back, oldest first.
    private var requests: [QueuedRequest]

    /// The resource below these requests; nil where there is none.
    var object: ResourceObject?

    /// Nil when no requests wait for the resource.
    init?(_ identity: StoredIdentity, _ pending: PendingChanges) throws {
        let requests = pending.requests(about: identity)
        guard !requests.isEmpty else { return nil }
        let start = requests.lastIndex { $0.operation == .create }.map { $0 + 1 } ?? 0
        try self.init(identity, pending, Array(requests[start...]))
    }

    /// The resource below a request, which goes.
    init(below request: QueuedRequest, _ identity: StoredIdentity, _ pending: PendingChanges) throws {
        try self.init(identity, pending, pending.requests(about: identity).filter { $0.key >= request.key })
        requests.removeAll { $0.key == request.key }
        pending.setKept(.request(request.key), .remove)
    }

    private init(_ identity: StoredIdentity, _ pending: PendingChanges, _ requests: [QueuedRequest]) throws {
        self.identity = identity
        self.pending = pending
        self.requests = requests
        object = try pending.text(identity).flatMap(StoredText.object)
        for request in requests.reversed() { object = request.takenBack(from: object) }
    }

    var text: [UInt8]? { get throws { try object.map(StoredText.text) } }

    /// Makes the requests again, on top of `object`.
    mutating func finish() throws {
        for request in requests {
            let (object, undo) = request.made(on: object)
            self.object = object
            var changed = request
            changed.undo = undo
            pending.setKept(.request(request.key), .put(try KeptValue(changed)))
        }
        if let text = try text {
            pending.set(identity, .put(text))
        } else if try pending.text(identity) != nil {
            pending.set(identity, .remove)
        }
    }
}

extension QueuedRequest {
    /// A resource without what the request did to it.
    fileprivate func takenBack(from object: ResourceObject?) -> ResourceObject? {
        switch undo {
        case .edit(let edit): object.map(edit.applied)
        case .resource(let deleted): object ?? deleted
        case .nothing: operation == .create ? nil : object
        }
    }

    /// A resource with what the request does to it, and what takes that back.
    fileprivate func made(on object: ResourceObject?) -> (object: ResourceObject?, undo: Undo) {
        switch operation {
        case .create: return (object ?? document?.data.resources.first, .nothing)
        case .delete: return (nil, object.map(Undo.resource) ?? .nothing)
        default:
            guard let object else { return (nil, .nothing) }
            let changed = self.changed(object)
            return (changed, .edit(ResourceEdit(target, from: changed, to: object)))
        }
    }

    /// A resource with the changes of an update, or of a request about one of its relationships.
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
            // Of a relationship that is not loaded nobody knows what else it links to.
            guard case .many(let present) = details.data else { return object }
            details.data = .many(present + linkage.identifiers.filter { new in !present.contains { $0.isSameResource(as: new) } })
        default:
            guard case .many(let present) = details.data else { return object }
            details.data = .many(present.filter { old in !linkage.identifiers.contains { $0.isSameResource(as: old) } })
        }
        result[relationship: relationship] = details
        return result
    }
}
