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

    /// Migrates what the requests send and restore. Changes nothing in these cases:
    ///
    /// - The migration removes the resource in one of the states, or gives the states different identities.
    /// - A request creates or deletes the resource, and the migration makes one resource of this and another one.
    ///
    /// - Complexity: O(n), n = sum of the sizes of the states. An addition to a relationship, or a removal, has no states if the migration
    ///   leaves the members as they are. An update or replacement has one more state for each field with the same value before and after it.
    ///
    /// - Parameter renamed: the resources that have another identity. The linkage in documents and states follows them.
    mutating func apply(
        _ migration: ArchiveModel.Migration, _ old: ArchiveModel.OldResources, _ renamed: RenamedResources
    ) throws {
        guard let key = requests.first?.identity else { return }
        func parts(_ state: ResourceObject) throws -> [ResourceObject] {
            // A UUID can have another spelling in a body than in the store.
            let isSame = state.identifier.flatMap(StoredIdentity.init) == key
            let state = isSame ? state : ResourceObject(state, as: key.identifier)
            return try migration.migrate(state, old).map { renamed.following($0, madeOf: state) }
        }
        func migrated(_ state: ResourceObject) throws -> ResourceObject? { try parts(state).first }
        /// A body for which the migration throws stays.
        func migratedBody(_ request: QueuedRequest) -> [ResourceObject] {
            guard request.operation == .create, let body = request.document?.data.resources.first else { return [] }
            return (try? parts(body)) ?? []
        }
        let shown = old.texts[key].flatMap(StoredText.object)
        let newest = newestState(shown)
        let known = try newest.flatMap(migrated)
        // If the store has removed the resource, only the bodies have an identity.
        guard (newest == nil) == (known == nil),
            let identity = (known ?? requests.reversed().lazy.compactMap { migratedBody($0).first }.first)?.identifier
                .flatMap(StoredIdentity.init)
        else { return }
        let isOnlyChanged = requests.allSatisfy { $0.operation != .create && $0.operation != .delete }
        guard isOnlyChanged || !renamed.isMade(identity, ofAnotherThan: key) else { return }
        let target = identity.identifier
        let kept = keptMembers(newest, known, renamed, migrated)
        var edited = EditedResource(shown)
        var result: [QueuedRequest] = []
        for var request in requests.reversed() {
            let isRenamed = request.identity != identity
            request.target = target
            let bodies = migratedBody(request)
            if let body = bodies.first {
                guard body.identifier.flatMap(StoredIdentity.init) == identity else { return }
                if bodies.count == 1 {
                    request.leftOut = leftOutFields(of: request, newest, body, migrated)
                    request.document?.data = .one(ResourceObject(body, as: target))
                } else if let whole = request.document?.data.resources.first {
                    request.document?.data = .one(ResourceObject(whole, as: target))
                }
            }
            if let members = request.changedMembers.flatMap({ kept[$0] }) {
                edited.takeBack(request)
                request.follow(members)
            } else {
                let before = RequestStates(of: request, takenBackFrom: &edited)
                guard let after = try before.migrated(as: target, parts) else { return }
                if isRenamed || !after.isEqual(before) { request.follow(from: before, to: after, renamed) }
                request.followLinkage(from: before, to: after, renamed)
            }
            result.append(request)
        }
        requests = result.reversed()
    }

    /// Returns the resource of the requests if the store does not have it, because one of them deletes it.
    func hiddenResource(_ old: ArchiveModel.OldResources) -> (StoredIdentity, ResourceObject)? {
        guard let identity = requests.first?.identity, old.texts[identity] == nil else { return nil }
        return newestState(nil).map { (identity, $0) }
    }

    /// Returns, for each relationship of which the migration changes only the identities of members, these changes. Members that requests have
    /// removed count, too.
    private func keptMembers(
        _ newest: ResourceObject?, _ known: ResourceObject?, _ renamed: RenamedResources,
        _ migrated: (ResourceObject) throws -> ResourceObject?
    ) -> [String: RenamedResources] {
        var relationships = Set(requests.compactMap(\.changedMembers))
        var edited = EditedResource(newest)
        for request in requests {
            guard let relationship = request.changedMembers, case .linkage(let edit) = request.undo else { continue }
            let isLoaded: Void? = edited.changeLinkage(of: relationship) { linkage in
                for removal in edit.removed { linkage.insert(removal.member, behind: removal.previous) }
                for identifier in edit.added { _ = linkage.append(identifier) }
            }
            if isLoaded == nil { relationships.remove(relationship) }
        }
        // The states decide whether the migration throws.
        guard !relationships.isEmpty, let all = edited.object, let new = try? migrated(all) else { return [:] }
        var result: [String: RenamedResources] = [:]
        for name in relationships {
            guard let data = all[relationship: name]?.data, let after = new[relationship: name]?.data,
                let members = RenamedResources(data, to: after, renamed),
                let shown = newest?[relationship: name]?.data.json, members.linkage(shown) == known?[relationship: name]?.data.json
            else { continue }
            result[name] = members
        }
        return result
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

    /// Gives the resources that the request adds to a relationship, removes, or sets, their new identities.
    fileprivate mutating func follow(_ renamed: RenamedResources) {
        guard relationship != nil, !renamed.isEmpty else { return }
        if let data = document?.members["data"] { document?.members["data"] = renamed.linkage(data) }
        if case .linkage(let edit) = undo { undo = .linkage(edit.mapped(renamed.identifier)) }
    }

    /// Changes what the request sends and restores, because the states around its change have become others.
    fileprivate mutating func follow(from before: RequestStates, to after: RequestStates, _ renamed: RenamedResources) {
        switch undo {
        case .nothing: break
        case .resource: if let below = after.below { undo = .resource(below) }
        case .arrived: if let below = after.below { undo = .arrived(below) }
        case .edit, .linkage:
            if let below = after.below, let above = after.above { undo = .edit(ResourceEdit(target, from: above, to: below)) }
        }
        if operation == .update, let body = document?.data.resources.first {
            self.unsent = self.unsent.map { renamed.following($0, madeOf: $0) }
            let (sent, unsent) = updated(renamed.following(body, madeOf: body), from: before, to: after, renamed)
            document?.data = .one(sent)
            self.unsent = unsent
        }
    }

    /// Changes the linkage that the request sends, and the name of a relationship that it replaces.
    fileprivate mutating func followLinkage(from before: RequestStates, to after: RequestStates, _ renamed: RenamedResources) {
        guard operation == .replace, let old = relationship, let data = document?.members["data"],
            before.above?[relationship: old]?.data.json == data,
            let name = after.relationship(madeOf: old, before, renamed), let new = after.above?[relationship: name]?.data.json
        else { return follow(renamed) }
        relationship = name
        document?.members["data"] = new
    }

    /// The fields that an update or a replacement sends; empty for other requests.
    fileprivate var sentFields: [JSONPointer] {
        switch operation {
        case .update: document?.data.resources.first.map(ResourceFields.places) ?? []
        case .replace: relationship.map { [JSONPointer("relationships", $0)] } ?? []
        default: []
        }
    }

    /// Returns the body of an update, and its fields that are not sent, with the fields in which the migrated states differ. The migration
    /// itself never sees a body of an update, because it could add fields that the program did not change. Leaves all fields as they are if
    /// none would be sent, or if the update also changes another one of the resources that replace this one.
    private func updated(
        _ body: ResourceObject, from before: RequestStates, to after: RequestStates, _ renamed: RenamedResources
    ) -> (ResourceObject, ResourceObject?) {
        var places = after.changes?.subtracting(after.unsentChanges) ?? []
        var left: [JSONPointer] = []
        for place in before.equalFields {
            if let new = after.successor(of: place, before, renamed) { places.insert(new) } else { left.append(place) }
        }
        guard before.changes != nil, !after.changesOtherParts, let sent = after.fields(places, target) else {
            return (ResourceObject(body, as: target), unsent.map { ResourceObject($0, as: target) })
        }
        let values = left.filter { !places.contains($0) }.map { (place: $0, value: JSON.object(body.members)[pointer: $0]) }
        return (ResourceEdit(identifier: target, values: values).applied(to: sent), after.fields(after.unsentChanges, target))
    }
}

/// The states of a resource around the change of a request.
private struct RequestStates {
    var below: ResourceObject?
    var above: ResourceObject?
    /// `below` with only the fields that the request does not send; nil for a request that sends all its fields.
    var unsent: ResourceObject?
    /// The fields of an update or replacement that have the same value in `below` and `above`, for example because the server has sent it since then.
    var equalFields: [JSONPointer] = []
    /// `below` without each of these fields, to find out what the migration makes of the field. A field for which it throws has none.
    var bare: [JSONPointer: ResourceObject] = [:]
    /// Whether the request also changes another one of the resources that replace this one.
    var changesOtherParts = false
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
        let sent = request.sentFields
        guard !sent.isEmpty, let below, let changes else { return }
        equalFields = sent.filter { !changes.contains($0) && $0.tokens.first != "links" }
        for place in equalFields {
            bare[place] = ResourceEdit(identifier: request.target, values: [(place: place, value: nil)]).applied(to: below)
        }
    }

    /// Returns the states in the next version. Returns nil if the migration removes the resource in one of them, or gives it another identity
    /// than `target`.
    func migrated(
        as target: ResourceIdentifier, _ migrate: (ResourceObject) throws -> [ResourceObject]
    ) rethrows -> RequestStates? {
        var result = RequestStates()
        var otherParts: [[ResourceObject]] = []
        let places: [WritableKeyPath<RequestStates, ResourceObject?>] = [\.below, \.above, \.unsent]
        for place in places {
            guard let state = self[keyPath: place] else { continue }
            let parts = try migrate(state)
            guard let new = parts.first, new.identifier.flatMap(StoredIdentity.init) == StoredIdentity(target) else { return nil }
            result[keyPath: place] = ResourceObject(new, as: target)
            otherParts.append(Array(parts.dropFirst()))
        }
        result.changesOtherParts = otherParts.contains { $0 != otherParts[0] }
        result.bare = bare.compactMapValues { state in (try? migrate(state))?.first.map { ResourceObject($0, as: target) } }
        return result
    }

    /// Returns the field that the migration has made of one that has the same value in `below` and `above`. Returns nil if that is not known.
    func successor(of place: JSONPointer, _ before: RequestStates, _ renamed: RenamedResources) -> JSONPointer? {
        // A relationship with another name has followed its resources, too.
        let known = before.above.map { renamed.following($0, madeOf: ResourceObject(members: JSONObject())) }
        guard let above, let value = (known.flatMap { JSON.object($0.members)[pointer: place] }) else { return nil }
        let new = JSON.object(above.members)
        // Without the field, the migration does not make these.
        let made = differences(from: bare[place], to: above)?.subtracting(changes ?? []) ?? []
        let equal = made.filter { new[pointer: $0] == value }
        if !made.contains(place), let only = equal.first, equal.count == 1 { return only }
        return new[pointer: place] == nil ? nil : place
    }

    /// Returns the name that the migration has given to a relationship that the request replaces. Returns nil if that is not known.
    func relationship(madeOf name: String, _ before: RequestStates, _ renamed: RenamedResources) -> String? {
        guard !changesOtherParts else { return name }
        let place = JSONPointer("relationships", name)
        let isEqual = before.equalFields.contains(place)
        let made = isEqual ? successor(of: place, before, renamed).map { [$0] } ?? [] : Array(changes ?? [])
        let names = made.filter { $0.tokens.first == "relationships" }.compactMap(\.tokens.last)
        return names.count == 1 ? names[0] : name
    }

    /// Returns whether the states are the same, so that the request can stay as it is.
    func isEqual(_ other: RequestStates) -> Bool { below == other.below && above == other.above && unsent == other.unsent }

    /// The fields that the request changes; nil if there is no resource.
    var changes: Set<JSONPointer>? { differences(from: below, to: above) }

    /// The fields that the request changes and does not send.
    var unsentChanges: Set<JSONPointer> { differences(from: below, to: unsent) ?? [] }

    private func differences(from before: ResourceObject?, to after: ResourceObject?) -> Set<JSONPointer>? {
        guard let before, let after else { return nil }
        return Set(ResourceFields.differences(before, after).filter { $0.tokens.first != "links" })
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
