import JSONAPIRules
import JSONText

/// The name of a member and its index.
struct KnownName {
    let text: String
    /// The index in `FieldNames`, or `FieldNames.unknown`.
    let number: Int
}

/// The names of the members that a session writes, each with its prepared text and the object that wrote it last.
///
/// A program writes a few names again and again. A name is found by its bytes: first the one that followed the last name before, then by
/// hash. The table has a limited size. For other names the caller writes the name itself, and the finished text is checked.
///
/// Objects have increasing serial numbers. Each name remembers the object that wrote it last, so one comparison finds a name that occurs
/// twice in an object. An inner object may use a name of the object around it. What it overwrites is therefore restored when it ends.
final class FieldNames {
    /// The information about one name.
    struct Entry {
        /// The prepared text `"title":`, or -1 for a name that is long or needs escaping.
        let member: Int32
        /// The prepared text `"author":{"data":`: -1 while it does not exist, -2 when it is too long.
        var linkage: Int32 = -1
        /// The two entries that followed this one most recently. After another type of resource, or a property that is often left out, a
        /// different name follows.
        var next: Int32 = 0
        var other: Int32 = 0
        /// Whether an attribute or a relationship may have the name.
        let isField: Bool
        /// Whether the name is `id`.
        let isID: Bool
        /// Whether the name contains a dot.
        let hasDot: Bool
        /// Whether the object that wrote the name last wrote a relationship.
        var isRelationship = false
        /// The serial number of the object that wrote the name last.
        var object = 0
    }

    /// The index of a name that is not in the table.
    static let unknown = -1
    /// The maximum number of names.
    static let limit = 4096

    let pieces: OutputPieces
    private let keys = KeyedHash.shared
    // Unchecked: one thread uses a session, and nothing calls back while an entry changes.
    @safe @exclusivity(unchecked) private var entries: [Entry] = []
    @safe @exclusivity(unchecked) private var texts: [String] = []
    /// The number of bytes in all names.
    private(set) var byteCount = 0
    private let table = OrdinalTable()
    @safe @exclusivity(unchecked) private var last = 0
    /// The serial number of the resource object being written. Objects inside it have greater numbers.
    @safe @exclusivity(unchecked) private var resource = 0
    /// The entries that inner objects have overwritten.
    @safe @exclusivity(unchecked) private var overwritten: [(name: Int, object: Int, isRelationship: Bool)] = []

    init(_ pieces: OutputPieces) { self.pieces = pieces }

    /// Forgets all names.
    func removeAll() {
        entries = []
        texts = []
        byteCount = 0
        table.removeAll()
        last = 0
        overwritten = []
    }

    /// Forgets which object wrote each name last. The numbers of objects begin again.
    func forgetObjects() {
        for number in entries.indices { entries[number].object = 0 }
        overwritten = []
        resource = 0
    }

    var count: Int { entries.count }

    @inline(__always)
    subscript(number: Int) -> Entry { entries[number] }

    /// Returns the name as a string.
    func text(_ number: Int) -> String { texts[number] }

    // MARK: - Finding names

    /// Returns the index of a name; `unknown` when the table is full.
    @inline(__always)
    func number(of name: Span<UInt8>) -> Int {
        if last < entries.count {
            let (next, other) = (Int(entries[last].next), Int(entries[last].other))
            if isName(next, name) {
                last = next
                return next
            }
            if isName(other, name) {
                last = other
                return other
            }
        }
        return search(name)
    }

    @inline(__always)
    private func isName(_ number: Int, _ name: Span<UInt8>) -> Bool {
        let piece = Int(entries[number].member)
        return piece >= 0 && pieces.piece(piece, isName: name)
    }

    /// Returns the index of a name; `unknown` when the table is full.
    @inline(__always)
    func number(of name: String) -> Int { UTF8Bytes.withBytes(of: name) { number(of: $0) } }

    /// Returns the index of a name; `unknown` when the table is full.
    @inline(__always)
    func number(of name: StaticString) -> Int { name.withName { number(of: $0) } }

    @inline(never)
    private func search(_ name: Span<UInt8>) -> Int {
        let hash = keys.mix(name, into: 0)
        let found = table.ordinal(of: hash) { number in UTF8Bytes.withBytes(of: texts[number]) { Bytes.areEqual($0, name) } }
        guard let number = found ?? add(name, hash) else { return Self.unknown }
        if last < entries.count {
            entries[last].other = entries[last].next
            entries[last].next = Int32(truncatingIfNeeded: number)
        }
        last = number
        return number
    }

    private func add(_ name: Span<UInt8>, _ hash: UInt64) -> Int? {
        guard entries.count < Self.limit else { return nil }
        let text = name.text
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        let piece = isPlain ? pieces.append("\"", name, "\":") : nil
        let isField = MemberName.isLegal(text) && !ResourcePart.isIdentity(text)
        entries.append(
            Entry(
                member: Int32(piece ?? -1), isField: isField, isID: UTF8Bytes.areEqual(text, "id"),
                hasDot: UTF8Bytes.contains(UInt8(ascii: "."), in: text)))
        texts.append(text)
        byteCount += name.count
        if table.insert(entries.count - 1, hash) { table.grow { UTF8Bytes.withBytes(of: texts[$0]) { keys.mix($0, into: 0) } } }
        return entries.count - 1
    }

    /// Returns the prepared text `"author":{"data":` of a name; nil when there is none.
    func linkage(_ number: Int) -> Int? {
        let piece = entries[number].linkage
        if piece >= 0 { return Int(piece) }
        guard piece == -1, entries[number].member >= 0 else { return nil }
        let made = UTF8Bytes.withBytes(of: texts[number]) { pieces.append("\"", $0, "\":{\"data\":") }
        entries[number].linkage = Int32(made ?? -2)
        return made
    }

    // MARK: - Noticing repeated names

    /// Begins the resource object with the given serial number.
    @inline(__always)
    func begin(_ object: Int) {
        resource = object
        if !overwritten.isEmpty { overwritten.removeAll(keepingCapacity: true) }
    }

    /// Notes that an object has the name. Returns false when it already had it.
    @inline(__always)
    func note(_ name: Int, in object: Int, isRelationship: Bool = false) -> Bool {
        let known = entries[name].object
        if known == object { return false }
        if known >= resource { overwrite(name) }
        entries[name].object = object
        entries[name].isRelationship = isRelationship
        return true
    }

    @inline(never)
    private func overwrite(_ name: Int) { overwritten.append((name, entries[name].object, entries[name].isRelationship)) }

    /// The number of overwritten names. Pass it to `restore(to:)` when the object that begins now ends.
    @inline(__always)
    var mark: Int { overwritten.count }

    /// Restores the entries that the ending object has overwritten.
    @inline(__always)
    func restore(to mark: Int) {
        while overwritten.count > mark, let old = overwritten.popLast() {
            entries[old.name].object = old.object
            entries[old.name].isRelationship = old.isRelationship
        }
    }
}
