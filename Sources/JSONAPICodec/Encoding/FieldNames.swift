import JSONText

/// A field's name as it is written.
struct KnownName {
    fileprivate let bits: StringBits
    fileprivate let isStatic: Bool
    /// The name. It keeps the memory that `bits` stand for.
    let text: String
    /// `"title":`; nil for a name that is no legal one, or long.
    let member: OutputPiece?
    /// `"author":{"data":`; nil for a name that is no legal one, or long.
    let linkage: OutputPiece?
}

/// The names of a session's fields. A program writes a few of them over and over: looking at one and making a string of a
/// `StaticString` cost as much as writing it, so both are done once for each.
///
/// Names are found by where they are or what they are made of, not by their text. There is room for 128 at most, and fewer when
/// they fall into one place; for others the caller goes on without.
///
/// Unsafe memory, with these rules: the table has a place for each value of the mask, and each place is nil or the address of an
/// element of `names`, which stays as long as this object lives.
final class FieldNames {
    /// `"attributes":`
    static let attributes = OutputPiece(unchecked: "\"attributes\":")
    /// `"relationships":`
    static let relationships = OutputPiece(unchecked: "\"relationships\":")

    private let names = StableList<KnownName>()
    private let table: UnsafeMutablePointer<UnsafeMutablePointer<KnownName>?>
    private static var mask: Int { 127 }
    private static var attempts: Int { 8 }

    init() {
        table = .allocate(capacity: Self.mask + 1)
        table.initialize(repeating: nil, count: Self.mask + 1)
    }

    deinit { table.deallocate() }

    /// A text of the program. One that is a single character has no address, and is not found.
    @inline(__always)
    func known(_ text: StaticString) -> UnsafePointer<KnownName>? {
        guard text.hasPointerRepresentation else { return nil }
        let bits = StringBits(first: UInt64(UInt(bitPattern: text.utf8Start)), second: UInt64(text.utf8CodeUnitCount))
        return first(bits, isStatic: true) ?? search(bits, isStatic: true) { text.description }
    }

    /// A coding key's text. It is found again as long as it is in the same memory, or so short that it is in none.
    @inline(__always)
    func known(_ text: String) -> UnsafePointer<KnownName>? {
        let bits = StringBits(text)
        return first(bits, isStatic: false) ?? search(bits, isStatic: false) { text }
    }

    /// The text of the program as a string.
    @inline(__always)
    func text(_ text: StaticString) -> String { known(text)?.pointee.text ?? text.description }

    /// The name in the first place where it may be.
    @inline(__always)
    private func first(_ bits: StringBits, isStatic: Bool) -> UnsafePointer<KnownName>? {
        guard let name = table[Self.place(bits)], name.pointee.bits == bits, name.pointee.isStatic == isStatic else { return nil }
        return UnsafePointer(name)
    }

    /// The name in any place, which it gets where there is one.
    @inline(never)
    private func search(_ bits: StringBits, isStatic: Bool, _ text: () -> String) -> UnsafePointer<KnownName>? {
        // Where strings cannot be told by what stands in memory for them there are no bits.
        guard bits != StringBits(first: 0, second: 0) else { return nil }
        var place = Self.place(bits)
        for _ in 0..<Self.attempts {
            guard let name = table[place] else {
                table[place] = names.pointer(names.append(Self.make(bits, isStatic, text())))
                return UnsafePointer(table[place])
            }
            if name.pointee.bits == bits, name.pointee.isStatic == isStatic { return UnsafePointer(name) }
            place = (place &+ 1) & Self.mask
        }
        return nil
    }

    private static func make(_ bits: StringBits, _ isStatic: Bool, _ text: String) -> KnownName {
        // A legal name holds nothing that has to be escaped.
        let isLegal = UTF8Bytes.with(text) { MemberName.isLegal($0) }
        return KnownName(
            bits: bits, isStatic: isStatic, text: text, member: isLegal ? OutputPiece("\"", text, "\":") : nil,
            linkage: isLegal ? OutputPiece("\"", text, "\":{\"data\":") : nil)
    }

    @inline(__always)
    private static func place(_ bits: StringBits) -> Int {
        let mixed = (bits.first ^ bits.second &* 0xA24B_AED4_963E_E407) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> 57)
    }
}
