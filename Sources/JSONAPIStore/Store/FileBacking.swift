import JSONAPIArchive
import JSONAPICodec
import JSONText

extension ResourceTable {
    /// The file that a table reads through, and the removals that the file does not have yet.
    struct Backing: Sendable {
        struct Removal: Sendable {
            let commit: Int
            /// Whether the file still has the resource.
            var isFiled: Bool
        }

        /// The contents of the file as of the last save.
        var archive: ArchiveImage
        var removed: [StoredIdentity: Removal] = [:]
        /// For each type, the number of resources in the store minus the number in the file.
        var differences: [ByteText: Int] = [:]

        /// Creates the backing by a file from which resources were removed since its last save.
        init(_ archive: ArchiveImage, removed: [StoredIdentity] = [], _ commit: Int = 0) {
            self.archive = archive
            for identity in removed where has(identity) { self.removed[identity] = Removal(commit: commit, isFiled: true) }
        }

        /// Returns whether a resource is in the file. If the file is damaged at that place, returns true.
        func has(_ identity: StoredIdentity) -> Bool { (try? archive.has(identity)) ?? true }

        mutating func count(_ type: String, _ difference: Int) { differences[ByteText(type), default: 0] += difference }
    }

    /// The place of a resource's text.
    enum Place {
        case held([UInt8])
        case filed(ArchiveImage, StoredIdentity)
        case nowhere

        /// Returns the text. Throws `ArchiveError` if the file is damaged at that place.
        func text() throws -> [UInt8]? {
            switch self {
            case .held(let text): text
            case .filed(let archive, let identity): try archive.text(identity)
            case .nowhere: nil
            }
        }
    }
}
