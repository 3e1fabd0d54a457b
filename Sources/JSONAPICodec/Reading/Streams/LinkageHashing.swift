import JSONAPIRules
import JSONText

/// Hashes the identities in relationships directly from the tape. Most of them are then looked up in a directory, which needs no string.
struct LinkageHashing {
    private let view: TapeView
    /// The names of the relationships to follow.
    private let names: [String]
    private let keys = KeyedHash.shared
    /// The type of the previous identifier and its hash. The identifiers of a relationship usually have the same type.
    private var type = 0
    private var typeHash: UInt64 = 0

    init(_ view: TapeView, _ names: [String]) {
        self.view = view
        self.names = names
    }

    /// Requests the resources that the given ones refer to.
    mutating func add(_ resources: some Sequence<ResourceEntry>, to requests: inout ResourceRequests) {
        for entry in resources { add(entry, to: &requests) }
        requests.lookUp { view.resourceIdentifier(IdentifierEntry(view, at: $0)) }
    }

    private mutating func add(_ entry: ResourceEntry, to requests: inout ResourceRequests) {
        let relationships = Int(entry.relationships)
        guard relationships != 0, view.isObject(relationships) else { return }
        var name = view.first(in: relationships)
        let end = view.end(of: relationships)
        while name < end {
            let relationship = view.next(after: name)
            if view.isObject(relationship), isWanted(name) {
                add(linkage: RelationshipEntry(view, at: relationship).data, to: &requests)
            }
            name = view.next(after: relationship)
        }
    }

    private func isWanted(_ name: Int) -> Bool {
        for wanted in names where view.string(at: name, equals: wanted) { return true }
        return false
    }

    private mutating func add(linkage: Int, to requests: inout ResourceRequests) {
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

    private mutating func add(_ identifier: IdentifierEntry, to requests: inout ResourceRequests) {
        let key = identifier.id != 0 ? identifier.id : identifier.lid
        guard identifier.type != 0, key != 0, view.isString(identifier.type), !view.isContainer(key) else { return }
        requests.add(hash(type: identifier.type, key: key, isLocal: identifier.id == 0), identifier.word)
    }

    /// Returns the hash that the directory uses for the identity.
    private mutating func hash(type: Int, key: Int, isLocal: Bool) -> UInt64 {
        if isLocal { return ResourceDirectory.hash(view, type: type, key: key, isLocal: true) }
        if self.type == 0 || !view.string(at: self.type, equalsStringAt: type) {
            self.type = type
            typeHash = view.hash(stringAt: type, keys, into: 0)
        }
        return view.hash(stringAt: key, keys, into: typeHash)
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
