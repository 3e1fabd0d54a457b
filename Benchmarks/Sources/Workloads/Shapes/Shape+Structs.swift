import JSONAPICodec

extension Shape {
    static let structs = Shape(
        "structs", "50 resources with arrays of structs, each with an array of structs and a struct", Invoice.self, Invoice.Attributes.self
    ) {
        var random = SplitMix64(seed: 32)
        func discount() -> Node { .object([("reason", .string(random.pick(Vocabulary.words))), ("percent", .int(random.below(50)))]) }
        func item() -> Node {
            .object([
                ("title", .string(random.pick(Vocabulary.words))), ("count", .int(1 + random.below(9))),
                ("price", .object([("amount", .double(Double(random.below(100_000)) / 100)), ("currency", .string("EUR"))])),
                ("discounts", .array((0..<random.below(3)).map { _ in discount() })),
            ])
        }
        return list("invoices", 50) { i in
            [("number", .string("2025-\(i)")), ("items", .array((0..<10 + random.below(20)).map { _ in item() }))]
        }
    }
}

private struct Invoice: Resource {
    static let type = "invoices"
    var id: String
    var number: String
    var items: [Item]

    struct Item: Codable, Sendable {
        var title: String
        var count: Int
        var price: Price
        var discounts: [Discount]
    }

    struct Price: Codable, Sendable {
        var amount: Double
        var currency: String
    }

    struct Discount: Codable, Sendable {
        var reason: String
        var percent: Int
    }

    struct Attributes: Codable {
        var number: String
        var items: [Item]
    }
}
