import Foundation

/// A value that types pass to containers, with each of their methods.
struct WritingSample: Sendable {
    typealias Keyed = KeyedEncodingContainer<DrivenKey>

    let name: String
    let keyed: @Sendable (inout Keyed, DrivenKey) throws -> Void
    let keyedIfPresent: @Sendable (inout Keyed, DrivenKey) throws -> Void
    let append: @Sendable (inout any UnkeyedEncodingContainer) throws -> Void
    let appendAll: @Sendable (inout any UnkeyedEncodingContainer) throws -> Void
    let single: @Sendable (inout any SingleValueEncodingContainer) throws -> Void

    /// Uses the generic methods.
    static func any<Value: Encodable & Sendable>(_ value: Value) -> WritingSample {
        WritingSample(
            name: "\(Value.self) \(value)", keyed: { try $0.encode(value, forKey: $1) },
            keyedIfPresent: { try $0.encodeIfPresent(Optional(value), forKey: $1) }, append: { try $0.encode(value) },
            appendAll: { try $0.encode(contentsOf: [value, value]) }, single: { try $0.encode(value) })
    }

    /// Uses the methods for this type.
    static func own<Value: WritingScalar & Sendable>(_ value: Value) -> WritingSample {
        WritingSample(
            name: "own \(Value.self) \(value)", keyed: { try value.write(&$0, $1) }, keyedIfPresent: { try value.writeIfPresent(&$0, $1) },
            append: { try value.append(&$0) }, appendAll: { try value.appendAll(&$0) }, single: { try value.write(&$0) })
    }

    static let driven = 0
    static let all: [WritingSample] =
        [any(Written()), own(1), own("text"), any([Written(), Written()]), any(["k": Written()]), any(Written?.some(Written()))]
        + [
            own(true), own(1.5), own(Float(0.1)), own(Float(16777216)), own(0.1), own(-0.0), own(1e300), own(Double.leastNonzeroMagnitude),
            own(1e21), own(123456789.0),
        ]
        + [own(Int8.min), own(Int16.max), own(Int32.min), own(Int64.max), own(Int64.min), own(UInt8.max), own(UInt16.max), own(UInt32.max)]
        + [own(UInt64.max), own(UInt.max), own(Int.min), own(0), own("é"), own("e\u{301}"), own("\u{0}\"\\/\n"), own(""), own("😀\u{2028}")]
        + [
            own("a text that is longer than what fits into a small string"), own(false), own(Double.pi),
            own(Double.leastNormalMagnitude.nextDown),
        ]
        + [
            any(7), any("any"), any(2.5), any(Int?.none), any(Int?.some(3)), any(String?.some("some")),
            any(Date(timeIntervalSince1970: 1_700_000_000)),
        ]
        + [
            any(Date(timeIntervalSinceReferenceDate: 1)), any(Data([1, 2, 254])),
            any(URL(string: "http://example.com/a?b=c") ?? URL(fileURLWithPath: "/")),
        ]
        + [
            any(Decimal(string: "1.25") ?? 0), any(Decimal(12345678901234567)),
            any(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
        ]
        + [
            any(DrivenColor.red), any(DrivenLevel.two), any([1, 2, 3]), any([Int]()), any(["a", "b"]), any([1.5, -0.0]),
            any([Bool?.none, true]),
        ]
        + [any([[1], []]), any(["a": 1, "b": 2]), any([String: Int]()), any([1: "x", 20: "y"]), any(["a": Int?.none]), any(Set([1]))]
        + [
            any(DrivenJSON.object(["a": .array([.null, .int(1)]), "b": .object([:])])), any(DrivenJSON.null),
            any(DrivenChoice.b(lat: nil, name: "n")),
        ]
        + [any(DrivenChoice.c), any(DrivenSmall(a: 1, b: nil, name: .string("x"))), any(DrivenSmall())]
        + [
            any(DrivenOuter(a: DrivenSmall(a: 2), b: DrivenSmall(b: "b"), c: [.bool(true)], name: "o")), any([UInt8](0...3)),
            any([Date(timeIntervalSince1970: 0)]),
        ]
        + wide + [own(Double.nan), own(Float.infinity), any([1, Double.infinity]), any(Refusing()), any([Refusing()])]

    #if os(Linux)
        private static let wide = [any(Int128.max), any(UInt128.max), any(Int128(-5))]
    #else
        private static let wide: [WritingSample] = []
    #endif

    static func random(_ random: inout FuzzRandom) -> Int {
        switch random.below(8) {
        case 0, 1: driven
        case 2, 3: 1 + random.below(5)
        // The last ones cannot be encoded.
        default: random.below(all.count - (random.chance(1, in: 20) ? 0 : 5))
        }
    }
}

/// Throws after encoding a part.
struct Refusing: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: DrivenKey.self)
        try container.encode(1, forKey: DrivenKey("half"))
        throw DrivenFailure()
    }
}

/// A value whose `encode(to:)` follows the current program.
struct Written: Codable, Sendable, CustomStringConvertible {
    var description: String { "Written" }
    init() {}
    init(from decoder: any Decoder) throws {}
    func encode(to encoder: any Encoder) throws { try WritingRun.current.write(encoder) }
}
