import JSONAPIArchive
import JSONAPICodec
import JSONText

/// The resources of a store. The table finds a text by identity, lists each type in the order of arrival, and orders all resources by their
/// last use.
///
/// ```
/// index   the slots of people 9, articles 1 and people 2: 0, 1, 2
/// slots   [people 9, articles 1, people 2]
/// types   people: 0 ⇄ 2      articles: 1
/// uses    1 ⇄ 0 ⇄ 2          least recently used first
/// ```
///
/// A list is in the order of numbers. Those of the file are the places in its archive. A resource that the file does not have yet has a
/// number after them, unless it is in place of another one, or back after its removal. The file takes the numbers over.
///
/// A table is a value, so a copy is a snapshot. The copy costs nothing until one of the two changes. An operation on one resource costs
/// O(1).
struct ResourceTable: Sendable {
    struct Entry: Sendable {
        let identity: StoredIdentity
        var text: [UInt8]
        /// The number of the commit that stored this text.
        var version: Int
        /// Both in eight bytes: the number twice, plus 1 if the resource is filed.
        private var bits: Int64

        init(identity: StoredIdentity, text: [UInt8], version: Int, number: Int, isFiled: Bool) {
            (self.identity, self.text, self.version) = (identity, text, version)
            bits = Int64(number) << 1 | (isFiled ? 1 : 0)
        }

        /// Whether the file of the store has the resource, with this text or another one.
        var isFiled: Bool {
            get { bits & 1 == 1 }
            set { bits = bits & ~1 | (newValue ? 1 : 0) }
        }

        /// The number of the resource in the list of its type.
        var number: Int {
            get { Int(truncatingIfNeeded: bits >> 1) }
            set { bits = Int64(newValue) << 1 | bits & 1 }
        }
    }

    private struct TypeList: Sendable {
        var chain = Chain()
        /// Types are in the order of these numbers, which is that of arrival.
        let position: Int
    }

    private var slots: [Entry?] = []
    private var freeSlots: [Int] = []
    private var index = SlotIndex()
    private var types: [ByteText: TypeList] = [:]
    private var typeLinks: [Chain.Link] = []
    private var uses = Chain()
    private var useLinks: [Chain.Link] = []
    private var nextTypePosition = 0
    /// The number of the next resource in its list, and what the numbers belong to.
    private var nextNumber = 1
    private var numbering = UInt64.random(in: .min ... .max)
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

    /// The resources that the table holds in memory, grouped by type and in the order of arrival.
    var heldIdentities: [StoredIdentity] {
        types.sorted { $0.value.position < $1.value.position }.flatMap { heldIdentities(ofType: $0.key.text) }
    }

    func heldIdentities(ofType type: String) -> [StoredIdentity] { Self.inOrder(heldEntries(ofType: type)).map(\.identity) }

    /// Returns entries of one type in the order of their numbers. Almost always they are.
    private static func inOrder(_ entries: [Entry]) -> [Entry] {
        let areInOrder = entries.indices.dropFirst().allSatisfy { entries[$0 - 1].number <= entries[$0].number }
        return areInOrder ? entries : entries.sorted { $0.number < $1.number }
    }

    private func heldEntries(ofType type: String) -> [Entry] {
        guard let chain = types[ByteText(type)]?.chain else { return [] }
        return chain.members(typeLinks).compactMap { slots[$0] }
    }

    func entry(_ identity: StoredIdentity) -> Entry? { slot(of: identity).flatMap { slots[$0] } }

    /// Returns whether the table holds the resource in memory.
    func holds(_ identity: StoredIdentity) -> Bool { slot(of: identity) != nil }

    private func slot(of identity: StoredIdentity) -> Int? { index.slot(of: identity) { slots[$0]?.identity } }

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
        let number = (isFiled ? filedNumber(identity) : nil) ?? number ?? nextNumber
        slots[slot] = Entry(identity: identity, text: text, version: commit, number: number, isFiled: isFiled)
        nextNumber = max(nextNumber, number + 1)
        index.insert(slot, identity) { slots[$0]?.identity }
        appendToType(slot, identity.type)
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
        let type = ByteText(identity.type)
        types[type]?.chain.remove(slot, &typeLinks)
        if types[type]?.chain.count == 0 { types[type] = nil }
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
        typeLinks = []
        useLinks = []
        lids = SlotLIDs()
    }

    private mutating func freeSlot() -> Int {
        if let slot = freeSlots.popLast() { return slot }
        slots.append(nil)
        typeLinks.append(Chain.Link())
        lids.addSlot()
        if tracksUse { useLinks.append(Chain.Link()) }
        return slots.count - 1
    }

    private mutating func appendToType(_ slot: Int, _ type: String) {
        types[ByteText(type), default: TypeList(position: nextTypePosition)].chain.append(slot, &typeLinks)
        nextTypePosition += 1
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
        if let archive = new?.archive { renumber(for: archive) }
        backing = new
        backing?.differences = [:]
        for slot in slots.indices {
            guard let entry = slots[slot] else { continue }
            let isFiled = new?.has(entry.identity) ?? false
            slots[slot]?.isFiled = isFiled
            if !isFiled { backing?.count(entry.identity.type, 1) }
        }
        for (identity, removal) in new?.removed ?? [:] where removal.isFiled { backing?.count(identity.type, -1) }
        savedCommit = -1
        absentVersions = new == nil ? AbsentVersions() : AbsentVersions(commit)
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
        let earlier = backing?.archive
        backing?.archive = archive
        if let earlier, earlier.numbering != archive.numbering { renumber(movedFrom: earlier, to: archive) } else { takeNumbering() }
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

    /// Returns the resources that do not have the same text as in another table, and those that only one of the two has. A resource that is
    /// damaged in the file of this table is not among them if the other one has an intact text.
    ///
    /// Throws `ArchiveError` if the directory of a file is damaged.
    ///
    /// - Complexity: O(bytes of the resources).
    func differences(from other: ResourceTable) throws -> [StoredIdentity] {
        let changed = try listed().filter { identity in
            let known = try? other.place(of: identity).text()
            guard let text = try? place(of: identity).text() else { return known == nil }
            return known != text
        }
        return try changed + other.listed().filter { !mayHave($0) }
    }
}

// MARK: - Places in lists

extension ResourceTable {
    /// Returns the number of a resource that the file does not have yet in the list of its type.
    func unfiledNumber(of identity: StoredIdentity) -> Int? { entry(identity).flatMap { $0.isFiled ? nil : $0.number } }

    /// Returns the number of a resource in the list of its type; nil if there is no such resource, or if its file is damaged there.
    func number(of identity: StoredIdentity) -> Int? {
        if let number = unfiledNumber(of: identity) { return number }
        guard mayHave(identity) else { return nil }
        return filedNumber(identity)
    }

    /// Returns the place of a resource in the list of its type, which it can have again after its removal.
    func listPlace(of identity: StoredIdentity) -> ListPlace? {
        number(of: identity).map { ListPlace(numbering: numbering, number: $0) }
    }

    /// Returns the place that a resource will have in its list when the table reads through another file that does not have it.
    func listPlace(of identity: StoredIdentity, in archive: ArchiveImage) -> ListPlace? {
        let start = archive.numbering == numbering ? 0 : archive.placesEnd
        return number(of: identity).map { ListPlace(numbering: archive.numbering, number: start + $0) }
    }

    /// Returns the number of an earlier place; nil if the numbers have changed since then.
    func number(at place: ListPlace) -> Int? {
        // A file can contain any number, and sums of numbers must not overflow.
        place.numbering == numbering && place.number < .max / 4 ? place.number : nil
    }

    private func filedNumber(_ identity: StoredIdentity) -> Int? { (try? backing?.archive.place(of: identity)) ?? nil }

    /// Lets the next numbers follow those of the file.
    private mutating func takeNumbering() {
        guard let archive = backing?.archive else { return }
        numbering = archive.numbering
        nextNumber = max(nextNumber, archive.placesEnd)
    }

    /// Gives the resources in memory their numbers for the next file, or for the same one, to which another program can have added some.
    /// Those that the file does not have follow its own in their order, except in places between earlier resources of the same file.
    private mutating func renumber(for archive: ArchiveImage) {
        let isSame = archive.numbering == numbering
        let end = isSame ? backing?.archive.placesEnd ?? 0 : 0
        // In the same file, no number is given again, because that of a removed resource is its place if it comes back.
        let next = isSame ? max(nextNumber, archive.placesEnd) : archive.placesEnd
        (numbering, nextNumber) = (archive.numbering, next)
        // Without additions, all numbers are still right.
        guard archive.placesEnd != end else { return }
        for slot in slots.indices {
            guard let entry = slots[slot] else { continue }
            if let place = (try? archive.place(of: entry.identity)) ?? nil {
                slots[slot]?.number = place
            } else if let number = number(of: entry.identity) {
                let moved = number < end ? number : next - end + number
                slots[slot]?.number = moved
                nextNumber = max(nextNumber, moved + 1)
            }
        }
    }

    /// Gives all resources the numbers of a compacted file. One that the file does not have keeps its place in the list, also behind a resource
    /// that was removed since the last save.
    ///
    /// - Complexity: O(n log n), n = number of resources in memory, and of those of each type in which a resource is between others.
    private mutating func renumber(movedFrom earlier: ArchiveImage, to archive: ArchiveImage) {
        (numbering, nextNumber) = (archive.numbering, archive.placesEnd)
        func place(_ identity: StoredIdentity, in image: ArchiveImage) -> Int? { (try? image.place(of: identity)) ?? nil }
        for (name, type) in types {
            let members = numbered(type)
            let hasEarly = members.contains { !$0.entry.isFiled && $0.entry.number < earlier.placesEnd }
            let filed = hasEarly ? (try? earlier.identities(ofType: name.text)) ?? [] : []
            var last = 0
            for (slot, entry) in members {
                if entry.isFiled {
                    if let number = place(entry.identity, in: archive) { slots[slot]?.number = number }
                } else if entry.number < earlier.placesEnd {
                    let index = filed.indices.partitioningIndex { place(filed[$0], in: earlier) ?? .max > entry.number }
                    let previous = index > 0 ? filed[index - 1] : nil
                    let base = previous.flatMap { place($0, in: archive) } ?? 0
                    // Instead of a resource, or between two of them: no place is next to another one.
                    let isInstead = previous.flatMap { place($0, in: earlier) } == entry.number
                    last = max(isInstead ? base : base + 1, last + 1)
                    slots[slot]?.number = last
                    nextNumber = max(nextNumber, last + 1)
                } else {
                    slots[slot]?.number = nextNumber
                    nextNumber += 1
                }
            }
        }
    }

    /// Takes the numbers that the same resources had before the table read through another file.
    mutating func restoreNumbers(of earlier: ResourceTable) {
        (numbering, nextNumber) = (earlier.numbering, earlier.nextNumber)
        for slot in slots.indices {
            guard let entry = slots[slot], let number = earlier.entry(entry.identity)?.number else { continue }
            slots[slot]?.number = number
        }
    }

    /// Returns the resources of a type in memory, with their slots, in the order of their numbers.
    private func numbered(_ type: TypeList) -> [(slot: Int, entry: Entry)] {
        let members = type.chain.members(typeLinks).compactMap { slot in slots[slot].map { (slot: slot, entry: $0) } }
        return members.sorted { $0.entry.number < $1.entry.number }
    }
}

// MARK: - Lists

extension ResourceTable {
    /// The number of resources, in memory or in the file.
    var count: Int {
        guard let backing else { return heldCount }
        return max(0, backing.archive.count + backing.differences.values.reduce(0, +))
    }

    /// Returns the number of resources of a type. If the directory of the file is damaged, counts only those in memory.
    func count(ofType type: String) -> Int { (try? wholeCount(ofType: type)) ?? types[ByteText(type)]?.chain.count ?? 0 }

    /// Throws `ArchiveError` if the directory of the file is damaged.
    private func wholeCount(ofType type: String) throws -> Int {
        guard let backing else { return types[ByteText(type)]?.chain.count ?? 0 }
        return max(0, try backing.archive.count(ofType: type) + (backing.differences[ByteText(type)] ?? 0))
    }

    /// The types that have resources. Those of the file come first, then the others in the order of arrival. If the directory of the file is
    /// damaged, a type that cannot be counted is included, so that listing it throws.
    var typeNames: [String] {
        let held = types.sorted { $0.value.position < $1.value.position }.map(\.key.text)
        guard let backing else { return held }
        let filed = backing.archive.types
        let known = Set(filed.map(ByteText.init))
        return (filed + held.filter { !known.contains(ByteText($0)) }).filter { (try? wholeCount(ofType: $0)) != 0 }
    }

    /// All resources, grouped by type. If the directory of the file is damaged, those of a type that cannot be listed are only those in
    /// memory.
    var identities: [StoredIdentity] { typeNames.flatMap { identities(ofType: $0) } }

    /// Returns the resources of a type, in the order of arrival. If the directory of the file is damaged, calls `onError` and returns only
    /// those in memory.
    func identities(ofType type: String, _ onError: ((any Error) -> Void)? = nil) -> [StoredIdentity] {
        do { return try listed(ofType: type) } catch {
            onError?(error)
            return heldIdentities(ofType: type)
        }
    }

    /// Returns the resources of a type. Throws `ArchiveError` if the directory of the file is damaged.
    ///
    /// - Complexity: O(n), n = number of resources of the type. O(n log n) for the first list of a type after the file was opened or saved.
    ///   Each resource that is not at the end and that the file does not have yet adds O(log² n).
    func listed(ofType type: String) throws -> [StoredIdentity] {
        guard let backing else { return heldIdentities(ofType: type) }
        let filed = try backing.archive.identities(ofType: type)
        let present = backing.removed.isEmpty ? filed : filed.filter { backing.removed[$0] == nil }
        let new = Self.inOrder(heldEntries(ofType: type).filter { !$0.isFiled })
        let early = new.prefix { $0.number < backing.archive.placesEnd }
        guard !early.isEmpty else { return present + new.map(\.identity) }
        var list: [StoredIdentity] = []
        var rest = present[...]
        for entry in early {
            let index = rest.indices.partitioningIndex { filedNumber(rest[$0]) ?? .max > entry.number }
            list += rest[..<index]
            list.append(entry.identity)
            rest = rest[index...]
        }
        return list + rest + new[early.endIndex...].map(\.identity)
    }

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

    /// Returns all resources, grouped by type. Throws `ArchiveError` if the directory of the file is damaged.
    ///
    /// - Complexity: O(n log n), n = number of resources.
    func listed() throws -> [StoredIdentity] { try typeNames.flatMap(listed(ofType:)) }
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
