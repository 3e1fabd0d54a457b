@testable import JSONAPIStore

extension ResourceStore {
    /// Returns a journal of all changes from now on.
    func journal() -> StoreJournal {
        let journal = StoreJournal()
        core.state.withLock { $0.journals.append(Weak(value: journal)) }
        return journal
    }

    /// Returns and removes the changes of resources that a journal notes.
    func takeChanges(of journal: StoreJournal) throws -> [StoreJournal.Change] { try core.take(journal).changes.resources }
}

extension StoreCore {
    /// The journals in which the store notes its changes.
    var journals: [StoreJournal] { state.withLock { $0.journals.compactMap(\.value) } }

    /// The number of resources that all journals note.
    var journalSize: Int { journals.reduce(0) { $0 + $1.identities.count } }
}
