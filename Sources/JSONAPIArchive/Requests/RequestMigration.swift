import JSONAPICodec
import JSONText

/// The waiting requests about one resource. A request contains only how to undo its change, so a migration needs the states of the resource
/// around the change.
///
/// ```
/// shown          the resource as the store has it
/// requests[1]    above: `below` with the change of the newest request
///                below: `shown` without this change
/// requests[0]    above: `below` with the change of the oldest request. What `shown` has instead is a change without a request
///                below: the resource as the server has it
/// ```
///
/// A migration goes from the newest request to the oldest one, and has only the states around one of them in memory.
struct RequestMigration {
    /// The requests about a resource, oldest first.
    private(set) var requests: [QueuedRequest]

    /// Returns the waiting requests among the keys of an archive. Requests that cannot be read are left out.
    static func all(_ roots: [(name: String, root: ArchiveRoot)]) -> [RequestMigration] {
        let requests = roots.compactMap { name, root -> QueuedRequest? in
            guard case .request(let key)? = StoreKey(archiveKey: name), case .value(let text) = root, let json = try? JSON(parsing: text)
            else { return nil }
            return QueuedRequest(key, json)
        }
        var byTarget: [StoredIdentity: [QueuedRequest]] = [:]
        for request in requests { if let identity = request.identity { byTarget[identity, default: []].append(request) } }
        return byTarget.values.map { RequestMigration(requests: $0.sorted { $0.key < $1.key }) }
    }

    /// Migrates what the requests send and restore. Changes nothing if the migration removes the resource in one of the states.
    ///
    /// - Complexity: O(n), n = sum of the sizes of the states. An addition to a relationship, or a removal, has no states if the migration
    ///   leaves the members as they are.
    mutating func apply(_ migration: ArchiveModel.Migration, _ old: ArchiveModel.OldResources) throws {
        func migrated(_ state: ResourceObject) throws -> ResourceObject? { try migration.migrate(state, old).first }
        /// A body for which the migration throws stays.
        func migratedBody(_ request: QueuedRequest) -> ResourceObject? {
            guard request.operation == .create, let body = request.document?.data.resources.first else { return nil }
            return try? migrated(body)
        }
        let shown = requests.first?.identity.flatMap { old.texts[$0] }.flatMap(StoredText.object)
        let newest = newestState(shown)
        let known = try newest.flatMap(migrated)
        // If the store has removed the resource, only the bodies have an identity.
        guard (newest == nil) == (known == nil),
            let identity = (known ?? requests.reversed().lazy.compactMap(migratedBody).first)?.identifier.flatMap(StoredIdentity.init)
        else { return }
        let target = identity.identifier
        let kept = keptMembers(newest, migrated).filter { newest?[relationship: $0]?.data == known?[relationship: $0]?.data }
        var edited = EditedResource(shown)
        var result: [QueuedRequest] = []
        for var request in requests.reversed() {
            let isRenamed = request.identity != identity
            request.target = target
            if let body = migratedBody(request) {
                request.leftOut = leftOutFields(of: request, newest, body, migrated)
                request.document?.data = .one(ResourceObject(body, as: target))
            }
            if let relationship = request.changedMembers, kept.contains(relationship) {
                edited.takeBack(request)
            } else {
                let before = RequestStates(of: request, takenBackFrom: &edited)
                guard let after = try before.migrated(as: target, migrated) else { return }
                if isRenamed || before != after { request.follow(from: before, to: after) }
            }
            result.append(request)
        }
        requests = result.reversed()
    }

    /// Returns the relationships whose members the migration leaves as they are, even if nothing is left of those that requests have removed.
    private func keptMembers(_ newest: ResourceObject?, _ migrated: (ResourceObject) throws -> ResourceObject?) -> Set<String> {
        var relationships = Set(requests.compactMap(\.changedMembers))
        var edited = EditedResource(newest)
        for request in requests {
            guard let relationship = request.changedMembers, case .linkage(let edit) = request.undo else { continue }
            let isLoaded: Void? = edited.changeLinkage(of: relationship) { linkage in
                for removal in edit.removed { linkage.insert(removal.member, behind: removal.previous) }
            }
            if isLoaded == nil { relationships.remove(relationship) }
        }
        guard !relationships.isEmpty, let all = edited.object else { return [] }
        // The states decide whether the migration throws.
        let known = try? migrated(all)
        return relationships.filter { all[relationship: $0]?.data == known?[relationship: $0]?.data }
    }

    /// Returns the names of the fields that a creation leaves out, in the next version: those which the migration makes of a body that has
    /// them, and not of the body itself. If the migration throws for such a body, they stay.
    private func leftOutFields(
        of request: QueuedRequest, _ newest: ResourceObject?, _ migratedBody: ResourceObject,
        _ migrated: (ResourceObject) throws -> ResourceObject?
    ) -> [String] {
        guard !request.leftOut.isEmpty, var whole = request.document?.data.resources.first else { return [] }
        for name in request.leftOut {
            if let relationship = newest?[relationship: name] {
                whole[relationship: name] = relationship
            } else {
                whole[attribute: name] = newest?[attribute: name] ?? .null
            }
        }
        guard let result = try? migrated(whole) else { return request.leftOut }
        let sent = Set(ResourceFields.places(of: migratedBody))
        let unsent = ResourceFields.places(of: result).filter { $0.tokens.count == 2 && !sent.contains($0) }
        return unsent.compactMap(\.tokens.last)
    }

    /// Returns the newest state in which there is a resource.
    private func newestState(_ shown: ResourceObject?) -> ResourceObject? {
        var edited = EditedResource(shown)
        for request in requests.reversed() where !edited.exists { edited.takeBack(request) }
        return edited.object
    }
}

extension QueuedRequest {
    /// The relationship whose undo contains only some members; nil if there is none.
    fileprivate var changedMembers: String? {
        if case .linkage = undo { relationship } else { nil }
    }

    /// Changes what the request sends and restores, because the states around its change have become others.
    fileprivate mutating func follow(from before: RequestStates, to after: RequestStates) {
        switch undo {
        case .nothing: break
        case .resource: if let below = after.below { undo = .resource(below) }
        case .arrived: if let below = after.below { undo = .arrived(below) }
        case .edit, .linkage:
            if let below = after.below, let above = after.above { undo = .edit(ResourceEdit(target, from: above, to: below)) }
        }
        if operation == .update, let body = document?.data.resources.first {
            let (sent, unsent) = updated(body, from: before, to: after)
            document?.data = .one(sent)
            self.unsent = unsent
        }
    }

    /// Returns the body of an update, and its fields that are not sent, with the fields in which the migrated states differ. The migration
    /// itself never sees a body of an update, because it could add fields that the program did not change. Leaves all fields as they are if
    /// they are not those that the update has changed, or if none would be sent.
    private func updated(
        _ body: ResourceObject, from before: RequestStates, to after: RequestStates
    ) -> (ResourceObject, ResourceObject?) {
        // The server can have sent the value of a field that is not sent.
        let others = Set(unsent.map(ResourceFields.places) ?? [])
        let places = others.union(ResourceFields.places(of: body))
        if before.changes?.union(others) == places, let changes = after.changes,
            let sent = after.fields(changes.subtracting(after.unsentChanges), target)
        {
            return (sent, after.fields(after.unsentChanges, target))
        }
        return (ResourceObject(body, as: target), unsent.map { ResourceObject($0, as: target) })
    }
}

/// The states of a resource around the change of a request.
private struct RequestStates: Equatable {
    var below: ResourceObject?
    var above: ResourceObject?
    /// `below` with only the fields that the request does not send; nil for a request that sends all its fields.
    var unsent: ResourceObject?
}

extension RequestStates {
    /// Takes back the change of a request, which must be the last one. A local edit on top of it is not a part of the request.
    init(of request: QueuedRequest, takenBackFrom edited: inout EditedResource) {
        let shown = edited.object
        edited.takeBack(request)
        below = edited.object
        var (made, onlyUnsent) = (EditedResource(below), EditedResource(below))
        _ = made.make(request)
        // What has arrived for a new resource belongs to it.
        above = request.operation != .create && made.exists ? made.object : shown
        unsent = onlyUnsent.setUnsent(of: request) ? onlyUnsent.object : nil
    }

    /// Returns the states in the next version, with another identity. Returns nil if the migration removes the resource in one of them.
    func migrated(
        as target: ResourceIdentifier, _ migrate: (ResourceObject) throws -> ResourceObject?
    ) rethrows -> RequestStates? {
        var result = RequestStates()
        let places: [WritableKeyPath<RequestStates, ResourceObject?>] = [\.below, \.above, \.unsent]
        for place in places {
            guard let state = self[keyPath: place] else { continue }
            guard let new = try migrate(state) else { return nil }
            result[keyPath: place] = ResourceObject(new, as: target)
        }
        return result
    }

    /// The fields that the request changes; nil if there is no resource.
    var changes: Set<JSONPointer>? { differences(to: above) }

    /// The fields that the request changes and does not send.
    var unsentChanges: Set<JSONPointer> { differences(to: unsent) ?? [] }

    private func differences(to after: ResourceObject?) -> Set<JSONPointer>? {
        guard let below, let after else { return nil }
        return Set(ResourceFields.differences(below, after).filter { $0.tokens.first != "links" })
    }

    /// Returns a resource with these fields as the request leaves them, and null for an absent attribute. Returns nil if there are none.
    func fields(_ fields: Set<JSONPointer>, _ target: ResourceIdentifier) -> ResourceObject? {
        guard let below, let above else { return nil }
        var result = ResourceObject(target)
        for member in above.attributes ?? JSONObject() where fields.contains(JSONPointer("attributes", member.name)) {
            result[attribute: member.name] = member.value
        }
        for member in below.attributes ?? JSONObject()
        where above[attribute: member.name] == nil && fields.contains(JSONPointer("attributes", member.name)) {
            result[attribute: member.name] = .null
        }
        for (name, relationship) in above.relationships ?? Relationships(members: JSONObject())
        where fields.contains(JSONPointer("relationships", name)) {
            result[relationship: name] = RelationshipObject(data: relationship.data)
        }
        if fields.contains(JSONPointer("meta")) { result.meta = above.meta }
        return ResourceFields.places(of: result).isEmpty ? nil : result
    }
}
