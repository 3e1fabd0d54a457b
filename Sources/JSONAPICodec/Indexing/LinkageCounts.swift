import JSONText

/// How many identifiers in the linkage of a document lead to each of its resources.
///
/// Tells which values may be asked for again: one that nothing else leads to need not be kept, which saves a copy of every
/// string in it. To count, each identifier is looked up; what it leads to is left on the tape as its mark, so that it is looked
/// up once in all.
final class LinkageCounts {
    private let counts: Scratch<UInt32>
    private let index: ResourceIndex
    private let view: TapeView

    /// The mark of an identifier that leads to nothing in the document; others have the ordinal, counted from 1.
    static let missing = TapeView.maximumMark

    /// Nil for a document that is too large for marks, or has whole resources in the place of identifiers.
    ///
    /// Writes to the tape: only for the session that parsed it, before it hands anything out that reads it.
    init?(_ index: ResourceIndex, _ view: TapeView) {
        guard index.entries.count < Self.missing - 1, index.embedded.isEmpty else { return nil }
        self.index = index
        self.view = view
        counts = Scratch(zeroes: index.entries.count)
        for entry in index.entries where entry.relationships != 0 { countAll(in: Int(entry.relationships)) }
    }

    /// How many identifiers lead to the resource.
    @inline(__always)
    subscript(ordinal: Int) -> Int { Int(counts[ordinal]) }

    private func countAll(in relationships: Int) {
        var name = view.first(in: relationships)
        let end = view.end(of: relationships)
        while name < end {
            let relationship = view.next(after: name)
            if view.isObject(relationship) {
                let data = RelationshipEntry(view, at: relationship).data
                if data != 0 { count(linkage: data) }
            }
            name = view.next(after: relationship)
        }
    }

    private func count(linkage: Int) {
        if view.isObject(linkage) { return count(identifier: linkage) }
        guard view.isArray(linkage) else { return }
        var element = view.first(in: linkage)
        let end = view.end(of: linkage)
        while element < end {
            if view.isObject(element) { count(identifier: element) }
            element = view.next(after: element)
        }
    }

    /// Identifiers that are not plain stay without a mark: who reads one looks closer.
    @inline(__always)
    private func count(identifier word: Int) {
        let identifier = IdentifierEntry(view, at: word)
        guard identifier.isPlain(view) else { return }
        let ordinal = index.ordinal(ofPlain: identifier, view)
        // In bounds: the table holds ordinals of entries.
        if ordinal >= 0 { counts[ordinal] &+= 1 }
        view.leaveMark(ordinal < 0 ? Self.missing : ordinal + 1, at: word)
    }
}
