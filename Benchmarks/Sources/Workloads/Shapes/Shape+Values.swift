import Foundation
import JSONAPICodec

// MARK: - Numbers

extension Shape {
    static let numbers = Shape(
        "numbers", "60 resources with 100 doubles and 100 integers each", Series.self, Series.Attributes.self
    ) {
        var random = SplitMix64(seed: 21)
        return list("series", 60) { _ in
            [
                ("samples", .array((0..<100).map { _ in .double(Double(random.below(10_000_000)) / 1_000) })),
                ("counts", .array((0..<100).map { _ in .int(random.below(100_000)) })),
            ]
        }
    }
}

private struct Series: Resource {
    static let type = "series"
    var id: String
    var samples: [Double]
    var counts: [Int]

    struct Attributes: Codable {
        var samples: [Double]
        var counts: [Int]
    }
}

// MARK: - Text

extension Shape {
    static let text = Shape(
        "text", "100 resources with 2 KB of text, a tenth of it escaped or beyond ASCII", Page.self, Page.Attributes.self
    ) {
        var random = SplitMix64(seed: 22)
        let words = [
            "plain", "words", "between", "über", "naïve", "日本語", "\"quoted\"", "line\n", "tab\t", "back\\slash", "emoji 🎉", "and", "so",
            "on",
            "straße", "paragraph", "another", "sentence", "of", "ordinary", "length",
        ]
        return list("pages", 100) { _ in
            [
                ("title", .string((0..<8).map { _ in random.pick(words) }.joined(separator: " "))),
                ("body", .string((0..<200).map { _ in random.pick(words) }.joined(separator: " "))),
                ("note", .string((0..<40).map { _ in random.pick(words) }.joined(separator: " "))),
            ]
        }
    }
}

private struct Page: Resource {
    static let type = "pages"
    var id: String
    var title: String
    var body: String
    var note: String

    struct Attributes: Codable {
        var title: String
        var body: String
        var note: String
    }
}

// MARK: - Nested

extension Shape {
    static let nested = Shape(
        "nested", "200 resources with structs in structs, enumerations, dictionaries and arrays of structs", Order.self,
        Order.Attributes.self
    ) {
        var random = SplitMix64(seed: 24)
        func line() -> Node {
            .object([
                ("sku", .string("sku-\(random.below(10_000))")), ("count", .int(1 + random.below(9))),
                ("price", .object([("amount", .double(Double(random.below(100_000)) / 100)), ("currency", .string("EUR"))])),
            ])
        }
        return list("orders", 200) { i in
            [
                ("state", .string(random.pick(["open", "paid", "sent"]))),
                (
                    "address",
                    .object([
                        ("street", .string("Street \(i)")), ("city", .string("City")),
                        ("place", .object([("lat", .double(52.5)), ("lon", .double(13.25))])),
                    ])
                ),
                ("lines", .array((0..<1 + random.below(6)).map { _ in line() })),
                ("labels", .object((0..<6).map { ("label-\($0)", .string("value \(random.below(100))")) })),
            ]
        }
    }
}

private struct Order: Resource {
    static let type = "orders"
    var id: String
    var state: State
    var address: Address
    var lines: [Line]
    var labels: [String: String]

    enum State: String, Codable, Sendable { case open, paid, sent }

    struct Address: Codable, Sendable {
        var street: String
        var city: String
        var place: Place
    }

    struct Place: Codable, Sendable {
        var lat: Double
        var lon: Double
    }

    struct Line: Codable, Sendable {
        var sku: String
        var count: Int
        var price: Price
    }

    struct Price: Codable, Sendable {
        var amount: Double
        var currency: String
    }

    struct Attributes: Codable {
        var state: State
        var address: Address
        var lines: [Line]
        var labels: [String: String]
    }
}
