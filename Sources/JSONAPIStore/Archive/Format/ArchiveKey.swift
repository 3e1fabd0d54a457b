import JSONAPICodec
import JSONText

/// The identity of a resource in an archive: type and id, or type and lid.
struct ArchiveKey: Hashable, Sendable {
    let type: String
    let text: String
    let isLID: Bool

    /// Creates a key. Returns nil if the identifier has neither an id nor a lid.
    init?(_ identifier: ResourceIdentifier) {
        if let id = identifier.id {
            self.init(type: identifier.type, text: id, isLID: false)
        } else if let lid = identifier.lid {
            self.init(type: identifier.type, text: lid, isLID: true)
        } else {
            return nil
        }
    }

    init(_ identity: StoredIdentity) { self.init(type: identity.type, text: identity.name, isLID: identity.isLocal) }

    init(type: String, text: String, isLID: Bool) {
        self.type = type
        self.text = text
        self.isLID = isLID
    }

    var identifier: ResourceIdentifier {
        isLID ? ResourceIdentifier(type: type, lid: text) : ResourceIdentifier(type: type, id: text)
    }

    /// The hash by which directories are sorted.
    var directoryHash: UInt32 { text.withBytes { Self.directoryHash(type: type, isLID: isLID, $0) } }

    static func directoryHash(type: String, isLID: Bool, _ text: Span<UInt8>) -> UInt32 {
        var checksum = Checksum()
        type.withBytes { checksum.update($0) }
        checksum.update(0xFF as UInt8)
        checksum.update(isLID ? 1 : 0 as UInt8)
        checksum.update(text)
        return checksum.value
    }

    static func == (a: ArchiveKey, b: ArchiveKey) -> Bool {
        a.isLID == b.isLID && UTF8Bytes.areEqual(a.text, b.text) && UTF8Bytes.areEqual(a.type, b.type)
    }

    func hash(into hasher: inout Hasher) {
        UTF8Bytes.hash(type, into: &hasher)
        UTF8Bytes.hash(text, into: &hasher)
        hasher.combine(isLID)
    }
}
