import JSONAPICodec

extension Shape {
    static let sparse = Shape(
        "sparse", "300 resources with 3 of 20 optional members each", Employee.self, Employee.Attributes.self
    ) {
        var random = SplitMix64(seed: 37)
        let texts = [
            "alias", "area", "badge", "building", "contact", "extensionNumber", "language", "manager", "mobile", "motto", "office",
            "region", "room",
        ]
        let integers = ["deskNumber", "floor", "hireYear", "payGrade"]
        let doubles = ["rating", "weight"]
        func value(_ name: String) -> Node {
            if integers.contains(name) { return .int(random.below(3_000)) }
            if doubles.contains(name) { return .double(Double(random.below(1_000)) / 10) }
            return texts.contains(name) ? .string(random.pick(Vocabulary.words)) : .bool(random.below(2) == 0)
        }
        return list("employees", 300) { _ in
            random.shuffled(texts + integers + doubles + ["isRemote"]).prefix(3).map { ($0, value($0)) }
        }
    }
}

private struct Employee: Resource {
    static let type = "employees"
    var id: String
    var alias: String?
    var area: String?
    var badge: String?
    var building: String?
    var contact: String?
    var deskNumber: Int?
    var extensionNumber: String?
    var floor: Int?
    var hireYear: Int?
    var isRemote: Bool?
    var language: String?
    var manager: String?
    var mobile: String?
    var motto: String?
    var office: String?
    var payGrade: Int?
    var region: String?
    var room: String?
    var rating: Double?
    var weight: Double?

    struct Attributes: Codable {
        var alias: String?
        var area: String?
        var badge: String?
        var building: String?
        var contact: String?
        var deskNumber: Int?
        var extensionNumber: String?
        var floor: Int?
        var hireYear: Int?
        var isRemote: Bool?
        var language: String?
        var manager: String?
        var mobile: String?
        var motto: String?
        var office: String?
        var payGrade: Int?
        var region: String?
        var room: String?
        var rating: Double?
        var weight: Double?
    }
}
