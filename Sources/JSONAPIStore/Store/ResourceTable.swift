import JSONAPICodec

/// The resources of a store: their texts by identity, those of one type in the order of their arrival, all of them in the order
/// of their use.
///
/// ```
/// index   people 9 → 0, articles 1 → 1, people 2 → 2
/// slots   [people 9, articles 1, people 2]
/// types   people: 0 ⇄ 2      articles: 1
/// uses    1 ⇄ 0 ⇄ 2          least recently used first
/// ```
///
/// A value: a copy is a snapshot, and costs nothing until one of the two is changed. Everything about one resource is O(1).
struct ResourceTable: Sendable {
    struct Entry: Sendable {
        let identity: StoredIdentity
        var text: [UInt8]
        /// The number of the commit that gave it this text.
        var version: Int
    }

    private struct TypeList: Sendable {
        var chain = Chain()
        /// Its place among the types, by first arrival.
        let position: Int
    }

    private var slots: [Entry?] = []
    private var freeSlots: [Int] = []
    private var index: [StoredIdentity: Int] = [:]
    private var types: [TypeName: TypeList] = [:]
    private var typeLinks: [Chain.Link] = []
    private var uses = Chain()
    private var useLinks: [Chain.Link] = []
    private var nextTypePosition = 0
    private let tracksUse: Bool

    /// The number of the last commit that changed a text.
    private(set) var lastChange = 0

    init(tracksUse: Bool) { self.tracksUse = tracksUse }

    var count: Int { index.count }

    func count(ofType type: String) -> Int { types[TypeName(type)]?.chain.count ?? 0 }

    /// The types of which there are resources, by first arrival.
    var typeNames: [String] { types.sorted { $0.value.position < $1.value.position }.map(\.key.text) }

    func identities(ofType type: String) -> [StoredIdentity] {
        guard let chain = types[TypeName(type)]?.chain else { return [] }
        return chain.members(typeLinks).compactMap { slots[$0]?.identity }
    }

    var identities: [StoredIdentity] { typeNames.flatMap { identities(ofType: $0) } }

    func entry(_ identity: StoredIdentity) -> Entry? { index[identity].flatMap { slots[$0] } }

    func contains(_ identity: StoredIdentity) -> Bool { index[identity] != nil }

    /// The number of the commit that gave the resource its text; 0 for one that is not there.
    func version(of identity: StoredIdentity) -> Int { entry(identity)?.version ?? 0 }

    // MARK: - Changing

    /// Stores a text; answers whether the resource was there before. Equal text keeps its version.
    mutating func put(_ identity: StoredIdentity, _ text: [UInt8], commit: Int, isPinned: Bool) -> Bool {
        if let slot = index[identity] {
            if slots[slot]?.text != text {
                slots[slot]?.text = text
                slots[slot]?.version = commit
                lastChange = commit
            }
            noteUse(slot)
            return true
        }
        let slot = freeSlot()
        slots[slot] = Entry(identity: identity, text: text, version: commit)
        index[identity] = slot
        appendToType(slot, identity.type)
        if tracksUse, !isPinned { uses.append(slot, &useLinks) }
        lastChange = commit
        return false
    }

    /// Answers the text that was there.
    mutating func remove(_ identity: StoredIdentity, commit: Int) -> [UInt8]? {
        guard let slot = index.removeValue(forKey: identity), let entry = slots[slot] else { return nil }
        let type = TypeName(identity.type)
        types[type]?.chain.remove(slot, &typeLinks)
        if types[type]?.chain.count == 0 { types[type] = nil }
        if tracksUse { uses.remove(slot, &useLinks) }
        slots[slot] = nil
        freeSlots.append(slot)
        lastChange = commit
        if index.isEmpty { releaseMemory() }
        return entry.text
    }

    /// A table that is empty gives the room back which it needed when it was large.
    private mutating func releaseMemory() {
        guard slots.count > 1024 else { return }
        slots = []
        freeSlots = []
        index = [:]
        typeLinks = []
        useLinks = []
    }

    private mutating func freeSlot() -> Int {
        if let slot = freeSlots.popLast() { return slot }
        slots.append(nil)
        typeLinks.append(Chain.Link())
        if tracksUse { useLinks.append(Chain.Link()) }
        return slots.count - 1
    }

    private mutating func appendToType(_ slot: Int, _ type: String) {
        let name = TypeName(type)
        if types[name] == nil {
            types[name] = TypeList(position: nextTypePosition)
            nextTypePosition += 1
        }
        types[name]?.chain.append(slot, &typeLinks)
    }

    // MARK: - Use

    /// The resource whose last use is longest ago, of those that are not pinned.
    var leastRecentlyUsed: StoredIdentity? { uses.first.flatMap { slots[$0]?.identity } }

    mutating func noteUse(_ identity: StoredIdentity) {
        guard tracksUse, let slot = index[identity] else { return }
        noteUse(slot)
    }

    private mutating func noteUse(_ slot: Int) {
        guard tracksUse, useLinks[slot].isLinked else { return }
        uses.remove(slot, &useLinks)
        uses.append(slot, &useLinks)
    }

    /// A pinned resource is never the least recently used one.
    mutating func pin(_ identity: StoredIdentity) {
        guard tracksUse, let slot = index[identity] else { return }
        uses.remove(slot, &useLinks)
    }

    mutating func unpin(_ identity: StoredIdentity) {
        guard tracksUse, let slot = index[identity], !useLinks[slot].isLinked else { return }
        uses.append(slot, &useLinks)
    }
}

extension ResourceTable {
    /// `lastChange`, when none of these resources has another version than the given one; else nil.
    ///
    /// - Parameter change: the change as of which that is known already.
    /// - Complexity: O(1) when nothing was changed since, else O(dependencies).
    func confirm(_ dependencies: [StoredIdentity: Int], knownAt change: Int) -> Int? {
        if change == lastChange { return lastChange }
        return dependencies.allSatisfy { version(of: $0.key) == $0.value } ? lastChange : nil
    }
}
