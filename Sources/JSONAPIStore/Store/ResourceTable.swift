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

    var count: Int { index.count }

    func count(ofType type: String) -> Int { types[TypeName(type)]?.chain.count ?? 0 }

    /// The types of which there are resources, by first arrival.
    var typeNames: [String] { types.sorted { $0.value.position < $1.value.position }.map(\.key.text) }

    func identities(ofType type: String) -> [StoredIdentity] {
        guard let chain = types[TypeName(type)]?.chain else { return [] }
        return chain.members(typeLinks).compactMap { slots[$0]?.identity }
    }

    var identities: [StoredIdentity] { typeNames.flatMap { identities(ofType: $0) } }

    func entry(_ identity: StoredIdentity) -> Entry? { slot(of: identity).flatMap { slots[$0] } }

    func contains(_ identity: StoredIdentity) -> Bool { slot(of: identity) != nil }

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

    /// Stores a text; answers whether the resource was there before. Equal text keeps its version.
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
        let slot = freeSlot()
        slots[slot] = Entry(identity: identity, text: text, version: commit)
        index.insert(slot, identity) { slots[$0]?.identity }
        appendToType(slot, identity.type)
        if tracksUse, !isPinned { uses.append(slot, &useLinks) }
        backing?.unsaved[identity] = nil
        lastChange = commit
        return false
    }

    /// Takes a resource out for good, whether the table holds it or the file has it.
    mutating func remove(_ identity: StoredIdentity, commit: Int) {
        _ = take(identity, commit: commit)
        guard backing != nil else { return }
        backing?.unsaved[identity] = Backing.Unsaved(text: nil, commit: commit)
        (absentVersion, lastChange) = (commit, commit)
    }

    /// Lets go of a resource, which is read through the file from now on. Answers what was there.
    mutating func evict(_ identity: StoredIdentity, commit: Int) -> Entry? {
        guard let entry = take(identity, commit: commit) else { return nil }
        guard backing != nil else { return entry }
        if !entry.isSaved { backing?.unsaved[identity] = Backing.Unsaved(text: entry.text, commit: commit) }
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
    /// A file, and what became since of resources that the table does not hold.
    struct Backing: Sendable {
        struct Unsaved: Sendable {
            /// The text of an evicted resource; nil for a removed one.
            let text: [UInt8]?
            let commit: Int
        }

        /// What was saved last.
        var archive: ArchiveImage
        var unsaved: [StoredIdentity: Unsaved] = [:]
    }

    /// Where the text of a resource is.
    enum Place {
        case held([UInt8])
        case filed(ArchiveImage, StoredIdentity)
        case nowhere

        /// Throws `ArchiveError` when the file is damaged there.
        func text() throws -> [UInt8]? {
            switch self {
            case .held(let text): text
            case .filed(let archive, let identity): try archive.text(ArchiveKey(identity))
            case .nowhere: nil
            }
        }
    }

    /// Reads through a file from now on. What became of resources since an earlier file was saved stays.
    mutating func follow(_ archive: ArchiveImage, commit: Int) {
        backing = Backing(archive: archive, unsaved: backing?.unsaved ?? [:])
        (absentVersion, lastChange) = (commit, commit)
    }

    /// Reads through no file any more.
    mutating func unfollow(commit: Int) {
        backing = nil
        (absentVersion, lastChange) = (0, commit)
    }

    /// Notes that the file has the texts of a resource, unless a commit has changed it that came after the given one.
    mutating func noteSaved(_ identity: StoredIdentity, upTo commit: Int) {
        if let unsaved = backing?.unsaved[identity], unsaved.commit <= commit { backing?.unsaved[identity] = nil }
        guard let slot = slot(of: identity), let version = slots[slot]?.version, version <= commit else { return }
        slots[slot]?.isSaved = true
    }

    /// What the file has after a save.
    mutating func noteSaved(_ archive: ArchiveImage) { backing?.archive = archive }

    /// The resources that the table let go of and that are still there, in no order.
    ///
    /// - Complexity: O(resources of the file), when the table lets go of any.
    func absentIdentities() throws -> [StoredIdentity] {
        guard tracksUse, let backing else { return [] }
        let filed = try backing.archive.keys().map(StoredIdentity.init)
        let evicted = backing.unsaved.filter { $0.value.text != nil }.map(\.key)
        return evicted + filed.filter { !contains($0) && backing.unsaved[$0] == nil }
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
