/// What the steps of one run share.
///
/// Lives for one run, on one thread.
final class MappingRun {
    /// The schemas that nested objects look for.
    let schemas: SchemaSet?

    /// Whether a value that cannot be encoded becomes null, instead of an issue.
    let isRepresenting: Bool

    private var undoing: [() -> Void] = []

    init(schemas: SchemaSet?, isRepresenting: Bool) {
        self.schemas = schemas
        self.isRepresenting = isRepresenting
    }

    /// Notes what takes back a change in an instance that may have existed before, so that a failed run leaves no trace in it.
    func onFailure(_ undo: @escaping () -> Void) { undoing.append(undo) }

    /// How many changes could be taken back.
    var changeCount: Int { undoing.count }

    /// Takes everything back, the last change first; or only what came after the first `count` changes.
    func rollBack(to count: Int = 0) {
        while undoing.count > count, let undo = undoing.popLast() { undo() }
    }
}
