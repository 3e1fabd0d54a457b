import JSONAPIRules
import JSONText

/// The types of the resources of one document, each with the prepared text before the id and the start value for hashes of identities.
///
/// Each type has an index.
final class KnownTypes {
    struct Known {
        let name: String
        let hash: UInt64
        /// Whether the type was checked and is legal.
        var isChecked = false
    }

    private let keys = KeyedHash.shared
    private let pieces: OutputPieces
    // Unchecked: one thread uses a session, and nothing calls back while these change.
    @safe @exclusivity(unchecked) private var list: [Known] = []
    /// The number of bytes in the names of all types.
    private(set) var byteCount = 0
    /// The prepared text of each type, or -1 when there is none. Separate, so that it is read without a copy of the type.
    @safe @exclusivity(unchecked) private var openings: [Int32] = []
    private let table = OrdinalTable()
    @safe @exclusivity(unchecked) private var last = 0

    init(_ pieces: OutputPieces) { self.pieces = pieces }

    var count: Int { list.count }

    /// Forgets all types. Their indices are no longer valid.
    func removeAll() {
        list = []
        byteCount = 0
        openings = []
        table.removeAll()
        last = 0
    }

    subscript(number: Int) -> Known { list[number] }

    /// Returns the start value for hashes of identities of the type.
    @inline(__always)
    func hash(_ number: Int) -> UInt64 { list[number].hash }

    /// Returns the prepared text `{"type":"people","id":`; nil for a long type, and for one that is not a legal name.
    @inline(__always)
    func opening(_ number: Int) -> Int? { openings[number] < 0 ? nil : Int(openings[number]) }

    /// Whether the type was checked and is legal.
    @inline(__always)
    func isChecked(_ number: Int) -> Bool { list[number].isChecked }

    /// Notes that the type is legal.
    func setChecked(_ number: Int) { list[number].isChecked = true }

    /// Returns the index of a type.
    @inline(__always)
    func number(of name: String) -> Int { number(of: name, near: last) }

    /// Returns the index of a type that is probably at `hint`, which may be out of range.
    @inline(__always)
    func number(of name: String, near hint: Int) -> Int {
        if hint < list.count, UTF8Bytes.areEqual(list[hint].name, name) { return hint }
        return search(name)
    }

    @inline(never)
    private func search(_ name: String) -> Int {
        let hash = UTF8Bytes.withBytes(of: name) { keys.mix($0, into: 0) }
        last = table.ordinal(of: hash) { UTF8Bytes.areEqual(list[$0].name, name) } ?? add(name, hash)
        return last
    }

    private func add(_ name: String, _ hash: UInt64) -> Int {
        let isLegal = MemberName.isLegal(name)
        let opening = isLegal ? UTF8Bytes.withBytes(of: name) { pieces.append("{\"type\":\"", $0, "\",\"id\":") } : nil
        list.append(Known(name: name, hash: hash))
        byteCount += name.utf8.count
        openings.append(Int32(opening ?? -1))
        if table.insert(list.count - 1, hash) { table.grow { list[$0].hash } }
        return list.count - 1
    }
}
