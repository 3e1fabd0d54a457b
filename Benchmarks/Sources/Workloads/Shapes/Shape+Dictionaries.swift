import JSONAPICodec

extension Shape {
    static let dictionaries = Shape(
        "dictionaries", "100 resources with a dictionary of 20 integers and one of 20 texts each", Survey.self, Survey.Attributes.self
    ) {
        var random = SplitMix64(seed: 33)
        func names() -> [String] { Array(random.shuffled(Vocabulary.words).prefix(20)) }
        return list("surveys", 100) { _ in
            [
                ("counts", .object(names().map { ($0, .int(random.below(100_000))) })),
                ("labels", .object(names().map { ("label-" + $0, .string("\(random.pick(Vocabulary.words)) \(random.below(1_000))")) })),
            ]
        }
    }
}

private struct Survey: Resource {
    static let type = "surveys"
    var id: String
    var counts: [String: Int]
    var labels: [String: String]

    struct Attributes: Codable {
        var counts: [String: Int]
        var labels: [String: String]
    }
}
