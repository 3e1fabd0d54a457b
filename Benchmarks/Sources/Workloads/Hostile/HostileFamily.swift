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

    /// What the size counts.
    public var unit: String {
        switch self {
        case .references, .mesh: "reference"
        case .chain, .ring, .pairs: "resource"
        case .escapes: "escape"
        case .members, .duplicates: "member"
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
        }
    }

    /// The works that make sense with it: of pairs two values with one identity are cut differently, which cannot be encoded, and
    /// names that stand twice are nothing that the encoder has to look for.
    public var works: [String] {
        switch self {
        case .pairs, .duplicates: ["hostile-decode", "hostile-validate"]
        default: ["hostile-decode", "hostile-encode", "hostile-validate"]
        }
    }

    public func inputName(_ size: Int) -> String { "\(rawValue)-\(size)" }

    /// The family and size of a document of that name; nil when it is none of these.
    static func parse(_ name: String) -> (family: HostileFamily, size: Int)? {
        let parts = name.split(separator: "-")
        guard parts.count == 2, let family = HostileFamily(rawValue: String(parts[0])), let size = Int(parts[1]), size > 0 else {
            return nil
        }
        return (family, size)
    }
}
