import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Decoding a document does not affect the next one.
@Suite struct DecodingAgainTests {
    private func document(_ data: [String], _ included: [String]) -> Data {
        Data(#"{"data":[\#(data.joined(separator: ","))],"included":[\#(included.joined(separator: ","))]}"#.utf8)
    }

    private struct Member: Resource, Equatable {
        static let type = "members"
        var id: String
        var name: String
        var friends: [Member]?
    }

    /// Members by id, with the ids of their friends.
    private func members(_ names: [String], friends: [[Int]], primary: Int) -> Data {
        let objects = names.indices.map { number in
            let linkage = friends[number].map { #"{"type":"members","id":"\#($0)"}"# }.joined(separator: ",")
            return #"{"type":"members","id":"\#(number)","attributes":{"name":"\#(names[number])"},"#
                + #""relationships":{"friends":{"data":[\#(linkage)]}}}"#
        }
        return document(Array(objects[..<primary]), Array(objects[primary...]))
    }

    /// The result of a decoder that has not decoded anything else.
    private func outline(_ members: [Member]) -> String {
        members.map { "\($0.id)\($0.name)(\($0.friends.map(outline) ?? "-"))" }.joined(separator: " ")
    }

    @Test func aFailureDoesNotAffectTheNextDocument() throws {
        var dropping = JSONAPIDecoder()
        dropping.invalidElements = .drop
        dropping.missingResources = .omit
        // The second member links back to the first. A value with a cut is created again where it is needed again.
        let whole = members(["a", "b", "c"], friends: [[2], [2], [0]], primary: 2)
        let broken = String(decoding: whole, as: UTF8.self).replacingOccurrences(of: #""name":"c""#, with: #""name":7"#)
        for _ in 0..<3 {
            #expect(try outline(dropping.decode([Member].self, from: Data(broken.utf8))) == "0a() 1b()")
            #expect(try outline(dropping.decode([Member].self, from: whole)) == "0a(2c()) 1b(2c(0a()))")
        }
    }

    private struct Sparse: Resource, Equatable {
        static let type = "sparse"
        var id: String
        var alias, area, badge, contact: String?
        var place: Place?

        struct Place: Codable, Equatable, Sendable {
            var city, street, zip: String?
        }
    }

    @Test("A member that was absent in one object is found in the next, in the same document and in another one")
    func absentMembers() throws {
        func resource(_ id: Int, _ attributes: String) -> String { #"{"type":"sparse","id":"\#(id)","attributes":{\#(attributes)}}"# }
        // Members in the reverse order of the properties, so that they are not found where the reader looks first.
        let few = [
            resource(1, #""contact":"k","area":"a","place":{"zip":"z","city":"c"}"#), resource(2, #""place":{"street":"s"},"badge":"b""#),
            resource(3, #""contact":"k","badge":"b","\u0061lias":"c""#),
        ]
        let decoded = [
            Sparse(id: "1", area: "a", contact: "k", place: Sparse.Place(city: "c", zip: "z")),
            Sparse(id: "2", badge: "b", place: Sparse.Place(street: "s")), Sparse(id: "3", alias: "c", badge: "b", contact: "k"),
        ]
        // Every order, so that the object at one place of the tape has other members each time.
        for order in [[0, 1, 2], [1, 0, 2], [2, 0, 1], [2, 1, 0], [0, 2, 1], [1, 2, 0]] {
            let data = document(order.map { few[$0] }, [])
            #expect(try JSONAPIDecoder().decode([Sparse].self, from: data) == order.map { decoded[$0] })
        }
    }

    @Test func decodingDoesNotDependOnEarlierDocuments() throws {
        var numbers = SystemRandomNumberGenerator()
        var decoder = JSONAPIDecoder()
        decoder.missingResources = .omit
        func random(_ round: Int) -> (data: Data, names: [String], friends: [[Int]], primary: Int) {
            let count = Int.random(in: 1...6, using: &numbers)
            let names = (0..<count).map { "\(round)x\($0)" }
            // Friends come later in the list. Without cycles, the expected result needs no decoder.
            let friends = (0..<count).map { number in
                (number + 1..<count).filter { _ in Bool.random(using: &numbers) }
            }
            let primary = Int.random(in: 1...count, using: &numbers)
            return (members(names, friends: friends, primary: primary), names, friends, primary)
        }
        for round in 0..<200 {
            let document = random(round)
            func expected(_ number: Int) -> String {
                let inner = document.friends[number].map(expected).joined(separator: " ")
                return "\(number)\(document.names[number])(\(inner))"
            }
            let found = outline(try decoder.decode([Member].self, from: document.data))
            #expect(found == (0..<document.primary).map(expected).joined(separator: " "))
            if round % 3 == 0 {
                // A failure in between, after half of the document was decoded.
                let text = String(decoding: document.data, as: UTF8.self).replacingOccurrences(
                    of: #""name":"\#(round)x0""#, with: #""name":0"#)
                #expect(throws: DecodingError.self) { try decoder.decode([Member].self, from: Data(text.utf8)) }
            }
        }
    }

    private final class Token: Codable, Sendable {
        let text: String
        init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }

    private struct Owner: Resource {
        static let type = "owners"
        var id: String
        var token: Token
    }

    private struct Thing: Resource {
        static let type = "things"
        var id: String
        var owner: Owner
    }

    private struct LinkedThing: Resource {
        static let type = "things"
        var id: String
        var owner: ToOne<Owner>
    }

    private func things(_ token: String) -> Data {
        let things = (0..<3).map {
            #"{"type":"things","id":"\#($0)","relationships":{"owner":{"data":{"type":"owners","id":"1"}}}}"#
        }
        return document(things, [#"{"type":"owners","id":"1","attributes":{"token":"\#(token)"}}"#])
    }

    @Test func valuesAreReleasedWithTheirResult() throws {
        weak var token: Token?
        do {
            let read = try JSONAPIDecoder().decode([Thing].self, from: things("a"))
            token = read.last?.owner.token
            #expect(token?.text == "a")
        }
        #expect(token == nil)
        do {
            let read = try JSONAPIDecoder().decode(Document<[LinkedThing]>.self, from: things("b"))
            token = read.data.last?.owner.value?.token
            #expect(token?.text == "b")
        }
        #expect(token == nil)
    }

    /// A resource with references to resources that are of another type.
    private struct Maker: Resource {
        static let type = "owners"
        var id: String
        var token: Token?
        var helper: ToOne<Owner> = .notLoaded
        var helpers: ToMany<Owner> = .notLoaded
        var boss: Embedding?
    }

    private struct Embedding: Resource {
        static let type = "bosses"
        var id: String
        var token: Token
        var helper: ToOne<Owner> = .notLoaded
    }

    private struct MadeThing: Resource {
        static let type = "things"
        var id: String
        var owner: ToOne<Maker>
    }

    @Test(
        "A reference to a resource of another type does not keep its document",
        arguments: [
            #""helper":{"data":{"type":"robots","id":"1"}}"#, #""helpers":{"data":[{"type":"robots","id":"1"}]}"#,
            #""boss":{"data":{"type":"bosses","id":"1"}}"#,
        ])
    func valuesWithReferencesToOtherTypesAreReleased(relationship: String) throws {
        let robot = #""relationships":{"helper":{"data":{"type":"robots","id":"1"}}}"#
        let data = document(
            [#"{"type":"things","id":"1","relationships":{"owner":{"data":{"type":"owners","id":"1"}}}}"#],
            [
                #"{"type":"owners","id":"1","attributes":{"token":"a"},"relationships":{\#(relationship)}}"#,
                #"{"type":"bosses","id":"1","attributes":{"token":"b"},\#(robot)}"#, #"{"type":"robots","id":"1"}"#,
            ])
        weak var token: Token?
        weak var tokenOfBoss: Token?
        do {
            let owner = try #require(try JSONAPIDecoder().decode([MadeThing].self, from: data).first?.owner.value)
            (token, tokenOfBoss) = (owner.token, owner.boss?.token)
            #expect(owner.token === token && token?.text == "a")
        }
        #expect(token == nil && tokenOfBoss == nil)
    }

    @Test func referencesReadTheirOwnDocument() throws {
        let documents = try (0..<20).map { try JSONAPIDecoder().decode([LinkedThing].self, from: things("token \($0)")) }
        for (number, document) in documents.enumerated() {
            for thing in document { #expect(try thing.owner.resolved()?.token.text == "token \(number)") }
        }
    }
}
