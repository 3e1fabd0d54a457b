/// Documents of one hostile shape, in any size. A document is called by its family and size: `chain-1000`.
public enum HostileFamily: String, CaseIterable, Sendable {
    /// One resource that refers to one other so many times.
    case references
    /// Resources that refer each to the next.
    case chain
    /// The same, the last one to the first.
    case ring
    /// Resources that embed each other two by two.
    case pairs
    /// Resources that all refer to all; the size is that of all linkage, a square.
    case mesh
    /// One string of escapes.
    case escapes
    /// One resource with so many attributes.
    case members
    /// One resource with one attribute so many times.
    case duplicates
    /// One attribute with so many numbers, each of which a model reads after types that fail.
    case swallowed
    /// One attribute with so many strings, of which a model drops all that are no numbers.
    case dropped
    /// One attribute that is an object with so many members, the last one a second time.
    case repeated
    /// One resource with so many attributes, each read and written by its path.
    case paths
    /// One attribute with so many members, each read and written by a field of a schema.
    case fields
    /// The same, each read by a rule of a rewriter.
    case rules
    /// So many members with illegal names inside a member whose name is as long.
    case names
    /// So many resources whose models keep their decoders.
    case kept
    /// So many members beside the data, read from a stream in chunks of 64 bytes.
    case chunks

    /// What the size counts.
    public var unit: String {
        switch self {
        case .references, .mesh: "reference"
        case .chain, .ring, .pairs: "resource"
        case .escapes: "escape"
        case .members, .duplicates, .repeated, .paths, .fields, .rules, .names, .chunks: "member"
        case .swallowed, .dropped: "element"
        case .kept: "resource"
        }
    }

    /// From small to large. Every step is tenfold.
    public var sizes: [Int] {
        switch self {
        case .references, .chain, .ring: [1_000, 10_000, 100_000]
        // Each pair is cut and read again: the decoder allows that 100,000 times.
        case .pairs: [500, 5_000, 50_000]
        case .mesh: [1_024, 10_000, 99_856]
        case .escapes, .members, .duplicates: [10_000, 100_000, 1_000_000]
        case .swallowed, .dropped: [640, 6_400, 64_000]
        case .repeated, .paths, .fields, .rules, .chunks: [1_600, 16_000, 160_000]
        case .names: [300, 3_000, 30_000]
        case .kept: [50, 500, 5_000]
        }
    }

    /// The works that make sense with it: of pairs two values with one identity are cut differently, which cannot be encoded, and
    /// names that stand twice are nothing that the encoder has to look for.
    public var works: [String] {
        switch self {
        case .pairs, .duplicates: ["hostile-decode", "hostile-validate"]
        case .swallowed, .dropped, .repeated, .rules, .kept, .chunks: ["hostile-decode"]
        case .paths, .fields: ["hostile-decode", "hostile-encode"]
        case .names: ["hostile-decode", "hostile-validate"]
        default: ["hostile-decode", "hostile-encode", "hostile-validate"]
        }
    }

    public func inputName(_ size: Int) -> String { "\(rawValue)-\(size)" }

    /// The smallest document of the same shape as the one of that name; nil when that is no hostile one.
    public static func smallest(like name: String) -> String? { parse(name).map { $0.family.inputName($0.family.sizes[0]) } }

    /// The family and size of a document of that name; nil when it is none of these.
    static func parse(_ name: String) -> (family: HostileFamily, size: Int)? {
        let parts = name.split(separator: "-")
        guard parts.count == 2, let family = HostileFamily(rawValue: String(parts[0])), let size = Int(parts[1]), size > 0 else {
            return nil
        }
        return (family, size)
    }
}
