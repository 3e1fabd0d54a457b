import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONMapping
import JSONText
import Testing

// Requests whose attributes a rewriter of the decoder changes, and restricted fields at paths.
extension ChangesTests {
    private func body(_ type: String, _ attributes: String?, id: String? = nil) -> Data {
        let identity = #""type":"\#(type)""# + (id.map { #","id":"\#($0)""# } ?? "")
        let members = attributes.map { #","attributes":\#($0)"# } ?? ""
        return Data(#"{"data":{\#(identity)\#(members)}}"#.utf8)
    }

    @Test("A rewriter can supply what clients must not write, and what the model does not have")
    func suppliedByTheServer() throws {
        struct Page: Resource, RestrictedFields {
            static let type = "pages"
            static let readOnlyFields = ["views", "stars"]
            var id: String?
            var title: String
            var views: Int
            var stars: Int?
        }
        var decoder = JSONAPIDecoder()
        decoder.rewriters = [
            "pages": Rewriter(unreferenced: .keep) {
                Rule("views", from: "views").ifMissing { _, _ in 0 }
                Rule("stars", from: "rating", Conversion<JSON, Int>.lenientInt.whenAbsent { 3 })
                Rule("origin", from: "source").ifMissing { _, _ in "web" }
            }
        ]
        let page = try decoder.decodeNew(Page.self, from: body("pages", #"{"title":"T"}"#))
        #expect(page.title == "T" && page.views == 0 && page.stars == 3)
        let operation = Data(#"{"atomic:operations":[{"op":"add","data":{"type":"pages","attributes":{"title":"T"}}}]}"#.utf8)
        #expect(try ReceivedOperations(operation, decoder: decoder)[0].resource(Page.self).views == 0)
        // What the client itself sends is refused, under any name.
        for (member, expected) in [
            (#""views":5"#, "403 /data/attributes/views"), (#""rating":"5""#, "403 /data/attributes/rating"),
            (#""source":"app""#, "422 /data/attributes/source"), (#""other":1"#, "422 /data/attributes/other"),
        ] {
            let attributes = #"{"title":"T",\#(member)}"#
            #expect(answer { _ = try decoder.decodeNew(Page.self, from: body("pages", attributes)) } == [expected], "\(member)")
        }
    }

    private struct Shop: Resource {
        static let type = "shops"
        var id: String?
        var count: Int?
        var city: Int?
        var place: Int?
        var note: Int?
    }

    private var shopDecoder: JSONAPIDecoder {
        var decoder = JSONAPIDecoder()
        decoder.rewriters = [
            "shops": Rewriter(unreferenced: .keep) {
                Rule("count", from: "number", .lenientInt).optional
                Rule("city", from: "address.city").optional
                Rule("place", from: ["lat", "long"]) { _, _ in "here" }.optional
            }
        ]
        return decoder
    }

    @Test(
        "With a rewriter, errors point to what the client has sent, or to what is around it",
        arguments: [
            (#"{"number":"x"}"#, "/data/attributes/number"), (#"{"address":{"city":"X"}}"#, "/data/attributes/address/city"),
            (#"{"lat":1,"long":2}"#, "/data/attributes"), (#"{"note":"x"}"#, "/data/attributes/note"),
            (#"{"unknown":1}"#, "/data/attributes/unknown"),
        ])
    func placesBeforeRewriting(attributes: String, place: String) throws {
        let decoder = shopDecoder
        #expect(answer { _ = try decoder.decodeNew(Shop.self, from: body("shops", attributes)) } == ["422 \(place)"])
        let changed = answer {
            _ = try Changes<Shop>(body("shops", attributes, id: "1"), for: "1", decoder: decoder).applied(to: Shop(id: "1"))
        }
        #expect(changed == ["422 \(place)"])
    }

    @Test("With a rewriter, errors about one value, missing attributes, and included resources point into the request")
    func otherPlacesBeforeRewriting() throws {
        struct Clerk: Resource, RestrictedFields {
            static let type = "clerks"
            static let readOnlyFields = ["isAdmin"]
            var id: String?
            var lid: LocalID?
            var name: String?
            var isAdmin: Bool?
            var colleague: ToOne<Clerk> = .notLoaded
        }
        let changes = try Changes<Shop>(body("shops", #"{"address":{"city":"X"}}"#, id: "1"), decoder: shopDecoder)
        #expect(answer { _ = try changes.value(Int.self, of: "city") } == ["422 /data/attributes/address/city"])
        var decoder = JSONAPIDecoder()
        decoder.rewriters = [
            "clerks": Rewriter {
                Rule("name", from: "full_name")
                Rule("isAdmin", from: "admin").optional
            }
        ]
        #expect(answer { _ = try decoder.decodeNew(Clerk.self, from: body("clerks", nil)) } == ["422 /data"])
        #expect(answer { _ = try decoder.decodeNew(Clerk.self, from: body("clerks", "{}")) } == ["422 /data/attributes"])
        func colleague(_ attributes: String) -> [String] {
            let linkage = #"{"colleague":{"data":{"type":"clerks","lid":"c"}}}"#
            let text =
                #"{"data":{"type":"clerks","attributes":{"full_name":"A"},"relationships":\#(linkage)},"#
                + #""included":[{"type":"clerks","lid":"c","attributes":\#(attributes)}]}"#
            return answer { _ = try decoder.decodeNew(Clerk.self, from: Data(text.utf8)) }
        }
        #expect(colleague(#"{"full_name":"B"}"#) == [])
        #expect(colleague(#"{"full_name":"B","admin":true}"#) == ["403 /included/0/attributes/admin"])
        #expect(colleague(#"{"full_name":1}"#) == ["422 /included/0/attributes/full_name"])
    }

    @Test("A restricted name that is only that of a member of an attribute is an error of the server")
    func restrictedMembers() throws {
        struct Hotel: Resource, RestrictedFields {
            static let type = "hotels"
            static let readOnlyFields = ["city"]
            var id: String?
            var city: String?
            enum CodingKeys: String, CodingKey {
                case id
                case city = "attributes.address.city"
            }
        }
        struct Hostel: Resource, RestrictedFields {
            static let type = "hotels"
            static let readOnlyFields = ["address"]
            var id: String?
            var city: String?
            enum CodingKeys: String, CodingKey {
                case id
                case city = "attributes.address.city"
            }
        }
        let address = #"{"address":{"city":"X"}}"#
        let new = body("hotels", address)
        let change = body("hotels", address, id: "1")
        #expect(throws: EncodingError.self) { try JSONAPIDecoder().decodeNew(Hotel.self, from: new) }
        #expect(answer { _ = try JSONAPIDecoder().decodeNew(Hotel.self, from: new) } == ["500 "])
        #expect(answer { _ = try Changes<Hotel>(change).applied(to: Hotel(id: "1")) } == ["500 "])
        #expect(answer { _ = try JSONAPIDecoder().decodeNew(Hostel.self, from: new) } == ["403 /data/attributes/address"])
        #expect(answer { _ = try Changes<Hostel>(change) } == ["403 /data/attributes/address"])
    }

    /// An address of which properties have one member and the rest.
    private struct Inn: Resource, RestrictedFields {
        static let type = "hotels"
        static let readOnlyFields = ["city"]
        var id: String?
        var city: String?
        var rest = RemainingMembers()
        enum CodingKeys: String, CodingKey {
            case id
            case city = "attributes.address.city"
            case rest = "attributes.address"
        }
    }

    private struct Motel: Resource, RestrictedFields {
        static let type = "hotels"
        static let readOnlyFields = ["address.city"]
        var id: String?
        var city: String?
        enum CodingKeys: String, CodingKey {
            case id
            case city = "attributes.address.city"
        }
    }

    private struct Lodge: Resource, RestrictedFields {
        static let type = "hotels"
        static let createOnlyFields = ["attributes.address"]
        var id: String?
        var address: [String: String]?
    }

    @Test("A restricted name that is a path, or only that of a member beside the remaining ones, is an error of the server")
    func restrictedPaths() {
        func check<Model: Resource>(_ model: Model) {
            let address = #"{"address":{"city":"X"}}"#
            #expect(answer { _ = try JSONAPIDecoder().decodeNew(Model.self, from: body("hotels", address)) } == ["500 "], "\(Model.self)")
            let changes = answer { _ = try Changes<Model>(body("hotels", address, id: "1")).applied(to: model) }
            #expect(changes == ["500 "], "\(Model.self)")
        }
        check(Inn(id: "1"))
        check(Motel(id: "1"))
        check(Lodge(id: "1"))
    }

    @Test("A restricted attribute that only the remaining members of all attributes have may have the name of a member")
    func restrictedRemainingAttribute() throws {
        struct Post: Resource, RestrictedFields {
            static let type = "hotels"
            static let readOnlyFields = ["version"]
            var id: String?
            var audit: Int?
            var rest = RemainingMembers()
            enum CodingKeys: String, CodingKey {
                case id
                case audit = "attributes.audit.version"
                case rest = "attributes"
            }
        }
        let audit = #"{"audit":{"version":2}}"#
        #expect(try JSONAPIDecoder().decodeNew(Post.self, from: body("hotels", audit)).audit == 2)
        #expect(try Changes<Post>(body("hotels", audit, id: "1")).applied(to: Post(id: "1")).audit == 2)
        let version = body("hotels", #"{"version":2}"#)
        #expect(answer { _ = try JSONAPIDecoder().decodeNew(Post.self, from: version) } == ["403 /data/attributes/version"])
    }

    @Test("A restricted attribute may have the name of a member of another attribute, also while it is absent")
    func restrictedNameOfTwoPlaces() throws {
        struct Cabin: Resource, RestrictedFields {
            static let type = "hotels"
            static let readOnlyFields = ["city"]
            var id: String?
            var city: Field<String> = .absent
            var town: String?
            enum CodingKeys: String, CodingKey {
                case id, city
                case town = "attributes.address.city"
            }
        }
        let address = #"{"address":{"city":"X"}}"#
        #expect(try JSONAPIDecoder().decodeNew(Cabin.self, from: body("hotels", address)).town == "X")
        let changes = try Changes<Cabin>(body("hotels", address, id: "1"))
        #expect(try changes.applied(to: Cabin(id: "1")).town == "X")
        let city = body("hotels", #"{"city":"X"}"#)
        #expect(answer { _ = try JSONAPIDecoder().decodeNew(Cabin.self, from: city) } == ["403 /data/attributes/city"])
    }
}
