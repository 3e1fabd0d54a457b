import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import TestSupport
import Testing

@testable import JSONAPIArchive

private final class Station: Mapped {
    var name = ""
    var next: Station?
    var neighbors: [Station] = []
    var byLine: [String: Station] = [:]
    weak var owner: Company?
    var opened: Date?
    var extra = JSONObject()

    init(_ name: String = "") { self.name = name }

    static let schema: MappingSchema<Station> = MappingSchema(creating: Station()) {
        MappingField(\.name, "name", from: "station_name")
        MappingField(\.next, "next")
        MappingField(\.neighbors, "neighbors", .default([]), .list(.object(Station.schema)))
        MappingField(\.byLine, "byLine", .default([:]), .dictionary(.object(Station.schema)))
        MappingField(\.owner, "owner", .object(Company.schema))
        MappingField(\.opened, "opened", .date("yyyy-MM-dd"))
    }.unknownMembers(.keep(in: \.extra))
}

private final class Company: Mapped {
    var name = ""
    var stations: [Station] = []

    static let schema: MappingSchema<Company> = MappingSchema(creating: Company()) {
        MappingField(\.name, "name")
        MappingField(\.stations, "stations", .default([]), .list(.object(Station.schema)))
    }
}

/// A class whose instances are created from values.
private final class Ticket: Mapped {
    let number: Int
    let target: Station
    var previous: Ticket?

    init(_ number: Int, _ target: Station) { (self.number, self.target) = (number, target) }

    static let schema: MappingSchema<Ticket> = MappingSchema {
        MappingField(\.number, "number")
        MappingField(\.target, "target", .object(Station.schema))
        MappingField(\.previous, "previous")
    } make: { values in
        Ticket(try values[\.number], try values[\.target])
    }
}

private struct Journey: Mapped {
    var from: Station?
    var stops: [Station] = []
    var tickets: [Ticket] = []

    static let schema: MappingSchema<Journey> = MappingSchema(creating: Journey()) {
        MappingField(\.from, "from")
        MappingField(\.stops, "stops", .default([]), .list(.object(Station.schema)))
        MappingField(\.tickets, "tickets", .default([]), .list(.object(Ticket.schema)))
    }
}

/// A class whose schema always returns the same instance.
private final class Singleton: Mapped, @unchecked Sendable {
    static let shared = Singleton()
    var other: Singleton?

    static let schema: MappingSchema<Singleton> = MappingSchema(creating: Singleton.shared) { MappingField(\.other, "other") }
}

@Suite("Instances of Mapped classes in archives")
struct MappedArchiveTests {
    private func archive(_ body: (inout Archive.Writer) throws -> Void) throws -> Archive {
        var writer = Archive.Writer()
        try body(&writer)
        let archive = try Archive(data: try writer.data())
        #expect(archive.verify().isEmpty)
        return archive
    }

    @Test("Shared instances and cycles stay as they are")
    func cycles() throws {
        let (a, b, company) = (Station("A"), Station("B"), Company())
        (a.next, b.next) = (b, a)
        a.neighbors = [b, a, b]
        b.byLine = ["U1": a, "U2": b]
        (a.owner, b.owner) = (company, company)
        company.stations = [a, b]
        a.opened = Date(timeIntervalSinceReferenceDate: 1.25)
        a.extra = ["zone": 3]
        let archive = try archive { try $0.encode(company, forKey: "company") }
        let read = try archive.decode(Company.self, forKey: "company")
        try #require(read.stations.count == 2)
        let (x, y) = (read.stations[0], read.stations[1])
        #expect(x.name == "A" && y.name == "B" && x !== a)
        #expect(x.next === y && y.next === x)
        #expect(x.neighbors.count == 3 && x.neighbors[0] === y && x.neighbors[1] === x && x.neighbors[2] === y)
        #expect(y.byLine["U1"] === x && y.byLine["U2"] === y)
        #expect(x.owner === read && y.owner === read)
        // The property is archived, and not its external form.
        #expect(x.opened == a.opened)
        #expect(x.extra == ["zone": 3])
        (x.next, y.next, x.neighbors, y.byLine) = (nil, nil, [], [:])
    }

    @Test("Elements of an array and nested structs share instances")
    func arrays() throws {
        let (a, b) = (Station("A"), Station("B"))
        a.next = b
        let journeys = [Journey(from: a, stops: [a, b, b]), Journey(from: b)]
        let archive = try archive { try $0.encode(journeys, forKey: "journeys") }
        let read = try archive.decode([Journey].self, forKey: "journeys")
        try #require(read.count == 2)
        #expect(read[0].from === read[0].stops[0] && read[0].stops[1] === read[0].stops[2])
        #expect(read[1].from === read[0].stops[1] && read[0].from?.next === read[1].from)
        #expect(try archive.json(forKey: "journeys")?.object?["instances"]?.array?.count == 2)
    }

    @Test("Instances that are created from values are shared, and their cycles are errors")
    func initializers() throws {
        let station = Station("A")
        let (first, second) = (Ticket(1, station), Ticket(2, station))
        second.previous = first
        let shared = try archive { try $0.encode(Journey(stops: [station], tickets: [second, first]), forKey: "journey") }
        let read = try shared.decode(Journey.self, forKey: "journey")
        #expect(read.tickets.map(\.number) == [2, 1])
        #expect(read.tickets[0].previous === read.tickets[1])
        #expect(read.tickets[0].target === read.stops[0] && read.tickets[1].target === read.stops[0])
        first.previous = second
        let circular = try archive { try $0.encode(first, forKey: "ticket") }
        #expect(throws: (any Error).self) { try circular.decode(Ticket.self, forKey: "ticket") }
        first.previous = nil
    }

    @Test("A long chain of instances needs no deep stack")
    func chain() throws {
        let length = TestEffort.count(20_000, debug: 5_000)
        let all = (0..<length).map { Station("\($0)") }
        for (station, next) in zip(all, all.dropFirst()) { station.next = next }
        let archive = try archive { try $0.encode(all[0], forKey: "first") }
        var (next, count) = (try archive.decodeIfPresent(Station.self, forKey: "first"), 0)
        var read: [Station] = []
        while let station = next {
            if station.name != "\(count)" { Issue.record("station \(count) is \(station.name)") }
            read.append(station)
            (next, count) = (station.next, count + 1)
        }
        #expect(count == length)
        // Frees the instances one by one.
        for station in read + all { station.next = nil }
    }

    @Test("Missing keys, other forms, and damaged references are errors")
    func errors() throws {
        let archive = try archive { writer in
            try writer.encode(Station("A"), forKey: "one")
            try writer.encode([Station("A")], forKey: "many")
            try writer.encode("text", forKey: "text")
        }
        #expect(try archive.decodeIfPresent(Station.self, forKey: "none") == nil)
        #expect(try archive.decodeIfPresent([Station].self, forKey: "none") == nil)
        #expect(archiveError { _ = try archive.decode(Station.self, forKey: "none") }?.kind == .missingKey)
        #expect(archiveError { _ = try archive.decode(Station.self, forKey: "many") }?.kind == .otherForm)
        #expect(archiveError { _ = try archive.decode([Station].self, forKey: "one") }?.kind == .otherForm)
        #expect(throws: (any Error).self) { try archive.decode(Station.self, forKey: "text") }
        let forged: [String] = [
            #"{"root":1,"instances":[{"name":"A"}]}"#, #"{"root":-1,"instances":[]}"#, #"{"root":0,"instances":[{"next":7}]}"#,
            #"{"root":0,"instances":[{"owner":0}]}"#, #"{"root":{"name":"A"},"instances":[]}"#, #"{"root":0}"#,
            #"{"root":0,"instances":[5]}"#,
        ]
        for text in forged {
            var writer = Archive.Writer()
            try writer.put(Array(text.utf8).span, forKey: "one")
            let archive = try Archive(data: try writer.data())
            #expect(throws: (any Error).self, "\(text)") { try archive.decode(Station.self, forKey: "one") }
        }
    }

    @Test("A schema that returns the same instance for two of them is an error")
    func sameInstance() throws {
        let (first, second) = (Singleton(), Singleton())
        first.other = second
        let archive = try archive { try $0.encode(first, forKey: "first") }
        #expect(throws: (any Error).self) { try archive.decode(Singleton.self, forKey: "first") }
    }

    @Test("Objects behind further conversions are stored whole, and instances once")
    func objectsBehindConversions() throws {
        struct Kid: Mapped, Hashable {
            var name = ""
            var secret = 0
            var extra = JSONObject()
            static let schema: MappingSchema<Kid> = {
                var schema = MappingSchema(creating: Kid()) {
                    MappingField(\.name, "name")
                    MappingField(\.secret, "secret")
                }.unknownMembers(.keep(in: \.extra))
                schema.representedPaths = ["name"]
                return schema
            }()
        }
        struct Family: Mapped, Equatable {
            var keyed: [String: Kid] = [:]
            var set: Set<Kid> = []
            var then = Kid()
            static let schema = MappingSchema(creating: Family()) {
                MappingField(\.keyed, "keyed", .keyed(by: { $0.name }, .object(Kid.schema)))
                MappingField(\.set, "set", .set(.object(Kid.schema)))
                MappingField(\.then, "then", Conversion<JSON, Kid>.object(Kid.schema).then(decode: { $0 }, encode: { $0 }))
            }
        }
        let kid = Kid(name: "k", secret: 42, extra: ["u": 1])
        let family = Family(keyed: ["k": kid], set: [kid, Kid(name: "l", secret: 1)], then: kid)
        let archive = try archive { try $0.encode(family, forKey: "family") }
        #expect(try archive.decode(Family.self, forKey: "family") == family)
    }

    @Test("Fields that a schema does not represent are archived, and not sent")
    func fieldsThatAreNotRepresented() throws {
        struct Address: Mapped, Equatable {
            var city = ""
            var zip = ""
            static let schema = MappingSchema(creating: Address()) {
                MappingField(\.city, "city")
                MappingField(\.zip, "zip", .default(""))
            }.representing("city")
        }
        struct Person: SchemaResource, Equatable {
            static let type = "people"
            static let schema = MappingSchema<Person>(creating: Person()) {
                MappingField(\.id, "id")
                MappingField(\.age, "age", .omit, Conversion(decode: { (json: JSON) in json.int }))
                MappingField(\.name, "name")
                MappingField(\.created, "created")
                MappingField(\.address, "address")
            }.representing("name", "address")
            var id = "1"
            /// It can only be read, so it is not archived.
            var age: Int?
            var name = "N"
            var created = "now"
            var address = Address(city: "c", zip: "z")
        }
        struct Cities: ConversionSource {
            static var conversion: Conversion<JSON, Address> { .object(Address.schema) }
        }
        struct Plain: Codable, Equatable {
            @Converted<Cities> var address: Address
        }
        let (person, plain) = (Person(), Plain(address: Address(city: "c", zip: "z")))
        let archive = try archive {
            try $0.encode([person], forKey: "people")
            try $0.encode(plain, forKey: "plain")
        }
        #expect(try archive.decode([Person].self, forKey: "people") == [person])
        #expect(try archive.decode(Plain.self, forKey: "plain") == plain)
        #expect(try JSONAPIEncoder().resourceObject(person).attributes == ["name": "N", "address": ["city": "c"]])
        #expect(try JSON(parsing: Array(JSONEncoder().encode(plain))) == ["address": ["city": "c"]])
    }

    @Test("An instance that is also behind a further conversion is stored once, also in a cycle")
    func instancesBehindConversions() throws {
        final class Stop: Mapped {
            var name = ""
            var next: Stop?
            var byName: [String: Stop] = [:]
            static let schema: MappingSchema<Stop> = MappingSchema(creating: Stop()) {
                MappingField(\.byName, "byName", .default([:]), .keyed(by: { $0.name }, .object(Stop.schema)))
                MappingField(\.name, "name")
                MappingField(\.next, "next")
            }
        }
        let (first, second) = (Stop(), Stop())
        (first.name, second.name) = ("A", "B")
        (first.next, first.byName, second.byName) = (second, ["B": second], ["A": first])
        let archive = try archive { try $0.encode(first, forKey: "first") }
        let read = try archive.decode(Stop.self, forKey: "first")
        #expect(read.byName["B"] === read.next && read.next?.byName["A"] === read)
        for stop in [first, second, read] { (stop.next, stop.byName) = (nil, [:]) }
    }

    @Test("Instances in a set keep their identity, unless the type of the property is Codable")
    func instancesInSets() throws {
        final class Tag: Mapped, Codable {
            var name = ""
            static let schema: MappingSchema<Tag> = MappingSchema(creating: Tag()) { MappingField(\.name, "name") }
        }
        final class Stop: Mapped, Hashable {
            var name = ""
            var peers: Set<Stop> = []
            var tags: [Tag] = []
            var tagsByName: [String: Tag] = [:]
            static let schema: MappingSchema<Stop> = MappingSchema(creating: Stop()) {
                MappingField(\.name, "name")
                MappingField(\.peers, "peers", .default([]), .set(.object(Stop.schema)))
                MappingField(\.tags, "tags", .default([]), .list(.object(Tag.schema)))
                MappingField(\.tagsByName, "tagsByName", .default([:]), .keyed(by: { $0.name }, .object(Tag.schema)))
            }
            static func == (a: Stop, b: Stop) -> Bool { a.name == b.name }
            func hash(into hasher: inout Hasher) { hasher.combine(name) }
        }
        let (first, second, tag) = (Stop(), Stop(), Tag())
        (first.name, second.name, tag.name) = ("A", "B", "T")
        (first.peers, second.peers) = ([second], [first])
        (first.tags, first.tagsByName) = ([tag, tag], ["T": tag])
        let archive = try archive { try $0.encode(first, forKey: "first") }
        let read = try archive.decode(Stop.self, forKey: "first")
        #expect(read.peers.first?.name == "B" && read.peers.first?.peers.first === read)
        #expect(read.tags.count == 2 && read.tags[0] === read.tags[1])
        #expect(read.tagsByName["T"]?.name == "T" && read.tagsByName["T"] !== read.tags[0])
        for stop in [first, second, read] + read.peers { stop.peers = [] }
    }

    @Test("An instance of a subclass that the schema of the superclass would not create is an error")
    func subclasses() throws {
        class Shape {
            var name = ""
            static let schema: MappingSchema<Shape> = MappingSchema(creating: Shape()) { MappingField(\.name, "name") }
        }
        final class Circle: Shape { var radius = 1.0 }
        struct Drawing: Mapped {
            var shapes: [Shape] = []
            static let schema: MappingSchema<Drawing> = MappingSchema(creating: Drawing()) {
                MappingField(\.shapes, "shapes", .default([]), .list(.object(Shape.schema)))
            }
        }
        let plain = try archive { try $0.encode(Drawing(shapes: [Shape()]), forKey: "drawing") }
        #expect(try plain.decode(Drawing.self, forKey: "drawing").shapes.count == 1)
        var writer = Archive.Writer()
        let issue = #expect(throws: MappingIssue.self) { try writer.encode(Drawing(shapes: [Shape(), Circle()]), forKey: "drawing") }
        #expect(issue?.kind == .typeMismatch)
    }

    @Test("An instance that two fields name with schemas of other properties is an error, because those of one would be lost")
    func severalSchemas() throws {
        final class Friend {
            var id = ""
            var name = ""
            static let full: MappingSchema<Friend> = MappingSchema(creating: Friend()) {
                MappingField(\.id, "id")
                MappingField(\.name, "name")
            }
            static let short: MappingSchema<Friend> = MappingSchema(creating: Friend()) { MappingField(\.id, "id") }
            static let turned: MappingSchema<Friend> = MappingSchema(creating: Friend()) {
                MappingField(\.name, "name", from: "title")
                MappingField(\.id, "id")
            }.representing("id")
        }
        struct Pair {
            var main: Friend?
            var other: Friend?
            static func schema(_ main: MappingSchema<Friend>, _ other: MappingSchema<Friend>) -> MappingSchema<Pair> {
                MappingSchema(creating: Pair()) {
                    MappingField(\.main, "main", .object(main))
                    MappingField(\.other, "other", .object(other))
                }
            }
        }
        struct Losing: Mapped {
            var pair = Pair()
            static let schema = MappingSchema(creating: Losing()) {
                MappingField(\.pair, "pair", .object(Pair.schema(Friend.short, Friend.full)))
            }
        }
        struct Keeping: Mapped {
            var pair = Pair()
            static let schema = MappingSchema(creating: Keeping()) {
                MappingField(\.pair, "pair", .object(Pair.schema(Friend.turned, Friend.full)))
            }
        }
        let friend = Friend()
        (friend.id, friend.name) = ("1", "Ann")
        let pair = Pair(main: friend, other: friend)
        var writer = Archive.Writer()
        let issue = #expect(throws: MappingIssue.self) { try writer.encode(Losing(pair: pair), forKey: "pair") }
        #expect(issue?.kind == .typeMismatch && issue?.advice?.contains("one schema") == true)
        let archive = try archive { try $0.encode(Keeping(pair: pair), forKey: "pair") }
        let read = try archive.decode(Keeping.self, forKey: "pair").pair
        #expect(read.main === read.other && read.other?.name == "Ann" && read.other?.id == "1")
    }

    @Test("A type that is a resource is stored as a resource")
    func resources() throws {
        let archive = try archive { try $0.encode(Sample.marit, forKey: "me") }
        #expect(try archive.namesResources("me"))
    }

    @Test("A commit stores instances, and replaces them")
    func commits() throws {
        try withFolder { folder in
            let file = try ArchiveFile(folder.appendingPathComponent("a"))
            defer { file.close() }
            let station = Station("A")
            station.next = station
            for name in ["A", "B"] {
                station.name = name
                try file.commit { try $0.encode(station, forKey: "station") }
                let read = try file.archive.decode(Station.self, forKey: "station")
                #expect(read.name == name && read.next === read)
                read.next = nil
            }
            station.next = nil
        }
    }
}
