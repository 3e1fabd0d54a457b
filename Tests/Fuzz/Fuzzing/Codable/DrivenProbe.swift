import Foundation

/// A type that driven values request from containers, with each of their methods.
struct DrivenProbe: Sendable {
    typealias Keyed = KeyedDecodingContainer<DrivenKey>

    let name: String
    /// Whether members are decoded in the order of a hash table, so that any of them can be the first to fail.
    var isUnordered: Bool { name.hasPrefix("Dictionary") }
    let keyed: @Sendable (Keyed, DrivenKey) throws -> String
    let keyedIfPresent: @Sendable (Keyed, DrivenKey) throws -> String
    let next: @Sendable (inout any UnkeyedDecodingContainer) throws -> String
    let nextIfPresent: @Sendable (inout any UnkeyedDecodingContainer) throws -> String
    let single: @Sendable (any SingleValueDecodingContainer) throws -> String

    /// Uses the generic methods.
    static func any<Value: DrivenValue>(_ type: Value.Type, _ name: String? = nil) -> DrivenProbe {
        DrivenProbe(
            name: name ?? "\(type)", keyed: { try $0.decode(type, forKey: $1).shown },
            keyedIfPresent: { try $0.decodeIfPresent(type, forKey: $1)?.shown ?? "absent" }, next: { try $0.decode(type).shown },
            nextIfPresent: { try $0.decodeIfPresent(type)?.shown ?? "absent" }, single: { try $0.decode(type).shown })
    }

    /// Uses the methods for this type.
    static func own<Value: DrivenScalar>(_ type: Value.Type) -> DrivenProbe {
        DrivenProbe(
            name: "\(type)", keyed: { try Value.keyed($0, $1).shown },
            keyedIfPresent: { try Value.keyedIfPresent($0, $1)?.shown ?? "absent" }, next: { try Value.next(&$0).shown },
            nextIfPresent: { try Value.nextIfPresent(&$0)?.shown ?? "absent" }, single: { try Value.single($0).shown })
    }

    private static let scalars = [
        own(Int.self), own(String.self), own(Bool.self), own(Double.self), own(Float.self), own(Int8.self), own(Int16.self),
        own(Int32.self),
        own(Int64.self), own(UInt.self), own(UInt8.self), own(UInt16.self), own(UInt32.self), own(UInt64.self),
    ]
    private static let driven = [
        any(Driven.self), any(Driven?.self), any([Driven].self), any([Driven?].self), any([[Driven]].self),
    ]
    private static let others = [
        any(Int.self, "any Int"), any(String.self, "any String"), any(Double.self, "any Double"), any(UInt8.self, "any UInt8"),
        any(Date.self), any(Data.self), any(URL.self), any(Decimal.self), any(UUID.self), any(DrivenColor.self), any(DrivenLevel.self),
        any(Int?.self), any(String?.self), any(Date?.self), any(Bool??.self), any([Int].self), any([String].self), any([Double].self),
        any([Float].self), any([Bool?].self), any([[Int]].self), any([String?].self), any([Date].self), any([String: Int].self),
        any([String: String].self), any([String: [Int]].self), any([String: Int?].self), any([Int: String].self), any(Set<Int>.self),
        any(Set<String>.self), any(DrivenJSON.self), any([DrivenJSON].self), any([String: DrivenJSON].self), any(DrivenSmall.self),
        any(DrivenSmall?.self), any([DrivenSmall].self), any(DrivenOuter.self), any([DrivenOuter].self), any([String: DrivenOuter].self),
        any(DrivenChoice.self), any(DrivenLossy.self), any(DrivenDerived.self), any([URL].self), any([Decimal].self), any([UInt8].self),
    ]
    static let all = scalars + driven + others + wide

    #if os(Linux)
        private static let wide = [any(Int128.self), any(UInt128.self)]
    #else
        private static let wide: [DrivenProbe] = []
    #endif

    static func random(_ random: inout FuzzRandom) -> Int {
        switch random.below(8) {
        case 0, 1: random.below(2)
        case 2: random.below(scalars.count)
        case 3, 4: scalars.count + (random.chance(2, in: 3) ? 0 : random.below(driven.count))
        default: random.below(all.count)
        }
    }

    /// A simpler type, for reduced cases.
    static let plain = 0
}

/// Any name as a key.
struct DrivenKey: CodingKey, Hashable {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

// MARK: - Types

/// A value that can be compared as text.
protocol DrivenValue: Codable, SendableMetatype {
    var shown: String { get }
}

enum DrivenColor: String, Codable { case red, green, a }
enum DrivenLevel: Int, Codable { case zero, one, two, three }

struct DrivenSmall: Codable {
    var a: Int?
    var b: String?
    var name: DrivenJSON?
}

struct DrivenOuter: Codable {
    var a: DrivenSmall
    var b: DrivenSmall?
    var c: [DrivenJSON]?
    var name: String?
}

enum DrivenChoice: Codable {
    case a(Int)
    case b(lat: Int?, name: String)
    case c
}

/// Tries one type after another, as hand-written models do.
enum DrivenJSON: Codable {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    case array([DrivenJSON])
    case object([String: DrivenJSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .int(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([DrivenJSON].self) {
            self = .array(value)
        } else {
            // A fixed order, so that the same member is always the first to fail.
            let members = try decoder.container(keyedBy: DrivenKey.self)
            var object: [String: DrivenJSON] = [:]
            for key in Set(members.allKeys).sorted(by: { $0.stringValue < $1.stringValue }) {
                object[key.stringValue] = try members.decode(DrivenJSON.self, forKey: key)
            }
            self = .object(object)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

/// Drops elements that cannot be decoded.
struct DrivenLossy: Codable {
    var elements: [Int] = []

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            if let value = try? container.decode(Int.self) {
                elements.append(value)
            } else {
                _ = try container.decode(DrivenIgnored.self)
            }
        }
    }

    struct DrivenIgnored: Codable {
        init(from decoder: any Decoder) throws {}
    }
}

class DrivenBase: Codable {
    var a: Int?
    var name: String?
}

final class DrivenDerived: DrivenBase {
    var b: DrivenJSON?

    enum CodingKeys: String, CodingKey { case b, `super` }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        b = try container.decodeIfPresent(DrivenJSON.self, forKey: .b)
        guard container.contains(.super) else { throw DrivenFailure() }
        try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(b, forKey: .b)
        try super.encode(to: container.superEncoder())
    }
}

/// The error that driven types throw.
struct DrivenFailure: Error {}

// MARK: - Shown

extension Bool: DrivenValue { var shown: String { self ? "true" : "false" } }
extension String: DrivenValue { var shown: String { debugDescription + (utf8.count == unicodeScalars.count ? "" : "\(Array(utf8))") } }
extension Double: DrivenValue { var shown: String { "\(self)" + (self == 0 ? " \(sign)" : "") } }
extension Float: DrivenValue { var shown: String { "\(self)" + (self == 0 ? " \(sign)" : "") } }
extension FixedWidthInteger { var shown: String { description } }
extension Int: DrivenValue {}
extension Int8: DrivenValue {}
extension Int16: DrivenValue {}
extension Int32: DrivenValue {}
extension Int64: DrivenValue {}
extension UInt: DrivenValue {}
extension UInt8: DrivenValue {}
extension UInt16: DrivenValue {}
extension UInt32: DrivenValue {}
extension UInt64: DrivenValue {}
#if os(Linux)
    extension Int128: DrivenValue {}
    extension UInt128: DrivenValue {}
#endif
extension Date: DrivenValue { var shown: String { "date \(timeIntervalSinceReferenceDate)" } }
extension Data: DrivenValue { var shown: String { "data \(Array(self))" } }
extension URL: DrivenValue { var shown: String { "url \(absoluteString)" } }
extension Decimal: DrivenValue { var shown: String { "decimal \(self)" } }
extension UUID: DrivenValue { var shown: String { uuidString } }
extension DrivenColor: DrivenValue { var shown: String { rawValue } }
extension DrivenLevel: DrivenValue { var shown: String { "level \(rawValue)" } }
extension Optional: DrivenValue where Wrapped: DrivenValue { var shown: String { map { "some \($0.shown)" } ?? "nil" } }
extension Array: DrivenValue where Element: DrivenValue { var shown: String { "[" + map(\.shown).joined(separator: ", ") + "]" } }
extension Set: DrivenValue where Element: DrivenValue { var shown: String { "{" + map(\.shown).sorted().joined(separator: ", ") + "}" } }
extension Dictionary: DrivenValue where Key: DrivenValue, Value: DrivenValue {
    var shown: String { "[" + map { "\($0.key.shown): \($0.value.shown)" }.sorted().joined(separator: ", ") + "]" }
}
extension DrivenSmall: DrivenValue { var shown: String { "Small(\(a.shown), \(b.shown), \(name.shown))" } }
extension DrivenOuter: DrivenValue { var shown: String { "Outer(\(a.shown), \(b.shown), \(c.shown), \(name.shown))" } }
extension DrivenLossy: DrivenValue { var shown: String { "Lossy\(elements)" } }
extension DrivenDerived: DrivenValue { var shown: String { "Derived(\(a.shown), \(name.shown), \(b.shown))" } }
extension DrivenChoice: DrivenValue {
    var shown: String {
        switch self {
        case .a(let value): "a(\(value))"
        case .b(let lat, let name): "b(\(lat.shown), \(name.shown))"
        case .c: "c"
        }
    }
}
extension DrivenJSON: DrivenValue {
    var shown: String {
        switch self {
        case .null: "null"
        case .bool(let value): value.shown
        case .int(let value): value.shown
        case .double(let value): "d" + value.shown
        case .string(let value): value.shown
        case .array(let value): value.shown
        case .object(let value): value.shown
        }
    }
}
