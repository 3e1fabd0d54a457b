/// A set of names in 64 bits, which tells quickly that an object has no member of a name.
///
/// It never misses a name of the object, and it may contain others: a name stands for one bit, which depends on its length and on its first
/// and last byte.
package struct NameFilter: Sendable {
    package let bits: UInt64

    /// Restores a filter from its bits.
    @inlinable @inline(__always) package init(bits: UInt64) { self.bits = bits }

    /// Creates the filter of the names of the object at `object`. A name with escapes stands for all bits.
    ///
    /// - Complexity: O(n), n = number of members.
    package init(namesOf object: Int, in view: TapeView) {
        var bits: UInt64 = 0
        view.forEachMember(of: object) { name, _ in
            bits |= view.isEscaped(name) ? .max : view.withBytes(at: name) { Self.bit(of: $0) }
        }
        self.bits = bits
    }

    /// Whether the object can have a member with that name.
    @inlinable @inline(__always) package func mayContain(_ name: Span<UInt8>) -> Bool { bits & Self.bit(of: name) != 0 }

    @inlinable @inline(__always) static func bit(of name: Span<UInt8>) -> UInt64 {
        guard name.count > 0 else { return 1 }
        let place = UInt64(name[0]) &* 31 &+ UInt64(name[name.count - 1]) &* 7 &+ UInt64(truncatingIfNeeded: name.count)
        return 1 << (place & 63)
    }
}
