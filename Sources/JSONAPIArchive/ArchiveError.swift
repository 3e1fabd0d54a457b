public import Foundation

/// An error of reading or writing an archive.
///
/// ```swift
/// do { archive = try Archive(contentsOf: url) } catch let error as ArchiveError {
///     error.kind          // .corrupt
///     error.section       // .directory
///     error.offset        // 4711, in bytes from 0
/// }
/// ```
///
/// The error contains kinds, names, keys, and the identities of resources, but no other values. Two errors are equal if their kind, section
/// and offset are equal.
public struct ArchiveError: Error, Sendable, Hashable {
    /// The kind of an error. Later versions may add kinds.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind, such as `corrupt`.
        public let description: String
        /// The group to which the kind belongs.
        public let category: Category
        private init(_ name: String, _ category: Category) {
            description = name
            self.category = category
        }

        /// The bytes do not begin like an archive.
        public static let notAnArchive = Kind("notAnArchive", .format)
        /// The URL is not a file URL, or it leads to a folder, a device, a pipe or a symbolic link.
        public static let notARegularFile = Kind("notARegularFile", .format)
        /// This library does not support the version of the format. The error names the versions.
        public static let unsupportedVersion = Kind("unsupportedVersion", .format)
        /// The archive requires a feature that this library does not support.
        public static let unsupportedFeature = Kind("unsupportedFeature", .format)
        /// The models that wrote the archive are newer than those of this program. The error names both versions.
        public static let newerModel = Kind("newerModel", .format)
        /// The end of the archive is missing.
        public static let truncated = Kind("truncated", .damage)
        /// A checksum does not match.
        public static let corrupt = Kind("corrupt", .damage)
        /// The checksums match, but the contents contradict each other. A failing disk does not cause this error.
        public static let malformed = Kind("malformed", .damage)
        /// There are bytes after the last commit, from a writer that was interrupted. Only `verify` reports this. Reading is not affected.
        public static let unfinishedCommit = Kind("unfinishedCommit", .damage)
        /// The key does not exist.
        public static let missingKey = Kind("missingKey", .value)
        /// The value under the key has another form, such as a plain value instead of a resource.
        public static let otherForm = Kind("otherForm", .value)
        /// The key names a resource that was removed.
        public static let missingResource = Kind("missingResource", .value)
        /// A resource has no type, or neither an id nor a lid.
        public static let missingIdentity = Kind("missingIdentity", .value)
        /// Two different resources have the same identity.
        public static let conflict = Kind("conflict", .value)
        /// The contents exceed a limit of the format or of the decoder.
        public static let tooLarge = Kind("tooLarge", .value)
        /// Another writer has the archive open.
        public static let locked = Kind("locked", .storage)
        /// The file was replaced, changed or removed while it was open for writing.
        public static let replaced = Kind("replaced", .storage)
        /// A system call failed. `systemCall` and `code` describe the failure.
        public static let io = Kind("io", .storage)
        /// The file was used after it was closed, or after a failure that left the contents of the disk unknown.
        public static let closed = Kind("closed", .storage)
    }

    /// A group of kinds that a program can handle in the same way.
    public enum Category: Sendable, Hashable {
        /// The bytes are not an archive, or its version is not supported.
        case format
        /// The bytes differ from those that were written.
        case damage
        /// The archive is intact, but it does not contain the requested value or cannot store the given one.
        case value
        /// The file or the disk caused the failure.
        case storage
    }

    /// A part of an archive.
    public struct Section: Sendable, Hashable, CustomStringConvertible {
        /// The name of the part, such as `directory`.
        public let description: String
        private init(_ name: String) { description = name }

        /// The first bytes, which identify the file as an archive.
        public static let header = Section("header")
        /// The position of the newest commit.
        public static let slot = Section("slot")
        /// The start of a commit.
        public static let commit = Section("commit")
        /// The end of a commit, with the positions of its parts.
        public static let footer = Section("footer")
        /// The names of the resource types.
        public static let types = Section("types")
        /// The keys and their values.
        public static let roots = Section("roots")
        /// The positions of the resources.
        public static let directory = Section("directory")
        /// A resource or a value.
        public static let record = Section("record")
    }

    /// The kind of the error.
    public let kind: Kind

    /// A description of what happened.
    public let reason: String

    /// A suggestion for fixing the error, if there is one.
    public var advice: String?

    /// The part of the archive that is damaged.
    public var section: Section?

    /// The offset of the damaged part in bytes, from 0.
    public var offset: Int?

    /// The path of the file; nil for an archive in memory.
    public internal(set) var file: String?

    /// The name of the system call that failed, such as `write` or `fsync`. Only for the kind `io`.
    public var systemCall: String?

    /// The error number of the system call, such as `ENOSPC`.
    public var code: Int32?

    package init(_ kind: Kind, _ reason: String, advice: String? = nil, section: Section? = nil, offset: Int? = nil) {
        self.kind = kind
        self.reason = reason
        self.advice = advice ?? (kind.category == .damage ? Self.salvageAdvice : nil)
        self.section = section
        self.offset = offset
    }

    /// The suggestion for damage that has no better one.
    package static let salvageAdvice = "recover what is intact with ArchiveFile.salvage(_:)"

    /// Returns whether both errors have the same kind, section and offset.
    public static func == (a: Self, b: Self) -> Bool { a.kind == b.kind && a.section == b.section && a.offset == b.offset }

    /// Hashes the kind, the section and the offset.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(section)
        hasher.combine(offset)
    }
}

extension ArchiveError: LocalizedError, CustomStringConvertible {
    /// A sentence with the file, what happened, the place, and a suggestion.
    public var description: String {
        var text = file.map { "\($0): " } ?? ""
        text += reason
        if let section { text += " (\(section)" + (offset.map { " at byte \($0)" } ?? "") + ")" }
        if let advice { text += "; \(advice)" }
        return text
    }

    /// The same as `description`.
    public var errorDescription: String? { description }

    /// Returns the same error with the path of a file, unless it already has one.
    func of(_ file: String?) -> ArchiveError {
        var error = self
        if error.file == nil { error.file = file }
        return error
    }
}
