import Foundation
import JSONAPICodec
import JSONText
import Testing

/// What the encoder writes can be read, and numbers that a type can hold are read.
@Suite struct UnreadableOutputTests {
    struct Person: Resource, Hashable {
        static let type = "people"
        var id: String
    }

    enum Party: ResourceUnion, Hashable {
        case person(Person), unknown(ResourceObject)
        static let members: [UnionMember<Party>] = [.init(Party.person)]
        var resource: any ResourceRepresentable {
            switch self {
            case .person(let person): person
            case .unknown(let object): object
            }
        }
    }

    struct Holder<Value: Codable & Sendable>: Resource {
        static var type: String { "holders" }
        var id: String
        var value: Value
    }

    struct Box: Codable {
        var party: Party
    }

    private func failure(_ value: some Codable & Sendable) throws -> EncodingFailure? {
        #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(Holder(id: "1", value: value)) }?.failure
    }

    @Test("A union inside an attribute is an error, because its type would be lost")
    func unions() throws {
        let party = Party.person(Person(id: "7"))
        #expect(try failure(Box(party: party))?.pointer.description == "/data/attributes/value/party")
        #expect(try failure(Set([party]))?.kind == .wrongPlace)
        #expect(try failure(["a": party])?.kind == .wrongPlace)
        #expect(try failure([party, nil])?.kind == .wrongPlace)
    }

    @Test("Zero is a decimal, however it is written", arguments: ["0e0", "0E-129", "-0e128", "0." + String(repeating: "0", count: 130)])
    func zeros(number: String) throws {
        let text = Data(#"{"data":{"type":"holders","id":"1","attributes":{"value":\#(number)}}}"#.utf8)
        #expect(try JSONAPIDecoder().decode(Holder<Decimal>.self, from: text).value == 0)
    }

    struct Author: Resource {
        static let type = "authors"
        var id: String
        var person: ToOne<Person>
    }

    @Test("An omitted reference is written only with members that a relationship may have without data")
    func omitted() throws {
        var decoder = JSONAPIDecoder()
        decoder.missingResources = .omit
        let others = [
            #""links":{}"#, #""links":{"next":null}"#, #""links":{"next":"/2","@self":1}"#, #""@a:b":1"#, #""a:b:c":1"#, #""zzz":1"#,
            #""@x":1"#,
        ]
        let enough = [
            #""meta":{"n":1}"#, #""links":{"self":null}"#, #""links":{"related":"/r","next":"/2"}"#, #""links":{"a:b":"/x"}"#, #""a:b":1"#,
        ]
        let cases: [(String, String?)] = others.map { ($0, nil) } + enough.map { ($0, "{\($0)}") }
        for (members, expected) in cases {
            let text = #"{"data":{"type":"authors","id":"1","relationships":{"person":{"data":{"type":"people","id":"9"},\#(members)}}}}"#
            let author = try decoder.decode(Author.self, from: Data(text.utf8))
            let written = try JSON(parsing: JSONAPIEncoder().encode(author))
            #expect(try written["data"]?["relationships"]?["person"] == expected.map { try JSON(parsing: $0) })
        }
    }
}
