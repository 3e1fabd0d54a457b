import JSONAPIRules
import JSONText

/// The identities noted in one document, and the resources that are still to be written.
///
/// Resources are written one after another, in the order in which they are noted. A chain of any length therefore needs no stack, and a
/// cycle ends at an identity that is known. Each identity has an index.
///
/// Values of the program come before resources that were read. A resource that was read is written only when no value has its identity,
/// whichever was noted first, so that an edit is never lost. Resources that were read refer to no values.
package final class IncludedResources {
    /// A resource to be written. If it was already written, it is only searched for the resources that a longer path requests.
    package struct Item {
        package let number: Int
        package let node: IncludeTree.Node
        package let isWritten: Bool
        /// Whether the search counts; one for a new model does not, because their number is small.
        package var isCounted = true
        /// Whether a value here stands in place of a resource that was read, which can have other relationships.
        package var isInstead = false
        package let content: Content

        var isRaw: Bool { if case .raw = content { true } else { false } }
    }

    package enum Content {
        case value(WaitingValue)
        /// A resource of a document that was read, by its index in `located`.
        case raw(Int)
    }

    private let types: KnownTypes
    private let keys = KeyedHash.shared
    // Unchecked: nothing calls back while these change.
    @safe @exclusivity(unchecked) private var entries: [KnownResource] = []
    /// The value that is written for each identity, to compare others with. Separate, so that it is read without a copy of the entry.
    @safe @exclusivity(unchecked) private var values: [WaitingValue?] = []
    @safe @exclusivity(unchecked) private var items: [Item] = []
    @safe @exclusivity(unchecked) private var rawItems: [Item] = []
    @safe @exclusivity(unchecked) private var holders: [WaitingValues] = []
    /// The resources from documents that were read.
    @safe @exclusivity(unchecked) private var located: [LocatedResource] = []
    @safe @exclusivity(unchecked) private var next = 0
    @safe @exclusivity(unchecked) private var nextRaw = 0
    /// The first content of each resource in the beginning of `rawItems`, whose length is `indexed`.
    private var contents: [Int: Int] = [:]
    private var indexed = 0
    /// Values that share an identity with another, and may differ or lead to other resources.
    @safe @exclusivity(unchecked) private var others = OtherValues()
    @safe @exclusivity(unchecked) private var visits: Set<UInt64> = []
    private let table = OrdinalTable()
    /// Whether there are resources to be written.
    @safe @exclusivity(unchecked) private(set) var hasResources = false
    /// The resources whose value was found after the resource that was read had been written.
    @safe @exclusivity(unchecked) private var replaced: [Int] = []
    /// The values that were found too late before `startAgain`, by identity. Each is written where the resource that was read would be.
    @safe @exclusivity(unchecked) private var late: [ResourceIdentifier: WaitingValue] = [:]
    /// The models by which resources of a source are written, by identity.
    @safe @exclusivity(unchecked) private var models: [ResourceIdentifier: [ReadingModel]] = [:]
    /// The resources of documents that are written in place of those of a source, by identity.
    private var preferred: [ResourceIdentifier: LocatedResource] = [:]
    /// The number of resources that were written again because a longer path leads to them.
    @safe @exclusivity(unchecked) private var searchCount = 0
    /// The size of the text of these resources, and of those that stay.
    @safe @exclusivity(unchecked) private var searchedBytes = 0
    @safe @exclusivity(unchecked) private var writtenBytes = 0

    init(_ types: KnownTypes) { self.types = types }

    /// Forgets everything.
    func forgetAll() {
        entries.empty()
        values.empty()
        holders.empty()
        forgetItems()
        if !replaced.isEmpty { replaced = [] }
        if !late.isEmpty { late = [:] }
        if !models.isEmpty { models = [:] }
        if !preferred.isEmpty { preferred = [:] }
        forgetSearches()
    }

    private func forgetSearches() {
        searchCount = 0
        searchedBytes = 0
        writtenBytes = 0
    }

    /// Whether the lists for the resources need little memory.
    var isSmall: Bool { entries.capacity <= 4096 && holders.capacity <= 4096 && items.capacity <= 4096 && rawItems.capacity <= 4096 }

    /// Forgets what is to be written, and how identities are found.
    private func forgetItems() {
        items.empty()
        rawItems.empty()
        if !located.isEmpty { located = [] }
        next = 0
        nextRaw = 0
        if indexed > 0 { (contents, indexed) = ([:], 0) }
        others.removeAll()
        if !visits.isEmpty { visits = [] }
        table.removeAll()
        hasResources = false
    }

    /// Whether a value was written after the resource that was read with the same identity.
    var hasReplaced: Bool { !replaced.isEmpty }

    /// Forgets everything but the primary resources, which were noted first, the values that were found too late, and the models. The primary
    /// resources wait to be searched from the node `root`. Each call finds at least one more value or model, so calls come to an end.
    func startAgain(at root: IncludeTree.Node) {
        for number in replaced { late[identifier(number)] = values[number] }
        replaced = []
        let count = entries.firstIndex { !$0.isPrimary } ?? entries.count
        entries.removeSubrange(count...)
        values.removeSubrange(count...)
        forgetItems()
        forgetSearches()
        for number in 0..<count {
            if table.insert(number, entries[number].hash) { table.grow { entries[$0].hash } }
            _ = visit(number, root)
            if let value = value(number) { append(value, number, root, isWritten: true) }
        }
    }

    /// The information about a resource.
    @inline(__always)
    subscript(number: Int) -> KnownResource { entries[number] }

    /// Returns the id or the lid of a resource.
    @inline(__always)
    func text(_ number: Int) -> String { entries[number].text }

    /// Returns the prepared text that begins the object of a resource, up to its id; nil when the beginning has to be checked.
    @inline(__always)
    func opening(_ number: Int) -> Int? {
        guard entries[number].hasPlainID, types.isChecked(entries[number].type) else { return nil }
        return types.opening(entries[number].type)
    }

    /// Returns the value of a resource; nil for one that was read.
    @inline(__always)
    package func value(_ number: Int) -> WaitingValue? { values[number] }

    /// Whether a resource is only known from a document that was read.
    @inline(__always)
    func isRaw(_ number: Int) -> Bool { values[number] == nil && !entries[number].isPrimary }

    /// Notes the value of a resource.
    @inline(__always)
    func set(_ value: WaitingValue, for number: Int) { values[number] = value }

    /// Keeps waiting values until everything is written, and returns their index.
    func hold(_ values: WaitingValues) -> Int {
        holders.append(values)
        return holders.count - 1
    }

    /// Returns the waiting values that contain the given one.
    @inline(__always)
    package func values(of value: WaitingValue) -> WaitingValues { holders[value.holder] }

    /// Returns a resource of a document that was read, by its index.
    func located(_ number: Int) -> LocatedResource { located[number] }

    /// Returns the ordinals of the given document's resources that were noted.
    func ordinals(in document: ParsedDocument) -> Set<Int> { Set(located.lazy.filter { $0.document === document }.map(\.ordinal)) }

    /// Notes the range of a resource's object in the text.
    @inline(__always)
    func set(_ range: Range<Int>, for number: Int) {
        if !entries[number].range.isEmpty { replaced.append(number) }
        entries[number].range = range
        noteWritten(range.count)
    }

    /// Notes a model by which a resource is written. Returns false when it was noted before.
    @discardableResult
    package func note(_ model: ReadingModel, of number: Int) -> Bool {
        let identifier = identifier(number)
        if preferred[identifier] != nil || models[identifier]?.contains(where: { $0.type == model.type }) == true { return false }
        models[identifier, default: []].append(model)
        return true
    }

    /// Lets a resource be written as it is in a document, and not by models.
    func prefer(_ resource: LocatedResource, for number: Int) {
        preferred[identifier(number)] = resource
        models[identifier(number)] = nil
    }

    /// Returns the resource of a document that is written in place of one of a source.
    func preferred(_ number: Int) -> LocatedResource? { preferred.isEmpty ? nil : preferred[identifier(number)] }

    /// Whether any resource is written by models that read it.
    var hasModels: Bool { !models.isEmpty }

    /// Returns the models by which a resource of a source is written; nil for one that is written as it was read.
    package func models(_ number: Int) -> [ReadingModel]? { models.isEmpty ? nil : models[identifier(number)] }

    /// Lets a resource be written that was left out before.
    func replaceUnwritten(_ number: Int) { if isRaw(number), entries[number].range.isEmpty { replaced.append(number) } }

    /// Lets a resource be written with all of its models, of which one was found after it had been written.
    func replaceRead(_ number: Int) { if isRaw(number), !entries[number].range.isEmpty { replaced.append(number) } }

    /// Counts the size of the text of a resource that was written for the first time.
    package func noteWritten(_ byteCount: Int) { writtenBytes += byteCount }

    /// Counts a resource that is written again. Returns false when there are too many, or their text is too long: a path that leads through
    /// a circle many times.
    func maySearch() -> Bool {
        searchCount += 1
        return searchCount <= searchLimit && searchedBytes <= Self.freeBytes + Self.searchesPerByte * writtenBytes
    }

    /// Counts the size of the text of a resource that was written again.
    package func noteSearch(_ byteCount: Int) { searchedBytes += byteCount }

    /// Notes a value that shares its identity with another, and may differ or lead to other resources.
    ///
    /// - Parameters:
    ///   - node: The node from which to search it; nil to only compare it.
    ///   - origin: The object that the value is, or that gave it; nil when that is not known.
    ///   - root: The root of the search that led to it; nil when it was met outside of searches.
    func noteOther(_ number: Int, _ value: WaitingValue, isEqual: Bool, _ node: IncludeTree.Node?, from origin: AnyObject?, root: Int?) {
        others.note(number, value, isEqual: isEqual, node, from: origin, root: root, limit: searchLimit)
    }

    /// Returns the last value that `noteOther` keeps for an identity to be searched.
    func lastOther(_ number: Int) -> OtherValue? { others.last(number) }

    /// Returns the values that `noteOther` kept since the last call.
    package func takeOthers() -> [OtherValue] { others.take() }

    /// Whether something is still to be written, searched or compared.
    package var isWaiting: Bool { next < items.count || nextRaw < rawItems.count || !others.isEmpty }

    /// The maximum number of resources that are written again only to find others.
    private var searchLimit: Int { Self.freeSearches + Self.searchesPerResource * entries.count }
    private static let freeSearches = 10_000
    private static let searchesPerResource = 100
    private static let freeBytes = 32 << 20
    private static let searchesPerByte = 4

    /// Returns the identity of a resource.
    package func identifier(_ number: Int) -> ResourceIdentifier {
        let entry = entries[number]
        let type = types[entry.type].name
        switch entry.name {
        case .id: return ResourceIdentifier(type: type, id: entry.text)
        case .lid: return ResourceIdentifier(type: type, lid: entry.text)
        case .nothing: return ResourceIdentifier(ofObject: type)
        }
    }

    /// Returns the index of an identity; nil when it was not noted.
    func number(of identifier: ResourceIdentifier) -> Int? {
        let type = types.number(of: identifier.type)
        let (name, text) = KnownResource.name(of: identifier)
        return find(name, text, type, hash(name, text, type))
    }

    /// Returns the index of an identity, and notes it when it is new.
    func enter(_ identifier: ResourceIdentifier, isPrimary: Bool = false) -> (number: Int, isNew: Bool) {
        enter(identifier, type: types.number(of: identifier.type), isPrimary: isPrimary)
    }

    /// Does the same for an identity whose type was looked up.
    @inline(__always)
    func enter(_ identifier: ResourceIdentifier, type: Int, isPrimary: Bool = false) -> (number: Int, isNew: Bool) {
        // Not by `name(of:)`, whose result is a copy of the id.
        if let id = identifier.storedID { return enter(.id, id, type, isPrimary) }
        if let lid = identifier.lid { return enter(.lid, lid, type, isPrimary) }
        return enter(.nothing, "", type, isPrimary)
    }

    private func enter(_ name: KnownResource.Name, _ text: String, _ type: Int, _ isPrimary: Bool) -> (number: Int, isNew: Bool) {
        let hash = hash(name, text, type)
        if let number = find(name, text, type, hash) { return (number, false) }
        entries.append(
            KnownResource(
                type: type, name: name, text: text, hash: hash, isPrimary: isPrimary, hasPlainID: name == .id && !text.isEmpty))
        values.append(nil)
        // Also a resource with neither id nor lid, which is never looked up, because the table numbers its ordinals without gaps.
        if table.insert(entries.count - 1, hash) { table.grow { entries[$0].hash } }
        return (entries.count - 1, true)
    }

    /// Ids and lids are separate: the same text as an id and as a lid identifies different resources. Each resource with neither has its own
    /// hash, so that many of them do not slow down looking up others.
    @inline(__always)
    private func hash(_ name: KnownResource.Name, _ text: String, _ type: Int) -> UInt64 {
        let start = name == .nothing ? UInt64(truncatingIfNeeded: entries.count) : types.hash(type)
        return UTF8Bytes.withBytes(of: text) { keys.mix($0, into: name == .id ? start : ~start) }
    }

    @inline(__always)
    private func find(_ name: KnownResource.Name, _ text: String, _ type: Int, _ hash: UInt64) -> Int? {
        // A resource with neither id nor lid is never the same as another.
        guard name != .nothing else { return nil }
        return table.ordinal(of: hash) { number in
            // Without a copy of the entry.
            entries.borrow(number) { $0.type == type && $0.name == name && UTF8Bytes.areEqual($0.text, text) }
        }
    }

    /// Notes a visit of the resource from a node of the include tree. Returns whether it is the first.
    package func visit(_ number: Int, _ node: IncludeTree.Node) -> Bool { visits.insert(Self.visit(number, node)).inserted }

    /// Whether a visit of the resource from a node was noted.
    package func wasVisited(_ number: Int, _ node: IncludeTree.Node) -> Bool { visits.contains(Self.visit(number, node)) }

    /// Forgets a visit of the resource.
    func forgetVisit(_ number: Int, _ node: IncludeTree.Node) { visits.remove(Self.visit(number, node)) }

    private static func visit(_ number: Int, _ node: IncludeTree.Node) -> UInt64 {
        UInt64(truncatingIfNeeded: number) << 32 | UInt64(UInt32(bitPattern: node))
    }

    package func append(_ value: WaitingValue, _ number: Int, _ node: IncludeTree.Node, isWritten: Bool) {
        if !isWritten { hasResources = true }
        items.append(Item(number: number, node: node, isWritten: isWritten, content: .value(value)))
    }

    /// Lets the value of a resource be written once more, if it was written, and is not primary. The new text replaces the old one.
    func writeAgain(_ identifier: ResourceIdentifier, _ node: IncludeTree.Node) {
        guard let number = number(of: identifier), !entries[number].isPrimary, !entries[number].range.isEmpty else { return }
        if let value = values[number] { append(value, number, node, isWritten: false) }
    }

    func append(_ resource: LocatedResource, _ number: Int, _ node: IncludeTree.Node, isWritten: Bool) {
        if !isWritten { hasResources = true }
        if !isWritten, !late.isEmpty, let found = late[identifier(number)] {
            return rawItems.append(Item(number: number, node: node, isWritten: false, isInstead: true, content: .value(found)))
        }
        located.append(resource)
        // If a value is found later, it will stand here.
        rawItems.append(
            Item(number: number, node: node, isWritten: isWritten, isInstead: isRaw(number), content: .raw(located.count - 1)))
    }

    /// Searches a resource that was read and noted before.
    func searchRead(_ number: Int, _ node: IncludeTree.Node, isCounted: Bool) {
        while indexed < rawItems.count {
            if case .raw(let index) = rawItems[indexed].content, contents[rawItems[indexed].number] == nil {
                contents[rawItems[indexed].number] = index
            }
            indexed += 1
        }
        guard let index = contents[number] else { return }
        rawItems.append(Item(number: number, node: node, isWritten: true, isCounted: isCounted, content: .raw(index)))
    }

    /// Returns the next resource to be written or searched.
    package func nextItem() -> Item? {
        if next < items.count {
            next += 1
            return items[next - 1]
        }
        while nextRaw < rawItems.count {
            nextRaw += 1
            let item = rawItems[nextRaw - 1]
            guard let value = value(item.number) else {
                if case .value = item.content { values[item.number] = late[identifier(item.number)] }
                return item
            }
            // The value was written instead. It is searched for the resources that the path to here requests.
            guard item.node >= 0 else { continue }
            return Item(number: item.number, node: item.node, isWritten: true, isInstead: item.isInstead, content: .value(value))
        }
        return nil
    }
}

/// A model by which a resource of a source is written.
package struct ReadingModel {
    package let type: any ResourceRepresentable.Type
    /// Finds the resource.
    package let resolver: ReferenceResolver
    /// Finds it if the model cannot read what the other one finds.
    private let other: ReferenceResolver?

    package init(
        type: any ResourceRepresentable.Type, _ resolver: ReferenceResolver, _ other: ReferenceResolver? = nil
    ) {
        (self.type, self.resolver, self.other) = (type, resolver, other)
    }

    var resolvers: [ReferenceResolver] { other.map { $0 === resolver ? [resolver] : [resolver, $0] } ?? [resolver] }
}

extension Array {
    /// Removes all elements and keeps the memory. For the few elements of a small document, `removeAll(keepingCapacity:)` takes ten times as
    /// long.
    @inline(__always)
    fileprivate mutating func empty() {
        if count > 8 { return removeAll(keepingCapacity: true) }
        while !isEmpty { removeLast() }
    }
}
