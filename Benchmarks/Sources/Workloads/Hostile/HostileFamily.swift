/// Documents with one hostile shape, of any size. The name of a document is its family and size: `chain-1000`.
public enum HostileFamily: String, CaseIterable, Sendable {
    /// One resource with the given number of references to one other resource.
    case references
    /// Resources that each refer to the next.
    case chain
    /// The same, with a reference from the last to the first.
    case ring
    /// Pairs of resources that embed each other.
    case pairs
    /// Resources that all refer to each other. The size is the number of identifiers, a square.
    case mesh
    /// One string that consists of escapes.
    case escapes
    /// One resource with the given number of attributes.
    case members
    /// One resource with one attribute that is repeated the given number of times.
    case duplicates
    /// One attribute with the given number of numbers. A model tries other types before it decodes each as a number.
    case swallowed
    /// One attribute with the given number of strings, of which a model drops all that are not numbers.
    case dropped
    /// One attribute that is an object with the given number of members, and the last one repeated.
    case repeated
    /// One resource with the given number of attributes, each read and written by its path.
    case paths
    /// One attribute with the given number of members, each read and written by a field of a schema.
    case fields
    /// The same, each read by a rule of a rewriter.
    case rules
    /// The given number of members with invalid names, inside a member with a name of that length.
    case names
    /// The given number of resources whose models keep their decoders.
    case kept
    /// The given number of members next to the data, read from a stream in chunks of 64 bytes.
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

    /// The sizes, ascending. Each is ten times the previous one.
    public var sizes: [Int] {
        switch self {
        case .references, .chain, .ring: [1_000, 10_000, 100_000]
        // Each pair is cut and decoded again, which the decoder allows 100,000 times.
        case .pairs: [500, 5_000, 50_000]
        case .mesh: [1_024, 10_000, 99_856]
        case .escapes, .members, .duplicates: [10_000, 100_000, 1_000_000]
        case .swallowed, .dropped: [640, 6_400, 64_000]
        case .repeated, .paths, .fields, .rules: [1_600, 16_000, 160_000]
        // A stream accepts 100,000 of them.
        case .chunks: [900, 9_000, 90_000]
        case .names: [300, 3_000, 30_000]
        case .kept: [50, 500, 5_000]
        }
    }

    /// The works that are possible with it. In pairs, two values with one identity have different cuts, so they cannot be encoded. Repeated
    /// names do not affect the encoder.
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

    /// The smallest document of the same shape as the one with the given name; nil for other documents.
    public static func smallest(like name: String) -> String? { parse(name).map { $0.family.inputName($0.family.sizes[0]) } }

    /// The family and size of a document by its name; nil for other documents.
    static func parse(_ name: String) -> (family: HostileFamily, size: Int)? {
        let parts = name.split(separator: "-")
        guard parts.count == 2, let family = HostileFamily(rawValue: String(parts[0])), let size = Int(parts[1]), size > 0 else {
            return nil
        }
        return (family, size)
    }
}
