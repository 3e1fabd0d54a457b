import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Decoded values are encoded unchanged: states of relationships, documents, and references.
@Suite struct RelationshipStateTests {
    private let encoder = JSONAPIEncoder()

    struct Post: Resource, Equatable {
        static let type = "posts"
        var id: String
        var title: String?
        var author: ToOne<Writer>
        var comments: ToMany<Remark>
        var links: ResourceLinks?
        var meta: ResourceMeta<[String: Int]>?
    }

    @Test(
        "Every state of a relationship survives",
        arguments: [
            "{}",
            #"{"author":{"links":{"related":"/a"}},"comments":{"meta":{"count":3}}}"#,
            #"{"author":{"data":null},"comments":{"data":[]}}"#,
            #"{"author":{"data":{"type":"people","id":"9","meta":{"since":1}},"links":{"self":"/s"},"meta":{"m":null}}}"#,
            #"{"comments":{"data":[{"type":"comments","id":"5"},{"type":"comments","id":"12"},{"type":"comments","id":"5"}],"links":{}}}"#,
            #"{"author":{"data":{"type":"people","id":"9"},"@note":1}}"#,
        ])
    func states(_ relationships: String) throws {
        let text = #"{"data":{"type":"posts","id":"1","relationships":\#(relationships)}}"#
        let post = try JSONAPIDecoder().decode(Post.self, from: Data(text.utf8))
        let written = try encoder.tree(text: encoder.text(post))
        let expected = try JSON(parsing: text)
        // A resource without relationships can be encoded without the empty object.
        #expect(relationships == "{}" ? written["data"] == ["type": "posts", "id": "1"] : written == expected, "\(written)")
        #expect(try JSONAPIDecoder().decode(Post.self, from: encoder.encode(post)) == post)
    }

    static let document = #"""
        {"jsonapi":{"version":"1.1","meta":{"j":1}},"data":[{"type":"posts","id":"1","attributes":{"title":"T"},"relationships":
        {"author":{"data":{"type":"people","id":"9"},"links":{"self":"/1/a"}},"comments":{"data":[{"type":"comments","id":"5"}]}},
        "links":{"self":"/1"},"meta":{"n":1}}],"included":[{"type":"comments","id":"5","attributes":{"body":"B","extra":1.0},
        "relationships":{"author":{"data":{"type":"people","id":"2"}}},"@c":true},{"type":"people","id":"9","attributes":
        {"firstName":"Dan","unknown":[]},"meta":{"p":1}},{"type":"people","id":"2","attributes":{"firstName":"Eve"}}],
        "links":{"self":"/posts","next":null},"meta":{"total":1},"ext:member":{"a":1},"@top":"x"}
        """#

    @Test("A typed document keeps unknown members of related resources")
    func typedDocument() throws {
        let document = try JSONAPIDecoder().decode(Document<[Post]>.self, from: Data(Self.document.utf8))
        let written = try JSON(parsing: encoder.encode(document))
        #expect(written == (try JSON(parsing: Self.document)))
        #expect(written["included"]?.array?.compactMap { $0["id"]?.string } == ["5", "9", "2"])
        #expect(document.object.json == (try JSON(parsing: Self.document)))
    }

    @Test("A raw document is encoded unchanged")
    func rawDocument() throws {
        let document = try JSONAPIDecoder().decode(Document<[ResourceObject]>.self, from: Data(Self.document.utf8))
        #expect(try JSON(parsing: encoder.encode(document)) == (try JSON(parsing: Self.document)))
        let one = try JSON(parsing: encoder.encode(document, include: ["author"]))
        #expect(one["included"]?.array?.count == 1)
        let few = try JSON(parsing: encoder.encode(document, fields: ["posts": ["comments"], "comments": []]))
        #expect(few["data"]?[0]?.object?.map(\.name) == ["type", "id", "relationships", "links", "meta"])
        #expect(few["included"]?[0]?.object?.map(\.name) == ["type", "id", "@c"] && few["included"]?.array?.count == 1)
    }

    @Test("Only an edited reference changes")
    func editedReferences() throws {
        var document = try JSONAPIDecoder().decode(Document<[Post]>.self, from: Data(Self.document.utf8))
        document.data[0].author = ToOne(Writer(id: "9", firstName: "Replaced"))
        document.data[0].comments.append(Remark(id: "6", body: "new", author: nil))
        document.meta = nil
        let written = try JSON(parsing: encoder.encode(document))
        #expect(written["data"]?[0]?["relationships"]?["author"] == ["data": ["type": "people", "id": "9"]])
        #expect(written["data"]?[0]?["relationships"]?["comments"]?["data"]?.array?.count == 2)
        let included = written["included"]?.array ?? []
        #expect(included.first { $0["id"] == "9" } == ["type": "people", "id": "9", "attributes": ["firstName": "Replaced"]])
        #expect(included.first { $0["id"] == "5" }?["@c"] == true && included.last?["id"] == "6")
        #expect(written["meta"] == nil && written["links"]?["self"] == "/posts")
        document.data[0].author = nil
        document.data[0].comments = .notLoaded
        let less = try JSON(parsing: encoder.encode(document))
        #expect(less["data"]?[0]?["relationships"] == ["author": ["data": nil]])
        #expect(less["included"]?.array?.isEmpty == true)
    }

    @Test("Values from a document include the resources they refer to")
    func valuesOfADocument() throws {
        let post = try JSONAPIDecoder().decode([Post].self, from: Data(Self.document.utf8))[0]
        let written = try JSON(parsing: encoder.encode(post, links: ["self": "/posts/1"]))
        #expect(written["included"]?.array?.count == 3 && written["links"] == ["self": "/posts/1"])
        #expect(written["included"]?.array?.contains { $0["meta"] == ["p": 1] } == true)
    }

    @Test(
        "Documents with identifiers, null, or only meta",
        arguments: [
            #"{"data":null}"#, #"{"data":[]}"#, #"{"data":[],"included":[]}"#,
            #"{"data":{"type":"people","id":"9","meta":{"a":1}},"links":{"self":"/s","related":"/r"}}"#,
            #"{"data":[{"type":"people","id":"9"},{"type":"people","id":"8"}],"included":[{"type":"people","id":"9","attributes":{"firstName":"D"}}]}"#,
        ])
    func otherPrimaryData(_ text: String) throws {
        let data = Data(text.utf8)
        let expected = try JSON(parsing: text)
        if expected["data"]?.array != nil {
            #expect(
                try encoder.tree(text: encoder.text(JSONAPIDecoder().decode(Document<[ResourceIdentifier]>.self, from: data))) == expected)
        } else {
            #expect(
                try encoder.tree(text: encoder.text(JSONAPIDecoder().decode(Document<ResourceIdentifier?>.self, from: data))) == expected)
        }
    }

    @Test("An empty document, and one with data and errors, cannot be encoded")
    func impossibleDocuments() throws {
        #expect(encodingFailure { _ = try encoder.encode(Document(NoData())) }?.kind == .documentStructure)
        #expect(try encoder.text(Document(NoData(), meta: ["a": 1])) == #"{"meta":{"a":1}}"#)
        var lenient = JSONAPIDecoder(mode: .lenient)
        lenient.leniencies = .all
        let both = Data(#"{"data":null,"errors":[{"title":"T"}]}"#.utf8)
        let document = try lenient.decode(Document<Writer?>.self, from: both)
        let failure = try #require(encodingFailure { _ = try encoder.encode(document) })
        #expect(failure.kind == .documentStructure && "\(failure.pointer)" == "/errors")
        #expect(try encoder.text(ErrorDocument(errors: [], meta: ["m": 1])) == #"{"errors":[],"meta":{"m":1}}"#)
        #expect(try encoder.tree(DocumentObject(members: ["errors": [["title": "T"]], "@x": 1])) == ["errors": [["title": "T"]], "@x": 1])
    }

    @Test("An error of the program needs a member that the specification defines")
    func emptyErrors() throws {
        let objects: [JSONObject] = [[:], ["@x": 1], ["ns:x": 1, "x": 2]]
        for members in objects {
            let document = ErrorDocument(errors: [ErrorObject(title: "T"), ErrorObject(members: members)])
            let failure = try #require(encodingFailure { _ = try encoder.encode(document) })
            #expect(failure.kind == .documentStructure && "\(failure.pointer)" == "/errors/1")
        }
    }

    @Test("Errors that were read are written as they were")
    func emptyErrorsOfServers() throws {
        let text = #"{"errors":[{},{"@x":1},{"title":"T"}]}"#
        let thrown = #expect(throws: ErrorDocument.self) { try JSONAPIDecoder().decode(Writer.self, from: Data(text.utf8)) }
        let document = try #require(thrown)
        #expect(try encoder.text(document) == text)
    }
}

extension JSONAPIEncoder {
    func tree(text: String) throws -> JSON { try JSON(parsing: text) }

    func text<Primary: PrimaryValue>(_ document: Document<Primary>) throws -> String {
        String(decoding: try encode(document), as: UTF8.self)
    }
}

/// Received documents are encoded unchanged, even if the program could not have created them.
@Suite struct UnchangedDocumentTests {
    @Test(
        "A raw document is encoded unchanged",
        arguments: [
            // A request, whose resource has no id yet.
            #"{"data":{"type":"books","attributes":{"title":"T"}}}"#, #"{"data":{"type":"books","lid":"","meta":{"m":1}}}"#,
            // Types and names that the specification forbids.
            #"{"data":{"type":"App\\Book","id":"1","attributes":{"a.b/":1},"relationships":{"-x":{"data":{"type":"App\\User","id":"2"}}}},"#
                + #""included":[{"type":"App\\User","id":"2","attributes":{"$":null}}]}"#,
            // A sparse fieldset that omitted linkage.
            #"{"data":{"type":"books","id":"7"},"included":[{"type":"people","id":"3","relationships":{"home":{"data":{"type":"cities","id":"1"}}}},"#
                + #"{"type":"cities","id":"1"},{"type":"cities","id":"2"}]}"#,
            // The linkage of a relationship.
            #"{"data":[{"type":"people","id":"3","meta":{"since":1}}],"included":[{"type":"people","id":"3","attributes":{"name":"Jane"}}]}"#,
            // A number as id becomes a text, and everything else is unchanged.
            #"{"data":{"type":"books","id":"1","unknown":[1.50],"x:y":{}},"meta":{}}"#,
        ])
    func raw(_ text: String) throws {
        var decoder = JSONAPIDecoder()
        decoder.source = .request
        let written: Data
        if text.hasPrefix(#"{"data":["#) {
            written = try JSONAPIEncoder().encode(decoder.decode(Document<[ResourceObject]>.self, from: Data(text.utf8)))
        } else {
            written = try JSONAPIEncoder().encode(decoder.decode(Document<ResourceObject>.self, from: Data(text.utf8)))
        }
        #expect(try JSON(parsing: written) == (try JSON(parsing: text)))
    }

    struct Book: Resource {
        static let type = "books"
        var id: String
        var title: String?
        var author: ToOne<Writer>
    }

    @Test("A typed document keeps unlinked included resources, unless the program removed the link")
    func unlinked() throws {
        let text = #"""
            {"data":{"type":"books","id":"7","relationships":{"author":{"data":{"type":"people","id":"1"}}}},"included":[
            {"type":"people","id":"1","attributes":{"firstName":"A"}},{"type":"people","id":"2","attributes":{"firstName":"B"}}]}
            """#
        var document = try JSONAPIDecoder().decode(Document<Book>.self, from: Data(text.utf8))
        #expect(try JSON(parsing: JSONAPIEncoder().encode(document)) == (try JSON(parsing: text)))
        let asked = try JSON(parsing: JSONAPIEncoder().encode(document, include: ["author"]))
        #expect(asked["included"]?.array?.compactMap { $0["id"]?.string } == ["1"])
        document.data.author = nil
        let cut = try JSON(parsing: JSONAPIEncoder().encode(document))
        #expect(cut["included"]?.array?.compactMap { $0["id"]?.string } == ["2"])
    }

    @Test("Resources made by the program are checked")
    func made() {
        let bad = ResourceObject(type: "a/b", id: "1")
        #expect(encodingFailure { _ = try JSONAPIEncoder().encode(bad) }?.kind == .illegalName)
        #expect(encodingFailure { _ = try JSONAPIEncoder().encode([ResourceObject(type: "a", id: nil)]) }?.kind == .missingIdentity)
    }
}
