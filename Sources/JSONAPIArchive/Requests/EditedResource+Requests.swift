import JSONAPICodec
import JSONText

// The changes of requests. A change costs as much as the document of the request, unless it creates or deletes a resource.

extension EditedResource {
    /// Makes the change of a request. Returns how to undo it.
    package mutating func make(_ request: QueuedRequest) -> QueuedRequest.Undo {
        switch request.operation {
        case .create:
            let undo = replace(by: request.document?.data.resources.first ?? object)
            // What has arrived for a new resource stays that.
            if case .arrived = request.undo, case .resource(let earlier) = undo { return .arrived(earlier) }
            return undo
        case .delete: return replace(by: nil)
        default:
            guard exists else { return .nothing }
            if let edit = changeMembers(request) { return .linkage(edit) }
            return .edit(ResourceEdit(identifier: request.target, values: set(assignments(of: request))))
        }
    }

    private mutating func replace(by new: ResourceObject?) -> QueuedRequest.Undo {
        let earlier = object
        self = EditedResource(new)
        return earlier.map(QueuedRequest.Undo.resource) ?? .nothing
    }

    /// Makes only the change that a request does not send. Returns false if it sends everything.
    mutating func setUnsent(of request: QueuedRequest) -> Bool {
        guard let unsent = request.unsent else { return false }
        _ = set(assignments(of: unsent))
        return true
    }

    /// Adds members to a relationship, or removes some. Returns nil if the request does something else, or if the linkage has no order.
    private mutating func changeMembers(_ request: QueuedRequest) -> LinkageEdit? {
        guard let relationship = request.relationship, request.operation != .replace else { return nil }
        return changeLinkage(of: relationship) { linkage in
            var edit = LinkageEdit()
            for identifier in request.document?.linkage.identifiers ?? [] {
                if request.operation == .add {
                    if linkage.append(identifier) { edit.added.append(identifier) }
                } else if let removal = linkage.remove(identifier) {
                    edit.removed.append(removal)
                }
            }
            (edit.count, edit.checksum) = (linkage.count, linkage.checksum)
            return edit
        }
    }

    /// Returns the values that a request gives to fields, with those that it does not send. The places do not depend on the resource.
    package mutating func assignments(of request: QueuedRequest) -> [(place: JSONPointer, value: JSON?)] {
        guard let relationship = request.relationship else {
            return [request.document?.data.resources.first, request.unsent].compactMap { $0 }.flatMap { assignments(of: $0) }
        }
        let linkage = request.document?.linkage ?? .absent
        if request.operation == .replace { return assignments(of: linkage.json, to: relationship) }
        let place = JSONPointer("relationships", relationship, "data")
        let present = value(at: place)
        // If the relationship is not loaded, its other members are not known.
        guard case .many(let members)? = Linkage(json: present) else { return [(place, present)] }
        let changed =
            request.operation == .add
            ? members + linkage.identifiers.without(members) : members.without(linkage.identifiers)
        return [(place, Linkage.many(changed).json)]
    }

    private mutating func assignments(of changes: ResourceObject) -> [(place: JSONPointer, value: JSON?)] {
        var values: [(place: JSONPointer, value: JSON?)] = []
        for member in changes.attributes ?? JSONObject() { values.append((JSONPointer("attributes", member.name), member.value)) }
        for member in changes.relationships?.members ?? JSONObject() {
            for part in member.value.object ?? JSONObject() {
                if part.name == "data" {
                    values += assignments(of: part.value, to: member.name)
                } else {
                    values.append((JSONPointer("relationships", member.name, part.name), part.value))
                }
            }
        }
        if let meta = changes.meta { values.append((JSONPointer("meta"), .object(meta))) }
        return values
    }

    /// Returns the values that the whole linkage gives to the members of a relationship.
    private mutating func assignments(of data: JSON?, to relationship: String) -> [(place: JSONPointer, value: JSON?)] {
        let field = JSONPointer("relationships", relationship)
        var changed = RelationshipObject(members: value(at: field)?.object ?? JSONObject())
        changed.replaceLinkage(by: data)
        return ["data", "links"].map { (place: field.appending($0), value: changed.members[$0]) }
    }
}

// MARK: - Taking back

extension EditedResource {
    /// Takes back the change of a request, which must be the last one.
    package mutating func takeBack(_ request: QueuedRequest) {
        switch request.undo {
        case .edit(let edit): apply(edit)
        case .linkage(let edit): _ = changeLinkage(of: request.relationship ?? "") { $0.undo(edit) }
        case .resource(let earlier): if request.operation == .create || !exists { self = EditedResource(earlier) }
        case .arrived(let object): self = EditedResource(object)
        case .nothing: if request.operation == .create { self = EditedResource(nil) }
        }
    }
}

extension [ResourceIdentifier] {
    /// Returns the elements that identify none of the other resources.
    fileprivate func without(_ others: [ResourceIdentifier]) -> [ResourceIdentifier] {
        let known = Set(others.compactMap(StoredIdentity.init))
        return filter { identifier in StoredIdentity(identifier).map { !known.contains($0) } ?? true }
    }
}
