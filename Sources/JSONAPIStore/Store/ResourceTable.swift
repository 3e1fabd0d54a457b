import JSONAPIArchive
import JSONAPICodec

/// The resources of a store. The table finds a text by identity, lists each type in the order of arrival, and orders all resources by their
/// last use.
///
/// ```
/// index   the slots of people 9, articles 1 and people 2: 0, 1, 2
/// slots   [people 9, articles 1, people 2]
/// lists   people: 0 ⇄ 2      articles: 1
/// uses    1 ⇄ 0 ⇄ 2          least recently used first
/// ```
///
/// A table is a value, so a copy is a snapshot. The copy costs nothing until one of the two changes. An operation on one resource costs
/// O(1).
struct ResourceTable: Sendable {
    struct Entry: Sendable {
        let identity: StoredIdentity
        var text: [UInt8]
        /// Both in eight bytes: the version twice, plus 1 if the resource is filed.
        private var bits: Int64

        init(identity: StoredIdentity, text: [UInt8], version: Int, isFiled: Bool) {
            (self.identity, self.text) = (identity, text)
            bits = Int64(version) << 1 | (isFiled ? 1 : 0)
        }

        /// The number of the commit that stored this text.
        var version: Int {
            get { Int(truncatingIfNeeded: bits >> 1) }
            set { bits = Int64(newValue) << 1 | bits & 1 }
        }

        /// Whether the file of the store has the resource, with this text or another one.
        var isFiled: Bool {
            get { bits & 1 == 1 }
            set { bits = bits & ~1 | (newValue ? 1 : 0) }
        }
    }

    private(set) var slots: [Entry?] = []
    private var freeSlots: [Int] = []
    private var index = SlotIndex()
    private(set) var lists = TypeLists()
    private var uses = Chain()
    private var useLinks: [Chain.Link] = []
    private let tracksUse: Bool
    private var lids = SlotLIDs()

    /// The number of the last commit that changed a text.
    private(set) var lastChange = 0

    /// The file from which evicted resources are read.
    private(set) var backing: Backing?
    /// The last commit of which the file has all changes. Resources in memory that changed later are not evicted.
    private var savedCommit = -1
    /// Whether there can be resources to evict beside those that were changed later.
    private var mayEvict = true
    private var absentVersions = AbsentVersions()

    /// The ids that have replaced lids since the store was created.
    var promotions: [StoredIdentity: StoredIdentity] = [:]

    init(tracksUse: Bool) { self.tracksUse = tracksUse }

    /// Returns the current identity of a resource. See `StoredIdentity.current`.
    func current(_ identity: StoredIdentity, _ type: Any.Type = ResourceObject.self) -> StoredIdentity {
        current(identity, lowercased: identity.lowercasedUUID(type))
    }

    /// Returns the same with the result of `lowercasedUUID(_:)` for the type.
    func current(_ identity: StoredIdentity, lowercased lower: StoredIdentity?) -> StoredIdentity {
        identity.current(lowercased: lower, promoted: { promotions[$0] }, isThere: { mayHave($0) })
    }

    /// Returns the current identity that the program names. See `StoreTransaction.named`.
    func named(_ identity: StoredIdentity) -> StoredIdentity {
        let current = current(identity)
        guard let lower = current.lowercasedUUID, !mayHave(current), mayHave(lower) else { return current }
        return lower
    }

    /// The number of resources that the table holds in memory.
    var heldCount: Int { index.count }

    func entry(_ identity: StoredIdentity) -> Entry? { slot(of: identity).flatMap { slots[$0] } }

    /// Returns whether the table holds the resource in memory.
    func holds(_ identity: StoredIdentity) -> Bool { slot(of: identity) != nil }

    func slot(of identity: StoredIdentity) -> Int? { index.slot(of: identity) { slots[$0]?.identity } }

    /// Returns the version of a resource, including a missing one. It is the number of the commit that stored its text. While the version
    /// of a resource stays the same, its text stays the same as well.
    func version(of identity: StoredIdentity) -> Int { entry(identity)?.version ?? absentVersions[identity] }

    /// Returns the place of a resource's text.
    func place(of identity: StoredIdentity) -> Place {
        if let entry = entry(identity) { return .held(entry.text) }
        guard let backing else { return .nowhere }
        return backing.removed[identity] == nil ? .filed(backing.archive, identity) : .nowhere
    }

    // MARK: - Changing

    /// Stores a text. Returns whether the resource existed before, in memory or in the file. An equal text keeps its version.
    ///
    /// - Parameter number: the number of a new resource in its list; nil for the next one.
    mutating func put(_ identity: StoredIdentity, _ text: [UInt8], commit: Int, isPinned: Bool, number: Int? = nil) -> Bool {
        if let slot = slot(of: identity) {
            if slots[slot]?.text != text {
                slots[slot]?.text = text
                slots[slot]?.version = commit
                lastChange = commit
                lids.noteText(in: slot)
            }
            noteUse(slot)
            return true
        }
        let (isThere, isFiled) = whereabouts(identity)
        let slot = freeSlot()
        slots[slot] = Entry(identity: identity, text: text, version: commit, isFiled: isFiled)
        index.insert(slot, identity) { slots[$0]?.identity }
        lists.insert(slot, identity.type, number: (isFiled ? filedNumber(identity) : nil) ?? number)
        lids.noteText(in: slot)
        if tracksUse, !isPinned { uses.append(slot, &useLinks) }
        backing?.removed[identity] = nil
        if !isThere { backing?.count(identity.type, 1) }
        lastChange = commit
        return isThere
    }

    /// Removes a resource permanently, from memory and from the file.
    mutating func remove(_ identity: StoredIdentity, commit: Int) {
        let entry = take(identity, commit: commit)
        guard backing != nil else { return }
        let (isThere, isFiled) = entry.map { (true, $0.isFiled) } ?? whereabouts(identity)
        if isThere { backing?.count(identity.type, -1) }
        backing?.removed[identity] = Backing.Removal(commit: commit, isFiled: isFiled)
        absentVersions[identity] = commit
        lastChange = commit
    }

    /// Forgets that a resource was removed if the file does not have it.
    mutating func forgetUnfiledRemoval(_ identity: StoredIdentity) {
        if let removal = backing?.removed[identity], !removal.isFiled { backing?.removed[identity] = nil }
    }

    /// Evicts the least recently used resources beyond a limit, and returns them. They are read through the file from now on, so those that
    /// the file does not have as they are stay in memory. Pinned resources stay, too.
    ///
    /// - Complexity: O(n), n = number of evicted resources. O(resources in memory) for the first call after a save.
    mutating func evict(beyond limit: Int, commit: Int) -> [Entry] {
        guard heldCount > limit, backing == nil || mayEvict else { return [] }
        var evicted: [Entry] = []
        var next = uses.first
        while heldCount > limit, let slot = next {
            next = uses.next(after: slot, useLinks)
            guard let entry = slots[slot], backing == nil || entry.version <= savedCommit else { continue }
            _ = take(entry.identity, commit: commit)
            absentVersions[entry.identity] = commit
            evicted.append(entry)
        }
        mayEvict = next != nil
        return evicted
    }

    private mutating func take(_ identity: StoredIdentity, commit: Int) -> Entry? {
        guard let slot = index.remove(identity, { slots[$0]?.identity }), let entry = slots[slot] else { return nil }
        lists.remove(slot, identity.type)
        if tracksUse { uses.remove(slot, &useLinks) }
        lids.remove(slot)
        slots[slot] = nil
        freeSlots.append(slot)
        lastChange = commit
        if index.isEmpty { releaseMemory() }
        return entry
    }

    /// Frees the memory of an empty table that was large before.
    private mutating func releaseMemory() {
        guard slots.count > 1024 else { return }
        slots = []
        freeSlots = []
        index = SlotIndex()
        lists.removeAllSlots()
        useLinks = []
        lids = SlotLIDs()
    }

    private mutating func freeSlot() -> Int {
        if let slot = freeSlots.popLast() { return slot }
        slots.append(nil)
        lists.addSlot()
        lids.addSlot()
        if tracksUse { useLinks.append(Chain.Link()) }
        return slots.count - 1
    }

    // MARK: - Use

    mutating func noteUse(_ identity: StoredIdentity) {
        guard tracksUse, let slot = slot(of: identity) else { return }
        noteUse(slot)
    }

    private mutating func noteUse(_ slot: Int) {
        guard tracksUse, useLinks[slot].isLinked else { return }
        uses.remove(slot, &useLinks)
        uses.append(slot, &useLinks)
    }

    /// Pins a resource. A pinned resource is never evicted.
    mutating func pin(_ identity: StoredIdentity) {
        guard tracksUse, let slot = slot(of: identity) else { return }
        uses.remove(slot, &useLinks)
    }

    mutating func unpin(_ identity: StoredIdentity) {
        guard tracksUse, let slot = slot(of: identity), !useLinks[slot].isLinked else { return }
        uses.append(slot, &useLinks)
        mayEvict = true
    }
}

// MARK: - The file

extension ResourceTable {
    /// Returns whether a resource that is not in memory exists, and whether the file has it. A resource that is damaged in the file exists.
    private func whereabouts(_ identity: StoredIdentity) -> (isThere: Bool, isFiled: Bool) {
        guard let backing else { return (false, false) }
        if let removal = backing.removed[identity] { return (false, removal.isFiled) }
        let isFiled = backing.has(identity)
        return (isFiled, isFiled)
    }

    /// Returns whether the resource exists, in memory or in the file. A resource that is damaged in the file exists.
    func mayHave(_ identity: StoredIdentity) -> Bool { holds(identity) || whereabouts(identity).isThere }

    /// Replaces the file that the table reads through; nil for none.
    ///
    /// - Complexity: O(n), n = number of resources in memory and of removed ones.
    mutating func setBacking(_ new: Backing?, commit: Int) {
        var unfiled: [(slot: Int, number: Int)] = []
        for slot in slots.indices {
            guard let entry = slots[slot], !(new?.has(entry.identity) ?? false) else { continue }
            unfiled.append((slot, number(of: entry.identity) ?? lists[slot]))
        }
        if let archive = new?.archive { lists.follow(archive, from: backing?.archive.placesEnd ?? 0, unfiled) }
        backing = new
        backing?.differences = [:]
        for slot in slots.indices { slots[slot]?.isFiled = true }
        for (slot, _) in unfiled {
            slots[slot]?.isFiled = false
            if let type = slots[slot]?.identity.type { backing?.count(type, 1) }
        }
        for (identity, removal) in new?.removed ?? [:] where removal.isFiled { backing?.count(identity.type, -1) }
        savedCommit = -1
        absentVersions = new == nil ? AbsentVersions() : AbsentVersions(commit)
        lastChange = commit
    }

    /// Forgets the file that the table reads through, because its bytes are lost. Only the resources in memory remain.
    mutating func loseBacking(commit: Int) {
        backing = nil
        for slot in slots.indices { slots[slot]?.isFiled = false }
        absentVersions = AbsentVersions()
        lastChange = commit
    }

    /// Notes that the file has a resource, or no longer has it. A later removal stays unsaved.
    mutating func noteFiled(_ identity: StoredIdentity, _ isFiled: Bool, upTo commit: Int) {
        guard backing != nil else { return }
        var wasFiled = isFiled
        if let removal = backing?.removed[identity] {
            wasFiled = removal.isFiled
            if removal.commit <= commit { backing?.removed[identity] = nil } else { backing?.removed[identity]?.isFiled = isFiled }
        }
        if let slot = slot(of: identity), let entry = slots[slot] {
            wasFiled = entry.isFiled
            slots[slot]?.isFiled = isFiled
        }
        if wasFiled != isFiled { backing?.count(identity.type, isFiled ? -1 : 1) }
    }

    /// Notes the contents of the file after a save of all changes up to a commit.
    mutating func noteSaved(_ archive: ArchiveImage, upTo commit: Int) {
        if let earlier = backing?.archive {
            backing?.archive = archive
            lists.noteSaved(archive)
            if earlier.numbering != archive.numbering { renumber(from: earlier, to: archive) }
        }
        savedCommit = max(savedCommit, commit)
        mayEvict = true
    }

    /// The first notes of a journal for the file. They contain everything that is in memory or was removed without being saved.
    var unfiledNotes: [(identity: StoredIdentity, note: StoreJournal.Note)] {
        (backing?.removed.keys.map { ($0, .removed) } ?? []) + heldIdentities.map { ($0, .stored) }
    }

    /// The table of a store that holds nothing itself and reads through a file.
    init(_ archive: ArchiveImage) {
        self.init(tracksUse: false)
        setBacking(Backing(archive), commit: 0)
    }

    /// Gives the resources that a compacted file does not have their numbers. They have arrived during the compaction. Each keeps its place
    /// in the list, also behind a resource that was removed since the last save.
    ///
    /// - Complexity: O(n log n), n = number of resources in memory, and of those of each type in which a resource is between others.
    private mutating func renumber(from earlier: ArchiveImage, to archive: ArchiveImage) {
        func place(_ identity: StoredIdentity, in image: ArchiveImage) -> Int? { (try? image.place(of: identity)) ?? nil }
        for type in lists.names {
            let new = lists.slots(ofType: type) { slots[$0]?.isFiled == false }
            let early = new.prefix { lists[$0] < earlier.placesEnd }
            let between = early.compactMap { slot in slots[slot].map { (identity: $0.identity, number: lists[slot]) } }
            let filed = early.isEmpty ? [] : (try? earlier.identities(ofType: type)) ?? []
            // No place is next to another one.
            var last = 0
            for identity in Self.merged(between, into: filed, { place($0, in: earlier) }) {
                if let slot = slot(of: identity), slots[slot]?.isFiled == false {
                    last += 1
                    lists.setNumber(of: slot, to: last)
                } else {
                    last = max(last, place(identity, in: archive) ?? last)
                }
            }
            for slot in new.dropFirst(early.count) { lists.setNumber(of: slot, to: nil) }
        }
    }
}

// MARK: - Lids

extension ResourceTable {
    /// Searches texts in memory for lids that were not searched yet. Returns whether there are more, because a call searches only some.
    mutating func searchTexts() -> Bool {
        let slots = slots
        return lids.search(1000) { slots[$0]?.text }
    }

    /// Returns the resources whose texts mention a lid. Those that are damaged in the file are left out. If the file cannot be searched
    /// because its directory is damaged as well, returns all resources. To be called when all texts are searched.
    ///
    /// - Complexity: O(n log n), n = number of these resources, and O(bytes that were saved since the last call).
    func identities(mentioning lid: StoredIdentity) throws -> [StoredIdentity] {
        let held = lids.slots(mentioning: lid).compactMap { slots[$0]?.identity }
        guard let backing else { return held }
        guard let filed = try? backing.archive.resources(mentioning: lid) else { return try listed() }
        return filed.filter { !holds($0) && backing.removed[$0] == nil } + held
    }
}

extension ResourceTable {
    /// Returns `lastChange` if all of these resources still have the given versions; otherwise nil.
    ///
    /// - Parameter change: the last change for which the versions are known to be current.
    /// - Complexity: O(1) if nothing has changed since then. Otherwise O(n), n = number of dependencies.
    func confirm(_ dependencies: [StoredIdentity: Int], knownAt change: Int) -> Int? {
        if change == lastChange { return lastChange }
        return dependencies.allSatisfy { version(of: $0.key) == $0.value } ? lastChange : nil
    }
}
