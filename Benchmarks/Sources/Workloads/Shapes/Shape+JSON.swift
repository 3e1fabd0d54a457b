import JSONAPICodec
import JSONText

extension Shape {
    static let json = Shape(
        "json", "100 resources with a dictionary of any JSON, 20 values of all kinds each", Device.self, Device.Attributes.self
    ) {
        var random = SplitMix64(seed: 34)
        func value(_ depth: Int) -> Node {
            switch random.below(depth < 2 ? 10 : 7) {
            case 0, 1, 2: .string("\(random.pick(Vocabulary.words)) \(random.pick(Vocabulary.words))")
            case 3: .int(random.below(100_000))
            case 4: .double(Double(random.below(100_000)) / 100)
            case 5: .bool(random.below(2) == 0)
            case 6: .null
            case 7: .array((0..<random.below(6)).map { _ in value(depth + 1) })
            default: .object((0..<1 + random.below(5)).map { ("part\($0)", value(depth + 1)) })
            }
        }
        return list("devices", 100) { _ in [("settings", .object((0..<20).map { ("setting\($0)", value(0)) }))] }
    }
}

private struct Device: Resource {
    static let type = "devices"
    var id: String
    var settings: [String: JSON]

    struct Attributes: Codable { var settings: [String: AnyJSON] }
}

/// Any JSON, as programs write it by hand for Foundation. Texts are tried first, because most values are texts and each attempt that fails is
/// an error that Foundation creates.
private enum AnyJSON: Codable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([AnyJSON])
    case object([String: AnyJSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode([AnyJSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: AnyJSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
