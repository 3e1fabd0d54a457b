import JSONAPICodec
import JSONText

/// The waiting requests about one resource, and the states of the resource between their changes. A request contains only how to undo its
/// change, so a migration needs the states.
///
/// ```
/// states[0]      the resource as the server has it
/// requests[0]
/// states[1]      the resource with the change of the first request
/// …              the last one is what the store shows, without the changes that no request sends
/// ```
struct RequestMigration {
    private var target: ResourceIdentifier
    private var requests: [QueuedRequest]
    private var states: [ResourceObject?]
    /// The states before all migrations.
    private let originalStates: [ResourceObject?]

    /// - Parameter requests: the requests about a resource, oldest first.
    private init(_ requests: [QueuedRequest], about identity: StoredIdentity, shown: ResourceObject?) {
        target = identity.identifier
        self.requests = requests
        var states = [shown]
        for request in requests.reversed() { states.append(request.takenBack(from: states.last ?? nil)) }
        let shownStates: [ResourceObject?] = states.reversed()
        self.states = [shownStates[0]]
        for (index, request) in requests.enumerated() {
            self.states.append(Self.state(after: request, on: self.states[index], shown: shownStates[index + 1]))
        }
        originalStates = self.states
    }

    /// Returns what a request makes of a state. A local edit on top of it is not a part of the request.
    ///
    /// - Parameter shown: The state with local edits. It has the fields that the request changed only in the store, because clients must
    ///   not write them.
    private static func state(after request: QueuedRequest, on state: ResourceObject?, shown: ResourceObject?) -> ResourceObject? {
        // What has arrived for a new resource belongs to it.
        guard request.operation != .create, let made = request.made(on: state).object else { return shown }
        guard case .edit(let undo) = request.undo, let shown else { return made }
        let sent =
            request.relationship.map { [JSONPointer("relationships", $0)] }
            ?? request.document?.data.resources.first.map(ResourceMerge.places) ?? []
        let unsent = Set(undo.fields).subtracting(sent)
        let edit = ResourceEdit(undo.identifier, from: made, to: shown)
        return edit.without(Set(edit.fields).subtracting(unsent))?.applied(to: made) ?? made
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
        let results = try states.map { state in try state.flatMap { try migration.migrate($0, old).first } }
        guard zip(states, results).allSatisfy({ ($0 == nil) == ($1 == nil) }),
            let identity = results.compactMap({ $0 }).last?.identifier.flatMap(StoredIdentity.init)
        else { return }
        target = identity.identifier
        states = results.map { result in result.map { ResourceObject($0, as: identity.identifier) } }
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
            let (before, after) = (states[index], states[index + 1])
            request.target = target
            switch request.undo {
            case .nothing: break
            case .resource: if let before { request.undo = .resource(before) }
            case .edit: if let before, let after { request.undo = .edit(ResourceEdit(target, from: after, to: before)) }
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
        guard let oldBefore = originalStates[index], let oldAfter = originalStates[index + 1], let before = states[index],
            let after = states[index + 1]
        else { return nil }
        func changes(_ before: ResourceObject, _ after: ResourceObject) -> Set<JSONPointer> {
            Set(ResourceMerge.differences(before, after).filter { $0.tokens.first != "links" })
        }
        guard changes(oldBefore, oldAfter) == Set(ResourceMerge.places(of: body)) else { return nil }
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
        return ResourceMerge.places(of: result).isEmpty ? nil : result
    }
}
