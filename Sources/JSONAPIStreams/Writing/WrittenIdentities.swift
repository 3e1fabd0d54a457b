import JSONAPICodec
import JSONText

/// The identities in a document that is written one resource at a time, each with a trace of its contents.
///
/// An identity is stored as a hash of 128 bits, seeded for each process. Among a billion resources, the probability that two share a hash
/// is less than 10⁻²⁰. Each takes at most 75 bytes, and twice that while the table grows.
struct WrittenIdentities {
    struct Key: Hashable {
        private let first: UInt64
        private let second: UInt64

        init(_ identifier: ResourceIdentifier, _ node: IncludeTree.Node = IncludeTree.everything) {
            func hash(_ number: UInt8) -> UInt {
                var hasher = Hasher()
                hasher.combine(number)
                hasher.combine(node)
                hasher.combine(identifier.id == nil)
                UTF8Bytes.hash(identifier.id ?? identifier.lid ?? "", into: &hasher)
                UTF8Bytes.hash(identifier.type, into: &hasher)
                return UInt(bitPattern: hasher.finalize())
            }
            // On systems with 32-bit pointers, a hash has only 32 bits.
            func word(_ number: UInt8) -> UInt64 {
                stride(from: 0, to: 64, by: UInt.bitWidth).reduce(0) { $0 | UInt64(hash(number + UInt8($1))) << UInt64($1) }
            }
            first = word(0)
            second = word(1)
        }

        /// Creates the key whose bytes are the first 16.
        init(bytes: Span<UInt8>) {
            first = bytes.littleEndianWord(at: 0)
            second = bytes.littleEndianWord(at: 8)
        }

        var bytes: [UInt8] { first.littleEndianBytes + second.littleEndianBytes }

        static func == (a: Key, b: Key) -> Bool { a.first == b.first && a.second == b.second }
        func hash(into hasher: inout Hasher) { hasher.combine(first) }
    }

    /// The information about a resource that was written.
    struct Trace {
        private let contents: UInt32
        private let type: UInt32
        var isPrimary: Bool
        /// The number of the text among those of a resource that was read, from 1; 0 for that of a value. Only the last one is written.
        var version: UInt8 = 0
        /// The number of the models that wrote a resource that was read; 0 for none.
        fileprivate(set) var models: UInt16 = 0

        /// - Parameter type: The Swift type of the value; nil for a resource that was read from a document.
        init(_ text: [UInt8], of type: ObjectIdentifier?, isPrimary: Bool) {
            contents = UInt32(truncatingIfNeeded: KeyedHash.shared.mix(Self.sorted(text).span, into: 0) >> 32)
            self.type = type.map(Self.number) ?? 0
            self.isPrimary = isPrimary
        }

        /// Returns the text with the members of objects in order, because equal dictionaries can be written in different orders, and so can
        /// equal `RemainingMembers`.
        private static func sorted(_ text: [UInt8]) -> [UInt8] {
            let sorted: [UInt8]? = try? Tape.with(text.span, options: .unlimited) { tape in
                let output = JSONOutput(capacity: text.count)
                tape.view.write(tape.view.root, into: output, sortsNames: true)
                return output.bytes
            }
            return sorted ?? text
        }

        /// Whether the resource was read from a document, so that a value replaces it.
        var isRaw: Bool { type == 0 }

        /// Whether a value of this Swift type was written.
        func isOf(_ type: ObjectIdentifier) -> Bool { self.type == Self.number(of: type) }

        private static func number(of type: ObjectIdentifier) -> UInt32 { UInt32(truncatingIfNeeded: type.hashValue) | 1 }

        /// Whether two values of the same Swift type were written with the same identity and different contents.
        func contradicts(_ other: Trace) -> Bool { type != 0 && type == other.type && contents != other.contents }
    }

    private var traces: [Key: Trace] = [:]
    /// Each list of models that wrote resources that were read. A document has few of them.
    private var models: [[any ResourceRepresentable.Type]] = [[]]
    /// The nodes of the include tree from which resources were searched, when there is more than one.
    private var visits: Set<Key> = []

    subscript(key: Key) -> Trace? { traces[key] }

    /// Returns the models that wrote a resource that was read.
    func models(_ trace: Trace) -> [any ResourceRepresentable.Type] { models[Int(trace.models)] }

    /// Notes a resource that was written, and the models that wrote it.
    mutating func note(_ key: Key, _ trace: Trace, by types: [any ResourceRepresentable.Type]) {
        var trace = trace
        let identities = types.map { ObjectIdentifier($0) }
        if let number = models.firstIndex(where: { $0.map { ObjectIdentifier($0) } == identities }) {
            trace.models = UInt16(number)
        } else if let number = UInt16(exactly: models.count) {
            models.append(types)
            trace.models = number
        }
        traces[key] = trace
    }

    func wasVisited(_ identifier: ResourceIdentifier, _ node: IncludeTree.Node) -> Bool {
        node == IncludeTree.everything ? traces[Key(identifier)] != nil : visits.contains(Key(identifier, node))
    }

    mutating func visit(_ identifier: ResourceIdentifier, _ node: IncludeTree.Node) {
        if node >= 0 { visits.insert(Key(identifier, node)) }
    }
}
