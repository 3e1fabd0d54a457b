import JSONAPICodec
import JSONText

extension StoreTransaction {
    /// Loads the documents, values and requests of a file. Those that the store already has do not change.
    ///
    /// Throws `ArchiveError` if the file is damaged.
    func loadKept(_ archive: Archive, except unsaved: Set<StoreKey>) throws {
        try archive.located {
            for name in archive.keys {
                guard let key = StoreKey(archiveKey: name), !unsaved.contains(key), pending.kept(key) == nil,
                    case .value(let text)? = try archive.contents.root(named: name)
                else { continue }
                pending.setKept(key, .load(try Self.value(key, text)))
            }
        }
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
