import JSONMapping
import JSONText

/// Finds misspelt names among those that the caller of the encoder gives as text: include paths, fieldsets, names to omit.
///
/// A name is right when some resource had a property of that name, or a coding key for it. It is wrong when there were resources, all of
/// them written by coding keys, and none has one. Where nothing was written, or by hand, nothing is known of names; nor is it of the
/// values of a union, of which other types may come next time.
final class NameCheck {
    /// What is known of the resources of one type, or at one place of the include paths.
    private final class Group {
        /// The names that no resource had yet, with the node that each leads to.
        var pending: [(name: String, node: IncludeTree.Node)]
        /// How many resources there were.
        var count = 0
        /// How many of them were written by coding keys that are known.
        var keyedCount = 0
        var lastSerial = 0
        /// Whether resources of other types may be there another time.
        var isOpen = false
        /// Whether there is a coding key for a name, by the type of the key.
        var keys: [ObjectIdentifier: (String) -> Bool] = [:]

        init(_ pending: [(name: String, node: IncludeTree.Node)]) { self.pending = pending }
    }

    private var types: [String: Group] = [:]
    private var nodes: [IncludeTree.Node: Group] = [:]
    private var omitted: Group?
    private let strategy: KeyStrategy
    /// Whether a container was asked for by `Key`, which any text can be.
    private(set) var hasSeenKey = false

    init(_ tree: IncludeTree, fields: [String: [String]], _ strategy: KeyStrategy) {
        self.strategy = strategy
        types = fields.mapValues { names in Group(names.map { ($0, IncludeTree.nothing) }) }
        for node in tree.nodes where tree.hasChildren(node) { nodes[node] = Group(tree.children(of: node)) }
    }

    init(omitting names: [String], _ strategy: KeyStrategy) {
        self.strategy = strategy
        omitted = Group(names.map { ($0, IncludeTree.nothing) })
    }

    // MARK: - While resources are written

    /// What is still looked for in the fields of the resource that is written, and in its relationships as steps of include paths; nil when
    /// all names were met.
    private var fields: Group?
    private var steps: Group?

    /// A resource begins.
    func begin(_ session: EncodingSession) {
        fields = begun(omitted ?? (types.isEmpty ? nil : types[session.identity.type]))
        steps = begun(nodes.isEmpty ? nil : nodes[session.resource.node])
    }

    private func begun(_ group: Group?) -> Group? {
        guard let group, !group.pending.isEmpty else { return nil }
        group.count += 1
        return group
    }

    /// The resources at this place of the include paths are values of a union.
    func open(_ node: IncludeTree.Node) { nodes[node]?.isOpen = true }

    /// A container for the properties of the resource is made.
    func note<Keys: CodingKey>(_ type: Keys.Type, _ session: EncodingSession) {
        guard Keys.self != Key.self else {
            hasSeenKey = true
            return
        }
        note(type, session, fields)
        note(type, session, steps)
    }

    private func note<Keys: CodingKey>(_ type: Keys.Type, _ session: EncodingSession, _ group: Group?) {
        guard let group else { return }
        if group.lastSerial != session.serial { group.keyedCount += 1 }
        group.lastSerial = session.serial
        if group.keys[ObjectIdentifier(type)] == nil { group.keys[ObjectIdentifier(type)] = { Keys(stringValue: $0) != nil } }
    }

    /// The resource has a property of that name.
    func note(_ name: String, _ session: EncodingSession) { fields?.pending.removeAll { UTF8Bytes.areEqual($0.name, name) } }

    /// The resource has a relationship of that name.
    func noteRelationship(_ name: String, _ session: EncodingSession) {
        steps?.pending.removeAll { UTF8Bytes.areEqual($0.name, name) }
    }

    // MARK: - In the end

    /// Throws for the first name that is wrong.
    func finish(_ tree: IncludeTree?) throws {
        for (node, group) in nodes {
            guard let name = wrongName(in: group) else { continue }
            let path = ((tree?.path(to: node) ?? []) + [name]).joined(separator: ".")
            throw failure(name, group, expected: "an include path of the model's relationships", found: "`\(path)`")
        }
        for (type, group) in types {
            guard let name = wrongName(in: group) else { continue }
            throw failure(name, group, expected: "fields that resources of type `\(type)` have", found: "`\(name)`")
        }
        guard let omitted, let name = wrongName(in: omitted) else { return }
        throw failure(name, omitted, expected: "names of the model to leave out", found: "`\(name)`")
    }

    private func wrongName(in group: Group) -> String? {
        guard group.count > 0, group.keyedCount == group.count, !group.isOpen else { return nil }
        return group.pending.first { name, _ in
            guard let key = strategy.keyName(name) else { return false }
            return !group.keys.values.contains { $0(key) || $0(name) }
        }?.name
    }

    private func failure(_ name: String, _ group: Group, expected: String, found: String) -> EncodingFailure {
        let nearest = NearestName.probe(strategy.keyName(name) ?? name) { key in group.keys.values.contains { $0(key) } }
        return EncodingFailure(
            .unknownName, at: .root, expected: expected, found: found,
            advice: nearest.map { "the nearest coding key is `\($0)`" } ?? "names are those of the document")
    }
}
