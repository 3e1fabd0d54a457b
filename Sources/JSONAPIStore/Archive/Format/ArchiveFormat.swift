/// The file format of archives, version 3. The differences of older versions are at the end.
///
/// Numbers are unsigned and begin with their lowest byte. A *varint* has seven bits in each byte, the lowest first; the high bit
/// says that another byte follows; it is written as short as possible. Offsets count bytes from the beginning of the file.
///
/// ```
/// archive                                              header
///   0     header           96 bytes                      0   8  89 4A 41 41 0D 0A 1A 0A    "\x89JAA\r\n\x1A\n"
///   96    commit                                         8   2  major version, 3
///         commit                                         10  2  minor version, 0
///         …                                              12  4  size of the header, 96
///         rest of a commit that was never finished       16  8  random number of this file
///                                                        24  4  feature bits, 0
/// commit                                                 28  4  checksum of bytes 0 to 27, plain
///   head         32 bytes                                32  32 slot, a copy of a commit's head
///   records                                              64  32 slot, a copy of a commit's head
///   sections
///   footer                                             head, slot
///                                                        0   8  number of the commit, from 1
/// record                                                 8   8  offset of its footer
///   4  checksum                                          16  8  offset behind its footer: the next commit
///   v  bytes that follow this number                     24  4  0
///   v  16 × type number + kind                           28  4  checksum
///   v  length of the key
///      key: id, lid, name of a root or of a type       footer
///      text                                              0   4  46 54 52 31, "FTR1"
///                                                        4   4  version of the models
/// kind of a record, and its text                         8   8  number of the commit
///   0   resource with that id    the rest of it          16  8  resources
///   1   resource with that lid   the rest of it          24  8  bytes of the records that are in use
///   2   resource with that id    the whole of it         32  4  number of sections
///   3   resource with that lid   the whole of it         36     sections, 24 bytes each
///   4   removed resource, by id                                   0  4  kind; the highest bit: may be skipped
///   5   removed resource, by lid                                  4  4  checksum
///   8   root: plain value        JSON                             8  8  offset
///   9   root: one resource       reference                        16 8  length
///   10  root: many resources     references              …   4  checksum
///   12  name of that type number nothing
/// ```
///
/// The text of a resource is its resource object as compact JSON. With kinds 0 and 1 its beginning is left out:
/// `{"type":"articles","id":"1"` or `{"type":"articles","lid":"1"`. A reference is the offset of any record of that resource; it
/// means its newest one. The first is written as a varint, the following ones as differences from the one before, folded
/// (0, −1, 1, −2, … become 0, 1, 2, 3, …).
///
/// Sections, each wherever its offset says, in this commit or an earlier one:
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
/// The place of a resource is the offset of its first record since it was last absent. The checksum of a page begins with the offset of that
/// page. A page is checked when it is first used, the whole section by `Archive.verify`.
///
/// No two sections share a byte, and there are at most 1,024 of them, at most 48 of one kind.
///
/// The hash is the plain checksum of the type's name, the byte FF, a byte 0 for an id or 1 for a lid, and the key. Entries with
/// equal hashes stand in the order of type number, then id before lid, then key by bytes. The first directory that has an entry for a
/// resource is right, even when it leads to a removal. The same holds for the first section of keys that has a root.
///
/// Before the first record of a new type stands a record of kind 12, so that records can be told apart when the sections are lost.
///
/// **Checksums** are CRC-32C (polynomial 1EDC6F41, reflected, start and end inverted). Unless called plain they begin with the
/// random number of the file and the offset of what is checked, 8 bytes each, so that a part of another file or another place
/// is found out. They do not protect against somebody who means harm and computes them anew.
///
/// **Reading.** Of the two slots the valid one with the higher number is the commit that counts; what it says has to be there.
/// If the other one is invalid, it may have been the newer one: what stands behind the end then has to be a whole and valid
/// commit, which is the one that counts. When both are valid, anything behind the end is ignored.
///
/// **Appending.** Write an invalid slot anew and sync; write the commit behind the end; sync; write its head into the slot with
/// the lower number; sync.
///
/// **Later versions.** A higher major version, a set feature bit or an unknown section without the highest bit must be
/// refused; a higher minor version and unknown sections with that bit are read as if they were not there. A writer leaves unknown
/// sections out of its next commit, because they may depend on what it changes. It keeps those whose second highest bit is set as well.
///
/// **Version 2** has directories of kind 3 and no counts: for n records 4 bytes each, hash, ascending; then 5 bytes each, offset. A commit to such a
/// file adds directories of kind 5 before them; only compaction replaces the old ones and adds counts. The place of an entry of kind 3 is its offset.
///
/// **Version 1** is as version 2, has no records of kind 12, and instead of keys at most one section of kind 2: for each root a varint, length; its name;
/// 5 bytes, offset of its record, in the order of `Archive.keys`. The first commit of this library that changes a root of such a file
/// replaces that section by one of kind 4, and the major version stays 1.
enum ArchiveFormat {
    static let magic: [UInt8] = [0x89, 0x4A, 0x41, 0x41, 0x0D, 0x0A, 0x1A, 0x0A]
    static let majorVersion = 3
    static let oldestMajorVersion = 1
    static let minorVersion = 0
    static let headerSize = 96
    static let slotOffsets = [32, 64]
    static let headSize = 32
    static let footerMagic = UInt64(0x3152_5446)
    static let footerStart = 36
    static let sectionSize = 24
    /// The bytes of a footer that has no sections.
    static let smallestFooter = footerStart + 4
    /// Bytes of an entry in a directory of version 1 or 2: hash and offset.
    static let entrySize = 9
    /// Offsets have five bytes in the file. What `Int` holds is less on systems of 32 bits, which cannot open larger archives.
    static let maximumSize = Int(clamping: UInt64(1) << 40 - 1)

    /// The archive would be, or is, larger than that.
    static var tooLarge: ArchiveError { ArchiveError(.tooLarge, "an archive holds at most \(maximumSize) bytes") }

    static let typesSection: UInt32 = 1
    static let rootsSection: UInt32 = 2
    static let directorySection: UInt32 = 3
    static let keysSection: UInt32 = 4
    static let pagesSection: UInt32 = 5
    static let countsSection: UInt32 = 6
    /// Whether readers that do not know a section may do without it.
    static let skippable: UInt32 = 1 << 31
    /// Whether writers that do not know a skippable section may keep it, whatever they change.
    static let copyable: UInt32 = 1 << 30

    /// More would make reading cost more than the file is worth. Directories double in size, so that there are about 40 at most.
    static let maximumSections = 1024
    static let maximumSectionsOfKind = 48
}

/// What a record holds.
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
    /// Whether the beginning of the resource object is left out.
    var isAbridged: Bool { self == .id || self == .lid }
}

// MARK: - Fixed parts

/// The beginning of the file.
struct ArchiveHeader: Sendable, Hashable {
    /// The random number of this file.
    let fileID: UInt64

    init(fileID: UInt64) { self.fileID = fileID }

    /// The state of a checksum of what stands at an offset of this file.
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
}

/// Where a commit is: what stands at its beginning, and in a slot of the header once it is safe.
struct CommitHead: Sendable, Hashable {
    var number: UInt64
    var footer: Int
    var end: Int
}

/// A part of the archive that a footer names.
struct ArchiveSection: Sendable, Hashable {
    var kind: UInt32
    var checksum: UInt32
    var offset: Int
    var length: Int

    var range: Range<Int> { offset..<offset + length }
    var end: Int { offset + length }
}

/// The end of a commit: everything that is in force since.
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
