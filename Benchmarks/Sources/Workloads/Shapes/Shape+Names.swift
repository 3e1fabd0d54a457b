import JSONAPICodec
import JSONMapping

// Names that a key strategy converts, against coding keys that are written by hand.

extension Shape {
    static let kebab = names("kebab", separator: "-", .kebabCase, KebabAttributes.self)
    static let snake = names("snake", separator: "_", .snakeCase, SnakeAttributes.self)

    private static func names<Attributes: Codable & SendableMetatype>(
        _ name: String, separator: Character, _ strategy: KeyStrategy, _ attributes: Attributes.Type
    ) -> Shape {
        var decoder = JSONAPIDecoder()
        decoder.keyStrategy = strategy
        var encoder = JSONAPIEncoder()
        encoder.keyStrategy = strategy
        return Shape(
            name, "200 resources of 10 members, whose names a strategy converts", Station.self, attributes, separator: separator,
            decoder: decoder, encoder: encoder
        ) {
            var random = SplitMix64(seed: 36)
            return list("stations", 200) { i in
                [
                    (["station", "name"], .string("Station \(i)")), (["short", "code"], .string("S\(i)")),
                    (["platform", "count"], .int(1 + random.below(12))), (["daily", "passenger", "count"], .int(random.below(300_000))),
                    (["has", "elevator"], .bool(random.below(2) == 0)), (["is", "staffed"], .bool(random.below(2) == 0)),
                    (["distance", "from", "origin"], .double(Double(random.below(100_000)) / 10)),
                    (["operator", "name"], .string(random.pick(Vocabulary.lastNames))),
                    (["former", "name"], random.below(3) == 0 ? .null : .string(random.pick(Vocabulary.words))),
                    (["line", "numbers"], .array((0..<random.below(5)).map { _ in .int(random.below(100)) })),
                ].map { (words: [String], value: Node) in (words.joined(separator: String(separator)), value) }
            }
        }
    }
}

private struct Station: Resource {
    static let type = "stations"
    var id: String
    var stationName: String
    var shortCode: String
    var platformCount: Int
    var dailyPassengerCount: Int
    var hasElevator: Bool
    var isStaffed: Bool
    var distanceFromOrigin: Double
    var operatorName: String
    var formerName: String?
    var lineNumbers: [Int]
}

private struct KebabAttributes: Codable {
    var stationName: String
    var shortCode: String
    var platformCount: Int
    var dailyPassengerCount: Int
    var hasElevator: Bool
    var isStaffed: Bool
    var distanceFromOrigin: Double
    var operatorName: String
    var formerName: String?
    var lineNumbers: [Int]

    enum CodingKeys: String, CodingKey {
        case stationName = "station-name"
        case shortCode = "short-code"
        case platformCount = "platform-count"
        case dailyPassengerCount = "daily-passenger-count"
        case hasElevator = "has-elevator"
        case isStaffed = "is-staffed"
        case distanceFromOrigin = "distance-from-origin"
        case operatorName = "operator-name"
        case formerName = "former-name"
        case lineNumbers = "line-numbers"
    }
}

private struct SnakeAttributes: Codable {
    var stationName: String
    var shortCode: String
    var platformCount: Int
    var dailyPassengerCount: Int
    var hasElevator: Bool
    var isStaffed: Bool
    var distanceFromOrigin: Double
    var operatorName: String
    var formerName: String?
    var lineNumbers: [Int]

    enum CodingKeys: String, CodingKey {
        case stationName = "station_name"
        case shortCode = "short_code"
        case platformCount = "platform_count"
        case dailyPassengerCount = "daily_passenger_count"
        case hasElevator = "has_elevator"
        case isStaffed = "is_staffed"
        case distanceFromOrigin = "distance_from_origin"
        case operatorName = "operator_name"
        case formerName = "former_name"
        case lineNumbers = "line_numbers"
    }
}
