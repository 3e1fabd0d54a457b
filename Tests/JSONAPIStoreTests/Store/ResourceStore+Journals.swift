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
