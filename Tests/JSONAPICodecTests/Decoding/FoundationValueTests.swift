import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Decimals, UUIDs and URLs, compared with Foundation.
@Suite("Decimals and UUIDs equal those that Foundation makes")
struct FoundationValueTests {
    private struct Sum: Resource {
        static let type = "sums"
        var id: String
        var value: Decimal
    }

    private func decimal(_ text: String) throws -> Decimal {
        let data = Data(#"{"data":{"type":"sums","id":"1","attributes":{"value":\#(text)}}}"#.utf8)
        return try JSONAPIDecoder().decode(Sum.self, from: data).value
    }

    @Test(
        "Zeros that do not change a number do not make it too small",
        arguments: [("1.0e-128", "1e-128"), ("92.7700000e-124", "9277e-126"), ("-0.00100e-120", "-1e-123"), ("10000e-130", "1e-126")])
    func zerosAtTheEnd(text: String, equal: String) throws {
        #expect(try decimal(text) == #require(Decimal(string: equal, locale: nil)))
    }

    @Test("Decimals of any length")
    func decimals() throws {
        var texts = [
            "0", "-0", "0.0", "-0.00", "1.50", "-1.50", "100", "1000.000", "0.1", "-0.1", "12345678901234567890", "9999999999999999999",
            "999999999999999999", "0.00000000000000001", "0.12345678901234567", "123456789.123456789", "1e2", "-1.5e-3", "7", "-7",
        ]
        for _ in 0..<500 {
            let whole = String(UInt64.random(in: 0...UInt64.max) >> UInt64.random(in: 0..<64))
            let digits = String((0..<Int.random(in: 0..<12)).map { _ in "0123456789".randomElement() ?? "0" })
            texts.append((Bool.random() ? "-" : "") + whole + (digits.isEmpty ? "" : "." + digits))
        }
        for text in texts {
            let expected = try #require(Decimal(string: text, locale: nil))
            let found = try decimal(text)
            #expect(found == expected && found.description == expected.description && found.hashValue == expected.hashValue, "\(text)")
            #expect(!found.isNaN && (found + 1) == expected + 1, "\(text)")
        }
    }

    private struct Values: Resource {
        static let type = "values"
        var id: String
        var value: Decimal?
        var page: URL?
        var date: Date?
        var data: Data?
    }

    @Test(
        "Errors for values of Foundation's types say what to do",
        arguments: [
            (
                #""page":"""#,
                "declare the property as an optional with @EmptyAsNil of JSONMapping if the server writes an empty string for no value"
            ),
            (#""date":1700000000"#, "set dateDecodingStrategy to .secondsSince1970 or .millisecondsSince1970"),
            (#""data":"?""#, "choose a dataDecodingStrategy for data of another form"),
        ])
    func advice(member: String, advice: String) throws {
        let text = #"{"data":{"type":"values","id":"1","attributes":{\#(member)}}}"#
        let error = #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode(Values.self, from: Data(text.utf8)) }
        #expect(error?.failure?.advice == advice)
    }

    @Test(
        "A URL has the address in its text, also if Foundation has to encode a character",
        arguments: [
            ("https://x.example/people?page[after]=a%2Bb", "https://x.example/people?page%5Bafter%5D=a%2Bb"),
            ("/søk/a%2Fb?q=c d", "/s%C3%B8k/a%2Fb?q=c%20d"), ("/a%2Fb", "/a%2Fb"),
            ("/people?page[size]=2", "/people?page%5Bsize%5D=2"), ("https://x.example:80/a?b#c", "https://x.example:80/a?b#c"),
        ])
    func addresses(text: String, address: String) throws {
        let data = Data(#"{"data":{"type":"values","id":"1","attributes":{"page":"\#(text)"}}}"#.utf8)
        #expect(try JSONAPIDecoder().decode(Values.self, from: data).page?.absoluteString == address)
        // A text without a percent sign is what Foundation makes of it.
        if !text.contains("%") { #expect(URL(string: text)?.absoluteString == address) }
    }

    @Test("Null for a decimal is a missing value")
    func nullDecimal() {
        let error = #expect(throws: DecodingError.self) { try decimal("null") }
        #expect(error?.failure?.kind == .unexpectedNull)
        #expect(error?.failure?.advice == "make the property optional if null is allowed")
    }

    private struct Scan: Resource {
        static let type = "scans"
        var id: UUID
        var value: UUID?
    }

    private func scan(_ id: String, _ value: String) throws -> Scan {
        try JSONAPIDecoder().decode(
            Scan.self, from: Data(#"{"data":{"type":"scans","id":"\#(id)","attributes":{"value":"\#(value)"}}}"#.utf8))
    }

    @Test("UUIDs in upper, lower and mixed case, as ids too")
    func uuids() throws {
        for _ in 0..<100 {
            let uuid = UUID()
            for text in [uuid.uuidString, uuid.uuidString.lowercased()] {
                let found = try scan(text, text)
                #expect(found.id == uuid && found.value == uuid)
            }
        }
        let mixed = "e621E1F8-c36C-495a-93FC-0C247a3e6E5f"
        let escaped = #"\u0065621E1F8-c36C-495a-93FC-0C247a3e6E5f"#
        #expect(try scan(mixed, escaped).value == UUID(uuidString: mixed))
        let wrong = [
            "", "e621E1F8-c36C-495a-93FC-0C247a3e6E5", "e621E1F8-c36C-495a-93FC-0C247a3e6E5f0", "e621E1F8c36C-495a-93FC-0C247a3e6E5ff-",
            "g621E1F8-c36C-495a-93FC-0C247a3e6E5f", "e621E1F8-c36C-495a-93FC-0C247a3e6E5:", "e621E1F8-c36C-495a-93FC-0C247a3e6E5@",
            "e621E1F8-c36C-495a-93FC-0C247a3e6E5`", #"e621E1F8-c36C-495a-93FC-0C247a3e6E5f\u0000rest"#,
        ]
        for text in wrong {
            #expect(throws: DecodingError.self, "\(text)") { try scan(mixed, text) }
            #expect(throws: DecodingError.self, "\(text)") { try scan(text, mixed) }
        }
    }

    private struct Crowd: Resource {
        static let type = "crowds"
        var id: String
        var members: Set<ResourceIdentifier>?
        var note: String?
    }

    @Test("A property that cannot be a relationship is an error if the resource has a relationship of its name, and not silently nil")
    func misplacedRelationships() throws {
        func text(_ fields: String) -> Data { Data(#"{"data":{"type":"crowds","id":"1"\#(fields)}}"#.utf8) }
        let related = #","relationships":{"members":{"data":[{"type":"people","id":"9"}]},"note":{"data":null}}"#
        let error = #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode(Crowd.self, from: text(related)) }
        #expect(error?.failure?.description.contains("ToMany") == true)
        #expect(try JSONAPIDecoder(mode: .lenient).decode(Crowd.self, from: text(related)).members == nil)
        for absent in ["", #","attributes":{"members":null}"#, #","attributes":{"members":null,"note":"a"}"# + related] {
            #expect(try JSONAPIDecoder().decode(Crowd.self, from: text(absent)).members == nil)
        }
        let scalar = #expect(throws: DecodingError.self) {
            try JSONAPIDecoder().decode(Crowd.self, from: text(#","relationships":{"note":{"data":null}}"#))
        }
        #expect(scalar?.failure?.description.contains("ToOne") == true)
    }

    @Test("A lid and meta that are null in an identifier are absent")
    func nullMembersOfIdentifiers() throws {
        struct Post: Resource {
            static let type = "posts"
            var id: String
            var author: ToOne<Post>
        }
        func post(_ members: String) throws -> Post {
            let linkage = #"{"type":"posts","id":"9"\#(members)}"#
            let text = #"{"data":{"type":"posts","id":"1","relationships":{"author":{"data":\#(linkage)}}}}"#
            return try JSONAPIDecoder().decode(Post.self, from: Data(text.utf8))
        }
        let read = try post(#","lid":null,"meta":null"#)
        #expect(read.author == ToOne(id: "9") && read.author.identifier?.lid == nil && read.author.identifier?.meta == nil)
        #expect(throws: Never.self) { try JSONAPIEncoder().encode(read) }
        #expect(throws: DecodingError.self) { try post(#","lid":5"#) }
    }

    @Test("A lid is found although an earlier model of the same type had none")
    func lids() throws {
        struct Draft: Resource {
            static let type = "drafts"
            var id: String?
            var lid: LocalID?
        }
        struct Plain: Resource {
            static let type = "plain"
            var id: String?
        }
        for lid in [nil, "a", nil, "b"] {
            let body = try JSON(parsing: JSONAPIEncoder().encode(Create(Draft(lid: lid.map { LocalID($0) }))))
            #expect(body["data"]?["lid"]?.string == lid)
            #expect(try JSON(parsing: JSONAPIEncoder().encode(Create(Plain())))["data"] == ["type": "plain"])
        }
    }
}
