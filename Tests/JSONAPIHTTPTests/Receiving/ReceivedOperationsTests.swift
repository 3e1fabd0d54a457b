import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONText
import Testing

@Suite("Received atomic operations")
struct ReceivedOperationsTests {
    struct Article: Resource {
        static let type = "articles"
        var id: String?
        var title: String
        var author: ToOne<Blog.Person> = .notLoaded
    }

    private func operations(_ texts: String...) throws -> ReceivedOperations {
        try ReceivedOperations(Data(#"{"atomic:operations":[\#(texts.joined(separator: ","))]}"#.utf8))
    }

    private func answer(_ body: () throws -> Void) -> [String] {
        do { try body() } catch {
            return ErrorDocument(error).errors.map { "\($0.status ?? "") \($0.source?.pointerText ?? "")" }
        }
        return []
    }

    @Test("Operations run with ids in place of lids")
    func roundTrip() throws {
        var sent = AtomicOperations()
        let ann = sent.add(ResourceObject(type: "people", attributes: ["name": "Ann"]))
        let post = sent.add(Article(title: "T"), linking: ["author": ann])
        sent.add([ann], to: "readers", of: post)
        sent.replace("author", of: ResourceIdentifier(type: "articles", id: "1"), with: .one(ann))
        sent.update(Patch<Article>(id: "1").set("title", "New"))
        sent.remove(ResourceIdentifier(type: "tags", id: "3"))
        let received = try ReceivedOperations(JSONAPIEncoder().encode(sent))
        #expect(received.map(\.code) == [.add, .add, .add, .update, .update, .remove])

        var log: [String] = []
        let results = try received.run { operation in
            switch (operation.code, operation.type, operation.relationship) {
            case (.add, "people", nil):
                log.append("person")
                return try AtomicResult(ResourceObject(type: "people", id: "p1"))
            case (.add, "articles", nil):
                let article = try operation.resource(Article.self)
                log.append("article \(article.title) by \(article.author.id ?? "?")")
                return try AtomicResult(Article(id: "a1", title: article.title))
            case (_, "articles", let relationship?):
                log.append("\(operation.code) \(relationship) of \(operation.target?.id ?? "?"): \(operation.linkage.description)")
                return .empty
            case (.update, "articles", nil):
                let changes = try operation.changes(Article.self)
                log.append("change \(changes.names) of \(changes.identifier.id ?? "?")")
                return .empty
            default:
                log.append("\(operation.code) \(operation.target?.description ?? "?")")
                return .empty
            }
        }
        let person = #"{"type":"people","id":"p1"}"#
        #expect(
            log == [
                "person", "article T by p1", "add readers of a1: [\(person)]", "update author of 1: \(person)",
                #"change ["title"] of 1"#, #"remove {"type":"tags","id":"3"}"#,
            ])
        let response = try JSONAPIResponse.results(results)
        #expect(response.status == 200)
        #expect(response.headers["Content-Type"] == #"application/vnd.api+json;ext="https://jsonapi.org/ext/atomic""#)
        let read = try JSONAPIDecoder().decode(AtomicResults.self, from: response.body ?? Data(), for: sent)
        #expect(try read.resource(Article.self, at: 1)?.id == "a1")
        #expect(try JSONAPIResponse.results(AtomicResults([.empty, .empty])) == .noContent)
        #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(AtomicResults([])) }
    }

    @Test("Operations can be asynchronous, and an error names its operation")
    func errors() async throws {
        let received = try operations(
            #"{"op":"add","data":{"type":"articles","lid":"a","attributes":{"title":"T"}}}"#,
            #"{"op":"add","data":{"type":"articles","attributes":{"title":7}}}"#, #"{"op":"remove","ref":{"type":"articles","lid":"a"}}"#)
        var count = 0
        do {
            _ = try await received.run { operation in
                await Task.yield()
                count += 1
                _ = try operation.resource(Article.self)
                return .empty
            }
            Issue.record("nothing was thrown")
        } catch let document as ErrorDocument {
            #expect(document.errors(at: "title", operation: 1).first?.status == "422")
        }
        #expect(count == 2)
        let unnamed = answer {
            _ = try received.run { _ in .empty }
        }
        #expect(unnamed == ["500 /atomic:operations/2/ref/lid"])
        let unknown = answer {
            _ = try operations(#"{"op":"remove","ref":{"type":"articles","lid":"a"}}"#).run { _ in .empty }
        }
        #expect(unknown == ["400 /atomic:operations/0/ref/lid"])
        struct Broken: Error {}
        #expect(answer { _ = try received.run { _ in throw Broken() } } == ["500 /atomic:operations/0"])
    }

    @Test(
        "Invalid operations are errors with their place",
        arguments: [
            (#"7"#, "/atomic:operations/0"), (#"{"op":"replace"}"#, "/atomic:operations/0/op"), (#"{}"#, "/atomic:operations/0"),
            (#"{"op":"remove"}"#, "/atomic:operations/0"),
            (#"{"op":"remove","ref":{"type":"a","id":"1"},"href":"/a/1"}"#, "/atomic:operations/0"),
            (#"{"op":"remove","ref":{"type":"a"}}"#, "/atomic:operations/0/ref"),
            (#"{"op":"remove","ref":{"type":"a","id":"1","lid":"x"}}"#, "/atomic:operations/0/ref"),
            (#"{"op":"remove","ref":{"type":"a","id":7}}"#, "/atomic:operations/0/ref/id"),
            (#"{"op":"remove","ref":{"type":7,"lid":"x"}}"#, "/atomic:operations/0/ref/type"),
            (#"{"op":"remove","ref":{"id":"1"}}"#, "/atomic:operations/0/ref"), (#"{"op":"remove","ref":7}"#, "/atomic:operations/0/ref"),
            (#"{"op":"add"}"#, "/atomic:operations/0"), (#"{"op":"add","data":[]}"#, "/atomic:operations/0/data"),
            (#"{"op":"add","data":5}"#, "/atomic:operations/0/data"),
            (#"{"op":"update","ref":{"type":"a","id":"1"},"data":null}"#, "/atomic:operations/0/data"),
            (#"{"op":"update","ref":{"type":"a","id":"1","relationship":"b"},"data":5}"#, "/atomic:operations/0/data"),
            (
                #"{"op":"add","ref":{"type":"a","id":"1","relationship":"b"},"data":[{"type":"b","id":"1"},5]}"#,
                "/atomic:operations/0/data/1"
            ),
            (#"{"op":"update","data":{"type":"a"}}"#, "/atomic:operations/0/data"),
            (#"{"op":"update","ref":{"type":"a","id":"1","relationship":"b"}}"#, "/atomic:operations/0"),
            (#"{"op":"update","ref":{"type":"a","id":"1","relationship":7},"data":null}"#, "/atomic:operations/0/ref/relationship"),
            (#"{"op":"remove","ref":{"type":"a","id":"1"},"meta":0}"#, "/atomic:operations/0/meta"),
            (#"{"op":"remove","href":7}"#, "/atomic:operations/0/href"), (#"{"op":"add","href":"/a"}"#, "/atomic:operations/0"),
            (#"{"op":"update","href":"/a/1"}"#, "/atomic:operations/0"),
            (#"{"op":"remove","ref":{"type":"a","id":null,"lid":"x"}}"#, "/atomic:operations/0/ref"),
            (#"{"op":"remove","ref":{"type":"a","id":"1","lid":null}}"#, "/atomic:operations/0/ref"),
            (#"{"op":"update","data":{"type":"a","id":null,"lid":"x"}}"#, "/atomic:operations/0/data/id"),
            (#"{"op":"update","href":"/a/1","data":{"type":"a","attributes":{}}}"#, "/atomic:operations/0/data"),
        ])
    func refused(operation: String, pointer: String) {
        #expect(answer { _ = try operations(operation) } == ["400 \(pointer)"])
    }

    @Test("An id that cannot be read does not stand for the lid beside it, also where a leniency accepts the id")
    func unreadableID() {
        let body = Data(#"{"atomic:operations":[{"op":"update","data":{"type":"a","id":null,"lid":"x"}}]}"#.utf8)
        #expect(answer { _ = try ReceivedOperations(body, decoder: JSONAPIDecoder(mode: .lenient)) } == ["400 /atomic:operations/0/data"])
    }

    @Test("An operation with both id and lid is told that it has both")
    func twoIdentities() {
        let error = #expect(throws: (any Error).self) { try operations(#"{"op":"remove","ref":{"type":"a","id":"1","lid":"x"}}"#) }
        #expect(error.map { ErrorDocument($0).errors.map(\.title) } == ["Two targets"])
    }

    @Test("The data of a relationship addressed by href is not its target")
    func addresses() throws {
        let person = #"{"type":"people","id":"9"}"#
        let received = try operations(
            #"{"op":"update","href":"/articles/1/relationships/author","data":\#(person)}"#,
            #"{"op":"add","href":"/people","data":{"type":"people"}}"#, #"{"op":"remove","href":"/people/9"}"#)
        #expect(received[0].type == nil && received[0].target == nil && received[0].href == "/articles/1/relationships/author")
        #expect(received[0].linkage == .one(ResourceIdentifier(type: "people", id: "9")))
        #expect(received[1].type == "people" && received[2].type == nil)
    }

    @Test(
        "The data of an operation on a resource is no linkage",
        arguments: [
            #"{"op":"add","data":{"type":"people","lid":"a"}}"#, #"{"op":"add","href":"/people","data":{"type":"people"}}"#,
            #"{"op":"update","data":{"type":"people","id":"9"}}"#,
            #"{"op":"update","ref":{"type":"people","id":"9"},"data":{"type":"people","id":"9","meta":{}}}"#,
            #"{"op":"update","href":"/people/9","data":{"type":"people","id":"9","attributes":{}}}"#,
            #"{"op":"remove","ref":{"type":"people","id":"9"},"data":null}"#,
        ])
    func resourcesAreNoLinkage(operation: String) throws {
        #expect(try operations(operation)[0].linkage == .absent)
    }

    @Test("A document with operations has no other content, and data for an address is a resource or linkage")
    func otherContent() {
        let operation = #"{"op":"remove","ref":{"type":"a","id":"1"}}"#
        for member in [#""errors":[]"#, #""atomic:results":[]"#, #""data":null"#, #""included":[]"#] {
            let body = Data(#"{\#(member),"atomic:operations":[\#(operation)]}"#.utf8)
            #expect(answer { _ = try ReceivedOperations(body) }.first?.hasPrefix("400") == true, "\(member)")
        }
        for (code, data) in [
            ("add", "null"), ("add", "[null]"), ("update", "[null]"), ("remove", "[{}]"), ("add", "5"), ("add", "{}"), ("update", #""s""#),
            ("remove", #"{"type":"a","id":"1"}"#),
        ] {
            let found = answer { _ = try operations(#"{"op":"\#(code)","href":"/a/1/b","data":\#(data)}"#) }
            #expect(found.count == 1 && found[0].hasPrefix("400 /atomic:operations/0"), "\(code) \(data): \(found)")
        }
        for (code, data) in [("update", "null"), ("update", "[]"), ("add", #"[{"type":"a","id":"1"}]"#)] {
            #expect(answer { _ = try operations(#"{"op":"\#(code)","href":"/a/1/b","data":\#(data)}"#) } == [])
        }
    }

    @Test("A new resource is not a target, even beside a reference")
    func newResourceBesideReference() throws {
        let operation = try #require(
            operations(#"{"op":"add","ref":{"type":"comments","id":"1"},"data":{"type":"people"}}"#).first { _ in true })
        #expect(operation.target == nil && operation.type == "people")
    }

    @Test("A document without operations is an error")
    func documents() {
        func read(_ text: String) -> [String] { answer { _ = try ReceivedOperations(Data(text.utf8)) } }
        #expect(read(#"{"atomic:operations":[]}"#) == ["400 /atomic:operations"])
        #expect(read(#"{"atomic:operations":{}}"#) == ["400 /atomic:operations"])
        #expect(read(#"{"data":null}"#) == ["400 "])
        #expect(read("<").first?.hasPrefix("400") == true)
        #expect(
            answer {
                let twice = #"{"op":"add","data":{"type":"people","lid":"a"}}"#
                _ = try operations(twice, twice).run { _ in .empty }
            } == ["400 /atomic:operations/1/data/lid"])
    }

    @Test("Changes to another resource than the one that `ref` names are refused")
    func anotherTarget() throws {
        struct Counter: Resource {
            static let type = "counters"
            var id: Int
            var count: Int?
        }
        func status(_ ref: String) throws -> [String] {
            let operation = try operations(
                #"{"op":"update","ref":\#(ref),"data":{"type":"counters","id":"5","attributes":{"count":1}}}"#)[0]
            return answer { _ = try operation.changes(Counter.self) }
        }
        #expect(try status(#"{"type":"counters","id":"5"}"#) == [])
        #expect(try status(#"{"type":"counters","id":"4"}"#) == ["409 /data/id"])
        // An id that the model cannot represent is another id.
        #expect(try status(#"{"type":"counters","id":"abc"}"#) == ["409 /data/id"])
        #expect(try status(#"{"type":"clocks","id":"5"}"#) == ["409 /data/type"])
    }

    @Test(
        "Malformed changes of an operation are refused like those of a PATCH request",
        arguments: [
            #""attributes":"x""#, #""attributes":[]"#, #""relationships":{"author":null}"#, #""relationships":7"#,
            #""relationships":{"author":{"type":"people","id":"9"}}"#, #""relationships":{"author":{"data":"9"}}"#,
            #""relationships":{"author":{"data":{"type":"people"}}}"#, #""meta":1"#,
        ])
    func malformedChanges(member: String) throws {
        let data = #"{"type":"articles","id":"1",\#(member)}"#
        let plain = answer { _ = try Changes<Article>(Data(#"{"data":\#(data)}"#.utf8)) }
        #expect(plain.count == 1 && plain.first?.hasPrefix("400 /data/") == true)
        let moved = answer { _ = try operations(#"{"op":"update","data":\#(data)}"#) }
        #expect(moved == plain.map { $0.replacing("/data", with: "/atomic:operations/0/data", maxReplacements: 1) })
    }

    @Test(
        "The resource object of an operation is checked as one in the data of another request is, also if it is not read as a model",
        arguments: [JSONAPIDecoder.Mode.strict, .standard, .lenient],
        [
            #"{"type":"_bad","lid":"p"}"#, #"{"type":"ps","attributes":"x"}"#, #"{"type":"ps","attributes":{"_x":1,"id":"9"}}"#,
            #"{"type":"ps","relationships":[]}"#, #"{"type":"ps","relationships":{"r":{"data":[1]}}}"#,
            #"{"type":"ps","relationships":{"r":{"data":{"id":"1"}}}}"#, #"{"type":"ps","relationships":{"r":{"links":{}}}}"#,
            #"{"type":"ps","lid":1}"#, #"{"type":"ps","id":null}"#, #"{"type":"ps","links":"x"}"#, #"{"type":"ps","foo":1}"#,
            #"{"type":"ps","attributes":{"a":1},"relationships":{"a":{"data":null}}}"#,
        ])
    func malformedObjects(mode: JSONAPIDecoder.Mode, data: String) {
        var decoder = JSONAPIDecoder(mode: mode)
        decoder.source = .request
        let plain = answer { _ = try decoder.decode(Document<ResourceObject>.self, from: Data(#"{"data":\#(data)}"#.utf8)) }
        #expect(mode != .strict || plain.count == 1)
        for target in ["", #""href":"/ps","#] {
            let body = Data(#"{"atomic:operations":[{"op":"add",\#(target)"data":\#(data)}]}"#.utf8)
            let moved = plain.map { $0.replacing("/data", with: "/atomic:operations/0/data", maxReplacements: 1) }
            #expect(answer { _ = try ReceivedOperations(body, decoder: decoder) } == moved)
        }
    }

    @Test("A new resource can refer to itself by its lid")
    func selfReference() throws {
        struct Node: Resource {
            static let type = "nodes"
            var id: String?
            var root: ToOne<Node>
            var near: ToMany<Node> = .notLoaded
        }
        let own = #"{"type":"nodes","lid":"a"}"#
        let received = try operations(
            #"{"op":"add","data":{"type":"nodes","lid":"a","relationships":{"root":{"data":\#(own)},"near":{"data":[\#(own)]}}}}"#,
            #"{"op":"add","data":{"type":"nodes","relationships":{"root":{"data":\#(own)}}}}"#)
        var roots: [ResourceIdentifier?] = []
        _ = try received.run { operation in
            let node = try operation.resource(Node.self)
            roots.append(node.root.identifier)
            roots += (node.near.identifiers ?? []).map { $0 }
            return try AtomicResult(ResourceObject(type: "nodes", id: "n1"))
        }
        let lid = ResourceIdentifier(type: "nodes", lid: "a")
        #expect(roots == [lid, lid, ResourceIdentifier(type: "nodes", id: "n1")])
    }

    @Test("An operation whose relationship was forgotten never removes the resource")
    func forgottenRelationship() throws {
        let ref = #""ref":{"type":"articles","id":"1"}"#
        #expect(try operations(#"{"op":"remove",\#(ref)}"#).count == 1)
        #expect(try operations(#"{"op":"remove",\#(ref),"data":null}"#).count == 1)
        for data in [#"[{"type":"tags","id":"2"}]"#, "[]", #"{"type":"tags","id":"2"}"#] {
            let found = answer { _ = try operations(#"{"op":"remove",\#(ref),"data":\#(data)}"#) }
            #expect(found == ["400 /atomic:operations/0/ref"], "\(data)")
        }
    }

    @Test("An operation with linkage, and a `ref` without relationship, is refused at the `ref`", arguments: ["add", "update", "remove"])
    func linkageWithoutRelationship(code: String) {
        for data in [#"[{"type":"tags","id":"2"}]"#, "[]"] {
            let found = answer { _ = try operations(#"{"op":"\#(code)","ref":{"type":"articles","id":"1"},"data":\#(data)}"#) }
            #expect(found == ["400 /atomic:operations/0/ref"], "\(data)")
        }
    }

    @Test("Linkage of an operation is checked")
    func linkageOfOperations() throws {
        func found(_ code: String, _ data: String) -> [String] {
            answer {
                _ = try operations(
                    #"{"op":"\#(code)","ref":{"type":"a","id":"1","relationship":"tags"},"data":\#(data)}"#)
            }
        }
        let tag = #"{"type":"tags","id":"2"}"#
        for code in ["add", "remove"] {
            #expect(found(code, "[\(tag)]").isEmpty)
            #expect(found(code, "null") == ["400 /atomic:operations/0/data"])
            #expect(found(code, tag) == ["400 /atomic:operations/0/data"])
            for (other, place) in [
                (#"{"type":"tags"}"#, ""), (#"{"type":"tags","id":null,"lid":"x"}"#, "/id"), (#"{"type":"tags","id":"1","lid":7}"#, "/lid"),
            ] {
                #expect(found(code, "[\(tag),\(other)]") == ["400 /atomic:operations/0/data/1\(place)"])
            }
        }
        #expect(found("update", "null").isEmpty && found("update", tag).isEmpty)
        #expect(found("update", #"{"type":"tags"}"#) == ["400 /atomic:operations/0/data"])
    }

    @Test("An integer id in the data of an operation is refused at its place, unless a leniency accepts it")
    func integerIDs() {
        let ref = #""ref":{"type":"articles","id":"1","relationship":"tags"}"#
        let cases = [
            (#"{"op":"remove",\#(ref),"data":[{"type":"tags","id":"4"},{"type":"tags","id":5}]}"#, "/data/1/id"),
            (#"{"op":"update",\#(ref),"data":{"type":"tags","id":5}}"#, "/data/id"),
            (#"{"op":"update","data":{"type":"a","id":5}}"#, "/data/id"), (#"{"op":"add","data":{"type":"a","id":5}}"#, "/data/id"),
            (#"{"op":"update","href":"/a/5","data":{"type":"a","id":5}}"#, "/data/id"),
        ]
        expectRefusedIntegers(cases)
    }

    @Test(
        "An integer id in a relationship of a resource is refused, also if an address names the target", arguments: ["", #""href":"/a","#])
    func integerIDsInRelationships(target: String) {
        let (one, many) = (#"{"type":"b","id":9}"#, #"[{"type":"b","id":"8"},{"type":"b","id":9}]"#)
        var cases: [(String, String)] = []
        for (code, id) in [("add", ""), ("update", #""id":"1","#)] {
            for (linkage, place) in [(one, "/id"), (many, "/1/id")] {
                let data = #"{"type":"a",\#(id)"relationships":{"r":{"data":\#(linkage)}}}"#
                cases.append((#"{"op":"\#(code)",\#(target)"data":\#(data)}"#, "/data/relationships/r/data" + place))
            }
        }
        expectRefusedIntegers(cases)
    }

    private func expectRefusedIntegers(_ cases: [(String, String)]) {
        var lenient = JSONAPIDecoder()
        lenient.leniencies.insert(.integerIDs)
        for (operation, place) in cases {
            let body = Data(#"{"atomic:operations":[\#(operation)]}"#.utf8)
            #expect(answer { _ = try ReceivedOperations(body) } == ["400 /atomic:operations/0\(place)"])
            #expect(answer { _ = try ReceivedOperations(body, decoder: lenient) } == [])
        }
    }

    @Test("The place of an error is moved into the operation, and everything else in its source stays")
    func sourcesOfErrors() throws {
        let operation = try operations(#"{"op":"remove","ref":{"type":"a","id":"1"}}"#)[0]
        func moved(_ members: JSONObject) -> JSONObject? {
            let document = ErrorDocument(errors: [ErrorObject(status: "422", source: ErrorSource(members: members))])
            return operation.errorDocument(document).errors.first?.source?.members
        }
        #expect(moved(["pointer": "title"]) == ["pointer": "title"])
        #expect(moved(["line": 3, "pointer": "/data/id"]) == ["line": 3, "pointer": "/atomic:operations/0/data/id"])
        #expect(moved(["line": 3]) == ["line": 3, "pointer": "/atomic:operations/0"])
        #expect(moved(["parameter": "include"]) == ["parameter": "include"])
    }

    @Test("In strict mode, the relationship of a ref has a name that a relationship can have", arguments: ["x^y", "", "-a", "id"])
    func strictRelationship(name: String) {
        func found(_ relationship: String, _ mode: JSONAPIDecoder.Mode) -> [String] {
            let ref = #"{"type":"a","id":"1","relationship":"\#(relationship)"}"#
            let body = Data(#"{"atomic:operations":[{"op":"update","ref":\#(ref),"data":null}]}"#.utf8)
            return answer { _ = try ReceivedOperations(body, decoder: JSONAPIDecoder(mode: mode)) }
        }
        #expect(found(name, .strict) == ["400 /atomic:operations/0/ref/relationship"])
        #expect(found(name, .standard).isEmpty && found("a b", .strict).isEmpty)
    }

    @Test("In strict mode, an operation has only members, types and addresses of the specification")
    func strictMembers() throws {
        func found(_ operation: String, _ mode: JSONAPIDecoder.Mode) -> [String] {
            answer {
                _ = try ReceivedOperations(Data(#"{"atomic:operations":[\#(operation)]}"#.utf8), decoder: JSONAPIDecoder(mode: mode))
            }
        }
        let cases = [
            (#"{"op":"remove","ref":{"type":"a","id":"1"},"next":1}"#, "/atomic:operations/0/next"),
            (#"{"op":"remove","ref":{"type":"a","id":"1","x":2}}"#, "/atomic:operations/0/ref/x"),
            (#"{"op":"remove","href":"a b {}"}"#, "/atomic:operations/0/href"),
            (#"{"op":"remove","ref":{"type":"a.b","id":"1"}}"#, "/atomic:operations/0/ref/type"),
        ]
        for (operation, pointer) in cases {
            #expect(found(operation, .strict) == ["400 \(pointer)"])
            #expect(found(operation, .standard).isEmpty)
        }
        #expect(found(#"{"op":"remove","ref":{"type":"a","id":"1","@x":2},"audit:by":1}"#, .strict).isEmpty)
    }

    @Test("Linkage of an operation has what linkage of a request can have in the mode")
    func strictLinkage() throws {
        func found(_ operation: String, _ mode: JSONAPIDecoder.Mode) -> [String] {
            answer {
                _ = try ReceivedOperations(Data(#"{"atomic:operations":[\#(operation)]}"#.utf8), decoder: JSONAPIDecoder(mode: mode))
            }
        }
        let good = #"{"type":"t","lid":"new","meta":{"a":1},"@x":2,"audit:by":3}"#
        let cases = [
            (#"{"type":"_t","id":"1"}"#, "/type", true), (#"{"type":"t","id":"1","n":1}"#, "/n", true),
            (#"{"type":"t","id":"1","meta":null}"#, "/meta", false), (#"{"type":"","id":"1"}"#, "/type", false),
        ]
        for target in [#""ref":{"type":"a","id":"1","relationship":"t"}"#, #""href":"/a/1/relationships/t""#] {
            for (identifier, place, isOnlyStrict) in cases {
                let many = #","data":[\#(good),\#(identifier)]}"#
                for code in ["add", "update", "remove"] {
                    let strict = found(#"{"op":"\#(code)",\#(target)\#(many)"#, .strict)
                    #expect(strict == ["400 /atomic:operations/0/data/1\(place)"])
                    #expect(found(#"{"op":"\#(code)",\#(target)\#(many)"#, .standard) == (isOnlyStrict ? [] : strict))
                }
                let one = #"{"op":"update",\#(target),"data":\#(identifier)}"#
                #expect(found(one, .strict) == ["400 /atomic:operations/0/data\(place)"])
            }
            for data in [good, "[\(good)]", "[]", "null"] {
                #expect(found(#"{"op":"update",\#(target),"data":\#(data)}"#, .strict).isEmpty, "\(data)")
            }
        }
    }

    @Test("A lid beside an id names the resource for later operations")
    func lidBesideID() throws {
        let body = Data(
            #"""
            {"atomic:operations": [{"op": "add", "data": {"type": "people", "id": "7", "lid": "x"}},
                                   {"op": "remove", "ref": {"type": "people", "lid": "x"}}]}
            """#.utf8)
        var removed: [ResourceIdentifier?] = []
        for hasResult in [true, false] {
            _ = try ReceivedOperations(body).run { operation in
                if operation.code == .remove { removed.append(operation.target) }
                return operation.code == .add && hasResult ? try AtomicResult(ResourceObject(type: "people", id: "7")) : .empty
            }
        }
        #expect(removed.map(\.?.id) == ["7", "7"])
    }
}
