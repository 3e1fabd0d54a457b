import Foundation
import JSONAPICodec
import JSONAPIStore
import JSONText
import Testing

/// Members in a store that a model does not know are kept, and sent back to the server.
@Suite("A patch of a stored resource loses nothing")
struct StoreLossTests {
    private struct Venue: Resource, Equatable {
        static let type = "venues"
        var id: String
        var city: String?
        enum CodingKeys: String, CodingKey { case id, city = "attributes.place.city" }
    }
    private struct Essay: Resource, Equatable {
        static let type = "articles"
        var id: String
        var title: String
        var comments: [Comment]
    }
    private struct LooseEssay: Resource, Equatable {
        static let type = "articles"
        var id: String
        var title: String
        var comments: [Comment]?
    }

    private struct Place: Codable {
        var city: String
    }
    private struct RestVenue: Resource {
        static let type = "venues"
        var id: String
        var place: Place
        var rest: RemainingMembers
        enum CodingKeys: String, CodingKey { case id, place, rest = "attributes" }
    }

    private let venue = ResourceIdentifier(type: "venues", id: "1")

    private func store(_ text: String) throws -> ResourceStore {
        let store = ResourceStore()
        try store.ingest(document(text))
        return store
    }

    private func venues() throws -> ResourceStore {
        try store(#"{"data":{"type":"venues","id":"1","attributes":{"place":{"city":"Oslo","zip":"0150"}}}}"#)
    }

    @Test("A store that is given a model has the members inside nested values that only its remaining members have")
    func nestedMembers() throws {
        let read = try #require(try venues().resource(RestVenue.self, id: "1"))
        let store = ResourceStore()
        try store.ingest(read)
        let stored = try #require(try store.resource(RestVenue.self, id: "1"))
        let body = try JSON(parsing: JSONAPIEncoder().encode(stored.patch { $0.place.city = "Bergen" }))
        #expect(body["data"]?["attributes"] == ["place": ["city": "Bergen", "zip": "0150"]])
    }

    @Test("A draft sends a whole attribute if the model knows a part")
    func draft() throws {
        let store = try venues()
        var draft = try store.draft(Venue.self, id: "1")
        draft.value.city = "Bergen"
        let body = String(decoding: try JSONAPIEncoder().encode(draft.patch), as: UTF8.self)
        #expect(body == #"{"data":{"type":"venues","id":"1","attributes":{"place":{"city":"Bergen","zip":"0150"}}}}"#)
        #expect(try draft.hasChanges())
        try draft.commit()
        #expect(store[venue]?[attribute: "place"] == ["city": "Bergen", "zip": "0150"])
    }

    @Test("A patch does not take the only element that the store has by now for the one that was read")
    func otherElement() throws {
        struct Item: Codable, Equatable { var name: String }
        struct Box: Resource, Equatable {
            static let type = "boxes"
            var id: String
            var items: [Item]
            enum CodingKeys: String, CodingKey { case id, items = "attributes.box.items" }
        }
        func text(_ items: String) -> String { #"{"data":{"type":"boxes","id":"1","attributes":{"box":{"items":[\#(items)]}}}}"# }
        let boxes = try store(text(#"{"name":"a","secret":1}"#))
        let box = try #require(try boxes.resource(Box.self, id: "1"))
        let patch = box.patch { $0.items.append(Item(name: "b")) }
        try boxes.ingest(document(text(#"{"name":"z","secret":1}"#)))
        #expect(throws: EncodingError.self) { try boxes.apply(patch) }
        try boxes.ingest(document(text(#"{"name":"a","secret":2}"#)))
        try boxes.apply(patch)
        let place = boxes[ResourceIdentifier(type: "boxes", id: "1")]?[attribute: "box"]
        #expect(place == ["items": [["name": "a", "secret": 2], ["name": "b"]]])
    }

    @Test("A patch of two values keeps other members in the store")
    func apply() throws {
        let store = try venues()
        let old = try #require(try store.resource(Venue.self, id: "1"))
        var new = old
        new.city = "Bergen"
        try store.apply(Patch(from: old, to: new))
        #expect(store[venue]?[attribute: "place"] == ["city": "Bergen", "zip": "0150"])
        try store.apply(Patch<Venue>(id: "1").set(\.city, "Molde"))
        #expect(store[venue]?[attribute: "place"] == ["city": "Molde", "zip": "0150"])
    }

    private struct Revised: Resource {
        static let type = "venues"
        var id: String
        var revision: Int?
        enum CodingKeys: String, CodingKey { case id, revision = "meta.revision" }
    }

    @Test("A patch of two values keeps other members of meta in the store")
    func applyToMeta() throws {
        let store = ResourceStore()
        try store.ingest(ResourceObject(type: "venues", id: "1", meta: ["revision": 3, "x": 1]))
        let old = try #require(try store.resource(Revised.self, id: "1"))
        try store.apply(old.patch { $0.revision = 4 })
        #expect(store[venue]?.meta == ["revision": 4, "x": 1])
        try store.apply(Patch<Revised>(id: "1").set(\.revision, 5))
        #expect(store[venue]?.meta == ["revision": 5, "x": 1])
        #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(old.patch { $0.revision = 4 }) }
    }

    @Test("Ingesting a model keeps the rest of an attribute that it knows in part")
    func ingest() throws {
        let store = try venues()
        let report = try store.ingest(Venue(id: "1", city: "Bergen"))
        #expect(store[venue]?[attribute: "place"] == ["city": "Bergen", "zip": "0150"])
        #expect(report.updated == 1)
        try store.ingest(Venue(id: "1", city: nil))
        #expect(store[venue]?[attribute: "place"] == ["city": "Bergen", "zip": "0150"])
        try store.ingest(Venue(id: "1", city: "Molde"), merging: .replace)
        #expect(store[venue]?[attribute: "place"] == ["city": "Molde"])
    }

    @Test("Ingesting or keeping a document of models keeps the rest of an attribute that they know in part")
    func documentOfModels() throws {
        let store = try venues()
        let list = #"{"data":[{"type":"venues","id":"1","attributes":{"place":{"city":"Oslo","zip":"0150"}}}]}"#
        try store.keep(document(list), for: "q")
        var page = try #require(try store.keptDocument([Venue].self, for: "q"))
        page.data.append(Venue(id: "2", city: "Bergen"))
        try store.keep(page, for: "q")
        #expect(store[venue]?[attribute: "place"] == ["city": "Oslo", "zip": "0150"])
        #expect(store[ResourceIdentifier(type: "venues", id: "2")]?[attribute: "place"] == ["city": "Bergen"])
        try store.ingest(Document(Venue(id: "1", city: "Molde")))
        #expect(store[venue]?[attribute: "place"] == ["city": "Molde", "zip": "0150"])
        let queue = RequestQueue(store)
        let request = try #require(try queue.update(Patch<Venue>(id: "1").set(\.city, "Bodø")))
        try store.ingest(Document([Venue(id: "1", city: "Voss")]))
        try queue.rollBack(request)
        #expect(store[venue]?[attribute: "place"] == ["city": "Voss", "zip": "0150"])
        try store.ingest(Document(Venue(id: "1", city: "Molde")), merging: .replace)
        #expect(store[venue]?[attribute: "place"] == ["city": "Molde"])
    }

    @Test("Ingesting a model keeps the rest of meta that it knows in part")
    func ingestMeta() throws {
        let store = ResourceStore()
        try store.ingest(ResourceObject(type: "venues", id: "1", meta: ["revision": 3, "x": 1]))
        try store.ingest(Revised(id: "1", revision: 4))
        #expect(store[venue]?.meta == ["revision": 4, "x": 1])
        try store.ingest(Document(Revised(id: "1", revision: 5)))
        #expect(store[venue]?.meta == ["revision": 5, "x": 1])
    }

    private struct Story: Resource {
        static let type = "articles"
        var id: String
        var comments: ToMany<Comment>
    }

    @Test("A page stays a page when the store gets the same relationship without linkage")
    func pageBesideAList() throws {
        let page = #"{"data":[{"type":"comments","id":"5"}],"links":{"next":"/articles/1/relationships/comments?page=2"}}"#
        let store = try store(#"{"data":{"type":"articles","id":"1","relationships":{"comments":\#(page)}}}"#)
        let list = #"{"data":[{"type":"articles","id":"1","relationships":{"comments":{"links":{"related":"/articles/1/comments"}}}}]}"#
        try store.ingest(JSONAPIDecoder().decode(DocumentObject.self, from: Data(list.utf8)))
        var draft = try store.draft(Story.self, id: "1")
        draft.value.comments.identifiers?.append(ResourceIdentifier(type: "comments", id: "7"))
        // The whole list would delete the links of the other pages.
        let failure = #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(draft.patch) }?.failure
        #expect(failure?.kind == .missingLinkage)
    }

    @Test("A whole list that is set in place of a page is whole", arguments: ["draft", "patch", "queued patch", "queued linkage"])
    func wholeInPlaceOfPage(by way: String) throws {
        let links = #"{"related":"/articles/1/comments","next":"/articles/1/relationships/comments?page=2"}"#
        let page = #"{"data":[{"type":"comments","id":"5"}],"links":\#(links)}"#
        let store = try store(#"{"data":{"type":"articles","id":"1","relationships":{"comments":\#(page)}}}"#)
        let all = ["5", "6"].map { ResourceIdentifier(type: "comments", id: $0) }
        let identifier = ResourceIdentifier(type: "articles", id: "1")
        let queue = RequestQueue(store)
        let patch = Patch<Story>(id: "1").link("comments", to: all)
        var request: QueuedRequest?
        switch way {
        case "draft":
            var draft = try store.draft(Story.self, id: "1")
            draft.value.comments.identifiers = all
            try draft.commit()
        case "patch": try store.apply(patch)
        case "queued patch": request = try queue.update(patch)
        default: request = try queue.replace("comments", of: identifier, with: .many(all))
        }
        #expect(store[identifier]?[relationship: "comments"]?.links == ["related": "/articles/1/comments"])
        if let request {
            try queue.rollBack(request)
            #expect(store[identifier]?[relationship: "comments"]?.links?.next != nil)
            return
        }
        var draft = try store.draft(Story.self, id: "1")
        draft.value.comments.identifiers?.append(ResourceIdentifier(type: "comments", id: "7"))
        try draft.commit()
        #expect(store[identifier]?[relationship: "comments"]?.data.identifiers.map(\.id) == ["5", "6", "7"])
    }

    private let article =
        #"{"type":"articles","id":"1","attributes":{"title":"T"},"relationships":{"comments":{"data":[{"type":"comments","id":"5"},{"type":"comments","id":"6"}]}}}"#
    private func comment(_ id: String) -> String { #"{"type":"comments","id":"\#(id)","attributes":{"body":"b"}}"# }

    @Test("An embedded array from a store is complete, nil, or an error")
    func arrays() throws {
        let part = try store(#"{"data":\#(article),"included":[\#(comment("5"))]}"#)
        for read in [{ _ = try part.resource(Essay.self, id: "1") }, { _ = try part.resource(LooseEssay.self, id: "1") }] {
            let error = try #require(throws: DecodingError.self) { try read() }
            #expect(error.failure?.kind == .notIncluded)
        }
        let none = try store(#"{"data":\#(article)}"#)
        #expect(try none.resource(LooseEssay.self, id: "1")?.comments == nil)
        #expect(throws: DecodingError.self) { try none.resource(Essay.self, id: "1") }
        try none.ingest(document(#"{"data":[\#(comment("5")),\#(comment("6"))]}"#))
        #expect(try none.resource(Essay.self, id: "1")?.comments.map(\.id) == ["5", "6"])
        #expect(try none.decode(Essay.self, from: Data(#"{"data":\#(article)}"#.utf8)).comments.count == 2)
        let unloaded = try store(#"{"data":{"type":"articles","id":"1","attributes":{"title":"T"}}}"#)
        #expect(throws: DecodingError.self) { try unloaded.resource(Essay.self, id: "1") }
        #expect(try unloaded.resource(LooseEssay.self, id: "1")?.comments == nil)
    }

    private struct Writer: Resource {
        static let type = "people"
        var id: String
        var books: [Book]?
    }

    private struct Book: Resource {
        static let type = "books"
        var id: String
        var writers: [Writer]?
        var related: ToMany<Book>
    }

    /// The reference is in the value that was cut, or in one that is written after it.
    @Test("A model is stored with a relationship in which a cycle was cut if a reference leads there", arguments: [2, 3])
    func cuts(owner: Int) throws {
        let books = [2, 3].map { id in
            let related = id == owner ? #""related":{"data":[{"type":"books","id":"2"}]},"# : ""
            let writers = #""writers":{"data":[{"type":"people","id":"1"}]}"#
            return #"{"type":"books","id":"\#(id)","relationships":{\#(related)\#(writers)}}"#
        }
        let linkage = #"[{"type":"books","id":"2"},{"type":"books","id":"3"}]"#
        let author = #"{"type":"people","id":"1","relationships":{"books":{"data":\#(linkage)}}}"#
        let text = #"{"data":\#(author),"included":[\#(books.joined(separator: ","))]}"#
        let store = ResourceStore()
        try store.ingest(try JSONAPIDecoder().decode(Writer.self, from: Data(text.utf8)))
        let model = try #require(try store.resource(Writer.self, id: "1"))
        let again = try JSONAPIDecoder().decode(DocumentObject.self, from: JSONAPIEncoder().encode(model))
        for id in ["2", "3"] {
            let identifier = ResourceIdentifier(type: "books", id: id)
            #expect(store[identifier]?[relationship: "writers"]?.data.identifiers.map(\.id) == ["1"])
            let included = again.included?.first { $0.id == id }
            #expect(included?[relationship: "writers"]?.data.identifiers.map(\.id) == ["1"])
        }
    }

    @Test("A draft does not send an incomplete array, or edits of one that is not loaded")
    func draftOfPart() throws {
        var decoder = JSONAPIDecoder()
        decoder.missingResources = .omit
        let store = ResourceStore(decoder: decoder)
        try store.ingest(document(#"{"data":\#(article),"included":[\#(comment("5"))]}"#))
        var draft = try store.draft(Essay.self, id: "1")
        #expect(draft.value.comments.map(\.id) == ["5"])
        draft.value.comments.append(Comment(id: "7", body: ""))
        let error = try #require(throws: EncodingError.self) { try JSONAPIEncoder().encode(draft.patch) }
        #expect(error.failure?.advice?.contains("ToMany") == true)
        draft.value.comments.removeLast()
        draft.value.title = "N"
        #expect(try draft.changes().relationships == nil)
        let people = try self.store(#"{"data":{"type":"people","id":"9","attributes":{"name":"A"}}}"#)
        var person = try people.draft(Person.self, id: "9")
        person.value.articles.append(id: "1")
        let refused = try #require(throws: EncodingError.self) { try JSONAPIEncoder().encode(person.patch) }
        #expect(refused.failure?.advice?.contains("Linkage(adding:)") == true)
        #expect(throws: EncodingError.self) { try people.ingest(person.value) }
    }

    @Test("Many embedded relationships are fetched in few rounds")
    func rounds() throws {
        struct Leaf: Resource {
            static let type = "leaves"
            var id: Int
        }
        struct Twig: Resource {
            static let type = "twigs"
            var id: Int
            var leaves: [Leaf]
            var first: Leaf
        }
        struct Branch: Resource {
            static let type = "branches"
            var id: Int
            var twigs: [Twig]
            var last: Twig
        }
        func link(_ type: String, _ ids: some Sequence<Int>) -> String {
            "{\"data\":[" + ids.map { #"{"type":"\#(type)","id":"\#($0)"}"# }.joined(separator: ",") + "]}"
        }
        let twigs = (0..<300).map { id in
            #"{"type":"twigs","id":"\#(id)","relationships":{"leaves":\#(link("leaves", [id * 2, id * 2 + 1])),"first":{"data":{"type":"leaves","id":"\#(id * 2)"}}}}"#
        }
        let leaves = (0..<600).map { #"{"type":"leaves","id":"\#($0)"}"# }
        let branch =
            #"{"type":"branches","id":"1","relationships":{"twigs":\#(link("twigs", 0..<300)),"last":{"data":{"type":"twigs","id":"299"}}}}"#
        let store = try store(#"{"data":\#(branch),"included":[\#((twigs + leaves).joined(separator: ","))]}"#)
        let read = try #require(try store.resource(Branch.self, id: 1))
        #expect(read.twigs.count == 300 && read.twigs.allSatisfy { $0.leaves.count == 2 } && read.last.first.id == 598)
    }
}
