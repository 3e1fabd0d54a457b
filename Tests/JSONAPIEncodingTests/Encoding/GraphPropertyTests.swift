import Foundation
import JSONAPICodec
import JSONText
import TestSupport
import Testing

/// Random graphs of models, encoded and decoded again.
@Suite struct GraphPropertyTests {
    struct Place: Resource, Equatable {
        static let type = "places"
        var id: Int
        var name: String
        var heights: [Double]
        var built: Date?
        var near: ToMany<Place>
    }

    enum Anything: ResourceUnion, Equatable {
        case place(Place), person(Person), unknown(ResourceObject)
        static let members: [UnionMember<Anything>] = [.init(Anything.place), .init(Anything.person)]
        var resource: any ResourceRepresentable {
            switch self {
            case .place(let place): place
            case .person(let person): person
            case .unknown(let object): object
            }
        }
    }

    struct Person: Resource, Equatable {
        static let type = "people"
        var id: String
        var name: String
        var note: String?
        var tags: [String: Int]
        var home: ToOne<Place>
        var friend: ToOne<Person>
        var friends: ToMany<Person>
        var likes: ToMany<Anything>
        var card: Card?
        var cards: [Card]
    }

    /// Embedded by value, without its own relationships.
    struct Card: Resource, Equatable {
        static let type = "cards"
        var id: String
        var number: UInt64
    }

    /// A graph with consistent values. References are identifiers at first, and contain values in a second step.
    private struct Graph {
        var places: [Place] = []
        var people: [Person] = []
        var robots: [ResourceObject] = []

        init(_ random: inout SeededRandom) {
            let placeCount = Int.random(in: 0...4, using: &random)
            let personCount = Int.random(in: 1...6, using: &random)
            let cards = (0..<3).map { Card(id: "c\($0)", number: random.next()) }
            robots = (0..<2).map { ResourceObject(type: "robots", id: "r\($0)", attributes: ["v": .string("\($0)"), "n": nil]) }
            func place(_ random: inout SeededRandom) -> ResourceIdentifier {
                ResourceIdentifier(type: "places", id: "\(Int.random(in: 0...4, using: &random))")
            }
            func person(_ random: inout SeededRandom) -> ResourceIdentifier {
                ResourceIdentifier(type: "people", id: "é\(Int.random(in: 0...6, using: &random))")
            }
            func some(_ random: inout SeededRandom, _ make: (inout SeededRandom) -> ResourceIdentifier) -> [ResourceIdentifier]? {
                guard Bool.random(using: &random) || Bool.random(using: &random) else { return nil }
                return (0..<Int.random(in: 0...4, using: &random)).map { _ in make(&random) }
            }
            func one<Target>(_ random: inout SeededRandom, _ make: (inout SeededRandom) -> ResourceIdentifier) -> ToOne<Target> {
                switch Int.random(in: 0..<4, using: &random) {
                case 0: .notLoaded
                case 1: .empty
                default: ToOne(make(&random))
                }
            }
            for index in 0..<placeCount {
                places.append(
                    Place(
                        id: index, name: "p\u{0}\"\(index)", heights: (0..<index).map { _ in Double.random(in: -9...9, using: &random) },
                        built: index == 0 ? nil : Date(timeIntervalSince1970: Double.random(in: -1e9...1e9, using: &random)),
                        near: ToMany(identifiers: some(&random, place))))
            }
            for index in 0..<personCount {
                people.append(
                    Person(
                        id: "é\(index)", name: "n\(index)", note: Bool.random(using: &random) ? nil : "🙂",
                        tags: index == 1 ? [:] : ["t": index], home: one(&random, place), friend: one(&random, person),
                        friends: ToMany(identifiers: some(&random, person)),
                        likes: ToMany(
                            identifiers: some(&random) { random in
                                switch Int.random(in: 0..<3, using: &random) {
                                case 0: place(&random)
                                case 1: person(&random)
                                default: ResourceIdentifier(type: "robots", id: "r\(Int.random(in: 0...2, using: &random))")
                                }
                            }), card: Bool.random(using: &random) ? nil : cards.randomElement(using: &random),
                        cards: cards.filter { _ in Bool.random(using: &random) }))
            }
        }

        /// A document that includes every linked resource that exists, written without the encoder.
        func document(primary count: Int) throws -> Data {
            var resources: [ResourceObject] = []
            let encoder = JSONAPIEncoder()
            for person in people { resources.append(try encoder.resourceObject(person)) }
            for place in places { resources.append(try encoder.resourceObject(place)) }
            resources += robots
            var cards: [String: Card] = [:]
            for person in people { for card in person.cards + [person.card].compactMap(\.self) { cards[card.id] = card } }
            for card in cards.values.sorted(by: { $0.id < $1.id }) { resources.append(try encoder.resourceObject(card)) }
            let object = DocumentObject(data: .many(Array(resources[..<count])), included: Array(resources[count...]))
            return Data(object.json.description.utf8)
        }
    }

    /// The faults of a compound document: repeated identities, and unlinked resources.
    private func faults(_ data: Data) throws -> [String] {
        let document = try #require(DocumentObject(json: JSON(parsing: data)))
        var faults: [String] = []
        let primary = document.data.resources
        let included = document.included ?? []
        var known: [ResourceIdentifier: ResourceObject] = [:]
        for object in primary + included {
            let identifier = try #require(object.identifier)
            if known.updateValue(object, forKey: identifier) != nil { faults.append("\(identifier) twice") }
        }
        var reached = Set(primary.compactMap(\.identifier))
        var waiting = primary
        while let next = waiting.popLast() {
            for (_, relationship) in next.relationships ?? Relationships(members: [:]) {
                for identifier in relationship.data.identifiers where reached.insert(identifier).inserted {
                    if let object = known[identifier] { waiting.append(object) }
                }
            }
        }
        for object in included where !(object.identifier.map(reached.contains) ?? false) { faults.append("\(object.json) is not linked") }
        return faults
    }

    @Test("Encoded graphs decode equal, with full linkage and no repeated identities", arguments: 0..<8)
    func roundTrip(_ block: Int) throws {
        for seed in 0..<TestEffort.count(100, debug: 30) {
            var random = SeededRandom(seed: UInt64(block * 1000 + seed))
            let graph = Graph(&random)
            let count = Int.random(in: 1...graph.people.count, using: &random)
            let people = try JSONAPIDecoder().decode([Person].self, from: graph.document(primary: count))
            #expect(people == Array(graph.people[..<count]), "seed \(block) \(seed)")

            let data = try JSONAPIEncoder().encode(people)
            #expect(try faults(data).isEmpty, "seed \(block) \(seed)")
            let again = try JSONAPIDecoder().decode(Document<[Person]>.self, from: data)
            #expect(again.data == people, "seed \(block) \(seed)")
            #expect(try JSONAPIEncoder().encode(again) == data, "seed \(block) \(seed)")
            for (person, other) in zip(people, again.data) {
                #expect(person.home.value == other.home.value && person.friend.value == other.friend.value)
                #expect(person.likes.values == other.likes.values && person.friends.values == other.friends.values)
            }
            let raw = try JSONAPIDecoder().decode(Document<[ResourceObject]>.self, from: data)
            #expect(try JSONAPIEncoder().encode(raw) == data, "seed \(block) \(seed)")
            #expect(try JSONAPIEncoder().encode(raw.object) == data, "seed \(block) \(seed)")
            #expect(people.allSatisfy { $0.patch { _ in }.isEmpty })
        }
    }

    @Test("Values made by the program are included like decoded ones", arguments: 0..<4)
    func heldValues(_ block: Int) throws {
        var encoder = JSONAPIEncoder()
        encoder.conflictingResources = .keepFirst
        for seed in 0..<TestEffort.count(250, debug: 60) {
            var random = SeededRandom(seed: UInt64(100_000 + block * 1000 + seed))
            let graph = Graph(&random)
            let all = Dictionary(uniqueKeysWithValues: graph.people.map { ($0.id, $0) })
            let people = graph.people.map { person in
                var person = person
                if let id = person.friend.id, let friend = all[id] { person.friend = ToOne(friend) }
                if let ids = person.friends.ids { person.friends = ToMany(ids.compactMap { all[$0] }) }
                return person
            }
            let data = try encoder.encode(people[0])
            #expect(try faults(data).isEmpty, "seed \(block) \(seed)")
            #expect(try JSONAPIDecoder().decode(Person.self, from: data) == people[0], "seed \(block) \(seed)")
            // If all are primary, only places, robots, and cards are included.
            let together = try encoder.encode(people)
            #expect(try faults(together).isEmpty)
            #expect(try JSONAPIDecoder().decode([Person].self, from: together) == people)
        }
    }

    @Test(
        "Include paths and fieldsets repeat no identity",
        arguments: [
            ["friend"], ["friends.home", "friend.likes"], ["likes.friends.likes", "home.near.near"], ["cards", "card"],
        ])
    func paths(_ paths: [String]) throws {
        for seed in 0..<TestEffort.count(250, debug: 60) {
            var random = SeededRandom(seed: UInt64(200_000 + seed))
            let graph = Graph(&random)
            let people = try JSONAPIDecoder().decode([Person].self, from: graph.document(primary: 1))
            let data = try JSONAPIEncoder().encode(people, include: .paths(paths))
            #expect(try faults(data).isEmpty, "seed \(seed)")
            let expected = try identities(on: paths, from: people)
            let found = try JSON(parsing: data)["included"]?.array?.compactMap { ResourceObject(json: $0)?.identifier }
            #expect(Set(found ?? []) == expected, "seed \(seed)")
        }
    }

    /// The resources on the include paths, found step by step in the whole document.
    private func identities(on paths: [String], from people: [Person]) throws -> Set<ResourceIdentifier> {
        let whole = try #require(DocumentObject(json: JSON(parsing: JSONAPIEncoder().encode(people))))
        let all = (whole.data.resources + (whole.included ?? [])).compactMap { object in object.identifier.map { ($0, object) } }
        let known = Dictionary(uniqueKeysWithValues: all)
        var found: Set<ResourceIdentifier> = []
        for path in paths {
            var objects = whole.data.resources
            for name in path.split(separator: ".") {
                let next = objects.flatMap { $0.relationships?[String(name)]?.data.identifiers ?? [] }.filter { known[$0] != nil }
                found.formUnion(next)
                objects = next.compactMap { known[$0] }
            }
        }
        return found.subtracting(whole.data.resources.compactMap(\.identifier))
    }
}
