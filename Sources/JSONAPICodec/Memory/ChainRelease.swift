import CStackBounds

/// Frees the values that references hold, and the decoders around nested containers, without recursion along a chain of them.
///
/// Swift frees what a value refers to while it frees the value. In a chain of references that the program built, each value holds the next
/// one; 3,000 of them would overflow a stack of 512 KiB. A few levels are freed that way. Behind them, values are moved to a list, and freed
/// one after another.
///
/// Memory: the word of the thread is the number of levels, or the address of the list, which lives during the call that wrote it there.
enum ChainRelease {
    private final class Waiting {
        var values: [Any] = []
    }

    /// The number of levels that are freed inside each other. Less than any address of an object.
    private static let nativeLevels: UInt = 32

    /// Sets `value` to nil.
    static func free<Value>(_ value: inout Value?) {
        let level = UInt(jsonapi_thread_word())
        if level < nativeLevels {
            jsonapi_set_thread_word(level + 1)
            drop(&value)
            jsonapi_set_thread_word(level)
        } else if level == nativeLevels {
            let waiting = Waiting()
            jsonapi_set_thread_word(UInt(bitPattern: unsafe Unmanaged.passUnretained(waiting).toOpaque()))
            drop(&value)
            while !waiting.values.isEmpty {
                var next = waiting.values.popLast()
                drop(&next)
            }
            jsonapi_set_thread_word(level)
            // The values find the list by its address.
            withExtendedLifetime(waiting) {}
        } else if let list = unsafe UnsafeRawPointer(bitPattern: level), let taken = value {
            // The call that wrote the address keeps the list alive until it writes the level back.
            unsafe Unmanaged<Waiting>.fromOpaque(list).takeUnretainedValue().values.append(taken)
            value = nil
        }
    }

    /// Sets `value` to nil. Never inlined: the optimizer moves the release of a value to a place before the calls around it, but not the call
    /// of a function that releases it.
    @inline(never)
    private static func drop<Value>(_ value: inout Value?) { value = nil }
}
