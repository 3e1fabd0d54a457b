import JSONAPICodec

/// The resources of a store: their texts by identity, those of one type in the order of their arrival, all of them in the order
/// of their use.
///
/// ```
/// index   where people 9, articles 1 and people 2 stand: 0, 1, 2
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
        /// Whether the file of the store has this text.
        var isSaved = false
        /// Whether the file of the store has the resource, with this text or another one.
        var isFiled = false
    }

    private struct TypeList: Sendable {
        var chain = Chain()
        /// Its place among the types, by first arrival.
        let position: Int
    }

    private var slots: [Entry?] = []
    private var freeSlots: [Int] = []
    private var index = SlotIndex()
    private var types: [TypeName: TypeList] = [:]
    private var typeLinks: [Chain.Link] = []
    private var uses = Chain()
    private var useLinks: [Chain.Link] = []
    private var nextTypePosition = 0
    private let tracksUse: Bool

    /// The number of the last commit that changed a text.
    private(set) var lastChange = 0

    /// The file that has what the table let go of.
    private(set) var backing: Backing?
    /// The version of every resource that the table does not hold: the number of the last commit that let go of one which has to be looked
    /// for in the file since.
    private var absentVersion = 0

    init(tracksUse: Bool) { self.tracksUse = tracksUse }

    /// How many resources it holds in memory.
    var heldCount: Int { index.count }

    /// Which resources it holds in memory: type by type, each in the order of their arrival.
    var heldIdentities: [StoredIdentity] {
        types.sorted { $0.value.position < $1.value.position }.flatMap { heldIdentities(ofType: $0.key.text) }
    }

    func heldIdentities(ofType type: String) -> [StoredIdentity] { heldEntries(ofType: type).map(\.identity) }

    private func heldEntries(ofType type: String) -> [Entry] {
        guard let chain = types[TypeName(type)]?.chain else { return [] }
        return chain.members(typeLinks).compactMap { slots[$0] }
    }

    func entry(_ identity: StoredIdentity) -> Entry? { slot(of: identity).flatMap { slots[$0] } }

    /// Whether it holds the resource in memory.
    func holds(_ identity: StoredIdentity) -> Bool { slot(of: identity) != nil }

    private func slot(of identity: StoredIdentity) -> Int? { index.slot(of: identity) { slots[$0]?.identity } }

    /// The number of the commit that gave the resource its text. As long as that of a resource stays the same, so does what is read of it,
    /// whether it is there or not.
    func version(of identity: StoredIdentity) -> Int { entry(identity)?.version ?? absentVersion }

    /// Where the text of a resource is.
    func place(of identity: StoredIdentity) -> Place {
        if let entry = entry(identity) { return .held(entry.text) }
        guard let backing else { return .nowhere }
        guard let unsaved = backing.unsaved[identity] else { return .filed(backing.archive, identity) }
        return unsaved.text.map(Place.held) ?? .nowhere
    }

    // MARK: - Changing

    /// Stores a text; returns whether the resource was there before, in memory or in the file. Equal text keeps its version.
    mutating func put(_ identity: StoredIdentity, _ text: [UInt8], commit: Int, isPinned: Bool) -> Bool {
        if let slot = slot(of: identity) {
            if slots[slot]?.text != text {
                slots[slot]?.text = text
                slots[slot]?.version = commit
                slots[slot]?.isSaved = false
                lastChange = commit
            }
            noteUse(slot)
            return true
        }
        let (isThere, isFiled) = whereabouts(identity)
        let slot = freeSlot()
        slots[slot] = Entry(identity: identity, text: text, version: commit, isFiled: isFiled)
        index.insert(slot, identity) { slots[$0]?.identity }
        appendToType(slot, identity.type)
        if tracksUse, !isPinned { uses.append(slot, &useLinks) }
        backing?.unsaved[identity] = nil
        if !isThere { backing?.count(identity.type, 1) }
        lastChange = commit
        return isThere
    }

    /// Takes a resource out for good, whether the table holds it or the file has it.
    mutating func remove(_ identity: StoredIdentity, commit: Int) {
        let entry = take(identity, commit: commit)
        guard backing != nil else { return }
        let (isThere, isFiled) = entry.map { (true, $0.isFiled) } ?? whereabouts(identity)
        if isThere { backing?.count(identity.type, -1) }
        backing?.setUnsaved(identity, nil, commit, isFiled: isFiled)
        (absentVersion, lastChange) = (commit, commit)
    }

    /// Lets go of a resource, which is read through the file from now on. Answers what was there.
    mutating func evict(_ identity: StoredIdentity, commit: Int) -> Entry? {
        guard let entry = take(identity, commit: commit) else { return nil }
        guard backing != nil else { return entry }
        if !entry.isSaved { backing?.setUnsaved(identity, entry.text, commit, isFiled: entry.isFiled) }
        absentVersion = commit
        return entry
    }

    private mutating func take(_ identity: StoredIdentity, commit: Int) -> Entry? {
        guard let slot = index.remove(identity, { slots[$0]?.identity }), let entry = slots[slot] else { return nil }
        let type = TypeName(identity.type)
        types[type]?.chain.remove(slot, &typeLinks)
        if types[type]?.chain.count == 0 { types[type] = nil }
        if tracksUse { uses.remove(slot, &useLinks) }
        slots[slot] = nil
        freeSlots.append(slot)
        lastChange = commit
        if index.isEmpty { releaseMemory() }
        return entry
    }

    /// A table that is empty gives the room back which it needed when it was large.
    private mutating func releaseMemory() {
        guard slots.count > 1024 else { return }
        slots = []
        freeSlots = []
        index = SlotIndex()
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
        guard tracksUse, let slot = slot(of: identity) else { return }
        noteUse(slot)
    }

    private mutating func noteUse(_ slot: Int) {
        guard tracksUse, useLinks[slot].isLinked else { return }
        uses.remove(slot, &useLinks)
        uses.append(slot, &useLinks)
    }

    /// A pinned resource is never the least recently used one.
    mutating func pin(_ identity: StoredIdentity) {
        guard tracksUse, let slot = slot(of: identity) else { return }
        uses.remove(slot, &useLinks)
    }

    mutating func unpin(_ identity: StoredIdentity) {
        guard tracksUse, let slot = slot(of: identity), !useLinks[slot].isLinked else { return }
        uses.append(slot, &useLinks)
    }
}

// MARK: - The file

extension ResourceTable {
    /// Whether a resource that is not held is there, and whether the file has it. One that is damaged in the file is there.
    private func whereabouts(_ identity: StoredIdentity) -> (isThere: Bool, isFiled: Bool) {
        guard let backing else { return (false, false) }
        if let unsaved = backing.unsaved[identity] { return (unsaved.text != nil, unsaved.isFiled) }
        let isFiled = backing.has(identity)
        return (isFiled, isFiled)
    }

    /// Whether the resource is there, in memory or in the file. One that is damaged in the file is there.
    func mayHave(_ identity: StoredIdentity) -> Bool { holds(identity) || whereabouts(identity).isThere }

    /// Reads through that file, and through no other one any more. Nil for none.
    ///
    /// - Complexity: O(resources in memory and unsaved ones).
    mutating func setBacking(_ new: Backing?, commit: Int) {
        backing = new
        backing?.differences = [:]
        for slot in slots.indices {
            guard let entry = slots[slot] else { continue }
            let isFiled = new?.has(entry.identity) ?? false
            slots[slot]?.isFiled = isFiled
            slots[slot]?.isSaved = false
            if !isFiled { backing?.count(entry.identity.type, 1) }
        }
        backing?.recount()
        (absentVersion, lastChange) = (new == nil ? 0 : commit, commit)
    }

    /// Notes that the file has a resource with the text of a change, or no longer has it. What a later commit did to it stays unsaved.
    mutating func noteSaved(_ identity: StoredIdentity, isFiled: Bool, upTo commit: Int) {
        guard backing != nil else { return }
        var wasFiled = isFiled
        if let unsaved = backing?.unsaved[identity] {
            wasFiled = unsaved.isFiled
            if unsaved.commit <= commit { backing?.unsaved[identity] = nil } else { backing?.unsaved[identity]?.isFiled = isFiled }
        }
        if let slot = slot(of: identity), let entry = slots[slot] {
            wasFiled = entry.isFiled
            slots[slot]?.isFiled = isFiled
            if isFiled, entry.version <= commit { slots[slot]?.isSaved = true }
        }
        if wasFiled != isFiled { backing?.count(identity.type, isFiled ? -1 : 1) }
    }

    /// What a journal of the file begins with: everything that is in memory or was removed.
    var unfiledNotes: [(identity: StoredIdentity, note: StoreJournal.Note)] {
        let unsaved = (backing?.unsaved ?? [:]).sorted { $0.value.number < $1.value.number }
        return unsaved.map { ($0.key, $0.value.text.map { .evicted($0, isSaved: false) } ?? .removed) }
            + heldIdentities.map { ($0, .stored) }
    }

    /// What the file has after a save.
    mutating func noteSaved(_ archive: ArchiveImage) { backing?.archive = archive }
}

// MARK: - Lists

extension ResourceTable {
    /// How many resources there are, in memory or in the file.
    var count: Int {
        guard let backing else { return heldCount }
        return max(0, backing.archive.footer.resourceCount + backing.differences.values.reduce(0, +))
    }

    func count(ofType type: String) -> Int {
        guard let backing else { return types[TypeName(type)]?.chain.count ?? 0 }
        let filed = (try? backing.archive.count(ofType: type)) ?? 0
        return max(0, filed + (backing.differences[TypeName(type)] ?? 0))
    }

    /// The types of which there are resources: those of the file first, then by first arrival.
    var typeNames: [String] {
        let held = types.sorted { $0.value.position < $1.value.position }.map(\.key.text)
        guard let backing else { return held }
        let filed = backing.archive.types
        var known = Set(filed.map(TypeName.init))
        let added = held + backing.addedTypes
        return (filed + added.filter { known.insert(TypeName($0)).inserted }).filter { count(ofType: $0) > 0 }
    }

    var identities: [StoredIdentity] { typeNames.flatMap { identities(ofType: $0) } }

    /// The resources of a type, in the order of their arrival. Of a file whose directory is damaged, only those that are held.
    func identities(ofType type: String) -> [StoredIdentity] { (try? listed(ofType: type)) ?? heldIdentities(ofType: type) }

    /// The same. If the directory of the file is damaged, `onError` is told why.
    func shown(ofType type: String, _ onError: ((any Error) -> Void)?) -> [StoredIdentity] {
        do { return try listed(ofType: type) } catch {
            onError?(error)
            return heldIdentities(ofType: type)
        }
    }

    /// The same. Throws `ArchiveError` if the directory of the file is damaged.
    ///
    /// - Complexity: O(n), n = resources of the type; O(n log n) for the first list of a type after the file was opened or saved.
    func listed(ofType type: String) throws -> [StoredIdentity] {
        guard let backing else { return heldIdentities(ofType: type) }
        let filed = try backing.archive.identities(ofType: type)
        let present = backing.hasRemovals(ofType: type) ? filed.filter { !backing.isRemoved($0) } : filed
        return present + backing.added(ofType: type) + heldEntries(ofType: type).filter { !$0.isFiled }.map(\.identity)
    }

    /// All resources, type by type. Throws `ArchiveError` if the directory of the file is damaged.
    func listed() throws -> [StoredIdentity] { try typeNames.flatMap { try listed(ofType: $0) } }
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
