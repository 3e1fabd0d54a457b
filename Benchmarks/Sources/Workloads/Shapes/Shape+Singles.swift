import Foundation
import JSONAPICodec

extension Shape {
    static let singles = Shape(
        "singles", "500 documents of one resource each, 300 bytes", each: Message.self, Message.Attributes.self
    ) {
        var random = SplitMix64(seed: 38)
        return (0..<500).map { i in
            let words = (0..<8).map { _ in random.pick(Vocabulary.words) }.joined(separator: " ")
            let attributes: [(name: String, value: Node)] = [
                ("subject", .string("Message \(i)")), ("body", .string(words)), ("size", .int(random.below(100_000))),
                ("sentAt", .string("2025-0\(1 + random.below(9))-1\(random.below(10))T0\(random.below(10)):30:00Z")),
                ("isRead", .bool(random.below(2) == 0)), ("folder", random.below(3) == 0 ? .null : .string(random.pick(Vocabulary.words))),
            ]
            return [("jsonapi", .object([("version", .string("1.1"))])), ("data", resource("messages", i, attributes))]
        }
    }
}

private struct Message: Resource {
    static let type = "messages"
    var id: String
    var subject: String
    var body: String
    var size: Int
    var sentAt: Date
    var isRead: Bool
    var folder: String?

    struct Attributes: Codable {
        var subject: String
        var body: String
        var size: Int
        var sentAt: Date
        var isRead: Bool
        var folder: String?
    }
}
