import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONMapping
import JSONText
import TestSupport
import Testing

/// What refusing a request costs, and how long the response is.
@Suite struct RefusalCostTests {
    struct Article: Resource {
        static let type = "articles"
        var id: String?
        var title: String?
    }

    /// A resource whose attributes a client chooses.
    struct Record: Resource {
        static let type = "records"
        var id: String?
        var fields: [String: JSON] = [:]

        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: Key.self)
            id = try map.decodeIfPresent(String.self, forKey: .id)
            for key in map.allKeys where key.stringValue != "id" && key.stringValue != "type" {
                fields[key.stringValue] = try map.decode(JSON.self, forKey: key)
            }
        }

        func encode(to encoder: any Encoder) throws {
            var map = encoder.container(keyedBy: Key.self)
            try map.encode(id, forKey: .id)
            for (name, value) in fields { try map.encode(value, forKey: Key(name)) }
        }
    }

    private func check(_ from: Int, _ problems: Int, _ refuse: (Int) throws -> Void) throws {
        let growth = try TimeGrowth(from: from) { count in
            var thrown: (any Error)?
            let seconds = processorSeconds { do { try refuse(count) } catch { thrown = ErrorDocument(error) } }
            let document = try #require(thrown as? ErrorDocument)
            let size = document.errors.reduce(0) { $0 + ($1.source?.pointerText?.utf8.count ?? 0) }
            #expect(size <= ErrorDocument.maximumBytes)
            #expect(document.commonStatus == 422)
            return seconds
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test("Many unknown lids in a relationship with a long name cost no more than the request is long")
    func localIDs() throws {
        try check(5000, 1000) { count in
            let name = String(repeating: "r", count: count)
            let lids = (0..<count / 5).map { #"{"type":"t","lid":"\#($0)"}"# }.joined(separator: ",")
            let body = #"{"data":{"type":"articles","id":"1","relationships":{"\#(name)":{"data":[\#(lids)]}}}}"#
            _ = try Changes<Article>(Data(body.utf8))
        }
    }

    @Test("Many issues at long places cost no more than they are long")
    func issues() throws {
        try check(5000, 1000) { count in
            let name = String(repeating: "r", count: count)
            throw ValidationError(
                (0..<count / 5).map {
                    MappingIssue(.required, at: JSONPointer("data", "attributes", name, "\($0)"), expected: "a", found: "b")
                })
        }
    }

    @Test("An error that the maximum size does not cover does not hide the others")
    func longFirst() {
        let issues = [String(repeating: "r", count: 2 << 20), "a", "b"].map {
            MappingIssue(.required, at: JSONPointer("data", "attributes", $0, "x"), expected: "a", found: "b")
        }
        let document = ErrorDocument(ValidationError(issues))
        #expect(document.errors.compactMap { $0.source?.pointerText } == ["/data/attributes/a", "/data/attributes/b"])
        #expect(document.errors.count == 3)
    }

    @Test("Many attributes whose names are paths are checked in one pass")
    func parts() {
        let growth = TimeGrowth(from: 500) { count in
            let attributes = (0..<count).map { #""k\#($0).x":1"# }.joined(separator: ",")
            let body = Data(#"{"data":{"type":"records","attributes":{\#(attributes)}}}"#.utf8)
            return processorSeconds { _ = try? JSONAPIDecoder().decodeNew(Record.self, from: body, ignoringUnknownNames: false) }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test("A name that is a path of very many names is refused")
    func longPath() {
        let name = Array(repeating: "a", count: 2000).joined(separator: ".")
        let body = Data(#"{"data":{"type":"records","id":"1","attributes":{"\#(name)":1}}}"#.utf8)
        // In a request, the name is only a path, at which there is no value.
        let error = #expect(throws: (any Error).self) { try JSONAPIDecoder().decodeNew(Record.self, from: body) }
        #expect(error.map { ErrorDocument($0).commonStatus } == 422)
    }

    @Test("A link to a type that is not a legal name is refused, because a response could not have it", arguments: ["a?b", "@a", "ns:a"])
    func illegalTypes(_ type: String) throws {
        struct Post: Resource {
            static let type = "posts"
            var id: String?
            var related: ToMany<ResourceObject>
        }
        let body = Data(
            #"{"data":{"type":"posts","id":"1","relationships":{"related":{"data":[{"type":"\#(type)","id":"2"}]}}}}"#.utf8)
        let old = Post(id: "1", related: .empty)
        var lax = JSONAPIEncoder()
        lax.checksNames = false
        for body in [
            { try JSONAPIDecoder().decodeNew(Post.self, from: body, encoder: $0) },
            { try Changes<Post>(body).applied(to: old, encoder: $0) },
        ] as [(JSONAPIEncoder?) throws -> Post] {
            let error = #expect(throws: ErrorDocument.self) { try body(nil) }
            #expect(error?.errors.first?.source?.pointerText == "/data/relationships/related" && error?.commonStatus == 422)
            #expect(try body(lax).related.identifiers?.map(\.id) == ["2"])
        }
    }
}
