import JSONText

/// The types of the resources of one document: what stands in front of their ids, and where the hashes of their identities begin.
///
/// Each type has one entry, so that equal types are equal addresses.
final class KnownTypes {
    struct Known {
        /// The name, as the string that was met last: it keeps the memory that `bits` stand for.
        fileprivate(set) var name: String
        fileprivate var bits: StringBits
        /// `{"type":"people","id":`; nil for a long type, and one in which something has to be escaped.
        let opening: OutputPiece?
        let hash: UInt64
        /// Whether resources may have this type, as far as it was asked.
        var isChecked = false
    }

    private let keys = KeyedHash.shared
    private let list = StableList<Known>()
    /// Numbers of entries by the hash of the name, or where another name has that by the next number that is free.
    private var numbers: [UInt64: Int] = [:]
    /// Entries by what stands in memory for the name, which is the same string over and over.
    ///
    /// Unsafe memory: 64 places, each nil or the address of an element of `list`, which stays until all are forgotten.
    private let recent: UnsafeMutablePointer<UnsafeMutablePointer<Known>?>
    private static var places: Int { 64 }
    /// The entry that was searched for last.
    private var last: UnsafeMutablePointer<Known>?

    init() {
        recent = .allocate(capacity: Self.places)
        recent.initialize(repeating: nil, count: Self.places)
    }

    deinit { recent.deallocate() }

    /// Forgets all types; entries are void.
    func forgetAll() {
        recent.update(repeating: nil, count: Self.places)
        last = nil
        numbers = [:]
        list.removeAll()
    }

    /// A type's entry. It stays where it is until all are forgotten.
    @inline(__always)
    func known(_ name: String) -> UnsafeMutablePointer<Known> {
        let bits = StringBits(name)
        return known(bits) ?? search(name, bits)
    }

    /// The entry of the type for which that stands in memory, where it was met.
    @inline(__always)
    func known(_ bits: StringBits) -> UnsafeMutablePointer<Known>? {
        // In bounds: a number of six bits.
        guard let entry = recent[Self.place(bits)], entry.pointee.bits == bits else { return nil }
        return entry
    }

    @inline(__always)
    private static func place(_ bits: StringBits) -> Int {
        Int(truncatingIfNeeded: ((bits.first ^ bits.second) &* 0x9E37_79B9_7F4A_7C15) >> 58)
    }

    @inline(never)
    private func search(_ name: String, _ bits: StringBits) -> UnsafeMutablePointer<Known> {
        if let last, UTF8Bytes.areEqual(last.pointee.name, name) { return note(last, name, bits) }
        let hash = keys.hash(name, after: 0)
        var key = hash
        while let number = numbers[key], !UTF8Bytes.areEqual(list[number].name, name) { key &+= 1 }
        let number = numbers[key] ?? list.append(make(name, bits, hash))
        numbers[key] = number
        return note(list.pointer(number), name, bits)
    }

    private func note(_ entry: UnsafeMutablePointer<Known>, _ name: String, _ bits: StringBits) -> UnsafeMutablePointer<Known> {
        entry.pointee.name = name
        entry.pointee.bits = bits
        recent[Self.place(bits)] = entry
        last = entry
        return entry
    }

    private func make(_ name: String, _ bits: StringBits, _ hash: UInt64) -> Known {
        let isLegal = UTF8Bytes.with(name) { MemberName.isLegal($0) }
        return Known(name: name, bits: bits, opening: isLegal ? OutputPiece("{\"type\":\"", name, "\",\"id\":") : nil, hash: hash)
    }
}

extension KeyedHash {
    /// The hash of a text behind others.
    @inline(__always)
    func hash(_ text: String, after start: UInt64) -> UInt64 {
        if let hash = text.utf8.withContiguousStorageIfAvailable({ mix($0, into: start) }) { return hash }
        var copy = text
        return copy.withUTF8 { mix($0, into: start) }
    }
}
