import JSONText

/// The identities met in one document, and the resources that are still to be written.
///
/// Resources are written in the order in which they are met, one after the other: a chain of any length takes no stack, and a
/// circle ends where an identity is known.
final class IncludedResources {
    /// A resource to be written, or, when it was written already, to be searched for what a longer path asks for.
    struct Item {
        let ordinal: Int
        let node: IncludeTree.Node
        let isWritten: Bool
        let content: Content
    }

    enum Content {
        case value(KeptValue)
        /// One of `raws`.
        case raw(Int)
    }

    private let types: KnownTypes
    private let keys = KeyedHash.shared
    let entries = StableList<KnownResource>()
    let items = StableList<Item>()
    /// Resources of documents that were read.
    let raws = StableList<LocatedResource>()
    private var next = 0
    /// Values that have the identity of another but not its bits; compared at the end.
    var doubtful: [(ordinal: Int, value: KeptValue)] = []
    private var visits: Set<UInt64> = []
    private let table = OrdinalTable()
    /// Whether anything is to be written.
    private(set) var hasResources = false

    init(_ types: KnownTypes) { self.types = types }

    /// Forgets everything.
    func forgetAll() {
        entries.removeAll()
        items.removeAll()
        raws.removeAll()
        next = 0
        doubtful = []
        visits = []
        table.removeAll()
        hasResources = false
        rawCount = 0
    }

    /// An entry, where it is. It stays there until everything is forgotten.
    @inline(__always)
    func known(_ ordinal: Int) -> UnsafeMutablePointer<KnownResource> { entries.pointer(ordinal) }

    /// The ordinal of an identity that was met before.
    func ordinal(of identifier: ResourceIdentifier) -> Int? {
        let type = types.known(identifier.type)
        guard let id = identifier.id, !id.isEmpty else { return ordinal(unnamed: identifier, type, hash(unnamed: identifier, type)) }
        if let short = ShortText(id) { return ordinal(of: short, type, keys.mix(short, into: type.pointee.hash)) }
        return ordinal(of: id, type, keys.hash(id, after: type.pointee.hash))
    }

    /// The entry of an identity, made where there is none.
    func entry(_ identifier: ResourceIdentifier, isPrimary: Bool = false) -> (ordinal: Int, isNew: Bool) {
        entry(identifier, types.known(identifier.type), isPrimary: isPrimary)
    }

    /// The same for one whose type is looked up already.
    func entry(
        _ identifier: ResourceIdentifier, _ type: UnsafeMutablePointer<KnownTypes.Known>, isPrimary: Bool = false
    ) -> (ordinal: Int, isNew: Bool) {
        guard let id = identifier.id, !id.isEmpty else {
            let hash = hash(unnamed: identifier, type)
            if let ordinal = ordinal(unnamed: identifier, type, hash) { return (ordinal, false) }
            return (append(KnownResource(unnamed: identifier, type, hash: hash, isPrimary: isPrimary)), true)
        }
        if let short = ShortText(id) { return entry(short, type, isPrimary: isPrimary) }
        let hash = keys.hash(id, after: type.pointee.hash)
        if let ordinal = ordinal(of: id, type, hash) { return (ordinal, false) }
        return (append(KnownResource(id, type, hash: hash, isPrimary: isPrimary)), true)
    }

    /// The same for a short id.
    @inline(__always)
    func entry(
        _ id: ShortText, _ type: UnsafeMutablePointer<KnownTypes.Known>, isPrimary: Bool = false
    ) -> (ordinal: Int, isNew: Bool) {
        let hash = keys.mix(id, into: type.pointee.hash)
        if let ordinal = ordinal(of: id, type, hash) { return (ordinal, false) }
        return (append(KnownResource(id, type, hash: hash, isPrimary: isPrimary)), true)
    }

    @inline(__always)
    private func append(_ resource: consuming KnownResource) -> Int {
        let hash = resource.hash
        let ordinal = entries.append(resource)
        table.insert(ordinal, hash) { known($0).pointee.hash }
        return ordinal
    }

    @inline(__always)
    private func ordinal(of id: ShortText, _ type: UnsafeMutablePointer<KnownTypes.Known>, _ hash: UInt64) -> Int? {
        table.ordinal(of: hash) { known($0).pointee.type == type && known($0).pointee.shortID == id }
    }

    /// - Parameter id: one that is not short.
    private func ordinal(of id: String, _ type: UnsafeMutablePointer<KnownTypes.Known>, _ hash: UInt64) -> Int? {
        table.ordinal(of: hash) { ordinal in
            known(ordinal).pointee.type == type && KnownResource.lendID(known(ordinal)) { UTF8Bytes.areEqual($0, id) }
        }
    }

    /// - Parameter identifier: one with a lid, or with nothing at all.
    private func ordinal(
        unnamed identifier: ResourceIdentifier, _ type: UnsafeMutablePointer<KnownTypes.Known>, _ hash: UInt64
    ) -> Int? {
        table.ordinal(of: hash) { known($0).pointee.type == type && known($0).pointee.identifier.hasIdentity(of: identifier) }
    }

    private func hash(unnamed identifier: ResourceIdentifier, _ type: UnsafeMutablePointer<KnownTypes.Known>) -> UInt64 {
        keys.hash(identifier.lid ?? "", after: ~type.pointee.hash)
    }

    /// Whether the resource was not yet searched from this node of the include tree.
    func visit(_ ordinal: Int, _ node: IncludeTree.Node) -> Bool {
        visits.insert(UInt64(truncatingIfNeeded: ordinal) << 32 | UInt64(UInt32(bitPattern: node))).inserted
    }

    func append(_ value: KeptValue, _ ordinal: Int, _ node: IncludeTree.Node, isWritten: Bool) {
        append(Item(ordinal: ordinal, node: node, isWritten: isWritten, content: .value(value)))
    }

    func append(_ located: LocatedResource, _ ordinal: Int, _ node: IncludeTree.Node, isWritten: Bool) {
        if !isWritten { rawCount += 1 }
        append(Item(ordinal: ordinal, node: node, isWritten: isWritten, content: .raw(raws.append(located))))
    }

    @inline(__always)
    private func append(_ item: Item) {
        if !item.isWritten { hasResources = true }
        items.append(item)
    }

    /// How many resources of documents that were read are included.
    private(set) var rawCount = 0

    /// The next resource to be written or searched.
    func nextItem() -> UnsafePointer<Item>? {
        guard next < items.count else { return nil }
        next += 1
        return UnsafePointer(items.pointer(next - 1))
    }
}

// MARK: - Meeting resources

extension EncodingSession {
    /// Where a relationship of that name leads in the include tree; nil when what it links to is not asked for.
    @inline(__always)
    func node(through name: String) -> IncludeTree.Node? {
        guard resource.node != IncludeTree.nothing, let node = tree.step(name, from: resource.node) else { return nil }
        // Without linkage nothing leads to the resource, unless somebody asked for it by name.
        return node == IncludeTree.everything && !wants(name) ? nil : node
    }

    /// A related resource that was read.
    func meet(_ identifier: ResourceIdentifier, through resolver: ReferenceResolver, _ node: IncludeTree.Node) {
        guard followsSources || !(resolver is SourceResolver) else { return }
        if let known = included.ordinal(of: identifier), !tree.hasChildren(node) || !included.visit(known, node) { return }
        guard let located = resolver.locate(identifier) else { return }
        let (ordinal, isNew) = included.entry(identifier)
        if isNew, node >= 0 { _ = included.visit(ordinal, node) }
        included.append(located, ordinal, node, isWritten: !isNew)
    }
}

// MARK: - Writing them

extension EncodingSession {
    /// Writes `included`: what was met, and what is met meanwhile.
    ///
    /// - Parameter order: a document whose order is kept; what it does not have comes last.
    func writeIncluded(isRequired: Bool, order: ParsedDocument?) throws {
        guard isRequired || included.hasResources else { return try compareDoubtful() }
        output.name("included")
        let start = output.mark.count
        output.beginArray()
        var written: [Int] = []
        try writeItems(&written)
        if let order, tree.root == IncludeTree.everything, fieldsets.isEmpty {
            appendUnlinked(of: order)
            try writeItems(&written)
        }
        output.endArray()
        try compareDoubtful()
        if let order { arrange(written, from: start, by: order) }
    }

    private func writeItems(_ written: inout [Int]) throws {
        while let item = included.nextItem() {
            let mark = output.mark
            try write(item, at: ObjectPlace(.included, index: written.count))
            if item.pointee.isWritten {
                output.reset(to: mark)
            } else {
                included.known(item.pointee.ordinal).pointee.range = range(from: mark)
                written.append(item.pointee.ordinal)
            }
        }
    }

    /// Included resources that nothing led to when the document was read: a sparse fieldset may have left the linkage out. They
    /// stay.
    private func appendUnlinked(of document: ParsedDocument) {
        let index = document.index
        guard let resolver, included.rawCount < index.includedOrdinals.count else { return }
        var walk = LinkageWalk(document)
        walk.run()
        for target in index.includedOrdinals where !walk.reached[target] {
            guard let identifier = Self.identifier(index.entries[target], document.view) else { continue }
            let (ordinal, isNew) = included.entry(identifier)
            guard isNew else { continue }
            let located = LocatedResource(document: document, ordinal: target, resolver: resolver)
            included.append(located, ordinal, IncludeTree.everything, isWritten: false)
        }
    }

    func write(_ item: UnsafePointer<IncludedResources.Item>, at place: ObjectPlace) throws {
        let item = item.pointee
        try write(item.content, as: UnsafePointer(included.known(item.ordinal)), at: place, node: item.node)
    }

    func write(
        _ content: IncludedResources.Content, as identity: UnsafePointer<KnownResource>, at place: ObjectPlace,
        node: IncludeTree.Node
    ) throws {
        switch content {
        case .value(let value): try value.write(self, as: identity, at: place, node: node)
        case .raw(let number): try writeRaw(included.raws[number], at: place, node: node)
        }
    }

    /// The bytes of the value written behind `mark`, without the comma in front.
    func range(from mark: JSONOutput.Mark) -> Range<Int> {
        let text = output.text
        let start = mark.count < text.count && text[mark.count] == UInt8(ascii: ",") ? mark.count + 1 : mark.count
        return start..<text.count
    }

    /// Puts the objects of the array that begins at `start` into the order that they have in `document`.
    private func arrange(_ written: [Int], from start: Int, by document: ParsedDocument) {
        let positions = written.map { document.index.ordinal(of: included.known($0).pointee.identifier, document.view) ?? .max }
        guard zip(positions, positions.dropFirst()).contains(where: { $0 > $1 }) else { return }
        let sorted = written.indices.sorted { (positions[$0], $0) < (positions[$1], $1) }
        let bytes = output.bytes
        let objects = sorted.map { bytes[included.entries[written[$0]].range] }
        output.replace(from: start + 1, with: Array(objects.joined(separator: [UInt8(ascii: ",")])) + [UInt8(ascii: "]")])
    }

    /// Writes each value that shares an identity with another once more, and compares the texts.
    private func compareDoubtful() throws {
        guard case .throw = options.conflictingResources else { return }
        for (ordinal, value) in included.doubtful {
            let entry = included.entries[ordinal]
            guard !entry.range.isEmpty else { continue }
            let mark = output.mark
            try value.write(self, as: UnsafePointer(included.known(ordinal)), at: ObjectPlace(.included), node: IncludeTree.nothing)
            let text = output.text
            let isSame = text[entry.range].elementsEqual(text[range(from: mark)])
            output.reset(to: mark)
            if !isSame { throw conflict(included.known(ordinal).pointee.identifier) }
        }
    }

    func conflict(_ identifier: ResourceIdentifier) -> EncodingFailure {
        EncodingFailure(
            .duplicateResource, at: .root, resource: identifier, expected: "one resource for each type and id",
            found: "two that differ, both \(identifier.type) \(identifier.id ?? identifier.lid ?? "")",
            advice: "give both the same values, refer to one of them by ToOne or ToMany, or set conflictingResources to keepFirst")
    }
}
