import JSONAPIArchive
import JSONAPICodec
import JSONText

extension StoreTransaction {
    /// Loads the documents, values and requests of a file. Those that the store already has do not change.
    ///
    /// If the file was open before, other programs may have changed or removed some since then. Those that the store itself has not changed
    /// become as they are in the file. Otherwise a request that another program has sent would be sent again. What comes from a file that the
    /// store does not read through is a change for its other files.
    ///
    /// Throws `ArchiveError` if the file is damaged.
    func loadKept(_ archive: Archive, _ following: StoreCore.Following) throws {
        let isResumed = following.base != nil
        let unsaved = unsavedKeys(following)
        try archive.located {
            var filed: Set<StoreKey> = []
            for name in archive.keys {
                guard let key = StoreKey(archiveKey: name), filed.insert(key).inserted, !unsaved.contains(key) else { continue }
                let known = pending.kept(key)
                guard isResumed || known == nil, case .value(let text)? = try archive.contents.root(named: name), text != known?.text else {
                    continue
                }
                let value = try Self.value(key, text)
                pending.setKept(key, following.isReadThrough ? .load(value) : .put(value))
            }
            guard isResumed else { return }
            for key in pending.keptKeys where !filed.contains(key) && !unsaved.contains(key) {
                pending.setKept(key, following.isReadThrough ? .load(nil) : .remove)
            }
        }
    }

    /// Returns the keys that the store has changed since the file was closed. One that was changed and set back does not count.
    private func unsavedKeys(_ following: StoreCore.Following) -> Set<StoreKey> {
        guard let base = following.base else { return [] }
        return following.journal.keys.filter { !base.certainlyHas(pending.kept($0)?.text, forKey: $0.archiveKey) }
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
