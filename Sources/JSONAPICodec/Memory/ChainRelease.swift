import CStackBounds

/// Frees the values that references hold, without recursion along a chain of them.
///
/// Swift frees what a value refers to while it frees the value. In a chain of references that the program built, each value holds the next
/// one; 3,000 of them would overflow a stack of 512 KiB. A few levels are freed that way. Behind them, values are moved to a list, and freed
/// one after another.
///
/// Memory: the word of the thread is the number of levels, or the address of the list, which lives during the call that wrote it there.
enum ChainRelease {
    private final class Waiting {
        var values: [any Sendable] = []
    }

    /// The number of levels that are freed inside each other. Less than any address of an object.
    private static let nativeLevels: UInt = 32

    /// Sets `value` to nil.
    static func free<Value: Sendable>(_ value: inout Value?) {
        // In bounds: the word belongs to this thread, and lives as long.
        guard value != nil, let word = unsafe jsonapi_thread_word() else { return value = nil }
        let level = unsafe word.pointee
        if level < nativeLevels {
            unsafe word.pointee = level + 1
            value = nil
            unsafe word.pointee = level
        } else if level == nativeLevels {
            let waiting = Waiting()
            unsafe word.pointee = UInt(bitPattern: Unmanaged.passUnretained(waiting).toOpaque())
            value = nil
            while let next = waiting.values.popLast() { withExtendedLifetime(next) {} }
            unsafe word.pointee = level
        } else if let list = unsafe UnsafeRawPointer(bitPattern: level), let taken = value {
            // The call that wrote the address keeps the list alive until it writes the level back.
            unsafe Unmanaged<Waiting>.fromOpaque(list).takeUnretainedValue().values.append(taken)
            value = nil
        }
    }
}
