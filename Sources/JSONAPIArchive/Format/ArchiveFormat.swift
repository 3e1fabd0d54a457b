/// The file format of archives, version 4. The end of this comment describes how older versions differ.
///
/// Numbers are unsigned, with the lowest byte first. A *varint* has seven bits in each byte, the lowest bits first. If the high bit is set,
/// another byte follows. Varints are as short as possible. Offsets count bytes from the start of the file.
///
/// ```
/// archive                                              header
///   0     header           64 bytes                      0   8  89 4A 41 41 0D 0A 1A 0A    "\x89JAA\r\n\x1A\n"
///   64    zeros                                          8   2  major version, 4
///   4096  header           64 bytes                      10  2  minor version, 0
///   4160  zeros                                          12  4  offset of the first commit, 8192
///   8192  commit                                         16  8  random number of this file
///         commit                                         24  4  feature bits, 0
///         …                                              28  4  checksum of bytes 0 to 27, plain
///         rest of a commit that was never finished       32  32 slot, a copy of a commit's head
///
/// commit                                               head, slot
///   head         32 bytes                                0   8  number of the commit, from 1
///   records                                              8   8  offset of its footer
///   sections                                             16  8  offset after its end: the next commit
///   footer                                               24  4  checksum of the commit after its head
///   zeros up to the next multiple of 4,096               28  4  checksum
///
/// record                                               footer
///   4  checksum                                          0   4  46 54 52 31, "FTR1"
///   v  bytes that follow this number                     4   4  version of the models
///   v  16 × type number + kind                           8   8  number of the commit
///   v  length of the key                                 16  8  resources
///      key: id, lid, name of a root or of a type         24  8  bytes of the records that are in use
///      text                                              32  4  number of sections
///                                                        36     sections, 24 bytes each
/// kind of a record, and its text                                0  4  kind; the highest bit: may be skipped
///   0   resource with that id    the rest of it                 4  4  checksum
///   1   resource with that lid   the rest of it                 8  8  offset
///   2   resource with that id    the whole of it                16 8  length
///   3   resource with that lid   the whole of it         …   4  checksum
///   4   removed resource, by id
///   5   removed resource, by lid
///   8   root: plain value        JSON
///   9   root: one resource       reference
///   10  root: many resources     references
///   12  name of that type number nothing
/// ```
///
/// The two headers differ only in their slots. They are in two pages of 4,096 bytes, so that a page that is damaged while it is written
/// contains only one of them. A commit begins with a new page too, so that writing it cannot damage an earlier commit.
///
/// Compaction changes only the lowest three bytes of the random number. Programs can therefore tell a file that was compacted from another
/// archive at the same path.
///
/// The text of a resource is its resource object as compact JSON. In kinds 0 and 1, the start of the text is left out:
/// `{"type":"articles","id":"1"` or `{"type":"articles","lid":"1"`. A reference is the offset of any record of a resource, and refers to
/// its newest record. The first reference is a varint. Each of the others is the difference from the previous one, folded (0, −1, 1, −2, …
/// become 0, 1, 2, 3, …) and written as a varint.
///
/// The text of a plain value is compact JSON, and that of a document begins with a blank.
///
/// Each section is at its offset, in this commit or in an earlier one:
///
/// ```
/// 1  types       for each type: varint, length; its name. The first one has the number 0. At most one section
/// 4  keys        4 bytes, n; for n roots, 14 bytes each; then their names in the order of their bytes, each once.
///                Newest section first
///                  0   4  where its name ends, in bytes from the first name
///                  4   5  offset of its record; 0 when the root was removed
///                  9   5  its place: `Archive.keys` lists roots in ascending order of these numbers
/// 5  directory   4 bytes, checksum of the rest of this head; 4 bytes, t; for t types, ascending, 9 bytes each; then pages.
///                Newest section first
///                  0   4  type number
///                  4   5  how many entries there are up to and with this type
///                A page: 4 bytes, checksum; then 292 entries, fewer in the last page, 14 bytes each
///                  0   4  hash, ascending in each type
///                  4   5  offset of the record
///                  9   5  place: resources are listed in ascending order of these numbers; 0 if the resource was removed
/// 6  counts      for each type number, 5 bytes: resources of that type. At most one section
/// ```
///
/// The place of a resource is the offset of its first record since it was last absent, or a smaller number: that of a resource which it
/// replaces, or that it had before it was removed. No two resources have the same place. The checksum of a page begins with the offset of
/// that page. A page is checked when it is first used. `Archive.verify` checks the whole section.
///
/// Sections do not overlap. There are at most 1,024 sections, and at most 48 of one kind.
///
/// The hash is the plain checksum of the type's name, the byte FF, a byte 0 for an id or 1 for a lid, and the key. Entries with
/// equal hashes are sorted by type number, then id before lid, then by the bytes of the key. The first directory with an entry for a
/// resource is correct, even if the entry is a removal. The same is true for the first section of keys that contains a root.
///
/// The first record of a new type comes after a record of kind 12. Records can therefore be identified even if the sections are lost. If a
/// commit adds a resource and removes it again, it contains a record of the removal, but no entry for it.
///
/// **Checksums** are CRC-32C (polynomial 1EDC6F41, reflected, start and end inverted). Unless they are called plain, they begin with the
/// random number of the file and the offset of the checked part, 8 bytes each. A part of another file or another place is therefore
/// detected. Checksums do not protect against an attacker who computes them again.
///
/// **Reading.** The valid slot with the higher number refers to a commit that is on the disk. Damage in it is an error. If the bytes after
/// its end are a whole commit with the next number, that one is newer, and so on. A commit is whole if the checksum in its head matches. Other
/// bytes after the end are an unfinished commit, and are ignored. If a slot is invalid, it may have been the newer one, so there must be a
/// whole commit after the end, or nothing.
///
/// **Appending.** The first time, write whole commits without a slot again, because they may only be in the system's cache, and sync. Then
/// write the head of the last one into a slot. Write damaged headers again, and sync each. For each commit: write the commit after the end
/// and sync. Then write its head into the slot with the lower number. The next sync saves it. A slot therefore never refers to a commit that
/// is not on the disk, and a confirmed commit is whole. If the sync fails, write nothing more until the file is opened again. A whole commit
/// is never removed, because a reader may use it.
///
/// **Later versions.** A reader must reject a higher major version, a set feature bit, and an unknown section without the highest bit. It
/// ignores a higher minor version, and unknown sections with that bit. A writer leaves unknown sections out of its next commit, because
/// they can depend on its changes. It keeps those whose second highest bit is also set.
///
/// **Versions 1 to 3** have one header of 96 bytes, and the first commit after it. The header contains the slots at the offsets 32 and 64, and
/// 96 as the offset of the first commit. Commits are not aligned. The checksum in the middle of a head is 0. Only slots tell which commits
/// are complete: if both are valid, bytes after the end are ignored. A commit to such a file syncs twice, before and after it writes the
/// slot. Only compaction converts such a file to version 4.
///
/// **Version 2** has directories of kind 3 and no counts. For n records, a directory has n hashes of 4 bytes, ascending, and then n offsets
/// of 5 bytes. A commit to such a file adds directories of kind 5 before them. Only compaction replaces the old ones and adds counts. The
/// place of an entry of kind 3 is its offset.
///
/// **Version 1** is like version 2, but has no records of kind 12. Instead of keys, it has at most one section of kind 2. For each root, it
/// contains a varint, the length of its name; its name; and 5 bytes, the offset of its record, in the order of `Archive.keys`. The first
/// commit of this library that changes a root of such a file replaces that section by one of kind 4. The major version stays 1.
enum ArchiveFormat {
    static let magic: [UInt8] = [0x89, 0x4A, 0x41, 0x41, 0x0D, 0x0A, 0x1A, 0x0A]
    static let majorVersion = 4
    static let oldestMajorVersion = 1
    static let minorVersion = 0
    /// The number of bytes of a header without its slots.
    static let fixedSize = 32
    static let headSize = 32
    /// The distance of the two headers, and the alignment of commits.
    static let pageSize = 4096
    /// The number of bytes before the first commit.
    static let headerSize = 2 * pageSize
    /// The number of bytes before the first commit in versions 1 to 3.
    static let oldHeaderSize = 96
    static let lastOldVersion = 3
    static let footerMagic = UInt64(0x3152_5446)
    static let footerStart = 36
    static let sectionSize = 24
    /// The number of bytes of a footer without sections.
    static let smallestFooter = footerStart + 4
    /// The number of bytes of an entry in a directory of version 1 or 2: hash and offset.
    static let entrySize = 9
    /// The maximum size of an archive. Offsets have five bytes in the file. On 32-bit systems, the maximum of `Int` is the limit.
    static let maximumSize = Int(clamping: UInt64(1) << 40 - 1)

    /// The error for an archive that exceeds the maximum size.
    static var tooLarge: ArchiveError { ArchiveError(.tooLarge, "an archive holds at most \(maximumSize) bytes") }

    /// The error for a commit with a higher number or more sections than a reader accepts.
    static func tooMany(_ what: String, _ maximum: some BinaryInteger) -> ArchiveError {
        ArchiveError(.tooLarge, "an archive has at most \(maximum) \(what)", advice: "compact it")
    }

    static let typesSection: UInt32 = 1
    static let rootsSection: UInt32 = 2
    static let directorySection: UInt32 = 3
    static let keysSection: UInt32 = 4
    static let pagesSection: UInt32 = 5
    static let countsSection: UInt32 = 6
    /// The bit of sections that a reader can ignore if it does not know them.
    static let skippable: UInt32 = 1 << 31
    /// The bit of skippable sections that a writer can keep after any change if it does not know them.
    static let copyable: UInt32 = 1 << 30

    /// The maximum number of sections, which limits the cost of reading. Directories double in size, so there are at most about 40.
    static let maximumSections = 1024
    static let maximumNumber = Int64.max
    static let maximumSectionsOfKind = 48
}

/// The kind of a record.
enum RecordKind: Int, Sendable {
    case id = 0
    case lid = 1
    case wholeID = 2
    case wholeLID = 3
    case removedID = 4
    case removedLID = 5
    case value = 8
    case one = 9
    case many = 10
    case typeName = 12

    var isResource: Bool { rawValue <= 5 }
    var isRoot: Bool { 8...10 ~= rawValue }
    var isRemoval: Bool { self == .removedID || self == .removedLID }
    var isLID: Bool { isResource && rawValue & 1 == 1 }
    /// Whether the start of the resource object is left out.
    var isAbridged: Bool { self == .id || self == .lid }
}

// MARK: - Fixed parts

/// The start of the file.
struct ArchiveHeader: Sendable, Hashable {
    /// The random number of this file.
    let fileID: UInt64
    let version: Int
    let minorVersion: Int

    init(fileID: UInt64, version: Int = ArchiveFormat.majorVersion, minorVersion: Int = ArchiveFormat.minorVersion) {
        self.fileID = fileID
        self.version = version
        self.minorVersion = minorVersion
    }

    /// A header for a new archive.
    static var new: ArchiveHeader { ArchiveHeader(fileID: .random(in: .min ... .max)) }

    /// A header of the current version for the same archive in a new file. The lowest three bytes of its number differ.
    var compacted: ArchiveHeader { ArchiveHeader(fileID: fileID ^ .random(in: 1...Self.fileMask)) }

    /// Returns whether both are headers of the same archive, before or after it was compacted.
    func isSameArchive(as other: ArchiveHeader) -> Bool { fileID | Self.fileMask == other.fileID | Self.fileMask }

    private static let fileMask: UInt64 = 1 << 24 - 1

    /// Whether the file has two headers, and checksums of whole commits.
    var hasPages: Bool { version > ArchiveFormat.lastOldVersion }

    /// The number of bytes before the first commit.
    var size: Int { hasPages ? ArchiveFormat.headerSize : ArchiveFormat.oldHeaderSize }

    /// The offsets of the headers.
    var pages: [Int] { hasPages ? [0, ArchiveFormat.pageSize] : [0] }

    var slotOffsets: [Int] { hasPages ? [32, ArchiveFormat.pageSize + 32] : [32, 64] }

    /// The smallest offset of a record.
    var firstRecord: Int { size + ArchiveFormat.headSize }

    /// Returns whether a commit can end at an offset.
    func canEnd(at offset: Int) -> Bool { !hasPages || offset % ArchiveFormat.pageSize == 0 }

    /// Returns the offset of the next commit if the footer of the last one ends at the given offset.
    func end(afterFooterAt end: Int) -> Int {
        hasPages ? (end + ArchiveFormat.pageSize - 1) / ArchiveFormat.pageSize * ArchiveFormat.pageSize : end
    }

    /// Returns the initial checksum for bytes at an offset of this file.
    func checksum(at offset: Int) -> Checksum {
        var checksum = Checksum()
        checksum.update(fileID)
        checksum.update(UInt64(offset))
        return checksum
    }

    func checksum(at offset: Int, _ bytes: Span<UInt8>) -> UInt32 {
        var checksum = checksum(at: offset)
        checksum.update(bytes)
        return checksum.value
    }

    func checksum(of range: Range<Int>, in bytes: ArchiveBytes) -> UInt32 {
        bytes.with(range) { checksum(at: range.lowerBound, $0) }
    }

    /// Returns whether the four bytes at an offset are the checksum of the bytes after them, as `ByteSink.seal` writes it.
    func isSealed(_ bytes: ArchiveBytes, at offset: Int, end: Int) -> Bool {
        let found = bytes.with(offset + 4..<end) { checksum(at: offset, $0) }
        return UInt64(found) == bytes.number(at: offset, size: 4)
    }
}

/// The position of a commit. It is stored at the start of the commit and, once the commit is on the disk, in a slot.
struct CommitHead: Sendable, Hashable {
    var number: UInt64
    var footer: Int
    var end: Int
    /// The checksum of the commit after its head; 0 in versions 1 to 3.
    var content: UInt32 = 0
}

/// A part of the archive to which a footer refers.
struct ArchiveSection: Sendable, Hashable {
    var kind: UInt32
    var checksum: UInt32
    var offset: Int
    var length: Int

    var range: Range<Int> { offset..<offset + length }
    var end: Int { offset + length }

    func isSound(_ bytes: ArchiveBytes, _ header: ArchiveHeader) -> Bool { header.checksum(of: range, in: bytes) == checksum }
}

/// The end of a commit, with the positions of all parts of the new state.
struct ArchiveFooter: Sendable, Hashable {
    var modelVersion: UInt32
    var number: UInt64
    var resourceCount: Int
    var usedBytes: Int
    var sections: [ArchiveSection]

    var size: Int { ArchiveFormat.smallestFooter + sections.count * ArchiveFormat.sectionSize }

    func section(_ kind: UInt32) -> ArchiveSection? { sections.first { $0.kind == kind } }
    func sections(_ kind: UInt32) -> [ArchiveSection] { sections.filter { $0.kind == kind } }

    /// The directories of resources, newest first.
    var directorySections: [ArchiveSection] { sections(ArchiveFormat.pagesSection) + sections(ArchiveFormat.directorySection) }
}
