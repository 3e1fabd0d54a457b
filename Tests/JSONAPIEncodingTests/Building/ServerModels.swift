import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import TestSupport

/// The models of `ServerPatchTests`.
enum ServerModels {
    struct Entry: Codable, Sendable, Equatable {
        var name: String
        var size: Int?
    }
    struct Place: Codable, Sendable {
        var city: String
        var zip: String?
        var entries: [Entry]?
    }
    struct Info: Codable, Sendable {
        var revision: Int
    }
    struct Other: Resource {
        static let type = "others"
        var id: String
        var name: String?
    }

    static var others: [Object] { (1...3).map { ["type": "others", "id": "\($0)", "attributes": ["name": "N\($0)"]] } }

    /// Returns an array of entries.
    static func entries(_ random: inout SeededRandom, hidden: Bool) -> [Object] {
        (0..<random.int(4)).map { _ in random.hiding(random.thinned(["name": random.word(), "size": random.int(9)], ["size"]), hidden) }
    }

    /// Returns the edits of an array of entries at a path in the attributes.
    static func edits<Model: Resource>(
        _ property: String, at path: [String], _ resource: Object, isBlind: Bool, _ random: inout SeededRandom,
        _ key: WritableKeyPath<Model, [Entry]?>
    ) -> [ServerEdit<Model>] {
        guard let entries = resource[path] as? [Object] else { return [] }
        let name = random.word()
        func hand(_ change: @escaping (inout [Object]) -> Void) -> (inout Object) -> Void {
            { resource in
                var entries = resource[path] as? [Object] ?? []
                change(&entries)
                resource[path] = entries
            }
        }
        var edits = [
            ServerEdit<Model>(
                property: property, isBlind: isBlind, change: { $0[keyPath: key]?.append(Entry(name: name)) },
                hand: hand { $0.append(["name": name]) })
        ]
        guard !entries.isEmpty else { return edits }
        let index = random.int(entries.count)
        edits.append(
            ServerEdit(
                property: property, isBlind: isBlind, change: { $0[keyPath: key]?.remove(at: index) }, hand: hand { $0.remove(at: index) }))
        // An element with other members is known by its name only.
        let hidesMembers = entries[index]["unknown-member"] != nil
        let isUnique = entries.filter { $0["name"] as? String == entries[index]["name"] as? String }.count == 1
        edits.append(
            ServerEdit(
                property: property, isBlind: isBlind, isImpossible: hidesMembers,
                change: { $0[keyPath: key]?[index].name = "edited" }, hand: hand { $0[index]["name"] = "edited" }))
        edits.append(
            ServerEdit(
                property: property, isBlind: isBlind, isImpossible: hidesMembers && !isUnique,
                change: { $0[keyPath: key]?[index].size = 77 }, hand: hand { $0[index]["size"] = 77 }))
        return edits
    }
}

// MARK: - Whole attributes, references and meta

extension ServerModels {
    struct Plain: ServerModel {
        static let type = "plains"
        static let strategy = KeyStrategy.snakeCase
        var id: String
        var mainTitle: String
        var subTitle: String?
        var count: Int?
        var tags: [String]
        var place: Place?
        var people: [Entry]?
        var free: JSON?
        var publishedAt: Date?
        var author: ToOne<Other>
        var owner: ToOne<Other>?
        var comments: ToMany<Other>
        var others: ToMany<Other>?
        var info: ResourceMeta<Info>?
        var links: ResourceLinks

        static var included: [Object] { ServerModels.others }

        static func resource(_ random: inout SeededRandom, hidden: Bool) -> Object {
            var place: Object = random.thinned(["city": random.word(), "zip": random.word()], ["zip"])
            if random.bool() { place["entries"] = entries(&random, hidden: hidden) }
            let attributes: Object = [
                "main_title": random.word(), "sub_title": random.word(), "count": random.int(99),
                "tags": (0..<random.int(4)).map { _ in random.word() }, "place": random.hiding(place, hidden),
                "people": entries(&random, hidden: hidden), "free": random.anything(), "published_at": "2026-11-21T09:30:00Z",
            ]
            let optional = ["sub_title", "count", "place", "people", "free", "published_at"]
            var relationships: Object = [:]
            for (name, isToMany) in [("author", false), ("owner", false), ("comments", true), ("others", true), ("unseen", true)] {
                relationships[name] = random.relationship(toMany: isToMany, among: ["1", "2", "3", "404"], type: "others")
            }
            var resource: Object = [
                "type": type, "id": "7", "attributes": random.hiding(random.thinned(attributes, optional), true),
                "relationships": relationships,
            ]
            if random.bool() { resource["meta"] = random.hiding(["revision": random.int(9)], hidden) }
            if random.bool() { resource["links"] = ["self": "/plains/7"] }
            return resource
        }

        static func edits(of model: Plain, _ resource: Object, hidden: Bool, _ random: inout SeededRandom) -> [ServerEdit<Plain>] {
            let word = random.word() + "!"
            func set(_ name: String, _ value: Any?) -> (inout Object) -> Void { { $0[["attributes", name]] = value } }
            var edits: [ServerEdit<Plain>] = [
                ServerEdit(
                    property: "mainTitle", path: { $0.set(\.mainTitle, word) }, change: { $0.mainTitle = word },
                    hand: set("main_title", word)),
                ServerEdit(property: "count", path: { $0.set(\.count, 7) }, change: { $0.count = 7 }, hand: set("count", 7)),
                ServerEdit(
                    property: "tags", change: { $0.tags.append(word) }, hand: set("tags", model.tags + [word])),
                ServerEdit(
                    property: "free", path: { $0.set(\.free, ["x": [1, nil]]) }, change: { $0.free = ["x": [1, nil]] },
                    hand: set("free", ["x": [1, NSNull()] as [Any]])),
                ServerEdit(
                    property: "publishedAt", path: { $0.set(\.publishedAt, Date(timeIntervalSince1970: 0)) },
                    change: { $0.publishedAt = Date(timeIntervalSince1970: 0) }, hand: set("published_at", "1970-01-01T00:00:00Z")),
                ServerEdit(
                    property: "author", path: { $0.set(\.author, ToOne(id: "2")) }, change: { $0.author = ToOne(id: "2") },
                    hand: { $0[["relationships", "author", "data"]] = ["type": "others", "id": "2"] }),
                ServerEdit(
                    property: "author", path: { $0.set(\.author, nil) }, change: { $0.author = nil },
                    hand: { $0[["relationships", "author", "data"]] = NSNull() }),
                ServerEdit(
                    property: "comments", path: { $0.set(\.comments, ToMany(ids: ["3"])) }, change: { $0.comments = ToMany(ids: ["3"]) },
                    hand: { $0[["relationships", "comments", "data"]] = [["type": "others", "id": "3"]] }),
                ServerEdit(
                    property: "comments", isImpossible: !model.comments.isLoaded, change: { $0.comments.append(id: "9") },
                    hand: {
                        let old = $0[["relationships", "comments", "data"]] as? [Object] ?? []
                        $0[["relationships", "comments", "data"]] = old + [["type": "others", "id": "9"]]
                    }),
            ]
            if model.subTitle != nil {
                edits.append(
                    ServerEdit(
                        property: "subTitle", path: { $0.setNull(\.subTitle) }, change: { $0.subTitle = nil },
                        hand: set("sub_title", NSNull())))
            }
            if model.place != nil {
                edits.append(
                    ServerEdit(
                        property: "place", isBlind: hidden, change: { $0.place?.city = word },
                        hand: { $0[["attributes", "place", "city"]] = word }))
                edits.append(ServerEdit(property: "place", change: { $0.place = nil }, hand: set("place", NSNull())))
                if model.place?.zip != nil {
                    edits.append(
                        ServerEdit(
                            property: "place", isBlind: hidden, change: { $0.place?.zip = nil },
                            hand: { $0[["attributes", "place", "zip"]] = nil }))
                }
                if model.place?.entries != nil {
                    edits += ServerModels.edits(
                        "place", at: ["attributes", "place", "entries"], resource, isBlind: hidden, &random, \.place!.entries)
                }
            }
            edits += ServerModels.edits("people", at: ["attributes", "people"], resource, isBlind: hidden, &random, \.people)
            if let owner = model.owner, owner.data != .absent {
                edits.append(
                    ServerEdit(property: "owner", change: { $0.owner = nil }, hand: { $0[["relationships", "owner", "data"]] = NSNull() }))
            }
            if let others = model.others, others.isLoaded, !others.isEmpty {
                edits.append(ServerEdit(property: "others", isImpossible: true, change: { $0.others = nil }, hand: { _ in }))
                edits.append(
                    ServerEdit(
                        property: "others", change: { $0.others = .empty },
                        hand: { $0[["relationships", "others", "data"]] = [Object]() }))
            }
            if model.info != nil {
                edits.append(
                    ServerEdit(
                        property: "info", isBlind: hidden, change: { $0.info?.value.revision = 77 },
                        hand: { $0[["meta", "revision"]] = 77 }))
                edits.append(ServerEdit(property: "info", isImpossible: true, change: { $0.info = nil }, hand: { _ in }))
            }
            return edits
        }
    }
}

// MARK: - Parts of attributes

extension ServerModels {
    enum Latitude: PathSource {
        typealias Value = Double
        static let path: MappingPath = "position.lat"
    }

    struct Parts: ServerModel {
        static let type = "parts"
        var id: String
        var city: String?
        var street: String?
        var place: RemainingMembers
        var zip: String?
        @Nested<Latitude> var spot: Double
        @NestedIfPresent<Latitude> var home: Double?
        var kind: String?
        enum CodingKeys: String, CodingKey {
            case id, city = "attributes.place.city", street = "attributes.place.address.street", place = "attributes.place"
            case zip = "attributes.mail.zip", spot, home, kind = "attributes.type"
        }

        static func resource(_ random: inout SeededRandom, hidden: Bool) -> Object {
            let position: Object = random.hiding(["lat": 1.5 + Double(random.int(9))], hidden)
            let address = random.hiding(random.thinned(["street": random.word()], ["street"]), hidden)
            let place = random.hiding(random.thinned(["city": random.word(), "address": address], ["city", "address"]), hidden)
            let attributes: Object = [
                "place": place, "mail": random.hiding(random.thinned(["zip": random.word()], ["zip"]), hidden),
                "spot": random.hiding(["position": position], hidden), "home": random.hiding(["position": position], hidden),
                "type": random.word(),
            ]
            return [
                "type": type, "id": "7",
                "attributes": random.hiding(random.thinned(attributes, ["place", "mail", "home", "type"]), hidden),
            ]
        }

        static func edits(of model: Parts, _ resource: Object, hidden: Bool, _ random: inout SeededRandom) -> [ServerEdit<Parts>] {
            let word = random.word() + "!"
            func set(_ path: String..., to value: Any?) -> (inout Object) -> Void { { $0[["attributes"] + path] = value } }
            let hasMail = resource[["attributes", "mail"]] != nil
            var edits: [ServerEdit<Parts>] = [
                ServerEdit(property: "city", change: { $0.city = word }, hand: set("place", "city", to: word)),
                ServerEdit(property: "street", change: { $0.street = word }, hand: set("place", "address", "street", to: word)),
                ServerEdit(
                    property: "zip", isPartial: true, isImpossible: !hasMail, path: { $0.set(\.zip, word) }, change: { $0.zip = word },
                    hand: set("mail", "zip", to: word)),
                ServerEdit(
                    property: "spot", isPartial: true, path: { $0.set(\.spot, 99.5) }, change: { $0.spot = 99.5 },
                    hand: set("spot", "position", "lat", to: 99.5)),
            ]
            if model.city != nil {
                edits.append(ServerEdit(property: "city", change: { $0.city = nil }, hand: set("place", "city", to: NSNull())))
            }
            if model.home != nil {
                edits.append(
                    ServerEdit(
                        property: "home", isPartial: true, path: { $0.set(\.home, 77.5) }, change: { $0.home = 77.5 },
                        hand: set("home", "position", "lat", to: 77.5)))
                edits.append(
                    ServerEdit(
                        property: "home", isPartial: true, change: { $0.home = nil }, hand: set("home", "position", "lat", to: NSNull())))
            }
            if model.kind != nil {
                edits.append(ServerEdit(property: "kind", change: { $0.kind = nil }, hand: set("type", to: NSNull())))
            }
            return edits
        }
    }
}

// MARK: - Values that cannot be decoded

extension ServerModels {
    enum Suit: String, Codable, CaseIterable, Sendable { case hearts, spades }

    struct Body: Codable, Sendable {
        @Lossy var weight: Int?
        @LossyArray var suits: [Suit]
        var name: String
    }

    struct Cards: ServerModel {
        static let type = "cards"
        var id: String
        @Lossy var height: Int?
        @LossyArray var suits: [Suit]
        @LossyDictionary var counts: [String: Int]
        @Default<Defaults.Empty> var tags: [String]
        var body: Body?
        var note: Field<String> = .absent
        @LenientInt var total: Int

        static func resource(_ random: inout SeededRandom, hidden: Bool) -> Object {
            func suits(_ random: inout SeededRandom) -> [Any] {
                (0..<random.int(5)).map { _ in random.bool() ? Suit.allCases[random.int(2)].rawValue : random.anything() }
            }
            func height(_ random: inout SeededRandom) -> Any { random.bool() ? random.int(9) : "tall" }
            let counts = Object(uniqueKeysWithValues: (0..<random.int(4)).map { ("c\($0)", random.bool() ? $0 : "many" as Any) })
            let body = random.thinned(
                ["weight": height(&random), "suits": suits(&random), "name": random.word()], ["weight"])
            let attributes: Object = [
                "height": height(&random), "suits": suits(&random), "counts": counts, "tags": [random.word()], "body": body,
                "note": random.word(), "total": random.int(9),
            ]
            return [
                "type": type, "id": "7",
                "attributes": random.hiding(random.thinned(attributes, ["height", "suits", "counts", "tags", "body", "note"]), true),
            ]
        }

        static func edits(of model: Cards, _ resource: Object, hidden: Bool, _ random: inout SeededRandom) -> [ServerEdit<Cards>] {
            let word = random.word() + "!"
            func set(_ path: String..., to value: Any?) -> (inout Object) -> Void { { $0[["attributes"] + path] = value } }
            func append(_ path: String..., value: Any) -> (inout Object) -> Void {
                { $0[["attributes"] + path] = ($0[["attributes"] + path] as? [Any] ?? []) + [value] }
            }
            var edits: [ServerEdit<Cards>] = [
                ServerEdit(property: "height", path: { $0.set(\.height, 5) }, change: { $0.height = 5 }, hand: set("height", to: 5)),
                ServerEdit(property: "suits", change: { $0.suits.append(.spades) }, hand: append("suits", value: "spades")),
                ServerEdit(property: "counts", change: { $0.counts["new"] = 1 }, hand: set("counts", "new", to: 1)),
                ServerEdit(property: "tags", change: { $0.tags.append(word) }, hand: append("tags", value: word)),
                ServerEdit(property: "note", change: { $0.note = .value(word) }, hand: set("note", to: word)),
                ServerEdit(property: "note", change: { $0.note = .null }, hand: set("note", to: NSNull())),
                ServerEdit(property: "total", path: { $0.set(\.total, 3) }, change: { $0.total = 3 }, hand: set("total", to: 3)),
            ]
            if model.height != nil {
                edits.append(ServerEdit(property: "height", change: { $0.height = nil }, hand: set("height", to: NSNull())))
            }
            if !model.suits.isEmpty {
                edits.append(
                    ServerEdit(
                        property: "suits", change: { $0.suits.removeLast() },
                        hand: {
                            var suits = $0[["attributes", "suits"]] as? [Any] ?? []
                            let index = suits.lastIndex { ($0 as? String).flatMap(Suit.init) != nil }
                            if let index { suits.remove(at: index) }
                            $0[["attributes", "suits"]] = suits
                        }))
            }
            if model.body != nil {
                edits.append(ServerEdit(property: "body", change: { $0.body?.name = word }, hand: set("body", "name", to: word)))
                edits.append(
                    ServerEdit(property: "body", change: { $0.body?.suits.append(.spades) }, hand: append("body", "suits", value: "spades"))
                )
                edits.append(ServerEdit(property: "body", change: { $0.body?.weight = 8 }, hand: set("body", "weight", to: 8)))
            }
            return edits
        }
    }
}

// MARK: - Embedded resources

extension ServerModels {
    enum Any2: ResourceUnion {
        case other(Other), unknown(ResourceObject)
        static let members: [UnionMember<Any2>] = [.init(Any2.other)]
        var resource: any ResourceRepresentable {
            switch self {
            case .other(let other): other
            case .unknown(let object): object
            }
        }
    }

    struct Embedding: ServerModel {
        static let type = "embeddings"
        var id: String
        var title: String?
        var author: Other?
        var comments: [Other]?
        var reviewers: [Any2]
        var raw: RelationshipObject?
        var key: ResourceIdentifier?
        var keys: [ResourceIdentifier]

        static var included: [Object] {
            ServerModels.others + [["type": "teams", "id": "1", "attributes": ["motto": "m"], "meta": ["x": 1]]]
        }
        static var isApplicable: Bool { false }

        static func resource(_ random: inout SeededRandom, hidden: Bool) -> Object {
            var relationships: Object = [:]
            let ids = ["1", "2", "3"]
            for name in ["author", "key"] { relationships[name] = random.relationship(toMany: false, among: ids, type: "others") }
            relationships["comments"] = random.relationship(toMany: true, among: ids, type: "others")
            relationships["raw"] = random.relationship(toMany: true, among: ids, type: "others")
            var reviewers = random.relationship(toMany: true, among: ids, type: "others", loaded: true) ?? [:]
            if random.bool() { reviewers["data"] = (reviewers["data"] as? [Object] ?? []) + [["type": "teams", "id": "1"]] }
            relationships["reviewers"] = reviewers
            relationships["keys"] = random.relationship(toMany: true, among: ids, type: "others", loaded: true)
            return ["type": type, "id": "7", "attributes": ["title": random.word()], "relationships": relationships]
        }

        static func edits(
            of model: Embedding, _ resource: Object, hidden: Bool, _ random: inout SeededRandom
        ) -> [ServerEdit<Embedding>] {
            func link(_ name: String, _ change: @escaping ([Object]) -> Any) -> (inout Object) -> Void {
                { $0[["relationships", name, "data"]] = change($0[["relationships", name, "data"]] as? [Object] ?? []) }
            }
            let two: Object = ["type": "others", "id": "2"]
            let identifier = ResourceIdentifier(type: "others", id: "2")
            let other = Other(id: "2", name: "N2")
            var edits: [ServerEdit<Embedding>] = [
                ServerEdit(property: "title", change: { $0.title = nil }, hand: { $0[["attributes", "title"]] = NSNull() }),
                ServerEdit(property: "author", change: { $0.author = other }, hand: link("author") { _ in two }),
                ServerEdit(property: "key", change: { $0.key = identifier }, hand: link("key") { _ in two }),
                ServerEdit(property: "keys", change: { $0.keys.append(identifier) }, hand: link("keys") { $0 + [two] }),
                ServerEdit(property: "reviewers", change: { $0.reviewers.append(.other(other)) }, hand: link("reviewers") { $0 + [two] }),
                ServerEdit(property: "reviewers", change: { $0.reviewers = [] }, hand: link("reviewers") { _ in [Object]() }),
                ServerEdit(property: "comments", change: { $0.comments = [other] }, hand: link("comments") { _ in [two] }),
                ServerEdit(
                    property: "raw", change: { $0.raw = RelationshipObject(data: .many([identifier])) }, hand: link("raw") { _ in [two] }),
            ]
            if model.author != nil {
                edits.append(ServerEdit(property: "author", change: { $0.author = nil }, hand: link("author") { _ in NSNull() }))
            }
            if model.key != nil {
                edits.append(ServerEdit(property: "key", change: { $0.key = nil }, hand: link("key") { _ in NSNull() }))
            }
            if model.comments != nil {
                edits.append(ServerEdit(property: "comments", isImpossible: true, change: { $0.comments = nil }, hand: { _ in }))
                edits.append(
                    ServerEdit(property: "comments", change: { $0.comments?.append(other) }, hand: link("comments") { $0 + [two] }))
            }
            if model.raw?.data.identifiers.isEmpty == false {
                edits.append(ServerEdit(property: "raw", isImpossible: true, change: { $0.raw = nil }, hand: { _ in }))
            }
            return edits
        }
    }
}
