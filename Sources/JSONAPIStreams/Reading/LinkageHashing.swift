import JSONAPICodec
import JSONAPIRules
import JSONText

/// Hashes the identities in relationships directly from the tape. Most of them are then looked up in a directory, which needs no string.
struct LinkageHashing {
    let view: TapeView
    /// The names of the relationships to follow.
    let names: [String]

    /// Requests the resources that the given ones refer to.
    func add(_ resources: some Sequence<ResourceEntry>, to requests: inout ResourceRequests) {
        for entry in resources { add(entry, to: &requests) }
        requests.lookUp { view.resourceIdentifier(IdentifierEntry(view, at: $0)) }
    }

    private func add(_ entry: ResourceEntry, to requests: inout ResourceRequests) {
        let relationships = Int(entry.relationships)
        guard relationships != 0, view.isObject(relationships) else { return }
        view.forEachMember(of: relationships) { name, relationship in
            guard view.isObject(relationship), names.contains(where: { view.string(at: name, equals: $0) }) else { return }
            add(linkage: RelationshipEntry(view, at: relationship).data, to: &requests)
        }
    }

    private func add(linkage: Int, to requests: inout ResourceRequests) {
        guard linkage != 0 else { return }
        var word = linkage
        var end = linkage + 1
        if view.isArray(linkage) {
            word = view.first(in: linkage)
            end = view.end(of: linkage)
        }
        while word < end {
            if view.isObject(word) { add(IdentifierEntry(view, at: word), to: &requests) }
            word = view.next(after: word)
        }
    }

    private func add(_ identifier: IdentifierEntry, to requests: inout ResourceRequests) {
        let key = identifier.id != 0 ? identifier.id : identifier.lid
        guard identifier.type != 0, key != 0, view.isString(identifier.type), !view.isContainer(key) else { return }
        requests.add(ResourceDirectory.hash(view, type: identifier.type, key: key, isLocal: identifier.id == 0), identifier.word)
    }
}

extension TapeView {
    /// Returns only the identity, without meta and other members. The identifier has a type, and an id or a lid.
    fileprivate func resourceIdentifier(_ identifier: IdentifierEntry) -> ResourceIdentifier {
        let type = string(at: identifier.type)
        if identifier.id != 0 { return ResourceIdentifier(type: type, id: string(at: identifier.id)) }
        return ResourceIdentifier(type: type, lid: string(at: identifier.lid))
    }
}
