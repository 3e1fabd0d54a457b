/// The starts of records, so that a damaged record does not cover the next one.
///
/// A damaged record can have any length. It is lost if it does not end before the next record begins. So no byte belongs to two records, and
/// reading all of them takes linear time.
struct RecordBounds {
    /// In ascending order.
    private let starts: [Int]

    init(_ starts: some Sequence<Int>) { self.starts = starts.sorted() }

    /// Returns whether a record ends before the next one begins. Its checksum need not be checked before.
    func hasRoom(for record: ArchiveRecord?) -> Bool {
        record.map { $0.range.upperBound <= end(ofRecordAt: $0.range.lowerBound) } ?? false
    }

    /// Returns the same for the part of a record that ends with its key.
    func hasRoom(forKeyOf record: ArchiveRecord) -> Bool { record.key.upperBound <= end(ofRecordAt: record.range.lowerBound) }

    /// Returns the start of the next record. An offset that occurs twice is not the start of a record.
    private func end(ofRecordAt offset: Int) -> Int {
        let next = starts.indices.partitioningIndex { starts[$0] > offset }
        if next > 1, starts[next - 2] == offset { return offset }
        return next < starts.count ? starts[next] : .max
    }
}

extension ArchiveImage {
    /// Returns the record of a resource at an offset, or nil if it is damaged.
    func intactRecord(at offset: Int, _ bounds: RecordBounds) -> ArchiveRecord? {
        guard bounds.hasRoom(for: try? resourceRecord(at: offset, isChecked: false)) else { return nil }
        return try? resourceRecord(at: offset)
    }
}
