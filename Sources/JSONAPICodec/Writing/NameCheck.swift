import JSONMapping
import JSONText

/// Finds misspelled names among those that the caller of the encoder gives as text: include paths, fieldsets and names to omit.
///
/// A name is correct when a resource has a property or a coding key with that name. It is wrong when there are resources, all of them were
/// written by coding keys, and none has such a key. Nothing is known when no resource was written, or when one was written without coding
/// keys. A direct writer writes some of its names for placeholders: another name is wrong only if it is similar to one of these. Nothing is
/// known of the values of a union either, because other types may occur next time, nor of attributes beside `RemainingMembers` of all
/// attributes.
package final class NameCheck {
    /// The information about the resources of one type, or at one place of the include paths.
    private final class Group {
        let names: [String]
        /// The names that no resource has had yet.
        var pending: Set<ByteText>
        /// The number of resources.
        var count = 0
        /// The number of resources that were written by known coding keys.
        var keyedCount = 0
        var lastSerial = 0
        /// Whether resources of other types, or with other attributes, may occur another time.
        var isOpen = false
        /// Whether that is so at all places behind this one.
        var isOpenBehind = false
        /// The coding keys of meta, links and the lid, which are no fields. Only of names to omit.
        var parts: Set<ByteText> = []
        /// For each type of coding key, a function that returns whether there is a key with a name.
        var keys: [ObjectIdentifier: (String) -> Bool] = [:]
        /// The types that were written without coding keys.
        var direct: [ObjectIdentifier: any DirectResource.Type] = [:]

        init(_ names: [String]) {
            self.names = names
            pending = Set(names.map { ByteText($0) })
        }
    }

    private var types: [ByteText: Group] = [:]
    private var nodes: [IncludeTree.Node: Group] = [:]
    private var omitted: Group?
    private let tree: IncludeTree?
    private let strategy: KeyStrategy
    /// Whether a model asked for a container by `Key`, which accepts any text.
    private(set) var hasSeenKey = false

    init(_ tree: IncludeTree, fields: [String: [String]], _ strategy: KeyStrategy) {
        self.strategy = strategy
        self.tree = tree
        types = ByteText.keys(of: fields).mapValues { Group($0) }
        for node in tree.nodes where tree.hasChildren(node) { nodes[node] = Group(tree.names(at: node)) }
    }

    init(omitting names: [String], _ strategy: KeyStrategy) {
        self.strategy = strategy
        tree = nil
        omitted = Group(names)
    }

    // MARK: - While resources are written

    /// The names that are still missing, among the fields of the current resource, and among its relationships as steps of include paths.
    /// Nil when all names were found.
    private var fields: Group?
    private var steps: Group?

    /// Begins a resource.
    func begin(_ session: EncodingSession) {
        fields = begun(omitted ?? (types.isEmpty ? nil : types[ByteText(session.identity.type)]))
        steps = begun(nodes.isEmpty ? nil : nodes[session.resource.node])
    }

    private func begun(_ group: Group?) -> Group? {
        guard let group, !group.pending.isEmpty else { return nil }
        group.count += 1
        // Another session can have the same numbers.
        group.lastSerial = -1
        return group
    }

    /// Notes that the resources at this place of the include paths are values of a union.
    func open(_ node: IncludeTree.Node) { nodes[node]?.isOpen = true }

    /// Notes that resources of a model that is not written may be at this place of the include paths, so that nothing is known of the places
    /// behind it.
    ///
    /// - Parameter type: The type of a resource that the model cannot read.
    package func openAll(_ node: IncludeTree.Node, _ type: String? = nil) {
        if let type { types[ByteText(type)]?.isOpen = true }
        var places = [node]
        while let place = places.popLast(), let group = nodes[place], let tree {
            if group.isOpenBehind { continue }
            (group.isOpen, group.isOpenBehind) = (true, true)
            places += tree.nodes(after: place)
        }
    }

    /// Notes that a container for the properties of the resource is created.
    func note<Keys: CodingKey>(_ type: Keys.Type, _ session: EncodingSession) {
        guard Keys.self != Key.self else {
            hasSeenKey = true
            for group in [fields, steps] { group?.isOpen = true }
            return
        }
        note(ObjectIdentifier(type), session) { Keys(stringValue: $0) != nil }
    }

    private func note(_ type: ObjectIdentifier, _ session: EncodingSession, _ isKey: @escaping (String) -> Bool) {
        for group in [fields, steps].compactMap(\.self) {
            if group.lastSerial != session.serial { group.keyedCount += 1 }
            group.lastSerial = session.serial
            group.keys[type] = isKey
        }
    }

    /// Notes that a resource is written by a schema. All of its members are known, also those that have no value.
    func note(_ members: SchemaMembers, _ session: EncodingSession) {
        note(members.model, session) { name in members.names.contains { UTF8Bytes.areEqual($0, name) } }
        for name in members.names { note(path: ["relationships", name]) }
        if members.isOpen { openFields() }
    }

    /// Notes that a resource was written by a direct writer, unless it was written by its coding keys.
    func note(direct type: any DirectResource.Type, _ session: EncodingSession) {
        for group in [fields, steps].compactMap(\.self) where group.lastSerial != session.serial {
            group.keyedCount += 1
            group.lastSerial = session.serial
            group.direct[ObjectIdentifier(type)] = type
        }
    }

    /// Notes that the resource has a property with the given name.
    func note(_ name: String) { fields?.pending.remove(ByteText(name)) }

    /// Notes that the resource has a relationship with the given name.
    func noteRelationship(_ name: String) { steps?.pending.remove(ByteText(name)) }

    /// Notes that the resource has a property at a path of names, also when nothing is written there.
    func note(path: [String]) {
        guard path.count > 1, path[0] == "attributes" || path[0] == "relationships" else { return }
        note(path[1])
        if path[0] == "relationships" { noteRelationship(path[1]) }
    }

    /// Notes that a property has meta, links, or the lid, whatever its name is.
    func notePart(_ name: String) { omitted?.parts.insert(ByteText(name)) }

    /// Notes that the resource may have attributes that its coding keys do not name.
    func openFields() { fields?.isOpen = true }

    /// Notes that the resource writes a part of it with a container of its own, whose keys are not known.
    func open(_ part: String) {
        if ResourcePart(rawValue: part)?.holdsFields == true { openFields() }
        if part == "relationships" { steps?.isOpen = true }
    }

    // MARK: - At the end

    /// Throws for the first wrong name.
    package func finish(_ tree: IncludeTree?) throws {
        for (node, group) in nodes {
            guard let name = wrongName(in: group) else { continue }
            let path = ((tree?.path(to: node) ?? []) + [name]).joined(separator: ".")
            throw failure(name, group, expected: "an include path of the model's relationships", found: "`\(path)`")
        }
        for (type, group) in types {
            guard let name = wrongName(in: group) else { continue }
            throw failure(name, group, expected: "fields of resources of type `\(type.text)`", found: "`\(name)`")
        }
        guard let omitted, let name = wrongName(in: omitted) else { return }
        throw failure(name, omitted, expected: "names of the model to omit", found: "`\(name)`")
    }

    private func wrongName(in group: Group) -> String? {
        guard group.count > 0, group.keyedCount == group.count, !group.isOpen, !group.pending.isEmpty else { return nil }
        var written: [String] = []
        for (key, type) in group.direct {
            guard let known = ModelNames.fields(of: type, strategy) else { return nil }
            written += known.fields.map(\.name)
            group.keys[key] = known.isKey
        }
        group.pending.subtract(written.map { ByteText($0) })
        return group.names.first { name in
            group.pending.contains(ByteText(name)) && (group.direct.isEmpty || NearestName.find(name, in: written) != nil)
                && (group.parts.contains(ByteText(name))
                    || strategy.hasKey(for: name) { key in group.keys.values.contains { $0(key) } } == false)
        }
    }

    private func failure(_ name: String, _ group: Group, expected: String, found: String) -> EncodingFailure {
        let nearest = NearestName.probe(strategy.keyName(name) ?? name) { key in group.keys.values.contains { $0(key) } }
        return EncodingFailure(
            .unknownName, at: .root, expected: expected, found: found,
            advice: group.parts.contains(ByteText(name))
                ? "this is the name of meta, links, or a lid, which are left out if the property is nil"
                : nearest.map { hint($0) } ?? "names are those of the document")
    }

    private func hint(_ key: String) -> String {
        let name = strategy.memberName(key)
        return "the nearest coding key is `\(key)`" + (UTF8Bytes.areEqual(name, key) ? "" : ", for the name `\(name)`")
    }
}
