import JSONAPIArchive
import JSONAPICodec
import JSONText

extension StoreTransaction {
    /// Loads the documents, values and requests of a file. Those that the store already has do not change.
    ///
    /// If the file was open before, other programs may have changed or removed some since then. Those that the store itself has not changed
    /// become as they are in the file. Otherwise a request that another program has sent would be sent again. What comes from a file that the
    /// store does not read through is a change for its other files. A request that has left the queue of the store does not come back from a
    /// file that was closed then.
    ///
    /// Throws `ArchiveError` if the file is damaged.
    func loadKept(_ archive: Archive, _ following: StoreCore.Following) throws {
        let isResumed = following.base != nil
        let changed = changedKeys(following)
        let unsaved = changed.filter { !isChangedOnlyInUndo($0, following) }
        try archive.located {
            var filed: Set<StoreKey> = []
            for name in archive.keys {
                guard let key = StoreKey(archiveKey: name), filed.insert(key).inserted, !unsaved.contains(key), key != .promotions else {
                    continue
                }
                let known = pending.kept(key)
                if !isResumed, case .request(let request) = key, store.core.hasEnded(request) {
                    following.journal.note(keys: [key])
                    continue
                }
                guard isResumed || known == nil, case .value(let text)? = try archive.contents.root(named: name), text != known?.text else {
                    continue
                }
                let value = try Self.value(key, text)
                if changed.contains(key), let undo = known?.request?.undo, var request = value.request {
                    request.undo = undo
                    pending.setKept(key, .put(try KeptValue(request)))
                } else {
                    pending.setKept(key, following.isReadThrough ? .load(value) : .put(value))
                }
            }
            guard isResumed else { return }
            for key in pending.keptKeys where !filed.contains(key) && !unsaved.contains(key) && key != .promotions {
                pending.setKept(key, following.isReadThrough ? .load(nil) : .remove)
            }
        }
    }

    /// Returns the keys whose values are not as they were when the file was closed. One that was changed and set back is not among them.
    private func changedKeys(_ following: StoreCore.Following) -> Set<StoreKey> {
        guard let base = following.base else { return [] }
        return following.notes.keys.filter { !base.certainlyHas(pending.kept($0)?.text, forKey: $0.archiveKey) }
    }

    /// Returns whether the store has changed only how to undo a request, which every arriving resource can do. What another program has made
    /// of the request counts then.
    private func isChangedOnlyInUndo(_ key: StoreKey, _ following: StoreCore.Following) -> Bool {
        guard let known = pending.kept(key), let request = known.request, let base = following.base, base.isCertain,
            var earlier = try? base.saved.request(request.key)
        else { return false }
        earlier.undo = request.undo
        return (try? KeptValue(earlier))?.text == known.text
    }

    private static func value(_ key: StoreKey, _ text: [UInt8]) throws -> KeptValue {
        guard case .request(let place) = key else { return KeptValue(text) }
        let json = try ArchiveForm.json(text, "a waiting request")
        guard let request = QueuedRequest(place, json) else {
            throw ArchiveError(
                .malformed, "the text of a waiting request cannot be read", advice: "a newer version of this library may read it",
                section: .record)
        }
        return KeptValue(request, text: text)
    }
}

extension ArchiveImage {
    /// Returns a waiting request; nil if there is none, or if it cannot be read. Throws `ArchiveError` if the archive is damaged at that place.
    func request(_ key: RequestKey) throws -> QueuedRequest? {
        guard case .value(let text)? = try root(named: StoreKey.request(key).archiveKey), let json = try? JSON(parsing: text) else {
            return nil
        }
        return QueuedRequest(key, json)
    }
}
