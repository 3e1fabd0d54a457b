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
        for (members, expected) in [(#""zzz":1"#, nil), (#""@x":1"#, nil), (#""meta":{"n":1}"#, #"{"meta":{"n":1}}"#)] {
            let text = #"{"data":{"type":"authors","id":"1","relationships":{"person":{"data":{"type":"people","id":"9"},\#(members)}}}}"#
            let author = try decoder.decode(Author.self, from: Data(text.utf8))
            let written = try JSON(parsing: JSONAPIEncoder().encode(author))
            #expect(try written["data"]?["relationships"]?["person"] == expected.map { try JSON(parsing: $0) })
        }
    }
}
