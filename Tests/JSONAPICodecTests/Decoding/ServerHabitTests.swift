import Foundation
import JSONAPICodec
import JSONText
import Testing

/// What servers send beside what the specification describes, and what was lost or refused without a cure.
@Suite struct ServerHabitTests {
    private let decoder = JSONAPIDecoder()
    private let encoder = JSONAPIEncoder()

    private struct Item: Resource, Equatable {
        static let type = "items"
        var id: String
        var price: Int
    }

    private func data(_ resource: String, included: String? = nil) -> Data {
        Data(#"{"data":\#(resource)\#(included.map { #","included":[\#($0)]"# } ?? "")}"#.utf8)
    }

    private func advice(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return (error as? DecodingError)?.failure?.advice ?? "no advice: \(error)" }
        return "no error"
    }

    // MARK: - Resources in attributes

    private struct Order: Resource {
        static let type = "orders"
        var id: String
        var item: Item?
        var others: [Item]?
    }
    private struct PlacedOrder: Resource, Equatable {
        static let type = "orders"
        var id: String
        var item: Item?
        enum CodingKeys: String, CodingKey { case id, item = "attributes.item" }
    }

    @Test("A resource in an attribute is an error with the key to read it, because it would be written as a relationship")
    func resourceInAttribute() throws {
        for member in [#""item":{"id":"1","price":2}"#, #""others":[{"id":"1","price":2}]"#] {
            let order = data(#"{"type":"orders","id":"1","attributes":{\#(member)}}"#)
            #expect(advice { _ = try decoder.decode(Order.self, from: order) }?.contains("coding key `attributes.") == true)
        }
        let text = #"{"type":"orders","id":"1","attributes":{"item":{"id":"1","price":2}}}"#
        let order = try decoder.decode(PlacedOrder.self, from: data(text))
        #expect(order.item == Item(id: "1", price: 2))
        let patch = try JSON(parsing: encoder.encode(order.patch { $0.item?.price = 3 }))
        #expect(patch["data"]?["attributes"] == ["item": ["id": "1", "price": 3]])
        #expect(try decoder.decode(Order.self, from: data(#"{"type":"orders","id":"1","attributes":{"item":null}}"#)).item == nil)
    }

    // MARK: - Pages of relationships

    private struct Box: Resource {
        static let type = "boxes"
        var id: String
        var items: ToMany<Item>
    }
    private struct EmbeddingBox: Resource {
        static let type = "boxes"
        var id: String
        var items: [Item]
    }
    private struct OptionalBox: Resource {
        static let type = "boxes"
        var id: String
        var items: [Item]?
    }
    private struct LinkingBox: Resource {
        static let type = "boxes"
        var id: String
        var items: [ResourceIdentifier]
    }

    private func box(_ links: String, ids: [String] = ["1"]) -> Data {
        let linkage = ids.map { #"{"type":"items","id":"\#($0)"}"# }.joined(separator: ",")
        let included = ids.map { #"{"type":"items","id":"\#($0)","attributes":{"price":1}}"# }.joined(separator: ",")
        return data(
            #"{"type":"boxes","id":"1","relationships":{"items":{"links":\#(links),"data":[\#(linkage)]}}}"#, included: included)
    }

    @Test(
        "A patch does not send one page of a relationship as the whole",
        arguments: [#"{"next":"/b?page=2"}"#, #"{"prev":"/b?page=1","next":null}"#, #"{"self":"/b","next":{"href":"/b?page=2"}}"#])
    func pageOfReferences(links: String) throws {
        let page = try decoder.decode(Box.self, from: box(links))
        #expect(page.items.count == 1 && page.items.values.count == 1 && page.items.allValues == nil)
        #expect(throws: EncodingError.self) { try encoder.encode(page.patch { $0.items.append(id: "2") }) }
        #expect(throws: EncodingError.self) {
            try encoder.encode(page.patch { $0.items.remove(ResourceIdentifier(type: "items", id: "1")) })
        }
        #expect(throws: EncodingError.self) {
            try encoder.encode(page.patch { $0.items.identifiers?.append(ResourceIdentifier(type: "items", id: "2")) })
        }
        let whole = try JSON(parsing: encoder.encode(page.patch { $0.items.identifiers = [ResourceIdentifier(type: "items", id: "2")] }))
        #expect(whole["data"]?["relationships"]?["items"] == ["data": [["type": "items", "id": "2"]]])
        let other = try decoder.decode(Box.self, from: box(links, ids: ["3", "4"]))
        #expect(Patch(from: page, to: other).isEmpty)
        let again = try JSON(parsing: encoder.encode(Document(page)))
        #expect(again["data"]?["relationships"]?["items"]?["data"] == [["type": "items", "id": "1"]])
    }

    private struct Draft: Resource {
        static let type = "items"
        var id: String?
    }
    private struct DraftBox: Resource {
        static let type = "boxes"
        var id: String
        var items: ToMany<Draft>
    }

    @Test("A resource without an id that is appended to a page is not lost")
    func unidentified() throws {
        let page = try decoder.decode(DraftBox.self, from: box(#"{"next":"/b?page=2"}"#))
        #expect(throws: EncodingError.self) { try encoder.encode(page.patch { $0.items.append(Draft()) }) }
    }

    @Test(
        "Links of a whole relationship do not make it a page",
        arguments: [#"{"self":"/b"}"#, #"{"next":null,"prev":null}"#, #"{"next":""}"#])
    func whole(links: String) throws {
        let box = box(links)
        let patch = try JSON(parsing: encoder.encode(decoder.decode(Box.self, from: box).patch { $0.items.append(id: "2") }))
        #expect(patch["data"]?["relationships"]?["items"]?["data"]?.array?.count == 2)
        #expect(try decoder.decode(EmbeddingBox.self, from: box).items.count == 1)
    }

    @Test("An array is never one page of a relationship, unless the options allow it")
    func pageOfValues() throws {
        let page = box(#"{"next":"/b?page=2"}"#)
        #expect(advice { _ = try decoder.decode(EmbeddingBox.self, from: page) }?.contains("ToMany") == true)
        #expect(advice { _ = try decoder.decode(OptionalBox.self, from: page) }?.contains("ToMany") == true)
        #expect(advice { _ = try decoder.decode(LinkingBox.self, from: page) }?.contains("ToMany") == true)
        var omitting = decoder
        omitting.missingResources = .omit
        let document = try omitting.decode(Document<EmbeddingBox>.self, from: page)
        #expect(document.data.items.count == 1)
        #expect(document.diagnostics.contains { $0.kind == .notIncluded && $0.message.contains("one page") })
        let base = try decoder.decode(ResourceObject.self, from: page)
        var edited = document.data
        edited.items.append(Item(id: "2", price: 1))
        #expect(throws: EncodingError.self) { try encoder.encode(Patch(from: document.data, to: edited, base: base)) }
    }

    // MARK: - Names with dots

    private struct Post: Resource {
        static let type = "posts"
        var id: String
        var items: [Item]
        enum CodingKeys: String, CodingKey { case id, items = "post.items" }
    }
    private struct ReferringPost: Resource {
        static let type = "posts"
        var id: String
        var items: ToMany<Item>
        enum CodingKeys: String, CodingKey { case id, items = "post.items" }
    }
    private struct HandwrittenPost: Resource {
        static let type = "posts"
        var id: String
        var items: [Item]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            id = try container.decode(String.self, forKey: .id)
            items = try container.decode([Item].self, forKey: .relationships("post.items"))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(items, forKey: .relationships("post.items"))
        }
    }

    @Test("A relationship whose name has a dot is not written as an attribute")
    func dottedRelationship() throws {
        let post = data(
            #"{"type":"posts","id":"1","relationships":{"post.items":{"data":[{"type":"items","id":"2"}]}}}"#,
            included: #"{"type":"items","id":"2","attributes":{"price":3}}"#)
        #expect(advice { _ = try decoder.decode(Post.self, from: post) }?.contains(#"Key.relationships("post.items")"#) == true)
        let referring = try decoder.decode(ReferringPost.self, from: post)
        #expect(referring.items.values == [Item(id: "2", price: 3)])
        let error = #expect(throws: EncodingError.self) { try encoder.encode(referring) }
        #expect(error?.failure?.advice?.contains("Key.relationships") == true)
        let document = try decoder.decode(Document<HandwrittenPost>.self, from: post)
        var unchecked = encoder
        unchecked.checksNames = false
        #expect(try JSON(parsing: unchecked.encode(document)) == JSON(parsing: post))
    }

    // MARK: - Attributes called type

    private struct Folder: Resource {
        static let type = "files"
        var id: String
        var name: String
        var kind: String
        enum CodingKeys: String, CodingKey { case id, name, kind = "attributes.type" }
    }

    @Test("A model with an attribute `type` can be patched as long as the patch does not contain it")
    func patchBesideType() throws {
        let folder = Folder(id: "1", name: "a", kind: "folder")
        let patch = try JSON(parsing: encoder.encode(folder.patch { $0.name = "b" }))
        #expect(patch["data"]?["attributes"] == ["name": "b"])
        #expect(folder.patch { _ in }.isEmpty)
        try encoder.checkCoding(of: folder)
        let error = #expect(throws: EncodingError.self) { try encoder.encode(folder.patch { $0.kind = "file" }) }
        #expect(error?.failure?.kind == .illegalName && error?.failure?.pointer.description == "/data/attributes/type")
    }

    private enum FolderKind: String, Codable { case folder }
    private struct TypedFolder: Resource {
        static let type = "files"
        var id: String
        var type: FolderKind
    }

    @Test("A property `type` that cannot be the identity names the key of the attribute")
    func propertyType() {
        let folder = data(#"{"type":"files","id":"1","attributes":{"type":"folder"}}"#)
        #expect(advice { _ = try decoder.decode(TypedFolder.self, from: folder) }?.contains("`attributes.type`") == true)
    }

    // MARK: - Advice

    private struct Person: Resource {
        static let type = "people"
        var id: String?
        var isKnown: Bool?
        var friend: Item?
        var items: [Item]?
    }

    @Test(
        "Advice names the leniency that accepts a fault",
        arguments: [
            (#"{"type":"people","id":null}"#, "missingIDs", Leniencies.missingIDs),
            (#"{"type":"people","id":"1","attributes":[]}"#, "emptyArrayContainers", .emptyArrayContainers),
            (#"{"type":"people","id":"1","relationships":[]}"#, "emptyArrayContainers", .emptyArrayContainers),
            (#"{"type":"people","id":"1","attributes":null}"#, "nullContainers", .nullContainers),
            (#"{"type":"people","id":"1"},"included":null"#, "nullContainers", .nullContainers),
            (#"{"type":"people","id":"1","relationships":{"friend":null}}"#, "nullContainers", .nullContainers),
            (#"{"type":"people","id":"1","relationships":{"friend":[]}}"#, "emptyArrayContainers", .emptyArrayContainers),
            (
                #"{"type":"people","id":"1","relationships":{"items":{"data":[{"type":"items","id":"1","attributes":{"price":1}}]}}},"included":[]"#,
                "embeddedResources", .embeddedResources
            ),
        ])
    func leniencies(resource: String, name: String, leniency: Leniencies) throws {
        var strictest = decoder
        strictest.missingResources = .throw
        #expect(advice { _ = try strictest.decode(Person.self, from: data(resource)) }?.contains(name) == true)
        strictest.leniencies = leniency
        _ = try strictest.decode(Person.self, from: data(resource))
    }

    @Test(
        "A fault of a relationship has the same advice if a model is read and if the whole document is checked",
        arguments: [
            #""friend":null"#, #""friend":[]"#, #""items":null"#, #""friend":{"data":{"id":"1"}}"#, #""friend":{"data":{"type":"items"}}"#,
            #""friend":{"data":{"type":"items","id":7}}"#, #""friend":{"data":{"type":"items","id":null}}"#, #""items":{"data":[7]}"#,
            #""items":{"data":[{"type":"items"}]}"#, #""friend":{"type":"items","id":"1"}"#,
        ])
    func sameAdvice(relationship: String) {
        let person = data(#"{"type":"people","id":"1","relationships":{\#(relationship)}}"#)
        let read = advice { _ = try decoder.decode(Person.self, from: person) }
        let checked = advice { _ = try decoder.decode(Document<Person>.self, from: person) }
        #expect(read == checked && read?.contains("no advice") == false && read != "no error")
    }

    private struct Reader: Resource {
        static let type = "people"
        var id: String
        var isKnown: Bool?
        var age: Int?
        var height: Double?
        var site: URL?
        var friend: ToOne<Item> = .notLoaded
    }

    @Test(
        "Advice names the property wrapper that reads a value",
        arguments: [
            (#"{"isKnown":1}"#, "@LenientBool of JSONMapping"), (#"{"isKnown":"true"}"#, "@LenientBool"),
            (#"{"isKnown":""}"#, "@EmptyAsNil"),
            (#"{"age":""}"#, "@EmptyAsNil of JSONMapping"), (#"{"height":""}"#, "@EmptyAsNil"), (#"{"site":""}"#, "@EmptyAsNil"),
        ])
    func wrappers(attributes: String, name: String) {
        let reader = data(#"{"type":"people","id":"1","attributes":\#(attributes)}"#)
        #expect(advice { _ = try decoder.decode(Reader.self, from: reader) }?.contains(name) == true)
    }

    @Test("Advice names a type for a number that does not fit, and the strategy for a date in another form than that of a formatter")
    func numbersAndDates() {
        let reader = data(#"{"type":"people","id":"1","attributes":{"age":1.5}}"#)
        #expect(advice { _ = try decoder.decode(Reader.self, from: reader) }?.contains("JSONNumber") == true)
        struct Event: Resource {
            static let type = "people"
            var id: String
            var age: Date
        }
        var formatted = decoder
        formatted.dateDecodingStrategy = .text(DateTextForm(read: { _ in nil }, write: { _ in "" }))
        let event = data(#"{"type":"people","id":"1","attributes":{"age":"yesterday"}}"#)
        #expect(advice { _ = try formatted.decode(Event.self, from: event) }?.contains("dateDecodingStrategy") == true)
    }

    @Test("An identifier whose id is null is an error in every mode, with advice, however it is read")
    func nullIDInLinkage() {
        let reader = data(#"{"type":"people","id":"1","relationships":{"friend":{"data":{"type":"items","id":null}}}}"#)
        for decoder in [JSONAPIDecoder(), JSONAPIDecoder(mode: .strict), JSONAPIDecoder(mode: .lenient)] {
            #expect(advice { _ = try decoder.decode(Reader.self, from: reader) }?.contains("must send null") == true)
            #expect(advice { _ = try decoder.decode(Document<Reader>.self, from: reader) }?.contains("must send null") == true)
        }
    }

    private struct Page: Resource {
        static let type = "pages"
        var id: String
        var isPublished: Bool
    }

    @Test("With a key strategy, the advice on a name is a key that the strategy does not convert")
    func namesAndStrategies() {
        var decoder = decoder
        decoder.keyStrategy = .kebabCase
        let page = data(#"{"type":"pages","id":"1","attributes":{"isPublished":true}}"#)
        #expect(advice { _ = try decoder.decode(Page.self, from: page) }?.contains("`attributes.isPublished`") == true)
    }

    @Test("The advice for an optional array that lacks some resources is not to make it optional")
    func incompleteArray() throws {
        let included = #"{"type":"items","id":"1","attributes":{"price":1}}"#
        let person =
            #"{"type":"people","id":"1","relationships":{"items":{"data":[{"type":"items","id":"1"},{"type":"items","id":"2"}]}}}"#
        #expect(advice { _ = try decoder.decode(Person.self, from: data(person, included: included)) }?.contains("]?") == false)
    }

    @Test(
        "Errors are found at a property whatever the form of the pointer",
        arguments: ["title", "/title", "data/attributes/title", "/data/attributes/title", "#/data/attributes/title"])
    func pointers(text: String) throws {
        let document = ErrorDocument(errors: [ErrorObject(source: ErrorSource(members: ["pointer": .string(text)]))])
        #expect(document.errors(at: "title").count == 1)
        #expect(document.errors(at: "data").isEmpty)
    }

    @Test(
        "The pointer of an error that is the fragment of a URI is percent-encoded",
        arguments: [
            ("#/data/attributes/first%20name", "first name"), ("#/data/attributes/caf%C3%A9", "café"), ("#/data/attributes/a+b", "a+b"),
            ("#/data/attributes/100%", "100%"), ("/data/attributes/first%20name", "first%20name"), ("#/first%20name", "first name"),
        ])
    func fragment(pointer: String, property: String) throws {
        func errors(_ pointer: String) -> ErrorDocument {
            ErrorDocument(errors: [ErrorObject(source: ErrorSource(members: ["pointer": .string(pointer)]))])
        }
        #expect(errors(pointer).errors(at: property).count == 1)
        #expect(errors("#/data").errors(at: "data").isEmpty)
    }
}
