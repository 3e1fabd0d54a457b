import JSONAPIArchive
import JSONAPICodec
import JSONText

/// The changes of a store since a certain moment. An archive needs them to catch up with the store.
///
/// ```swift
/// let journal = try core.following(archive, at: path).journal
/// // Later, write the changes repeatedly:
/// let (changes, _) = try core.take(journal)
/// do { try archive.write(changes) } catch { journal.putBack(changes.resources); throw error }
/// ```
///
/// A journal ends when nothing refers to it any more. The store notes every change in each existing journal.
package final class StoreJournal: Sendable {
    /// The change of a resource.
    package struct Change: Sendable {
        package let identifier: ResourceIdentifier
        /// The newest text; nil if the program removed the resource. An evicted resource keeps its text.
        package let text: [UInt8]?
        let identity: StoredIdentity
        /// The number of a resource that the file does not have in the list of its type; nil for the next one.
        let place: Int?
        let note: Note
        /// The position of the note in the order of changes.
        let number: Int
    }

    enum Note: Sendable {
        case stored
        /// The resource was loaded from the file, which has the same text.
        case loaded
        /// The resource was removed because the file does not have it.
        case missing
        case removed
        /// The resource was evicted, and the store cannot read it anymore.
        case evicted([UInt8])
    }

    /// All changes that a file does not have.
    struct Changes {
        let resources: [Change]
        /// The changed documents, values and requests; without a text if they were removed.
        let kept: [(key: StoreKey, text: [UInt8]?)]

        var isEmpty: Bool { resources.isEmpty && kept.isEmpty }
    }

    private struct State {
        /// The notes, with numbers in the order in which the resources were stored. A resource that was removed in between is a new one.
        var notes: [StoredIdentity: (number: Int, note: Note)] = [:]
        var nextNumber = 0
        var keys: Set<StoreKey> = []
        /// The contents of the file when it was closed; nil while it is open, and if they are uncertain.
        var closed: ArchiveImage?

        mutating func set(_ identity: StoredIdentity, _ note: Note) {
            if case .removed? = notes[identity]?.note { notes[identity] = nil }
            notes[identity, default: (nextNumber, note)].note = note
            nextNumber += 1
        }
    }

    private let state = Locked(State())
    private let listener = Locked<(@Sendable () -> Void)?>(nil)

    /// Returns and removes the noted changes, each identity once, with the texts of the given table. Throws `ArchiveError` if a resource is
    /// damaged in its file. Nothing is removed then.
    ///
    /// - Parameter isOfFile: whether the table has the numbers of the followed file in its lists.
    func take(_ table: borrowing ResourceTable, isOfFile: Bool) throws -> [Change] {
        let taken = state.withLock { state in
            defer { state.notes = [:] }
            return state.notes.sorted { $0.value.number < $1.value.number }
        }
        do {
            let changes = try taken.map { identity, item in
                let text = try text(identity, item.note, table)
                let place = isOfFile ? table.unfiledNumber(of: identity) : nil
                return Change(
                    identifier: identity.identifier, text: text, identity: identity, place: place, note: item.note, number: item.number)
            }
            return Self.inListOrder(changes)
        } catch {
            // A resource that is damaged in another file of the store cannot be written, and must not be left out silently.
            putBack(taken)
            throw error
        }
    }

    /// Returns changes with the new resources of each type in the order of its list. A file lists those with numbers after its end in the
    /// order in which they are written.
    private static func inListOrder(_ changes: [Change]) -> [Change] {
        let places = changes.compactMap(\.place)
        guard zip(places, places.dropFirst()).contains(where: { $0 > $1 }) else { return changes }
        var result = changes
        let new = changes.indices.filter { changes[$0].place != nil }
        for indices in Dictionary(grouping: new, by: { ByteText(changes[$0].identity.type) }).values {
            let sorted = indices.map { changes[$0] }.sorted { ($0.place ?? 0, $0.number) < ($1.place ?? 0, $1.number) }
            for (index, change) in zip(indices, sorted) { result[index] = change }
        }
        return result
    }

    /// Returns a journal with the same notes, as of an open file.
    func copy() -> StoreJournal {
        let notes = state.withLock { $0 }
        let copy = StoreJournal()
        copy.state.withLock { $0 = notes }
        copy.resume()
        return copy
    }

    /// Whether no changes are noted.
    var isEmpty: Bool { state.withLock { $0.notes.isEmpty && $0.keys.isEmpty } }

    /// The identities of all noted changes.
    var identities: Set<StoredIdentity> { state.withLock { Set($0.notes.keys) } }

    /// The resources that were removed.
    var removals: [StoredIdentity] {
        state.withLock { state in state.notes.filter { if case .removed = $0.value.note { true } else { false } }.map(\.key) }
    }

    private func text(_ identity: StoredIdentity, _ note: Note, _ table: borrowing ResourceTable) throws -> [UInt8]? {
        // A store can read through one file and write to others, so the text may come from a file, also that of a resource that the program
        // removed before it opened that file.
        if case .evicted(let text) = note { return text }
        return try table.place(of: identity).text()
    }

    /// Notes changes again that could not be written, at their earlier positions. Later changes of the same resources take precedence.
    package func putBack(_ changes: [Change]) { putBack(changes.map { ($0.identity, ($0.number, $0.note)) }) }

    private func putBack(_ notes: [(StoredIdentity, (number: Int, note: Note))]) {
        state.withLock { $0.notes.merge(notes) { later, earlier in (min(later.number, earlier.number), later.note) } }
    }

    /// Returns and removes the noted keys.
    func takeKeys() -> Set<StoreKey> {
        state.withLock { state in
            defer { state.keys = [] }
            return state.keys
        }
    }

    /// The noted keys.
    var keys: Set<StoreKey> { state.withLock { $0.keys } }

    /// Notes changed keys.
    func note(keys: some Sequence<StoreKey>) { state.withLock { $0.keys.formUnion(keys) } }

    /// Notes changed keys. Called under the lock of the store. Values that were loaded from the followed file are not noted as changes,
    /// because the file has them.
    func note(_ changes: [(key: StoreKey, change: PendingChange<KeptValue>)], isOfFile: Bool) {
        state.withLock { state in
            for (key, change) in changes {
                if case .load = change, isOfFile { state.keys.remove(key) } else { state.keys.insert(key) }
            }
        }
    }

    /// Sets a function that is called after every write, under the lock of the store; nil for none.
    func listen(_ body: (@Sendable () -> Void)?) { listener.withLock { $0 = body } }

    /// Notes changed resources. Called under the lock of the store. Resources that were loaded from the followed file, or removed because it
    /// does not have them, are not noted as changes.
    func note(_ changes: [(identity: StoredIdentity, note: Note)], isOfFile: Bool) {
        defer { listener.withLock { $0 }?() }
        state.withLock { state in
            for (identity, change) in changes {
                var note = change
                switch change {
                case .loaded where isOfFile, .missing where isOfFile:
                    state.notes[identity] = nil
                    continue
                // Another file may have it.
                case .missing: note = .removed
                default: break
                }
                if case .removed = note, let closed = state.closed, !closed.mayHave(identity) {
                    // The file does not have it, so the next save need not remove it.
                    state.notes[identity] = nil
                    continue
                }
                state.set(identity, note)
            }
        }
    }

    /// Notes resources that the followed file may not have in the same state as the given table. Called under the lock of the store.
    func note(_ identities: [StoredIdentity], in table: borrowing ResourceTable) {
        note(identities.map { ($0, table.mayHave($0) ? .stored : .removed) }, isOfFile: false)
    }

    /// Forgets the removal of resources that the file does not have, from now on and for those that are noted. Nobody may ever open the file
    /// again, so the journal must not grow with every change. If the contents of the file are uncertain, they are nil, and nothing is
    /// forgotten.
    func suspend(_ contents: ArchiveImage?) {
        state.withLock { state in
            state.closed = contents
            guard let contents else { return }
            state.notes = state.notes.filter { identity, item in
                if case .removed = item.note { contents.mayHave(identity) } else { true }
            }
        }
    }

    /// Notes that the file is open again.
    func resume() { state.withLock { $0.closed = nil } }
}

extension ArchiveImage {
    /// Returns whether the archive has a resource. If it is damaged at that place, returns true.
    fileprivate func mayHave(_ identity: StoredIdentity) -> Bool { (try? has(identity)) ?? true }
}
