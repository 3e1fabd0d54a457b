import JSONAPICodec
import JSONText

/// The waiting requests about one resource, and the states of the resource below and above the change of each. A request contains only how to
/// undo its change, so a migration needs the states.
///
/// ```
/// below[0]       the resource as the server has it
/// requests[0]
/// above[0]       the resource with the change of the first request
/// unsent[0]      below[0] with only the fields that the first request does not send
/// below[1]       the same, with what the program has changed without a request
/// …
/// ```
struct RequestMigration {
    fileprivate struct States: Equatable {
        var below: [ResourceObject?]
        var above: [ResourceObject?]
        /// Nil for a request that sends all its fields.
        var unsent: [ResourceObject?]

        init(below: [ResourceObject?], above: [ResourceObject?], unsent: [ResourceObject?]) {
            (self.below, self.above, self.unsent) = (below, above, unsent)
        }

        /// Takes apart what `all` has put together.
        init(_ all: [ResourceObject?]) {
            let count = all.count / 3
            self.init(below: Array(all[..<count]), above: Array(all[count..<(2 * count)]), unsent: Array(all[(2 * count)...]))
        }

        var all: [ResourceObject?] { below + above + unsent }
    }

    private var target: ResourceIdentifier
    private var requests: [QueuedRequest]
    private var states: States
    /// The states before all migrations.
    private let originalStates: States

    /// - Parameter requests: the requests about a resource, oldest first.
    private init(_ requests: [QueuedRequest], about identity: StoredIdentity, shown: ResourceObject?) {
        target = identity.identifier
        self.requests = requests
        var edited = EditedResource(shown)
        var states = [shown]
        for request in requests.reversed() {
            edited.takeBack(request)
            states.append(edited.object)
        }
        states.reverse()
        let above = requests.indices.map { Self.state(after: requests[$0], on: states[$0], shown: states[$0 + 1]) }
        let unsent = requests.indices.map { index -> ResourceObject? in
            var edited = EditedResource(states[index])
            return edited.setUnsent(of: requests[index]) ? edited.object : nil
        }
        self.states = States(below: Array(states.dropLast()), above: above, unsent: unsent)
        originalStates = self.states
    }

    /// Returns what a request makes of a state. A local edit on top of it is not a part of the request.
    private static func state(after request: QueuedRequest, on state: ResourceObject?, shown: ResourceObject?) -> ResourceObject? {
        // What has arrived for a new resource belongs to it.
        if request.operation == .create { return shown }
        var edited = EditedResource(state)
        _ = edited.make(request)
        return edited.exists ? edited.object : shown
    }

    /// Returns the waiting requests among the keys of an archive. Requests that cannot be read are left out.
    static func all(_ roots: [(name: String, root: ArchiveRoot)], _ texts: [StoredIdentity: [UInt8]]) -> [RequestMigration] {
        let requests = roots.compactMap { name, root -> QueuedRequest? in
            guard case .request(let key)? = StoreKey(archiveKey: name), case .value(let text) = root, let json = try? JSON(parsing: text)
            else { return nil }
            return QueuedRequest(key, json)
        }
        var byTarget: [StoredIdentity: [QueuedRequest]] = [:]
        for request in requests { if let identity = request.identity { byTarget[identity, default: []].append(request) } }
        return byTarget.map { identity, requests in
            RequestMigration(requests.sorted { $0.key < $1.key }, about: identity, shown: texts[identity].flatMap(StoredText.object))
        }
    }

    /// Migrates all states, and the bodies of creations. Changes nothing if the migration removes the resource in one of the states.
    mutating func apply(_ migration: ArchiveModel.Migration, _ old: ArchiveModel.OldResources) throws {
        let before = states.all
        let results = try before.map { state in try state.flatMap { try migration.migrate($0, old).first } }
        // A body for which the migration throws stays.
        let bodies = requests.map { request -> ResourceObject? in
            guard request.operation == .create, let body = request.document?.data.resources.first else { return nil }
            return try? migration.migrate(body, old).first
        }
        // If the store has removed the resource, only the bodies have an identity.
        guard zip(before, results).allSatisfy({ ($0 == nil) == ($1 == nil) }),
            let identity = (bodies + results).compactMap({ $0 }).last?.identifier.flatMap(StoredIdentity.init)
        else { return }
        target = identity.identifier
        let migrated = results.map { result in result.map { ResourceObject($0, as: identity.identifier) } }
        states = States(migrated)
        for (index, body) in bodies.enumerated() {
            if let body { requests[index].document?.data = .one(ResourceObject(body, as: target)) }
        }
    }

    /// The migrated requests.
    var result: [QueuedRequest] {
        guard states != originalStates || requests.first?.identity != StoredIdentity(target) else { return requests }
        return requests.indices.map { index in
            var request = requests[index]
            let (before, after) = (states.below[index], states.above[index])
            request.target = target
            switch request.undo {
            case .nothing: break
            case .resource: if let before { request.undo = .resource(before) }
            case .arrived: if let before { request.undo = .arrived(before) }
            case .edit, .linkage: if let before, let after { request.undo = .edit(ResourceEdit(target, from: after, to: before)) }
            }
            if request.operation == .update, let body = request.document?.data.resources.first {
                let (sent, unsent) = updated(body, request.unsent, at: index)
                request.document?.data = .one(sent)
                request.unsent = unsent
            }
            return request
        }
    }

    /// Returns the body of an update, and its fields that are not sent, with the fields in which the migrated states differ. The migration
    /// itself never sees a body of an update, because it could add fields that the program did not change. Leaves all fields as they are if
    /// they are not those that the update has changed, or if none would be sent.
    private func updated(_ body: ResourceObject, _ unsent: ResourceObject?, at index: Int) -> (ResourceObject, ResourceObject?) {
        // The server can have sent the value of a field that is not sent.
        let others = Set(unsent.map(ResourceFields.places) ?? [])
        let places = others.union(ResourceFields.places(of: body))
        if originalStates.changes(at: index)?.union(others) == places, let changes = states.changes(at: index),
            let sent = states.fields(changes.subtracting(states.unsentChanges(at: index)), at: index, target)
        {
            return (sent, states.fields(states.unsentChanges(at: index), at: index, target))
        }
        return (ResourceObject(body, as: target), unsent.map { ResourceObject($0, as: target) })
    }
}

extension RequestMigration.States {
    /// The fields that a request changes; nil if there is no resource.
    fileprivate func changes(at index: Int) -> Set<JSONPointer>? { changes(to: above[index], at: index) }

    /// The fields that a request changes and does not send.
    fileprivate func unsentChanges(at index: Int) -> Set<JSONPointer> { changes(to: unsent[index], at: index) ?? [] }

    private func changes(to after: ResourceObject?, at index: Int) -> Set<JSONPointer>? {
        guard let before = below[index], let after else { return nil }
        return Set(ResourceFields.differences(before, after).filter { $0.tokens.first != "links" })
    }

    /// Returns a resource with these fields as a request leaves them, and null for an absent attribute. Returns nil if there are none.
    fileprivate func fields(_ fields: Set<JSONPointer>, at index: Int, _ target: ResourceIdentifier) -> ResourceObject? {
        guard let before = below[index], let after = above[index] else { return nil }
        var result = ResourceObject(target)
        for member in after.attributes ?? JSONObject() where fields.contains(JSONPointer("attributes", member.name)) {
            result[attribute: member.name] = member.value
        }
        for member in before.attributes ?? JSONObject()
        where after[attribute: member.name] == nil && fields.contains(JSONPointer("attributes", member.name)) {
            result[attribute: member.name] = .null
        }
        for (name, relationship) in after.relationships ?? Relationships(members: JSONObject())
        where fields.contains(JSONPointer("relationships", name)) {
            result[relationship: name] = RelationshipObject(data: relationship.data)
        }
        if fields.contains(JSONPointer("meta")) { result.meta = after.meta }
        return ResourceFields.places(of: result).isEmpty ? nil : result
    }
}
