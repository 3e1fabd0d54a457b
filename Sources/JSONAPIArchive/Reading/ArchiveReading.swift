// Reads the fixed parts. Each is checked before its contents are used.

extension ArchiveHeader {
    /// Reads the header. If the first one is damaged, reads the second one.
    init(_ bytes: ArchiveBytes) throws(ArchiveError) {
        do {
            self = try Self.header(bytes, at: 0)
        } catch {
            // An intact first header is correct, even if this library does not support it.
            guard !Self.isSound(bytes), let copy = try? Self.header(bytes, at: ArchiveFormat.pageSize), copy.hasPages,
                CommitHead(bytes, at: copy.slotOffsets[1], copy) != nil
            else { throw error }
            self = copy
        }
    }

    private static func header(_ bytes: ArchiveBytes, at start: Int) throws(ArchiveError) -> ArchiveHeader {
        let magic = ArchiveFormat.magic
        let count = max(0, min(bytes.count - start, magic.count))
        guard count > 0, bytes.array(start..<start + count) == Array(magic[..<count]) else {
            let isEmpty = bytes.count == 0
            throw ArchiveError(
                .notAnArchive, isEmpty ? "the file is empty" : "the bytes do not begin as an archive does",
                advice: isEmpty ? "remove the file, or write an archive to it" : nil, section: .header, offset: 0)
        }
        guard bytes.has(start, ArchiveFormat.fixedSize) else { throw cutOff(bytes) }
        // The version is checked first, because a newer version can have another checksum.
        let major = Int(bytes.number(at: start + 8, size: 2))
        let isSound = isSound(bytes, at: start)
        guard ArchiveFormat.oldestMajorVersion...ArchiveFormat.majorVersion ~= major else {
            guard isSound || major > ArchiveFormat.majorVersion else { throw corrupt }
            let readable = "\(ArchiveFormat.oldestMajorVersion) to \(ArchiveFormat.majorVersion)"
            throw ArchiveError(
                .unsupportedVersion, "the archive has format version \(major), this library reads \(readable)",
                advice: major > ArchiveFormat.majorVersion ? "update the program" : nil, section: .header, offset: 8)
        }
        let header = ArchiveHeader(
            fileID: bytes.number(at: start + 16, size: 8), version: major, minorVersion: Int(bytes.number(at: start + 10, size: 2)))
        guard isSound, bytes.number(at: start + 12, size: 4) == UInt64(header.size) else { throw corrupt }
        guard bytes.number(at: start + 24, size: 4) == 0 else {
            throw ArchiveError(
                .unsupportedFeature, "the archive uses features that this library does not know", advice: "update the program",
                section: .header, offset: 24)
        }
        guard bytes.has(0, header.size) else { throw cutOff(bytes) }
        return header
    }

    /// Returns whether the 32 bytes of a header match the checksum at their end.
    static func isSound(_ bytes: ArchiveBytes, at start: Int = 0) -> Bool {
        guard bytes.has(start, ArchiveFormat.fixedSize) else { return false }
        var checksum = Checksum()
        bytes.with(start..<start + 28) { checksum.update($0) }
        return UInt64(checksum.value) == bytes.number(at: start + 28, size: 4)
    }

    private static func cutOff(_ bytes: ArchiveBytes) -> ArchiveError {
        ArchiveError(.truncated, "the header is cut off", section: .header, offset: bytes.count)
    }

    private static var corrupt: ArchiveError {
        ArchiveError(.corrupt, "the checksum of the header does not match", section: .header, offset: 0)
    }
}

extension CommitHead {
    /// Reads a head. Returns nil if it is not intact.
    ///
    /// `fileOffset` is its offset in the file, if `bytes` are only a part of the file.
    init?(_ bytes: ArchiveBytes, at offset: Int, from fileOffset: Int? = nil, _ header: ArchiveHeader) {
        guard bytes.has(offset, ArchiveFormat.headSize) else { return nil }
        let checksum = bytes.with(offset..<offset + 28) { header.checksum(at: fileOffset ?? offset, $0) }
        guard UInt64(checksum) == bytes.number(at: offset + 28, size: 4) else { return nil }
        let footer = bytes.number(at: offset + 8, size: 8)
        let end = bytes.number(at: offset + 16, size: 8)
        let limit = UInt64(ArchiveFormat.maximumSize)
        guard end <= limit, footer <= end, end - footer >= UInt64(ArchiveFormat.smallestFooter),
            footer >= UInt64(header.firstRecord), header.canEnd(at: Int(end)),
            1...UInt64(ArchiveFormat.maximumNumber) ~= bytes.number(at: offset, size: 8)
        else { return nil }
        self.init(
            number: bytes.number(at: offset, size: 8), footer: Int(footer), end: Int(end),
            content: header.hasPages ? UInt32(bytes.number(at: offset + 24, size: 4)) : 0)
    }
}

extension ArchiveFooter {
    /// Reads the footer to which a head refers.
    init(_ bytes: ArchiveBytes, of head: CommitHead, _ header: ArchiveHeader) throws(ArchiveError) {
        guard bytes.count >= head.end else {
            throw ArchiveError(
                .truncated, "the archive ends after \(bytes.count) bytes, and should have \(head.end)", section: .footer,
                offset: head.footer)
        }
        let start = head.footer
        let count = bytes.number(at: start + 32, size: 4)
        // Zeros can follow the footer, so only the number of sections tells where it ends. In older versions, nothing follows.
        let size = UInt64(ArchiveFormat.smallestFooter) + count * UInt64(ArchiveFormat.sectionSize)
        let end = header.hasPages ? start + Int(min(size, UInt64(head.end - start))) : head.end
        guard UInt64(header.checksum(of: start..<end - 4, in: bytes)) == bytes.number(at: end - 4, size: 4) else {
            throw ArchiveError(.corrupt, "the checksum of the footer does not match", section: .footer, offset: start)
        }
        guard bytes.number(at: start, size: 4) == ArchiveFormat.footerMagic, bytes.number(at: start + 8, size: 8) == head.number,
            UInt64(end - start) == size, header.end(afterFooterAt: end) == head.end,
            Int(exactly: bytes.number(at: start + 4, size: 4)) != nil,
            let resourceCount = Int(exactly: bytes.number(at: start + 16, size: 8)),
            let usedBytes = Int(exactly: bytes.number(at: start + 24, size: 8)), resourceCount <= start, usedBytes <= start
        else { throw Self.malformed(start) }
        self.init(
            modelVersion: UInt32(bytes.number(at: start + 4, size: 4)), number: head.number, resourceCount: resourceCount,
            usedBytes: usedBytes, sections: [])
        guard count <= UInt64(ArchiveFormat.maximumSections) else { throw Self.malformed(start) }
        for index in 0..<Int(count) {
            let section = ArchiveSection(bytes, at: start + ArchiveFormat.footerStart + index * ArchiveFormat.sectionSize)
            guard let section, section.offset >= header.size, section.end <= start else { throw Self.malformed(start) }
            sections.append(section)
        }
        guard hasSoundSections else { throw Self.malformed(start) }
    }

    /// Whether no sections overlap, and the number of sections of each kind is within its limit.
    private var hasSoundSections: Bool {
        let ordered = sections.sorted { ($0.offset, $0.end) < ($1.offset, $1.end) }
        guard zip(ordered, ordered.dropFirst()).allSatisfy({ $0.end <= $1.offset }) else { return false }
        let single = [ArchiveFormat.typesSection, ArchiveFormat.rootsSection, ArchiveFormat.countsSection]
        let several = [ArchiveFormat.directorySection, ArchiveFormat.pagesSection, ArchiveFormat.keysSection]
        return single.allSatisfy { sections($0).count <= 1 }
            && several.allSatisfy { sections($0).count <= ArchiveFormat.maximumSectionsOfKind }
            && (section(ArchiveFormat.rootsSection) == nil || section(ArchiveFormat.keysSection) == nil)
    }

    private static func malformed(_ start: Int) -> ArchiveError {
        ArchiveError(.malformed, "the footer contradicts itself", section: .footer, offset: start)
    }
}

extension ArchiveSection {
    init?(_ bytes: ArchiveBytes, at place: Int) {
        let offset = bytes.number(at: place + 8, size: 8)
        let length = bytes.number(at: place + 16, size: 8)
        let limit = UInt64(ArchiveFormat.maximumSize)
        guard offset <= limit, length <= limit - offset else { return nil }
        self.init(
            kind: UInt32(bytes.number(at: place, size: 4)), checksum: UInt32(bytes.number(at: place + 4, size: 4)),
            offset: Int(offset), length: Int(length))
    }
}
