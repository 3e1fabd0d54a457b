import JSONAPIRules
import JSONText

/// The identities of the resources on a growing tape, and those to which some of their relationships refer. Each is noted once.
///
/// Identities are hashed and compared where they are on the tape, without strings.
struct GatheredLinkage {
    private struct Identity {
        /// The word of the type.
        let type: Int
        /// The word of the id, or of the lid if there is no id.
        let key: Int
        let isLocal: Bool
        let hash: UInt64
        /// Whether the resource is on the tape.
        var isFetched: Bool
    }

    /// The names of the relationships that are followed, by the type of the resources that have them.
    private var names: [(type: String, names: [String])] = []
    private var identities: [Identity] = []
    /// Finds the index of an identity.
    private let table = OrdinalTable()
    /// The number of identities that `next` has passed.
    private var passed = 0

    var isEmpty: Bool { names.isEmpty }

    /// Follows other relationships from now on.
    mutating func follow(_ relationships: Set<EmbeddedRelationship>) {
        names = Dictionary(grouping: relationships) { ByteText($0.type) }.map { ($0.text, $1.map(\.name)) }
    }

    /// Notes the identity of a resource, and those in its relationships.
    mutating func read(_ resource: Int, _ view: TapeView) {
        guard view.isObject(resource) else { return }
        let entry = ResourceEntry(view, at: resource)
        if let index = note(type: Int(entry.type), id: Int(entry.id), lid: Int(entry.lid), view) { identities[index].isFetched = true }
        let (type, relationships) = (Int(entry.type), Int(entry.relationships))
        guard view.isObject(relationships), let names = names.first(where: { isText(type, $0.type, view) })?.names else { return }
        view.forEachMember(of: relationships) { name, relationship in
            guard view.isObject(relationship), names.contains(where: { view.string(at: name, equals: $0) }) else { return }
            let data = RelationshipEntry(view, at: relationship).data
            guard data != 0 else { return }
            view.forEachIdentifier(inLinkage: data) { note($0, view) }
        }
    }

    /// Whether the word is that of the given type. Resources without a type have the empty one.
    private func isText(_ type: Int, _ text: String, _ view: TapeView) -> Bool {
        type == 0 ? text.isEmpty : view.isString(type) ? view.string(at: type, equals: text) : text.isEmpty
    }

    /// Notes the identity of an identifier. Reading the model reports an object that is none.
    private mutating func note(_ word: Int, _ view: TapeView) {
        let entry = IdentifierEntry(view, at: word)
        _ = note(type: entry.type, id: entry.id, lid: entry.lid, view)
    }

    /// Returns the index of an identity; nil if the words are those of none.
    @inline(__always)
    private mutating func note(type: Int, id: Int, lid: Int, _ view: TapeView) -> Int? {
        guard type != 0, view.isString(type) else { return nil }
        let isLocal = id == 0 || !isName(id, view)
        let key = isLocal ? lid : id
        guard key != 0, !isLocal || view.isString(key) else { return nil }
        let hash = IdentityTable.hash(view, type: type, key: key, isLocal: isLocal)
        let known = table.ordinal(of: hash) { index in
            let other = identities[index]
            return other.isLocal == isLocal && view.string(at: other.key, equalsStringAt: key)
                && view.string(at: other.type, equalsStringAt: type)
        }
        if let known { return known }
        let index = identities.count
        identities.append(Identity(type: type, key: key, isLocal: isLocal, hash: hash, isFetched: false))
        if table.insert(index, hash) { table.grow { identities[$0].hash } }
        return index
    }

    /// Whether the value is an id: a string, or an integer, which a leniency allows.
    @inline(__always)
    private func isName(_ word: Int, _ view: TapeView) -> Bool { view.isString(word) || view.isInteger(word) }

    /// Returns the next identity whose resource is not on the tape, each once.
    mutating func next(_ view: TapeView) -> ResourceIdentifier? {
        while passed < identities.count {
            let identity = identities[passed]
            passed += 1
            if identity.isFetched { continue }
            let (type, name) = (view.string(at: identity.type), view.string(at: identity.key))
            return identity.isLocal ? ResourceIdentifier(type: type, lid: name) : ResourceIdentifier(type: type, id: name)
        }
        return nil
    }

    /// Notes that the resource with the identity that `next` returned last was fetched.
    mutating func noteFetched() { identities[passed - 1].isFetched = true }

    /// Whether the resource that an identifier refers to was fetched.
    func hasFetched(_ identifier: ResourceIdentifier, _ view: TapeView) -> Bool {
        guard let name = identifier.id ?? identifier.lid else { return false }
        let isLocal = identifier.id == nil
        let hash = IdentityTable.hash(type: identifier.type, key: name, isLocal: isLocal)
        let index = table.ordinal(of: hash) { index in
            let other = identities[index]
            return other.isLocal == isLocal && view.string(at: other.key, equals: name)
                && view.string(at: other.type, equals: identifier.type)
        }
        return index.map { identities[$0].isFetched } ?? false
    }
}
