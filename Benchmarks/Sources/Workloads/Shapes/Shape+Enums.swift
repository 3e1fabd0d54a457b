import JSONAPICodec

extension Shape {
    static let enums = Shape(
        "enums", "300 resources of 8 enumerations: required, optional, and in arrays", Ticket.self, Ticket.Attributes.self
    ) {
        var random = SplitMix64(seed: 31)
        func name(_ names: [String]) -> Node { .string(random.pick(names)) }
        func maybe(_ value: Node) -> Node { random.below(3) == 0 ? .null : value }
        let days = ["monday", "tuesday", "wednesday", "thursday", "friday"]
        return list("tickets", 300) { _ in
            [
                ("state", name(["open", "in-progress", "closed", "rejected"])), ("priority", name(["low", "medium", "high", "urgent"])),
                ("channel", name(["mail", "phone", "web"])), ("reportedOn", name(days)),
                ("resolution", maybe(name(["fixed", "duplicate", "not-reproducible"]))), ("closedOn", maybe(name(days))),
                ("lastChannel", maybe(name(["mail", "phone", "web"]))),
                ("quietDays", .array((0..<random.below(5)).map { _ in name(days) })),
            ]
        }
    }
}

private struct Ticket: Resource {
    static let type = "tickets"
    var id: String
    var state: State
    var priority: Priority
    var channel: Channel
    var reportedOn: Day
    var resolution: Resolution?
    var closedOn: Day?
    var lastChannel: Channel?
    var quietDays: [Day]

    enum State: String, Codable, Sendable {
        case open, closed, rejected
        case inProgress = "in-progress"
    }

    enum Priority: String, Codable, Sendable { case low, medium, high, urgent }

    enum Channel: String, Codable, Sendable { case mail, phone, web }

    enum Resolution: String, Codable, Sendable {
        case fixed, duplicate
        case notReproducible = "not-reproducible"
    }

    enum Day: String, Codable, Sendable { case monday, tuesday, wednesday, thursday, friday }

    struct Attributes: Codable {
        var state: State
        var priority: Priority
        var channel: Channel
        var reportedOn: Day
        var resolution: Resolution?
        var closedOn: Day?
        var lastChannel: Channel?
        var quietDays: [Day]
    }
}
