import Foundation
import JSONText
import Testing

@testable import JSONAPICodec

/// The size of reports: limited for every document.
@Suite struct ReportSizeTests {
    /// A resource with a long relationship name, and linkage with many faults.
    static func longRelationship(_ bytes: Int) -> String {
        let name = String(repeating: "n", count: bytes / 2)
        let faults = (0..<(bytes / 60)).map { #"{"type": "p", "id": "\#($0)", "x": 1}"# }.joined(separator: ",")
        return related("{\"data\": []}").replacingOccurrences(of: "author", with: name).replacingOccurrences(of: "[]", with: "[\(faults)]")
    }

    static func manyFaults(_ count: Int) -> String {
        #"{"data": [\#((0..<count).map { #"{"type": "a", "id": "\#($0)", "x": 1}"# }.joined(separator: ","))]}"#
    }

    /// Links that are described by links, each with a fault.
    static func deep(_ levels: Int) -> String {
        let link = Array(repeating: #"{"href": "", "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnn": 1, "describedby": "#, count: levels).joined()
        return #"{"data": null, "links": {"self": \#(link)null\#(String(repeating: "}", count: levels))}}"#
    }

    static let documents: [(name: String, text: String, faults: Int)] = [
        ("long name, 80 KB", longRelationship(80_000), 80_000 / 60),
        ("long name, 800 KB", longRelationship(800_000), 800_000 / 60),
        ("many faults", manyFaults(20_000), 20_000),
        ("deep", deep(400), 400),
    ]

    @Test(arguments: documents.indices) func diagnosticsHaveAMaximumSize(_ number: Int) throws {
        let (name, text, faults) = Self.documents[number]
        let found = try JSONAPIDecoder().decodeWithDiagnostics(DocumentObject.self, from: Data(text.utf8)).diagnostics
        #expect(found.count(of: .unknownMember) == faults, "\(name)")
        #expect(found.count + found.omittedCount == faults)
        let spelled = found.reduce(0) { $0 + $1.pointer.description.utf8.count + $1.message.utf8.count }
        #expect(spelled <= 1 << 18, "\(name)")
        #expect(found.map(\.description).joined().utf8.count < 3_000_000)
    }

    @Test func theMaximumSizeOfDiagnosticsIsAnOption() throws {
        var decoder = JSONAPIDecoder()
        let text = Data(Self.manyFaults(100).utf8)
        decoder.maximumDiagnosticBytes = 2000
        let few = try decoder.decode(Document<[ResourceObject]>.self, from: text).diagnostics
        #expect(few.count > 2 && few.count < 20)
        #expect(few.count + few.omittedCount == 100)
        #expect(few.count(of: .unknownMember) == 100)
        decoder.maximumDiagnosticBytes = 0
        #expect(try decoder.decode(Document<[ResourceObject]>.self, from: text).diagnostics.omittedCount == 100)
    }

    /// The cost of diagnostics.
    private func cost(_ diagnostics: Diagnostics) -> Int {
        diagnostics.reduce(0) { $0 + $1.pointer.description.utf8.count + $1.message.utf8.count + Diagnostic.overhead }
    }

    private struct Book: Resource {
        static let type = "books"
        var id: String
        var author: Blog.Person?
    }

    @Test func theDocumentAndItsModelsShareOneMaximumSize() throws {
        let books = (0..<100).map {
            #"{"type":"books","id":"\#($0)","x":1,"relationships":{"author":{"data":{"type":"people","id":"1"}}}}"#
        }
        var decoder = JSONAPIDecoder()
        decoder.missingResources = .omit
        let text = Data(#"{"data":[\#(books.joined(separator: ","))]}"#.utf8)
        for limit in [0, 1000, 5000, 20_000, 1 << 18] {
            decoder.maximumDiagnosticBytes = limit
            let found = try decoder.decode(Document<[Book]>.self, from: text).diagnostics
            #expect(found.count(of: .unknownMember) == 100 && found.count(of: .notIncluded) == 100)
            #expect(found.count + found.omittedCount == 200)
            #expect(cost(found) <= limit && cost(found) > min(limit, 30_000) - 1000, "\(limit)")
        }
    }

    @Test func longNamesInMessagesAreTruncated() throws {
        let name = String(repeating: "n", count: 50_000)
        let text = article(#""attributes": {"\#(name)": 1}, "relationships": {"\#(name)": {"data": null}}"#)
        let found = try JSONAPIDecoder().decodeWithDiagnostics(DocumentObject.self, from: Data(text.utf8)).diagnostics
        #expect(found.map(\.kind) == [.fieldNameClash])
        #expect(found.allSatisfy { $0.message.utf8.count < 1200 && $0.description.utf8.count < 3000 })
    }

    @Test func reportsOfOneDocumentAreEqualForEveryMaximumSize() throws {
        var decoder = JSONAPIDecoder()
        let text = Data(Self.manyFaults(3).utf8)
        let one = try decoder.decode(Document<[ResourceObject]>.self, from: text).diagnostics
        decoder.maximumDiagnosticBytes = 10_000
        #expect(try decoder.decode(Document<[ResourceObject]>.self, from: text).diagnostics == one)
    }

    // MARK: - Pointers for people

    @Test func shortPointersAreNotTruncated() {
        let pointer = JSONPointer("data", "a/b", "~", "")
        #expect(pointer.shortened(to: 100) == "/data/a~1b/~0/")
        #expect(JSONPointer.root.shortened(to: 0).isEmpty)
    }

    @Test(arguments: [0, 1, 7, 20, 100, 1000]) func longPointersAreTruncatedInTheMiddle(_ limit: Int) {
        let long = JSONPointer(tokens: (0..<2000).map { "é\($0)~/" })
        let text = long.shortened(to: limit)
        #expect(text.utf8.count <= 2 * limit + 3)
        #expect(text.contains("…") && !text.contains("\u{FFFD}"))
        let parts = text.split(separator: "…", omittingEmptySubsequences: false)
        #expect(parts.count == 2)
        #expect(long.description.hasPrefix(String(parts[0])) && long.description.hasSuffix(String(parts[1])))
    }

    @Test func longTextsAreTruncatedInTheMiddle() {
        #expect("abcdef".shortened(to: 6) == "abcdef")
        #expect("abcdefg".shortened(to: 6) == "abc…efg")
        #expect("ééé€".shortened(to: 5) == "é…")
        let oneCharacter = "e" + String(repeating: "\u{301}", count: 50_000)
        #expect(oneCharacter.shortened(to: 60).utf8.count < 70)
    }
}
