import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

/// Rewriters see every resource that is read or written as one, whatever leniency it needs and whatever it leaves out.
@Suite struct RewritingLeniencyTests {
    struct Shop: Resource {
        static let type = "shops"
        var id: String?
        var name: String?
        var stars: Int?
        var branch: ToOne<Shop> = .notLoaded
        var owner: Owner?
    }
    final class Owner: Resource {
        static let type = "shops"
        let id: String?
        let name: String?
    }

    private static let renaming = ["shops": Rewriter(unreferenced: .keep) { Rule("name", from: "title").optional }]
    private static let filling = ["shops": Rewriter(unreferenced: .keep) { Rule("stars", from: "stars").ifMissing { _, _ in 3 } }]

    private func decoder(_ mode: JSONAPIDecoder.Mode, _ rewriters: [String: Rewriter]) -> JSONAPIDecoder {
        var decoder = JSONAPIDecoder(mode: mode)
        decoder.rewriters = rewriters
        return decoder
    }

    @Test(
        "What a leniency reads as a resource is rewritten",
        arguments: [
            #"{"id":"1","attributes":{"title":"A"}}"#,
            #"{"type":"shops","attributes":{"title":"A"}}"#,
            #"{"type":"shops","id":"1","relationships":{"owner":{"data":{"type":"shops","attributes":{"title":"A"}}}}}"#,
            #"{"type":"shops","id":"1","relationships":{"branch":{"data":{"type":"shops","id":"2","attributes":{"title":"A"}}}}}"#,
            #"{"type":"shops","id":"1","relationships":{"branch":{"data":{"type":"shops","id":"2","relationships":"#
                + #"{"branch":{"data":{"type":"shops","id":"3","attributes":{"title":"A"}}}}}}}}"#,
        ])
    func lenient(resource: String) throws {
        func names(_ shop: Shop) -> [String] {
            let branch = shop.branch.value
            return [shop.name, shop.owner?.name, branch?.name, branch?.branch.value?.name].compactMap { $0 }
        }
        let decoder = decoder(.lenient, Self.renaming)
        #expect(try names(decoder.decode(Shop.self, from: Data(#"{"data":\#(resource)}"#.utf8))) == ["A"])
        #expect(try names(decoder.decode(Document<[Shop]>.self, from: Data(#"{"data":[\#(resource)]}"#.utf8)).data[0]) == ["A"])
        let results = try decoder.decode(AtomicResults.self, from: Data(#"{"atomic:results":[{"data":\#(resource)}]}"#.utf8))
        #expect(try results.resource(Shop.self, at: 0).map(names) == ["A"])
    }

    @Test("The resource of an atomic result gets defaults even if it has no attributes")
    func resultsWithoutAttributes() throws {
        let text = Data(#"{"atomic:results":[{"data":{"type":"shops","id":"1"}},{"data":[{"type":"shops","id":"1"}]}]}"#.utf8)
        let results = try decoder(.standard, Self.filling).decode(AtomicResults.self, from: text)
        #expect(try results.resource(Shop.self, at: 0)?.stars == 3)
        #expect(results.results[1].data == .many([ResourceObject(type: "shops", id: "1")]))
    }

    @Test("A resource in a relationship whose name is repeated is rewritten once")
    func repeatedNames() throws {
        let other = #"{"data":{"type":"shops","id":"2","attributes":{"title":"A"}}}"#
        let text = #"{"data":{"type":"shops","id":"1","relationships":{"branch":\#(other),"branch":\#(other)}}}"#
        // Without `unreferenced`, a second run would find no title, and remove the name.
        let decoder = decoder(.lenient, ["shops": Rewriter { Rule("name", from: "title").optional }])
        #expect(try decoder.decode(Shop.self, from: Data(text.utf8)).branch.value?.name == "A")
    }

    @Test("Attributes that a leniency reads as absent are those of a resource without any", arguments: ["null", "[]"])
    func absentAttributes(attributes: String) throws {
        let text = Data(#"{"data":{"type":"shops","id":"1","attributes":\#(attributes)}}"#.utf8)
        #expect(try decoder(.lenient, Self.filling).decode(Shop.self, from: text).stars == 3)
        #expect(try decoder(.lenient, Self.renaming).decode(Shop.self, from: text).name == nil)
        let failure = try Blog.failure { try decoder(.standard, Self.renaming).decode(Shop.self, from: text) }
        #expect(failure.kind == .wrongType && "\(failure.pointer)" == "/data/attributes")
    }

    @Test("A resource without attributes is rewritten as one with an empty object; an identifier is not")
    func withoutAttributes() throws {
        let decoder = decoder(.standard, Self.filling)
        let text = Data(
            #"{"data":[{"type":"shops","id":"1","relationships":{"branch":{"data":{"type":"shops","id":"2"}}}}],"included":[{"type":"shops","id":"2"}]}"#
                .utf8)
        let shops = try decoder.decode([Shop].self, from: text)
        #expect(shops[0].stars == 3)
        #expect(try shops[0].branch.resolved()?.stars == 3)
        let bare = Data(#"{"data":[{"type":"shops","id":"1"}]}"#.utf8)
        #expect(try decoder.decode([Shop].self, from: bare)[0].stars == 3)
        #expect(try decoder.decode([ResourceObject].self, from: bare)[0].attributes == ["stars": 3])
        let required = self.decoder(.standard, ["shops": Rewriter(unreferenced: .keep) { Rule("name", from: "title") }])
        #expect(try required.decode([ResourceIdentifier].self, from: bare).map(\.id) == ["1"])
        #expect(throws: ValidationError.self) { try required.decode([Shop].self, from: bare) }
    }

    @Test(
        "An identifier with @-members, members of extensions, or unknown members is not rewritten, in both directions",
        arguments: [#""@n":1"#, #""audit:by":1"#, #""href":"/shops/1""#])
    func identifiersWithOtherMembers(member: String) throws {
        let text = Data(#"{"data":[{"type":"shops","id":"1",\#(member)}]}"#.utf8)
        let required = decoder(.standard, ["shops": Rewriter(unreferenced: .keep) { Rule("name", from: "title") }])
        let identifiers = try required.decode([ResourceIdentifier].self, from: text)
        #expect(identifiers.first?.additionalMembers.count == 1)
        #expect(try required.decode(DocumentObject.self, from: text).data.resources.first?.attributes == nil)
        var encoder = JSONAPIEncoder()
        encoder.rewriters = Self.filling
        #expect(try JSON(parsing: encoder.encode(identifiers)) == JSON(parsing: text))
        #expect(try JSON(parsing: encoder.encode(Linkage(adding: identifiers)))["data"]?[0]?["attributes"] == nil)
    }

    @Test("The encoder rewrites resources without attributes, and neither identifiers nor changes")
    func encoded() throws {
        var encoder = JSONAPIEncoder()
        encoder.rewriters = Self.filling
        let other = ResourceIdentifier(type: "shops", id: "2")
        let shops = try encoder.encode([Shop(id: "1"), Shop(id: "3", branch: ToOne(other))])
        #expect(
            String(decoding: shops, as: UTF8.self)
                == #"{"data":[{"type":"shops","id":"1","attributes":{"stars":3}},{"type":"shops","id":"3","attributes":{"stars":3},"#
                + #""relationships":{"branch":{"data":{"type":"shops","id":"2"}}}}]}"#)
        #expect(try JSON(parsing: encoder.encode(Create(Shop(id: "1"))))["data"]?["attributes"] == ["stars": 3])
        #expect(try JSON(parsing: encoder.encode([Create(Shop(id: "1"))]))["data"]?[0]?["attributes"] == ["stars": 3])
        var additions = AtomicOperations()
        _ = additions.add(Shop(id: "1"))
        #expect(try JSON(parsing: encoder.encode(additions))["atomic:operations"]?[0]?["data"]?["attributes"] == ["stars": 3])
        #expect(try JSON(parsing: encoder.encode([other]))["data"]?[0]?.object?.count == 2)
        #expect(try JSON(parsing: encoder.encode(Linkage(adding: [other])))["data"]?[0]?.object?.count == 2)
        let patch = try JSON(parsing: encoder.encode(Patch<Shop>(id: "1").link("branch", to: other)))
        #expect(patch["data"]?["attributes"] == nil)
        var operations = AtomicOperations()
        operations.add([other], to: "branches", of: ResourceIdentifier(type: "shops", id: "1"))
        let operation = try JSON(parsing: encoder.encode(operations))["atomic:operations"]?[0]
        #expect(operation?["data"]?[0]?.object?.count == 2)
    }
}
