/// Why an archive cannot be read or written, and where.
///
/// ```swift
/// do { archive = try Archive(contentsOf: url) } catch let error as ArchiveError {
///     error.kind          // .corrupt
///     error.section       // .directory
///     error.offset        // 4711, in bytes from 0
/// }
/// ```
///
/// It holds kinds and names, never values. Two errors are equal when kind, section and offset are.
public struct ArchiveError: Error, Sendable, Hashable {
    /// What went wrong. The set may grow: always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The kind's name, as `corrupt`.
        public let description: String
        /// What the caller can do about it.
        public let category: Category
        private init(_ name: String, _ category: Category) {
            description = name
            self.category = category
        }

        /// The bytes do not begin as an archive does.
        public static let notAnArchive = Kind("notAnArchive", .format)
        /// A folder, a device, a pipe or a symbolic link.
        public static let notARegularFile = Kind("notARegularFile", .format)
        /// The format is newer than this library. The error names both versions.
        public static let unsupportedVersion = Kind("unsupportedVersion", .format)
        /// The archive has a part that every reader must know, and this library does not.
        public static let unsupportedFeature = Kind("unsupportedFeature", .format)
        /// The models that wrote the archive are newer than this program's. The error names both versions.
        public static let newerModel = Kind("newerModel", .format)
        /// The end is missing.
        public static let truncated = Kind("truncated", .damage)
        /// A checksum does not match.
        public static let corrupt = Kind("corrupt", .damage)
        /// The checksums match, but the contents contradict each other. A disk does not cause that.
        public static let malformed = Kind("malformed", .damage)
        /// There are bytes after the last commit, left by a writer that was stopped. Only `verify` reports them; the archive is read correctly.
        public static let unfinishedCommit = Kind("unfinishedCommit", .damage)
        /// There is no such key.
        public static let missingKey = Kind("missingKey", .value)
        /// The key has a value of another form: a plain value instead of a resource, or many resources instead of one.
        public static let otherForm = Kind("otherForm", .value)
        /// A resource that a key names has been removed.
        public static let missingResource = Kind("missingResource", .value)
        /// A resource without type, or with neither id nor lid.
        public static let missingIdentity = Kind("missingIdentity", .value)
        /// One identity on two resources that differ.
        public static let conflict = Kind("conflict", .value)
        /// More than the format can hold.
        public static let tooLarge = Kind("tooLarge", .value)
        /// Another writer has the archive open.
        public static let locked = Kind("locked", .storage)
        /// The file was replaced or removed while it was open for writing.
        public static let replaced = Kind("replaced", .storage)
        /// A call of the operating system failed. `systemCall` and `code` say which and why.
        public static let io = Kind("io", .storage)
        /// The file was used after it was closed, or after a failure that left it unknown what the disk holds.
        public static let closed = Kind("closed", .storage)
    }

    /// Groups of kinds, for callers that react to a failure.
    public enum Category: Sendable, Hashable {
        /// The bytes are no archive, or one of another version.
        case format
        /// The bytes are not as they were written.
        case damage
        /// The archive is sound, but does not hold what is asked for, or cannot hold what is given.
        case value
        /// The file or the disk.
        case storage
    }

    /// The parts of an archive.
    public struct Section: Sendable, Hashable, CustomStringConvertible {
        /// The part's name, as `directory`.
        public let description: String
        private init(_ name: String) { description = name }

        /// The first bytes, which say what file it is.
        public static let header = Section("header")
        /// Where the newest commit is noted.
        public static let slot = Section("slot")
        /// The beginning of a commit.
        public static let commit = Section("commit")
        /// The end of a commit, which says where its parts are.
        public static let footer = Section("footer")
        /// The names of the types of resources.
        public static let types = Section("types")
        /// The keys and what they name.
        public static let roots = Section("roots")
        /// Where each resource is.
        public static let directory = Section("directory")
        /// One resource or value.
        public static let record = Section("record")
    }

    /// What went wrong.
    public let kind: Kind

    /// What happened, in words.
    public let reason: String

    /// How to mend it, where that is known.
    public var advice: String?

    /// The part of the archive that is damaged.
    public var section: Section?

    /// Where that part begins, in bytes from 0.
    public var offset: Int?

    /// The path of the file; nil for an archive in memory.
    public internal(set) var file: String?

    /// The call that failed, for `io`: `write`, `fsync`, `rename`, …
    public var systemCall: String?

    /// The error number of that call, such as `ENOSPC`.
    public var code: Int32?

    init(_ kind: Kind, _ reason: String, advice: String? = nil, section: Section? = nil, offset: Int? = nil) {
        self.kind = kind
        self.reason = reason
        self.advice = advice
        self.section = section
        self.offset = offset
    }

    /// Whether kind, section and offset are equal.
    public static func == (a: Self, b: Self) -> Bool { a.kind == b.kind && a.section == b.section && a.offset == b.offset }

    /// Feeds kind, section and offset to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(section)
        hasher.combine(offset)
    }
}

extension ArchiveError: CustomStringConvertible {
    /// One sentence: file, place, what happened, cure.
    public var description: String {
        var text = file.map { "\($0): " } ?? ""
        text += reason
        if let section { text += " (\(section)" + (offset.map { " at byte \($0)" } ?? "") + ")" }
        if let advice { text += "; \(advice)" }
        return text
    }

    /// The same error, of that file.
    func of(_ file: String?) -> ArchiveError {
        var error = self
        if error.file == nil { error.file = file }
        return error
    }
}
