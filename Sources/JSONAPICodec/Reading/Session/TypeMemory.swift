import JSONText

/// Information about Swift types, for all sessions and threads of the process. Checking conformances takes the runtime longer than decoding
/// a small document. A program has few types, and their conformances never change.
///
/// `@unchecked Sendable`: the lock protects the table, and the stored functions hold only types.
final class TypeMemory<Value>: @unchecked Sendable {
    private final class Known {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    private let lock = Lock()
    /// Only the code below fills the table, with objects of one class.
    private let table = TypeTable(capacity: 64)

    /// Returns the information about a type. It is determined without the lock, because that may need other types.
    func value(for type: Any.Type, _ findOut: () -> Value) -> Value {
        if let known = lock.withLock({ table.object(for: ObjectIdentifier(type), as: Known.self) }) { return known.value }
        let value = findOut()
        lock.withLock {
            // Another thread may have been faster.
            if table.object(for: ObjectIdentifier(type)) == nil { table.insert(Known(value), for: ObjectIdentifier(type)) }
        }
        return value
    }
}
