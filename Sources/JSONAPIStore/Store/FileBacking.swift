import JSONAPICodec
import JSONText

extension ResourceTable {
    /// The file that a table reads through, and the unsaved changes of resources that the table does not hold in memory.
    struct Backing: Sendable {
        struct Unsaved: Sendable {
            /// The text of an evicted resource; nil for a removed one.
            let text: [UInt8]?
            let commit: Int
            /// The number that orders evicted and removed resources.
            let number: Int
            /// Whether the file has the resource, with this text or another one.
            var isFiled: Bool
        }

        /// The contents of the file as of the last save.
        var archive: ArchiveImage
        private(set) var nextNumber = 0
        var unsaved: [StoredIdentity: Unsaved] = [:]
        /// For each type, the number of resources in the store minus the number in the file.
        var differences: [ByteText: Int] = [:]

        init(_ archive: ArchiveImage) { self.archive = archive }

        /// Returns whether the file has a resource. If the file is damaged at that place, returns true.
        func has(_ identity: StoredIdentity) -> Bool { (try? archive.has(identity)) ?? true }

        func isRemoved(_ identity: StoredIdentity) -> Bool { unsaved[identity].map { $0.text == nil } ?? false }

        /// The unsaved changes of one type.
        struct Group {
            var hasRemovals = false
            /// The resources that were evicted before the file had them, in the order of eviction.
            var added: [StoredIdentity] = []
        }

        /// Returns the unsaved changes of all types, or of one type.
        ///
        /// - Complexity: O(n log n), n = number of unsaved changes.
        func groups(ofType type: String? = nil) -> [ByteText: Group] {
            let type = type.map(ByteText.init)
            var groups: [ByteText: Group] = [:]
            var added: [(identity: StoredIdentity, number: Int)] = []
            for (identity, item) in unsaved where type?.isType(of: identity) ?? true {
                if item.text == nil {
                    groups[ByteText(identity.type), default: Group()].hasRemovals = true
                } else if !item.isFiled {
                    added.append((identity, item.number))
                }
            }
            added.sort { $0.number < $1.number }
            for item in added { groups[ByteText(item.identity.type), default: Group()].added.append(item.identity) }
            return groups
        }

        /// The types of resources that were evicted before the file had them.
        var addedTypes: [String] {
            let added = unsaved.filter { $0.value.text != nil && !$0.value.isFiled }.sorted { $0.value.number < $1.value.number }
            return added.map(\.key.type)
        }

        mutating func setUnsaved(_ identity: StoredIdentity, _ text: [UInt8]?, _ commit: Int, isFiled: Bool) {
            unsaved[identity] = Unsaved(text: text, commit: commit, number: nextNumber, isFiled: isFiled)
            nextNumber += 1
        }

        /// Replaces all removals by those that the journal of the file notes. `recount` must follow.
        mutating func replaceRemovals(by removals: [StoredIdentity], _ commit: Int) {
            unsaved = unsaved.filter { $0.value.text != nil }
            for identity in removals { setUnsaved(identity, nil, commit, isFiled: true) }
        }

        mutating func count(_ type: String, _ difference: Int) { differences[ByteText(type), default: 0] += difference }

        /// Checks again which unsaved resources the file has. The file may be another one than before.
        mutating func recount() {
            for (identity, item) in unsaved {
                let isFiled = has(identity)
                unsaved[identity]?.isFiled = isFiled
                if isFiled != (item.text != nil) { count(identity.type, isFiled ? -1 : 1) }
            }
        }
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
