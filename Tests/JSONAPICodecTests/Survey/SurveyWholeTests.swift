import Foundation
import JSONText
import Testing

@testable import JSONAPICodec

/// Checks over a whole document.
@Suite struct SurveyWholeTests {
    private func diagnostics(_ text: String, _ decoder: JSONAPIDecoder = JSONAPIDecoder()) throws -> Diagnostics {
        try decoder.decodeWithDiagnostics(DocumentObject.self, from: Data(text.utf8)).diagnostics
    }

    private func failure(_ text: String, _ decoder: JSONAPIDecoder = JSONAPIDecoder()) -> DecodingFailure? {
        do {
            _ = try diagnostics(text, decoder)
            return nil
        } catch {
            return (error as? DecodingError)?.failure
        }
    }

    // MARK: - Linkage

    @Test func linkageContinuesThroughIncludedResources() throws {
        let found = try diagnostics(
            related(
                #"{"data": {"type": "people", "id": "3"}}"#,
                beside:
                    #""included": [{"type": "islands", "id": "9", "relationships": {"twin": {"data": {"type": "islands", "id": "9"}}}},"#
                    + #"{"type": "cities", "id": "1"}, {"type": "people", "id": "3", "relationships": {"homes": {"data":"#
                    + #"[{"type": "cities", "id": "1"}]}, "work": {"links": {"related": "/x"}}}}]"#))
        #expect(found.map(\.kind) == [.notLinked])
        #expect(found.map(\.pointer.description) == ["/included/0"])
    }

    @Test func identifiersAsPrimaryDataCanBeIncluded() throws {
        let text =
            #"{"data": [{"type": "people", "id": "3"}], "included": [{"type": "people", "id": "3", "attributes": {"name": "Jane"},"#
            + #""relationships": {"city": {"data": {"type": "cities", "id": "1"}}}}, {"type": "cities", "id": "1"}]}"#
        #expect(try diagnostics(text, JSONAPIDecoder(mode: .strict)).isEmpty)
    }

    @Test func repeatedIncludedResourcesAreReported() {
        let text = #"{"data": [{"type": "a", "id": "3"}], "included": [{"type": "a", "id": "3"}, {"type": "a", "id": "3"}]}"#
        #expect(failure(text)?.kind == .duplicateResource)
        #expect(failure(text)?.pointer == JSONPointer("included", "1"))
    }

    @Test func atMembersLinkNothing() throws {
        let text =
            #"{"data": {"type": "a", "id": "1", "relationships": {"@r": {"data": {"type": "a", "id": "2"}}}},"#
            + #""included": [{"type": "a", "id": "2"}]}"#
        #expect(failure(text, JSONAPIDecoder(mode: .strict))?.kind == .notLinked)
        #expect(try diagnostics(text).map(\.kind) == [.notLinked])
    }

    @Test func aLongChainOfLinkageNeedsNoStack() throws {
        let count = 20_000
        let included = (1...count).map {
            #"{"type": "n", "id": "\#($0)", "relationships": {"next": {"data": {"type": "n", "id": "\#($0 + 1)"}}}}"#
        }
        let text =
            #"{"data": {"type": "n", "id": "0", "relationships": {"next": {"data": {"type": "n", "id": "1"}}}}, "included": ["#
            + included.joined(separator: ",") + "]}"
        #expect(try diagnostics(text).isEmpty)
    }

    @Test func linksThatDescribeEachOtherNeedNoStack() throws {
        let depth = 400
        let link = String(repeating: #"{"href": "", "describedby": "#, count: depth) + "7" + String(repeating: "}", count: depth)
        #expect(failure(#"{"data": null, "links": {"self": \#(link)}}"#)?.pointer.tokens.count == depth + 2)
    }

    // MARK: - Embedded resources

    @Test func membersOfEmbeddedResourcesAreChecked() throws {
        let text = related(
            #"{"data": {"type": "people", "id": "3", "attributes": {"id": 1},"#
                + #""relationships": {"city": {"data": {"type": "cities", "id": 4}}}}}"#
        )
        let found = try diagnostics(text, JSONAPIDecoder(mode: .lenient))
        #expect(
            found.map { "\($0.kind) \($0.pointer)" } == [
                "leniency.embeddedResources /data/relationships/author/data/attributes",
                "reservedFieldName /data/relationships/author/data/attributes/id",
                "leniency.integerIDs /data/relationships/author/data/relationships/city/data/id",
            ])
    }

    @Test func eachKindOfEmbeddedResourceHasALeniency() throws {
        var decoder = JSONAPIDecoder()
        decoder.leniencies = .identifiersWithoutID
        let whole = try diagnostics(related(#"{"data": {"type": "p", "id": "3", "attributes": {}}}"#), decoder)
        #expect(whole.map(\.kind) == [.unknownMember])
        let other = try diagnostics(
            related(#"{"data": {"type": "p", "id": "3", "attributes": 7}}"#), JSONAPIDecoder(mode: .lenient))
        #expect(other.map(\.kind) == [.unknownMember])
        decoder.leniencies = .embeddedResources
        #expect(failure(related(#"{"data": {"type": "p", "attributes": {}}}"#), decoder)?.kind == .missingMember)
    }

    // MARK: - Diagnostics

    @Test func diagnosticsAreInDocumentOrder() throws {
        let found = try diagnostics(
            #"{"total": 1, "included": [{"type": "p", "id": "1", "href": 1}],"#
                + #""data": [{"type": "a", "id": "1", "attributes": {"type": 1, "b": 1, "b": 2}}], "links": {"x": 1}}"#
        )
        #expect(
            found.map { "\($0.kind) \($0.pointer)" } == [
                "unknownMember /total", "notLinked /included/0", "unknownMember /included/0/href",
                "reservedFieldName /data/0/attributes/type", "duplicateName /data/0/attributes/b", "unknownLink /links/x",
            ])
    }

    @Test func aThousandDiagnosticsAreKeptAndAllAreCounted() throws {
        let members = (0..<2500).map { "\"m\($0)\": 1" }.joined(separator: ",")
        let found = try diagnostics(#"{"data": null, \#(members), "links": {"x": 1}}"#)
        #expect(found.count == 1000)
        #expect(found.omittedCount == 1501)
        #expect(found.count(of: .unknownMember) == 2500)
        #expect(found.count(of: .unknownLink) == 1)
        var both = found
        both.append(found)
        #expect(both.count(of: .unknownMember) == 5000)
        #expect(both.count + both.omittedCount == 5002)
    }

    @Test func pointersOfManyValuesTakeLinearTime() throws {
        let json = #"{"a": [0, {"b": [[], {"c": 1}]}, 2], "d": {}, "e": "x"}"#
        let bytes = Array(json.utf8)
        try bytes.withUnsafeBufferPointer { buffer in
            let tape = try Tape.borrowing(buffer, options: JSONReadingOptions())
            let view = tape.view
            let words = ["/a", "/a/0", "/a/1/b", "/a/1/b/0", "/a/1/b/1/c", "/a/2", "/d", "/e"]
            var found: [(Int, String)] = []
            var stack = [view.root]
            while let word = stack.popLast() {
                found.append((word, view.pointer(to: word).description))
                if view.isObject(word) { view.forEachMember(of: word) { stack.append($1) } }
                if view.isArray(word) { view.forEachElement(of: word) { element, _ in stack.append(element) } }
            }
            var walk = PointerWalk(view)
            for (word, pointer) in found.sorted(by: { $0.0 < $1.0 }) { #expect(walk.pointer(to: word).description == pointer) }
            var some = PointerWalk(view)
            for (word, pointer) in found.sorted(by: { $0.0 < $1.0 }) where words.contains(pointer) {
                #expect(some.pointer(to: word).description == pointer)
                #expect(some.pointer(to: word).description == pointer)
            }
        }
    }

    // MARK: - Failures

    @Test func aFailureHasItsPlaceResourceAndAdvice() throws {
        let text = "{\"data\": [\n{\"type\": \"a\", \"id\": \"1\", \"links\": null}]}"
        let failure = try #require(self.failure(text))
        #expect(failure.resource == ResourceIdentifier(type: "a", id: "1"))
        #expect(failure.position?.line == 2)
        #expect(failure.offset == text.utf8.count - 7)
        #expect(
            failure.description
                == "line 2, column 35, /data/0/links (a 1): expected a links object, found null; set the leniency nullContainers to read it"
        )
    }

    @Test func repeatedNamesAreReportedIfTheReadingOptionsAcceptThem() throws {
        var decoder = JSONAPIDecoder(mode: .strict)
        for (value, pointer) in [(#"{"c": 1, "c": 2}"#, "/data/attributes/b"), (#"{"c": 1, "c": 2}, "b": 3"#, "/data/attributes")] {
            let text = #"{"data": {"type": "a", "id": "1", "attributes": {"b": \#(value)}}}"#
            decoder.reading.duplicateNames = .refuse
            let fromText = try #require(failure(text, decoder))
            decoder.reading.duplicateNames = .keep
            let fromSurvey = try #require(failure(text, decoder))
            #expect(fromText == fromSurvey)
            #expect(fromText.offset == fromSurvey.offset)
            #expect(fromSurvey.pointer.description == pointer)
        }
    }

    @Test func extensionsCanBeLimited() throws {
        let text = #"{"data": null, "jsonapi": {"ext": ["https://example.com/a", "https://example.com/b"]}}"#
        var decoder = JSONAPIDecoder()
        decoder.supportedExtensions = ["https://example.com/a"]
        #expect(failure(text, decoder)?.kind == .unsupportedExtension)
        #expect(failure(text, decoder)?.pointer.description == "/jsonapi/ext/1")
        decoder.supportedExtensions = ["https://example.com/a", "https://example.com/b"]
        #expect(try diagnostics(text, decoder).isEmpty)
    }

    // MARK: - Where it runs

    struct Article: Resource {
        static let type = "articles"
        var id: String
    }

    @Test func strictModeChecksBeforeDecoding() throws {
        let text = Data(article(#""attributes": {"type": 1}"#).utf8)
        #expect(throws: DecodingError.self) { try JSONAPIDecoder(mode: .strict).decode(Article.self, from: text) }
        #expect(try JSONAPIDecoder().decode(Article.self, from: text).id == "1")
    }

    @Test func documentsContainTheDiagnostics() throws {
        let document = try JSONAPIDecoder().decode(Document<Article>.self, from: Data(article(#""attributes": {"type": 1}"#).utf8))
        #expect(document.diagnostics.map(\.kind) == [.reservedFieldName])
    }

    @Test func anotherFaultDoesNotHideErrors() throws {
        let text = Data(#"{"errors": ["no"], "links": 7, "included": null}"#.utf8)
        for decoder in [JSONAPIDecoder(), JSONAPIDecoder(mode: .lenient)] {
            let thrown = #expect(throws: ErrorDocument.self) { try decoder.decode(Article.self, from: text) }
            #expect(thrown?.errors.first?.detail == "no")
            #expect(thrown?.diagnostics.contains { $0.pointer == JSONPointer("links") } == true)
        }
        #expect(throws: DecodingError.self) { try JSONAPIDecoder(mode: .strict).decode(Article.self, from: text) }
    }

    // MARK: - Full linkage

    @Test func strictModeAllowsForASparseFieldset() throws {
        let text = #"{"data": {"type": "books", "id": "7"}, "included": [{"type": "people", "id": "3"}]}"#
        var decoder = JSONAPIDecoder(mode: .strict)
        #expect(failure(text, decoder)?.kind == .notLinked)
        #expect(failure(text, decoder)?.pointer.description == "/included/0")
        decoder.fields = ["books": ["title"]]
        #expect(try diagnostics(text, decoder).map(\.kind) == [.notLinked])
        decoder.fields = ["films": ["title"]]
        #expect(failure(text, decoder)?.kind == .notLinked)
    }

    @Test func strictModeDoesNotCheckLinkageOfRequests() throws {
        var decoder = JSONAPIDecoder(mode: .strict)
        decoder.source = .request
        let text = #"{"data": {"type": "books"}, "included": [{"type": "people", "lid": "3"}]}"#
        #expect(try diagnostics(text, decoder).map(\.kind) == [.notLinked])
    }

    @Test func collisionsAreFoundAmongManyFields() throws {
        // There are two algorithms, depending on the number of attributes and relationships.
        for (attributes, relationships) in [(1, 1), (16, 2), (17, 1), (17, 2), (40, 20)] {
            let names = (0..<attributes).map { "\"a\($0)\": 1" }.joined(separator: ", ")
            let others = (1..<max(relationships, 1)).map { "\"r\($0)\": {\"data\": null}, " }.joined()
            let clash = "a\(attributes - 1)"
            let text = article(#""attributes": {\#(names)}, "relationships": {\#(others)"\#(clash)": {"data": null}}"#)
            let found = try diagnostics(text)
            #expect(found.map(\.kind) == [.fieldNameClash], "\(attributes), \(relationships)")
            #expect(found.first?.pointer == JSONPointer("data", "relationships", clash))
            #expect(failure(text, JSONAPIDecoder(mode: .strict))?.kind == .duplicateName)
        }
    }
}
