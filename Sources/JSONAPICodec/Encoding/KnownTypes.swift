import JSONText

/// The types of the resources of one document: what stands in front of their ids, and where the hashes of their identities begin.
///
/// Each type has one number.
final class KnownTypes {
    struct Known {
        let name: String
        /// The piece `{"type":"people","id":`; nil for a long type, and for one that is no legal name.
        let opening: Int?
        let hash: UInt64
        /// Whether resources may have this type, as far as it was asked.
        var isChecked = false
    }

    private let keys = KeyedHash.shared
    private let pieces: OutputPieces
    private var list: [Known] = []
    private let table = OrdinalTable()
    private var last = 0

    init(_ pieces: OutputPieces) { self.pieces = pieces }

    var count: Int { list.count }

    /// Forgets all types. Numbers are no longer valid.
    func removeAll() {
        list = []
        table.removeAll()
        last = 0
    }

    subscript(number: Int) -> Known { list[number] }

    /// Notes that resources may have the type.
    func setChecked(_ number: Int) { list[number].isChecked = true }

    /// The number of a type.
    @inline(__always)
    func number(of name: String) -> Int { number(of: name, near: last) }

    /// The number of a type that is probably the one with the number `hint`, which need not be there.
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
        let isLegal = MemberName.isLegal(Array(name.utf8))
        let opening = isLegal ? UTF8Bytes.withBytes(of: name) { pieces.append("{\"type\":\"", $0, "\",\"id\":") } : nil
        list.append(Known(name: name, opening: opening, hash: hash))
        table.insert(list.count - 1, hash) { list[$0].hash }
        return list.count - 1
    }
}
