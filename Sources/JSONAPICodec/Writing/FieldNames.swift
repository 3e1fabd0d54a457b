import JSONAPIRules
import JSONText

/// The name of a member, looked up.
struct KnownName {
    let text: String
    /// Its number in `FieldNames`, or `FieldNames.unknown`.
    let number: Int
}

/// The names of the members that a session writes: each with its text prepared, and with the object that has it.
///
/// A program writes a few names over and over. A name is found by its bytes: first the one that followed the last name before,
/// then by hash. The table holds a limited number; for others the caller writes the name itself and has the finished text checked.
///
/// Objects are named by serial numbers that grow. A name that comes twice in one object is found by one comparison: the name
/// remembers the object that wrote it last. An inner object may use a name of the object around it, so what it overwrites is
/// put back when it ends.
final class FieldNames {
    /// What is known of one name.
    struct Entry {
        /// The piece `"title":`, or -1 for a name that is long or has to be escaped.
        let member: Int32
        /// The piece `"author":{"data":`: -1 while it is not made, -2 when it is too long.
        var linkage: Int32 = -1
        /// The two entries that were found after this one the last times: another type of resource, or a property that is often
        /// left out, goes on with another name.
        var next: Int32 = 0
        var other: Int32 = 0
        /// Whether an attribute or relationship may have the name.
        let isField: Bool
        /// Whether it is `id`.
        let isID: Bool
        /// Whether it has a dot in it.
        let hasDot: Bool
        /// Whether the object that wrote it last wrote a relationship.
        var isRelationship = false
        /// The number of the object that wrote it last.
        var object = 0
    }

    /// The number of a name that is not in the table.
    static let unknown = -1
    /// The greatest number of names.
    static let limit = 4096

    let pieces: OutputPieces
    private let keys = KeyedHash.shared
    // Unchecked: one thread uses a session, and nothing calls back while an entry changes.
    @safe @exclusivity(unchecked) private var entries: [Entry] = []
    @safe @exclusivity(unchecked) private var texts: [String] = []
    @safe @exclusivity(unchecked) private var hashes: [UInt64] = []
    private let table = OrdinalTable()
    @safe @exclusivity(unchecked) private var last = 0
    /// The number of the resource object that is written; objects inside it have greater ones.
    @safe @exclusivity(unchecked) private var resource = 0
    /// What inner objects have overwritten.
    @safe @exclusivity(unchecked) private var overwritten: [(name: Int, object: Int, isRelationship: Bool)] = []

    init(_ pieces: OutputPieces) { self.pieces = pieces }

    /// Forgets all names.
    func removeAll() {
        entries = []
        texts = []
        hashes = []
        table.removeAll()
        last = 0
        overwritten = []
    }

    var count: Int { entries.count }

    @inline(__always)
    subscript(number: Int) -> Entry { entries[number] }

    /// The name as a string.
    func text(_ number: Int) -> String { texts[number] }

    // MARK: - Finding names

    /// The number of a name; `unknown` when the table is full.
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

    /// The number of a name; `unknown` when the table is full.
    @inline(__always)
    func number(of name: String) -> Int { UTF8Bytes.withBytes(of: name) { number(of: $0) } }

    @inline(never)
    private func search(_ name: Span<UInt8>) -> Int {
        let hash = keys.mix(name, into: 0)
        let found = table.ordinal(of: hash) { number in UTF8Bytes.withBytes(of: texts[number]) { UTF8Bytes.areEqual($0, name) } }
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
        let isField = MemberName.isLegal(text) && !DecodingSession.isIdentityName(text)
        entries.append(
            Entry(
                member: Int32(piece ?? -1), isField: isField, isID: UTF8Bytes.areEqual(text, "id"),
                hasDot: UTF8Bytes.contains(UInt8(ascii: "."), in: text)))
        texts.append(text)
        hashes.append(hash)
        table.insert(entries.count - 1, hash)
        if table.isCrowded { table.grow { hashes[$0] } }
        return entries.count - 1
    }

    /// The piece `"author":{"data":` of a name; nil when there is none.
    func linkage(_ number: Int) -> Int? {
        let piece = entries[number].linkage
        if piece >= 0 { return Int(piece) }
        guard piece == -1, entries[number].member >= 0 else { return nil }
        let made = UTF8Bytes.withBytes(of: texts[number]) { pieces.append("\"", $0, "\":{\"data\":") }
        entries[number].linkage = Int32(made ?? -2)
        return made
    }

    // MARK: - Noticing repeated names

    /// Begins a resource object of that number.
    @inline(__always)
    func begin(_ object: Int) {
        resource = object
        if !overwritten.isEmpty { overwritten.removeAll(keepingCapacity: true) }
    }

    /// Notes that an object has the name. False when it had it before.
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
    private func overwrite(_ name: Int) {
        overwritten.append((name, entries[name].object, entries[name].isRelationship))
    }

    /// How many overwritten names are noted: to be given to `restore(to:)` when the object that begins now ends.
    @inline(__always)
    var mark: Int { overwritten.count }

    /// Puts back what the object that ends has overwritten.
    @inline(__always)
    func restore(to mark: Int) {
        while overwritten.count > mark, let old = overwritten.popLast() {
            entries[old.name].object = old.object
            entries[old.name].isRelationship = old.isRelationship
        }
    }
}
