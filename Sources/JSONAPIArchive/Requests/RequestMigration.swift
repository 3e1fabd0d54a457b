import JSONAPICodec
import JSONText

/// The waiting requests about one resource, and the states of the resource below and above the change of each. A request contains only how to
/// undo its change, so a migration needs the states.
///
/// ```
/// below[0]       the resource as the server has it
/// requests[0]
/// above[0]       the resource with the change of the first request
/// below[1]       the same, with what the program has changed without a request
/// …
/// ```
struct RequestMigration {
    private struct States: Equatable {
        var below: [ResourceObject?]
        var above: [ResourceObject?]
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
        self.states = States(below: Array(states.dropLast()), above: above)
        originalStates = self.states
    }

    /// Returns what a request makes of a state. A local edit on top of it is not a part of the request.
    ///
    /// - Parameter shown: The state with local edits. It has the fields that the request changed only in the store, because clients must
    ///   not write them.
    private static func state(after request: QueuedRequest, on state: ResourceObject?, shown: ResourceObject?) -> ResourceObject? {
        // What has arrived for a new resource belongs to it.
        var edited = EditedResource(state)
        _ = edited.make(request)
        guard request.operation != .create, let made = edited.object else { return shown }
        guard case .edit(let undo) = request.undo, let shown else { return made }
        let edit = ResourceEdit(undo.identifier, from: made, to: shown)
        return edit.without(Set(edit.fields).subtracting(request.unsentFields))?.applied(to: made) ?? made
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
        let before = states.below + states.above
        let results = try before.map { state in try state.flatMap { try migration.migrate($0, old).first } }
        guard zip(before, results).allSatisfy({ ($0 == nil) == ($1 == nil) }),
            let identity = results.compactMap({ $0 }).last?.identifier.flatMap(StoredIdentity.init)
        else { return }
        target = identity.identifier
        let migrated = results.map { result in result.map { ResourceObject($0, as: identity.identifier) } }
        states = States(below: Array(migrated.prefix(requests.count)), above: Array(migrated.dropFirst(requests.count)))
        for index in requests.indices where requests[index].operation == .create {
            guard let body = requests[index].document?.data.resources.first, let result = try? migration.migrate(body, old).first else {
                continue
            }
            requests[index].document?.data = .one(ResourceObject(result, as: target))
        }
    }

    /// The migrated requests.
    var result: [QueuedRequest] {
        guard states != originalStates else { return requests }
        return requests.indices.map { index in
            var request = requests[index]
            let (before, after) = (states.below[index], states.above[index])
            request.target = target
            switch request.undo {
            case .nothing: break
            case .resource: if let before { request.undo = .resource(before) }
            case .edit, .linkage: if let before, let after { request.undo = .edit(ResourceEdit(target, from: after, to: before)) }
            }
            if request.operation == .update, let body = request.document?.data.resources.first {
                request.document?.data = .one(ResourceObject(updated(body, at: index) ?? body, as: target))
            }
            return request
        }
    }

    /// Returns the body of an update with the fields in which the migrated states differ. The migration itself never sees a body of an
    /// update, because it could add fields that the program did not change. Returns nil if the fields of the body are not those that the
    /// update has changed, or if no field remains.
    private func updated(_ body: ResourceObject, at index: Int) -> ResourceObject? {
        guard let oldBefore = originalStates.below[index], let oldAfter = originalStates.above[index], let before = states.below[index],
            let after = states.above[index]
        else { return nil }
        func changes(_ before: ResourceObject, _ after: ResourceObject) -> Set<JSONPointer> {
            Set(ResourceFields.differences(before, after).filter { $0.tokens.first != "links" })
        }
        guard changes(oldBefore, oldAfter) == Set(ResourceFields.places(of: body)) else { return nil }
        let fields = changes(before, after)
        var result = ResourceObject(target)
        for member in after.attributes ?? JSONObject() where fields.contains(JSONPointer("attributes", member.name)) {
            result[attribute: member.name] = member.value
        }
        for member in before.attributes ?? JSONObject() where after[attribute: member.name] == nil {
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
