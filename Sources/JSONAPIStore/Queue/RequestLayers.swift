import JSONAPIArchive
import JSONAPICodec
import JSONText

/// A resource without the changes of the requests that wait for it. This is the last state that the server is known to have.
///
/// ```
/// the server has                  title A
/// a request that sets title B     title B    undone by: title A
/// a local edit                    title C
/// a request that sets title D     title D    undone by: title C       what the store shows
/// ```
///
/// The initializers undo the changes of the requests, newest first. The caller then changes `object`. Finally, `finish` applies the changes
/// again, and notes for each request how to undo it now.
///
/// What the program has changed without a request of its own keeps its place between the requests if an earlier request changes the same
/// field: a local edit, and the change of a request that was skipped. In all other fields, what arrives replaces such a change.
///
/// The initializer for arriving resources does not undo the creation of a new resource, because arriving values belong to that resource. The
/// creation notes them for a rollback.
///
/// Undoing and applying take O(n + m), n = size of the documents of these requests, m = size of the resource.
struct RequestLayers {
    private struct Layer {
        /// Nil if the request has left the queue.
        var request: QueuedRequest?
        /// What the program has changed between this request and the next one; nil if there is nothing.
        var localEdit: ResourceEdit?

        /// The same layer without its request. What the program has changed on top of it stays.
        var withoutRequest: Layer {
            // On top of a creation are also the values that have arrived, which are below it now.
            if case .arrived? = request?.undo { return Layer() }
            return Layer(localEdit: localEdit)
        }
    }

    private let identity: StoredIdentity
    private let pending: PendingChanges
    /// What was undone, oldest first.
    private var layers: [Layer]
    /// The creation of a new resource, which is not undone.
    private var creation: QueuedRequest?
    /// The request that leaves the queue, and whose change stays visible.
    private var settled: RequestKey?
    private var edited: EditedResource

    /// The resource without the changes of these requests; nil if there is none.
    var object: ResourceObject? {
        get { edited.object }
        set { edited = EditedResource(newValue) }
    }

    /// Returns nil if no requests wait for the resource.
    init?(_ identity: StoredIdentity, _ pending: PendingChanges) throws {
        let requests = pending.requests(about: identity)
        guard !requests.isEmpty else { return nil }
        try self.init(identity, pending, below: requests)
    }

    /// Undoes these requests, oldest first, whose changes the text of the resource has. Some can have left the queue.
    init(_ identity: StoredIdentity, _ pending: PendingChanges, below requests: [QueuedRequest]) throws {
        // A creation after a deletion, over a resource that the store had, or that has left the queue, is undone as well.
        let creation = requests.first.flatMap { $0.createsNewResource && Self.current($0, pending) != nil ? $0 : nil }
        try self.init(identity, pending, creation == nil ? requests : Array(requests.dropFirst()))
        self.creation = creation
    }

    /// Notes what the server has sent, which stays when the creation is rolled back. The server does not know a resource with a lid.
    ///
    /// - Parameter merge: merges the object with what the server had sent before.
    mutating func noteArrival(of object: ResourceObject, _ merge: (ResourceObject) throws -> ResourceObject) throws {
        guard !identity.isLocal, let undo = creation?.undo else { return }
        if case .arrived(let known) = undo {
            creation?.undo = .arrived(try merge(known))
        } else {
            creation?.undo = .arrived(object)
        }
    }

    /// Gives the fields of the requests that have left the queue the values of another state of the resource, which lacks these requests. If the
    /// other state has no resource, the changes of these requests stay, if this store knows that they have succeeded.
    mutating func takeEndedFields(from other: RequestLayers) {
        let ended = layers.compactMap(\.request).filter { Self.current($0, pending) == nil }
        guard edited.exists, other.edited.exists else {
            if !other.edited.exists, ended.contains(where: { $0.operation == .delete }) { edited = EditedResource(nil) }
            for request in ended where edited.exists && pending.hasSucceeded(request) {
                let values = edited.assignments(of: request)
                edited.apply(ResourceEdit(identifier: identity.identifier, values: values))
            }
            return
        }
        let places = ended.flatMap { edited.assignments(of: $0).map(\.place) }
        var state = other.edited
        edited.apply(ResourceEdit(identifier: identity.identifier, values: places.map { (place: $0, value: state.value(at: $0)) }))
    }

    /// Adds the layers of another state of the resource, each in its place, and puts all on top of a merged resource. Of a request that both
    /// have, this state's way to undo it counts, and otherwise what is in the queue. Requests that have left the queue are left out.
    ///
    /// - Parameter merge: merges a resource of this state with one of the other state.
    mutating func join(
        _ others: RequestLayers, on merged: ResourceObject?, _ merge: (ResourceObject, ResourceObject) throws -> ResourceObject
    ) throws {
        // What the side without the creation has is what the server has sent.
        if creation == nil {
            creation = others.creation
            if let object { try noteArrival(of: object) { try merge(object, $0) } }
        } else if others.creation == nil, let sent = others.object {
            try noteArrival(of: sent) { try merge($0, sent) }
        }
        var all: [RequestKey: Layer] = [:]
        for layer in others.layers + layers { if let key = layer.request?.key { all[key] = layer } }
        layers = all.sorted { $0.key < $1.key }.map(\.value)
        takeCurrentRequests()
        object = merged
    }

    private mutating func takeCurrentRequests() {
        let pending = pending
        layers = layers.map { layer in
            guard let request = layer.request.flatMap({ Self.current($0, pending) }) else { return layer.withoutRequest }
            return Layer(request: request, localEdit: layer.localEdit)
        }
        guard let known = creation else { return }
        creation = Self.current(known, pending)
        creation?.undo = known.undo
    }

    /// Returns a request as it is in the queue now; nil if it has left the queue.
    private static func current(_ request: QueuedRequest, _ pending: PendingChanges) -> QueuedRequest? {
        pending.kept(.request(request.key))?.request
    }

    /// Removes a request from the queue and keeps its change. The change becomes a part of the resource below the other requests. Where earlier
    /// requests change the same fields, it stays visible on top of them.
    static func settle(_ request: QueuedRequest, _ pending: PendingChanges) throws {
        guard let identity = request.identity, let first = pending.firstRequest(about: identity), first.key < request.key else {
            // The oldest change already is below all others.
            pending.setKept(.request(request.key), .remove)
            return
        }
        let requests = pending.requests(about: identity)
        pending.setKept(.request(request.key), .remove)
        var layers = try RequestLayers(identity, pending, requests)
        if request.operation == .create, let below = layers.object, let created = request.document?.data.resources.first {
            // The creation follows a deletion, and the server has not deleted what is below.
            layers.object = ResourceMerge.merged(below, with: created)
        } else {
            _ = layers.edited.make(request)
        }
        layers.settled = request.key
        try layers.finish()
    }

    /// Makes the changes of the requests about a resource on top of its text, which must not contain these changes. A creation belongs to the
    /// text, unless it follows a deletion.
    ///
    /// - Parameter localEdits: what the program has changed on top of each request.
    static func make(on identity: StoredIdentity, _ pending: PendingChanges, _ localEdits: [RequestKey: ResourceEdit]) throws {
        var layers = try RequestLayers(identity, pending, [])
        let requests = pending.requests(about: identity)
        let deletion = requests.firstIndex { $0.operation == .delete } ?? requests.count
        layers.layers = requests.enumerated().filter { $0.offset > deletion || $0.element.operation != .create }
            .map { Layer(request: $0.element, localEdit: localEdits[$0.element.key]) }
        try layers.finish()
    }

    /// What the program has changed on top of each request, without a request of its own.
    var localEdits: [RequestKey: ResourceEdit] {
        var edits: [RequestKey: ResourceEdit] = [:]
        for layer in layers { if let key = layer.request?.key { edits[key] = layer.localEdit } }
        return edits
    }

    /// Takes the requests as they are in the queue now, because identities in them were replaced.
    ///
    /// - Parameter rewritten: returns a local edit with the new identities.
    mutating func rewrite(_ rewritten: (ResourceEdit) -> ResourceEdit) {
        let pending = pending
        creation = creation.flatMap { Self.current($0, pending) }
        layers = layers.map { layer in
            Layer(request: layer.request.flatMap { Self.current($0, pending) }, localEdit: layer.localEdit.map { rewritten($0) })
        }
    }

    /// Undoes requests about the resource and all later ones, and removes the requests from the queue.
    init(without gone: [QueuedRequest], _ identity: StoredIdentity, _ pending: PendingChanges) throws {
        let keys = Set(gone.map(\.key))
        let later = keys.min().map { pending.requests(about: identity, from: $0) } ?? []
        try self.init(identity, pending, later)
        for (index, request) in later.enumerated() where keys.contains(request.key) {
            layers[index] = layers[index].withoutRequest
        }
        for key in keys { pending.setKept(.request(key), .remove) }
    }

    private init(_ identity: StoredIdentity, _ pending: PendingChanges, _ requests: [QueuedRequest]) throws {
        self.identity = identity
        self.pending = pending
        var edited = EditedResource(try pending.object(identity))
        layers = requests.reversed().map { request in
            Layer(request: request, localEdit: edited.takeBackWithLocalEdit(request))
        }.reversed()
        self.edited = edited
    }

    var text: [UInt8]? { get throws { try object.map(StoredText.text) } }

    /// Applies the changes of the requests to `object` again.
    mutating func finish() throws {
        for layer in layers {
            if let request = layer.request { try make(request) }
            if let localEdit = layer.localEdit, edited.exists { edited.apply(localEdit) }
        }
        if let creation, pending.kept(.request(creation.key))?.request?.undo != creation.undo {
            pending.setKept(.request(creation.key), .put(try KeptValue(creation)))
        }
        if let text = try text {
            pending.set(identity, .put(text))
        } else if try pending.text(identity) != nil {
            pending.set(identity, .remove)
        }
    }

    private mutating func make(_ request: QueuedRequest) throws {
        let undo = edited.make(request)
        guard request.key != settled, undo != request.undo else { return }
        var changed = request
        changed.undo = undo
        pending.setKept(.request(request.key), .put(try KeptValue(changed)))
    }
}
