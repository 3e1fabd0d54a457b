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
        case removed
        case evicted([UInt8])
    }

    private struct State {
        /// Each identity once, in the order of its first change.
        var order: [StoredIdentity] = []
        var notes: [StoredIdentity: Note] = [:]
    }

    private let core: StoreCore
    private let state = Locked(State())

    init(_ core: StoreCore) { self.core = core }

    /// The changes since the journal began or was last asked, each identity once, all as of one moment.
    package func take() -> [Change] {
        core.read { table in
            let taken = state.withLock { state in
                defer { state = State() }
                return state
            }
            return taken.order.compactMap { identity in
                guard let note = taken.notes[identity] else { return nil }
                return Change(identifier: identity.identifier, text: text(identity, note, table), identity: identity, note: note)
            }
        }
    }

    private func text(_ identity: StoredIdentity, _ note: Note, _ table: borrowing ResourceTable) -> [UInt8]? {
        switch note {
        case .stored: table.entry(identity)?.text
        case .removed: nil
        case .evicted(let text): text
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

    /// Called under the lock of the store.
    func note(_ changes: [(identity: StoredIdentity, note: Note)]) {
        state.withLock { state in
            for (identity, note) in changes {
                if state.notes.updateValue(note, forKey: identity) == nil { state.order.append(identity) }
            }
        }
    }
}
