import JSONAPICodec

/// Which resources of a store were changed since a mark: what an archive has to write to catch up with the store.
///
/// ```swift
/// let (snapshot, journal) = store.journal()
/// // write the snapshot; later, again and again:
/// let changes = journal.take()
/// do { try archive.write(changes) } catch { journal.putBack(changes); throw error }
/// ```
///
/// It ends when nothing refers to it any more. A store notes changes in every journal that lives: O(changes).
package final class StoreJournal: Sendable {
    /// What became of a resource.
    package struct Change: Sendable {
        package let identifier: ResourceIdentifier
        /// The newest text; nil when the program took the resource out. One that the store evicted keeps its text.
        package let text: [UInt8]?
        let identity: StoredIdentity
        let note: Note
    }

    enum Note: Sendable {
        case stored
        /// It was read from the file, and is as it is there.
        case loaded
        case removed
        case evicted([UInt8], isSaved: Bool)
    }

    /// Everything that a file does not have.
    struct Changes {
        let resources: [Change]
        /// What is kept beside resources; without a text where it is gone.
        let kept: [(key: StoreKey, text: [UInt8]?)]

        var isEmpty: Bool { resources.isEmpty && kept.isEmpty }
    }

    private struct State {
        /// Each identity once, in the order of its first change.
        var order: [StoredIdentity] = []
        var notes: [StoredIdentity: Note] = [:]
        var keys: Set<StoreKey> = []
    }

    /// Not kept alive: a store keeps the journals of files whose last save failed.
    private weak let core: StoreCore?
    private let state = Locked(State())
    private let listener = Locked<(@Sendable () -> Void)?>(nil)

    init(_ core: StoreCore) { self.core = core }

    /// The changes since the journal began or was last asked, each identity once, all as of one moment.
    package func take() -> [Change] { core?.read { take($0) } ?? [] }

    /// The same, of the store's own table.
    func take(_ table: borrowing ResourceTable) -> [Change] {
        let taken = state.withLock { state in
            defer { state = State(keys: state.keys) }
            return state
        }
        var changes: [Change] = []
        changes.reserveCapacity(taken.order.count)
        var notes = taken.notes
        for identity in taken.order {
            // One that was loaded and changed again stands there twice.
            guard let note = notes.removeValue(forKey: identity) else { continue }
            do {
                changes.append(
                    Change(identifier: identity.identifier, text: try text(identity, note, table), identity: identity, note: note))
            } catch {
                // What is damaged in another file of the store cannot be written, and must not be taken for removed.
            }
        }
        return changes
    }

    /// Which resources it notes.
    var identities: Set<StoredIdentity> { state.withLock { Set($0.notes.keys) } }

    private func text(_ identity: StoredIdentity, _ note: Note, _ table: borrowing ResourceTable) throws -> [UInt8]? {
        switch note {
        // What the store reads through one file is written to its other ones.
        case .stored, .loaded: try table.place(of: identity).text()
        case .removed: nil
        case .evicted(let text, _): text
        }
    }

    /// Notes changes again that could not be written. What happened to them meanwhile counts.
    package func putBack(_ changes: [Change]) {
        state.withLock { state in
            for change in changes where state.notes[change.identity] == nil {
                state.notes[change.identity] = change.note
                state.order.append(change.identity)
            }
        }
    }

    /// The keys that have changed, since the journal began or was last asked.
    func takeKeys() -> Set<StoreKey> {
        state.withLock { state in
            defer { state.keys = [] }
            return state.keys
        }
    }

    /// The keys that it notes.
    var keys: Set<StoreKey> { state.withLock { $0.keys } }

    /// Notes keys that have changed.
    func note(keys: some Sequence<StoreKey>) { state.withLock { $0.keys.formUnion(keys) } }

    /// Called under the lock of the store. The file that the store follows has what was loaded from it.
    func note(_ changes: [(key: StoreKey, change: KeptChange)], isOfFile: Bool) {
        state.withLock { state in
            for (key, change) in changes {
                if case .load = change, isOfFile { state.keys.remove(key) } else { state.keys.insert(key) }
            }
        }
    }

    /// Calls `body` after every write to the store, under the lock of the store; nil for nothing.
    func listen(_ body: (@Sendable () -> Void)?) { listener.withLock { $0 = body } }

    /// Called under the lock of the store. The file that the store follows has what was loaded from it.
    func note(_ changes: [(identity: StoredIdentity, note: Note)], isOfFile: Bool) {
        defer { listener.withLock { $0 }?() }
        state.withLock { state in
            for (identity, note) in changes {
                switch note {
                case .evicted(_, isSaved: true) where isOfFile: continue
                case .loaded where isOfFile:
                    state.notes[identity] = nil
                    continue
                default: break
                }
                if state.notes.updateValue(note, forKey: identity) == nil { state.order.append(identity) }
            }
        }
    }
}
