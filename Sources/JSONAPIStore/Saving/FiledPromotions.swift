import JSONAPIArchive
import JSONAPICodec
import JSONText

/// The last ids that have replaced lids, oldest first.
///
/// A file keeps them for the stores of other programs. Such a store can have changes that name a lid, made while the file was closed, and
/// learns the id when it opens the file again. The text is `[["notes", "a1", "7"], …]`: the type, the lid and the id.
struct FiledPromotions: Sendable {
    struct Entry: Hashable, Sendable {
        let local: StoredIdentity
        let target: StoredIdentity
    }

    /// Each promotion writes all entries, so there must not be many.
    private static let limit = 100

    private(set) var entries: [Entry]

    /// Leaves out what is not readable.
    init(_ text: [UInt8]?) {
        let json = text.flatMap { try? JSON(parsing: $0) }
        entries = json?.array?.compactMap(Self.entry) ?? []
    }

    /// Reads the entries of a file. There are none in a file of earlier revisions.
    init(_ image: ArchiveImage) {
        if case .value(let text)? = try? image.root(named: StoreKey.promotions.archiveKey) {
            self.init(text)
        } else {
            self.init(nil as [UInt8]?)
        }
    }

    private static func entry(_ json: JSON) -> Entry? {
        guard let names = json.array?.compactMap(\.string), names.count == 3 else { return nil }
        return Entry(
            local: StoredIdentity(type: names[0], name: names[1], isLocal: true),
            target: StoredIdentity(type: names[0], name: names[2], isLocal: false))
    }

    /// Appends an entry in place of an earlier one with the same lid. Drops the oldest one if there are too many.
    mutating func append(_ entry: Entry) {
        entries.removeAll { $0.local == entry.local }
        entries.append(entry)
        entries.removeFirst(max(entries.count - Self.limit, 0))
    }

    var text: [UInt8] {
        get throws {
            let lists = entries.map { JSON.array(JSONArray([$0.local.type, $0.local.name, $0.target.name].map(JSON.string))) }
            return try JSONWriter().write(.array(JSONArray(lists)))
        }
    }
}

// MARK: - Opening a file

extension StoreTransaction {
    /// Returns the promotions that other programs have made since a file was closed, of resources that the store has from the file. A lid that
    /// the file did not have then is another resource, even if it is the same.
    func promotionsOfOthers(_ archive: Archive, _ following: StoreCore.Following) -> [FiledPromotions.Entry] {
        guard let base = following.base else { return [] }
        let known = Set(FiledPromotions(base.saved).entries)
        return FiledPromotions(archive.image).entries.filter { entry in
            !known.contains(entry) && pending.promoted(entry.local) != entry.target && isResource(entry.local, of: base)
        }
    }

    /// Returns whether a lid stands for a resource that a file had when it was closed. A request can have hidden it there. The store can have
    /// created another resource with the same lid since then.
    private func isResource(_ local: StoredIdentity, of base: StoreCore.ClosedFile) -> Bool {
        func had(_ key: RequestKey) -> Bool { (try? base.saved.request(key)) != nil }
        guard pending.requests(about: local).allSatisfy({ $0.operation != .create || had($0.key) }) else { return false }
        return (try? base.saved.has(local)) == true || store.core.readKept { $0.places.about(local) }.contains(where: had)
    }

    /// Lets the promotions of other programs apply to the changes of the store, and loads the promotions of the file. To be called when the
    /// resources and the requests of the file are loaded.
    ///
    /// - Complexity: O(p × n), p = number of these promotions, n = bytes of the unsaved changes that contain a lid. For each lid that occurs
    ///   there, the cost of `promote`.
    func takePromotions(_ archive: Archive, _ following: StoreCore.Following) throws {
        let own = FiledPromotions(pending.kept(.promotions)?.text)
        let others = promotionsOfOthers(archive, following)
        let texts = others.isEmpty ? [] : unsavedTextsWithLIDs(following.notes)
        let removed = Set(others.isEmpty ? [] : following.notes.removals)
        for entry in others {
            // The server has carried out the creation, even if the store has queued it again.
            for request in pending.requests(about: entry.local) where request.operation == .create {
                try RequestLayers.settle(request, pending)
            }
            let mark = try Self.mark + JSONWriter().write(.string(entry.local.name))
            if texts.contains(where: { $0.span.contains(mark) }) {
                try promoteIfPresent(entry.local.identifier, to: entry.target.name)
            } else {
                pending.noteMove(of: entry.local, to: entry.target)
            }
            if var layers = try RequestLayers(entry.target, pending) {
                // A deletion that waits for the lid hides the resource that the file has under the id.
                try layers.finish()
            } else if removed.contains(entry.local), !following.before.mayHave(entry.target) {
                pending.set(entry.target, .remove)
            }
        }
        let filed = FiledPromotions(archive.image)
        var all = filed
        for entry in own.entries where !filed.entries.contains(entry) { all.append(entry) }
        guard !all.entries.isEmpty else { return }
        let value = KeptValue(try all.text)
        pending.setKept(.promotions, following.isReadThrough && all.entries == filed.entries ? .load(value) : .put(value))
    }

    /// A byte sequence that every text with a lid contains.
    private static let mark = Array(#""lid":"#.utf8)

    private func unsavedTextsWithLIDs(_ journal: StoreJournal) -> [[UInt8]] {
        let resources = journal.identities.compactMap { (try? pending.text($0)) ?? nil }
        return (resources + journal.keys.compactMap { pending.kept($0)?.text }).filter { $0.span.contains(Self.mark) }
    }

    /// Marks requests of the store as failed that need a creation which another program has removed from the queue. Otherwise they would wait
    /// without end, and nobody would learn of it.
    func failRequestsWithoutCreation(_ following: StoreCore.Following) throws {
        guard following.base != nil else { return }
        for case .request(let key) in following.notes.keys {
            guard var request = pending.kept(.request(key))?.request, request.state == .waiting, let missing = missingCreation(of: request)
            else { continue }
            request.state = .failed
            let error = ErrorObject(
                title: "The resource was not created.",
                detail: "Another program has removed the creation of \(missing.identifier) from the queue. Roll this request back.")
            request.error = ErrorDocument(errors: [error])
            try put(request)
        }
    }
}
