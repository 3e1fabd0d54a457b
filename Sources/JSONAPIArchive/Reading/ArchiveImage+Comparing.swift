// Comparisons of the states of files, for the store that saves into them.

extension ArchiveImage {
    /// Returns whether both are states of the same archive.
    package func isSameArchive(as other: ArchiveImage) -> Bool { header.isSameArchive(as: other.header) }

    /// Returns whether both are the same state of the same archive.
    package func isSameState(as other: ArchiveImage) -> Bool { head == other.head && header == other.header }

    /// Returns whether another archive was copied over the file of an earlier state in place. The mapped bytes of that state are lost then, and
    /// reading them can stop the process.
    package func hasOverwritten(_ earlier: ArchiveImage) -> Bool {
        guard let file, let other = earlier.file, file.isSameFile(as: other) else { return false }
        guard isSameArchive(as: earlier), bytes.count >= earlier.head.end else { return true }
        return (try? ArchiveFooter(bytes, of: earlier.head, header)) != earlier.footer
    }

    /// Returns whether a key has a text as its value; nil for no value. Throws `ArchiveError` if the value cannot be read.
    package func hasValue(_ text: [UInt8]?, forKey key: String) throws(ArchiveError) -> Bool {
        guard let record: ArchiveRecord = try root(key) else { return text == nil }
        return record.kind == .value && bytes.array(record.text) == text
    }
}
