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
            let data = RelationshipEntry(view, at: relationship).data
            guard data != 0 else { return }
            view.forEachIdentifier(inLinkage: data) { add(IdentifierEntry(view, at: $0), to: &requests) }
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
