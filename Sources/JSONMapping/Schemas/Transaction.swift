/// What was changed in instances that may have existed before, so that a failed run leaves no trace in them.
///
/// Lives for one run, on one thread.
final class Transaction {
    private var undoing: [() -> Void] = []

    func onFailure(_ undo: @escaping () -> Void) { undoing.append(undo) }

    /// Takes everything back, the last change first.
    func rollBack() {
        while let undo = undoing.popLast() { undo() }
    }
}
