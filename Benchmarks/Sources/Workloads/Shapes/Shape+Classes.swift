import Foundation
import JSONAPICodec

extension Shape {
    static let classes = Shape("classes", "300 resources, read into objects of a class", Vehicle.self, Vehicle.Attributes.self) {
        var random = SplitMix64(seed: 35)
        return list("vehicles", 300) { i in
            [
                ("plate", .string("B-\(1_000 + i)")), ("maker", .string(random.pick(Vocabulary.lastNames))),
                ("color", .string(random.pick(Vocabulary.colors))), ("seats", .int(2 + random.below(6))),
                ("mileage", .double(Double(random.below(3_000_000)) / 10)), ("isElectric", .bool(random.below(3) == 0)),
                ("boughtAt", .string("202\(random.below(6))-0\(1 + random.below(9))-1\(random.below(10))T08:30:00Z")),
                ("note", random.below(2) == 0 ? .null : .string("\(random.pick(Vocabulary.words)) and \(random.pick(Vocabulary.words))")),
            ]
        }
    }
}

private final class Vehicle: Resource {
    static let type = "vehicles"
    let id: String
    let plate: String
    let maker: String
    let color: String
    let seats: Int
    let mileage: Double
    let isElectric: Bool
    let boughtAt: Date
    let note: String?

    final class Attributes: Codable {
        let plate: String
        let maker: String
        let color: String
        let seats: Int
        let mileage: Double
        let isElectric: Bool
        let boughtAt: Date
        let note: String?
    }
}
