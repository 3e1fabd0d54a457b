import Foundation
import JSONAPICodec
import JSONAPIStore
import JSONText
import Testing

@Suite("A lid that has got its id stands for that id everywhere")
struct PromotedLidTests {
    private struct Memo: Resource {
        static let type = "memos"
        var id: String?
        var lid: LocalID?
        var text: String
    }

    private struct Folder: Resource {
        static let type = "folders"
        var id: String?
        var lid: LocalID?
        var name: String?
        var memos: ToMany<Memo> = .notLoaded
    }

    private let store = ResourceStore()
    private var queue: RequestQueue { RequestQueue(store) }
    private let folder = ResourceIdentifier(type: "folders", id: "1")
    private let milk = ResourceIdentifier(type: "memos", lid: "n1")
    private let promoted = ResourceIdentifier(type: "memos", id: "77")

    init() throws {
        try store.ingest(object(#"{"type":"folders","id":"1","attributes":{"name":"F"},"relationships":{"memos":{"data":[]}}}"#))
        try queue.create(Memo(lid: "n1", text: "Milk"))
        try queue.add([milk], to: "memos", of: folder)
    }

    private func answer() throws {
        let creation = try #require(try queue.next())
        try queue.answer(creation, status: 201, body: Data(#"{"data":{"type":"memos","id":"77","attributes":{"text":"Milk"}}}"#.utf8))
        let addition = try #require(try queue.next())
        try queue.answer(addition, status: 204)
        #expect(linked == .many([promoted]))
    }

    private var linked: Linkage? { store[folder]?[relationship: "memos"]?.data }

    private func body(_ data: Data) throws -> JSON? { try JSON(parsing: Array(data))["data"]?["relationships"]?["memos"]?["data"] }

    @Test("A form that was open when the answer arrived sends and saves the id", arguments: [true, false])
    func openForm(isQueued: Bool) throws {
        var form = try store.draft(Folder.self, folder)
        try answer()
        #expect(try !form.hasChanges())
        form.value.name = "G"
        #expect(try form.conflicts().isEmpty)
        form.value.memos.append(id: "9")
        let expected: JSON = [["type": "memos", "id": "77"], ["type": "memos", "id": "9"]]
        #expect(try body(JSONAPIEncoder().encode(form.patch)) == expected)
        if isQueued {
            let request = try #require(try queue.update(&form))
            #expect(try body(#require(request.body)) == expected)
        } else {
            try form.commit()
        }
        #expect(linked?.identifiers.map(\.id) == ["77", "9"])
        #expect(store[folder]?[attribute: "name"] == "G")
        // The next edit starts from the committed one.
        form.value.memos = .empty
        try form.commit()
        #expect(linked == .many([]))
    }

    private struct Card: Resource {
        static let type = "cards"
        var id: String?
        var lid: LocalID?
        var text: String
        var info: ResourceMeta<[String: Int]>?
        var rest = RemainingMembers()
        enum CodingKeys: String, CodingKey { case id, lid, text, info, rest = "attributes" }
    }

    @Test("A form of a resource whose lid became an id sends the id, with meta and remaining members")
    func formOfThePromoted() throws {
        let local = ResourceIdentifier(type: "cards", lid: "c")
        try store.ingest(object(#"{"type":"cards","lid":"c","attributes":{"text":"A","x":1},"meta":{"n":1}}"#))
        var form = try store.draft(Card.self, local)
        form.value.text = "B"
        form.value.info = ResourceMeta(["n": 2])
        let patch = form.patch
        try store.promote(local, to: "5")
        let expected: JSON = ["data": ["type": "cards", "id": "5", "attributes": ["text": "B"], "meta": ["n": 2]]]
        #expect(try JSON(parsing: Array(JSONAPIEncoder().encode(form.patch))) == expected)
        #expect(try JSON(parsing: Array(JSONAPIEncoder().encode(patch))) == expected, "made before, encoded after")
        try form.commit()
        #expect(store[ResourceIdentifier(type: "cards", id: "5")]?.attributes == ["text": "B", "x": 1])
    }

    @Test("A new draft whose value links to the lid sends the id", arguments: [true, false])
    func newDraft(isShown: Bool) throws {
        let draft = store.draft(new: Folder(lid: "f", name: "G", memos: ToMany(identifiers: [milk])))
        if isShown { try draft.show() }
        try answer()
        let expected: JSON = [["type": "memos", "id": "77"]]
        #expect(try body(JSONAPIEncoder().encode(draft.create)) == expected)
        let request = try queue.create(draft)
        #expect(try body(#require(request.body)) == expected)
        #expect(store[draft.identifier]?[relationship: "memos"]?.data == .many([promoted]))
    }

    @Test("Requests, patches, and resources of the program with the lid are stored and sent with the id")
    func writing() throws {
        try answer()
        #expect(try queue.add([milk], to: "memos", of: folder).document?.linkage == .many([promoted]))
        #expect(try queue.replace("memos", of: folder, with: .many([milk])).document?.linkage == .many([promoted]))
        #expect(try queue.remove([milk], from: "memos", of: folder).document?.linkage == .many([promoted]))
        #expect(linked == .many([]))
        let update = try queue.update(Patch<Folder>(folder).link("memos", to: [milk]))
        #expect(try body(#require(update?.body)) == [["type": "memos", "id": "77"]])
        try queue.removeAll()
        try store.apply(Patch<Folder>(folder).link("memos", to: [milk, promoted]))
        #expect(linked == .many([promoted]))
        try store.ingest(Folder(id: "1", memos: ToMany(identifiers: [milk])))
        #expect(linked == .many([promoted]))
        try store.ingest(Memo(lid: "n1", text: "Bread"))
        #expect(store.identifiers(ofType: "memos") == [promoted])
        #expect(store[promoted]?[attribute: "text"] == "Bread")
    }

    @Test("A document of the program with the lid is stored with the id")
    func madeDocument() throws {
        try answer()
        try store.apply(Patch<Folder>(folder).link("memos", to: [ResourceIdentifier]()))
        try store.ingest(Document(Folder(id: "1", memos: ToMany(identifiers: [milk]))))
        #expect(linked == .many([promoted]))
        try store.keep(Document([milk]), for: "memos")
        #expect(try store.keptDocument([Memo].self, for: "memos")?.data.map(\.id) == ["77"])
    }

    @Test("Reading by the lid finds the resource")
    func reading() throws {
        try answer()
        #expect(store[milk] != nil && store[milk] == store[promoted] && store.contains(milk))
        #expect(try store.resource(Memo.self, milk)?.id == "77")
        #expect(try store.draft(Memo.self, milk).value.id == "77")
        #expect(try store.deletion(of: milk).identifier == promoted)
        #expect(try store.snapshot().resource(Memo.self, milk)?.id == "77")
        #expect(store.snapshot()[milk] == store[promoted])
        #expect(try store.transaction { try $0.resource(Memo.self, milk) }?.id == "77")
        let changes = Record<ResourceIdentifier>()
        let observation = store.observe(milk) { changes.append($0.identifier) }
        #expect(store.remove(milk) && !store.contains(promoted))
        #expect(changes.elements == [promoted])
        observation.cancel()
    }

    @Test("A new resource can have the lid of an earlier one, and its draft does not remove that one")
    func reusedLID() throws {
        try answer()
        let draft = store.draft(new: Memo(lid: "n1", text: "Bread"))
        draft.rollBack()
        #expect(store.contains(promoted) && !draft.isShown)
        let second = try queue.create(draft)
        #expect(second.target == milk && store.count(ofType: "memos") == 2)
        #expect(store[milk]?[attribute: "text"] == "Bread" && store[promoted]?[attribute: "text"] == "Milk")
    }

    private struct Stop: Error {}

    private func rollBackPromotion() {
        #expect(throws: Stop.self) {
            try store.transaction { transaction in
                try transaction.promote(milk, to: "77")
                #expect(transaction[milk]?.id == "77")
                throw Stop()
            }
        }
    }

    @Test("A lid whose promotion was rolled back stands for itself again", arguments: [true, false])
    func rolledBack(isNested: Bool) throws {
        if isNested { store.transaction { _ in rollBackPromotion() } } else { rollBackPromotion() }
        #expect(store.remove(milk))
        try store.apply(Patch<Folder>(folder).link("memos", to: [milk]))
        #expect(linked == .many([milk]) && !store.contains(milk))
    }
}

@Suite("A UUID of a model finds the spelling of the server")
struct UUIDSpellingTests {
    private struct Tag: Resource {
        static let type = "tags"
        var id: UUID
        var name: String
    }

    private struct Named: Resource {
        static let type = "tags"
        var id: String
        var name: String
    }

    private let store = ResourceStore()
    private let text = "0b7fd3a0-91c2-4c0e-8a55-2f6e01a4d9be"
    private var server: ResourceIdentifier { ResourceIdentifier(type: "tags", id: text) }

    private func decoded() throws -> Tag {
        try store.decode(Tag.self, from: Data(#"{"data":{"type":"tags","id":"\#(text)","attributes":{"name":"A"}}}"#.utf8))
    }

    @Test("Reading, editing, and deleting by the id of the model use the spelling of the server")
    func spelling() throws {
        let tag = try decoded()
        #expect(try store.resource(Tag.self, id: tag.id)?.name == "A")
        #expect(try store.snapshot().resource(Tag.self, ResourceIdentifier(type: "tags", id: tag.id.uuidString))?.name == "A")
        #expect(try store.deletion(of: tag).identifier == server)
        var draft = try store.draft(Tag.self, id: tag.id)
        draft.value.name = "B"
        #expect(try JSON(parsing: Array(JSONAPIEncoder().encode(draft.patch)))["data"]?["id"] == .string(text))
        try draft.commit()
        try store.apply(tag.patch { $0.name = "C" })
        let request = try RequestQueue(store).update(tag.patch { $0.name = "D" })
        #expect(request?.target == server)
        let body = try JSON(parsing: Array(#require(request?.body)))
        #expect(body["data"]?["id"] == .string(text))
        #expect(store[server]?[attribute: "name"] == "D")
        try store.transaction { _ = try $0.ingest(Tag(id: tag.id, name: "E")) }
        #expect(store.identifiers == [server])
    }

    @Test("A document of the program changes the resource in the spelling of the server")
    func madeDocument() throws {
        let tag = try decoded()
        try store.ingest(Document(Tag(id: tag.id, name: "B")))
        try store.keep(Document([Tag(id: tag.id, name: "C")]), for: "tags")
        #expect(store.identifiers == [server] && store[server]?[attribute: "name"] == "C")
        #expect(try store.keptDocument([ResourceObject].self, for: "tags")?.data.map(\.id) == [text])
    }

    @Test("A live value finds the resource when it arrives", .timeLimit(.minutes(20)))
    func live() async throws {
        let id = try #require(UUID(uuidString: text))
        var values = store.value(Tag.self, id: id).makeAsyncIterator()
        let first = await values.next()
        #expect(first != nil && first??.name == nil)
        _ = try decoded()
        #expect(await values.next()??.name == "A")
    }

    @Test("The spelling as written counts first, and other ids are compared byte by byte")
    func exact() throws {
        let tag = try decoded()
        #expect(try store.resource(Named.self, id: tag.id.uuidString) == nil)
        try store.ingest(Named(id: tag.id.uuidString, name: "upper"))
        #expect(store.count == 2)
        #expect(try store.resource(Tag.self, id: tag.id)?.name == "upper")
    }

    @Test("An archive finds the resource as well")
    func archive() throws {
        var writer = Archive.Writer()
        try writer.insert(ResourceObject(type: "tags", id: text, attributes: ["name": "A"]))
        let archive = try Archive(data: writer.data())
        let id = try #require(UUID(uuidString: text))
        #expect(try archive.resource(Tag.self, id: id)?.name == "A")
        #expect(try archive.resource(Named.self, id: id.uuidString) == nil)
    }

    private struct Note: Resource {
        static let type = "notes"
        var id: String
        var tag: ToOne<Tag>
        var tags: ToMany<Tag>
    }

    private struct Embedding: Resource {
        static let type = "notes"
        var id: String
        var tag: Tag
        var tags: [Tag]?
    }

    private struct Words: Resource {
        static let type = "notes"
        var id: String
        var tag: Named?
    }

    /// A note whose links have the UUID in upper case.
    private func note() throws -> Note {
        let id = try #require(UUID(uuidString: text))
        return Note(id: "1", tag: ToOne(id: id), tags: ToMany(ids: [id]))
    }

    @Test("Models that embed the resource find it, and follow its changes")
    func embedded() throws {
        let tag = try decoded()
        try store.ingest(note())
        let read = try #require(try store.resource(Embedding.self, id: "1"))
        #expect(read.tag.name == "A" && read.tags?.map(\.name) == ["A"] && read.tag.id == tag.id)
        try store.apply(tag.patch { $0.name = "B" })
        #expect(try store.resource(Embedding.self, id: "1")?.tags?.first?.name == "B")
        #expect(try store.resources(Embedding.self).map(\.tag.name) == ["B"])
        #expect(try store.snapshot().resource(Embedding.self, ResourceIdentifier(type: "notes", id: "1"))?.tag.name == "B")
        #expect(try store.resource(Words.self, id: "1")?.tag == nil)
        try store.ingest(Named(id: tag.id.uuidString, name: "upper"))
        #expect(try store.resource(Embedding.self, id: "1")?.tag.name == "upper")
    }

    @Test("A chain of models that embed each other is found, whatever the spelling of each link")
    func chain() throws {
        struct Folder: Resource {
            static let type = "folders"
            var id: UUID
            var parent: Parent?
        }
        final class Parent: Resource {
            static let type = "folders"
            let id: UUID
            let parent: Parent?
            init(id: UUID, parent: Parent?) { (self.id, self.parent) = (id, parent) }
        }
        let ids = (0..<20).map { _ in UUID() }
        for (id, parent) in zip(ids, ids.dropFirst().map { Optional($0) } + [nil]) {
            let link = parent.map { Linkage.one(ResourceIdentifier(type: "folders", id: $0.uuidString)) } ?? .null
            try store.ingest(
                ResourceObject(type: "folders", id: id.uuidString.lowercased(), relationships: ["parent": .init(data: link)]))
        }
        var depth = 0
        var next = try store.resource(Folder.self, id: #require(ids.first))?.parent
        while let folder = next { (depth, next) = (depth + 1, folder.parent) }
        #expect(depth == 19)
    }

    @Test("References in a transaction, a snapshot, and an archive find the resource")
    func references() throws {
        _ = try decoded()
        try store.ingest(note())
        let identifier = ResourceIdentifier(type: "notes", id: "1")
        try store.transaction { transaction in
            let read = try #require(try transaction.resource(Note.self, identifier))
            #expect(read.tag.value?.name == "A" && read.tags.values.map(\.name) == ["A"])
        }
        let shown = try #require(try store.snapshot().resource(Note.self, identifier))
        #expect(shown.tag.value?.name == "A" && shown.tags.values.map(\.name) == ["A"])
        var writer = Archive.Writer()
        try writer.insert(ResourceObject(type: "tags", id: text, attributes: ["name": "A"]))
        try writer.encode(note(), forKey: "note")
        var archive = try Archive(data: writer.data())
        for isOmitting in [false, true] {
            archive.decoder.missingResources = isOmitting ? .omit : .keep
            let kept = try archive.decode(Note.self, forKey: "note")
            #expect(kept.tag.value?.name == "A" && kept.tags.values.map(\.name) == ["A"])
            #expect(try archive.decode(Embedding.self, forKey: "note").tag.name == "A")
            #expect(try archive.decode(Words.self, forKey: "note").tag == nil)
        }
    }

    @Test("A model that embeds the resource is added without a second one")
    func ingestedEmbedded() throws {
        var tag = try decoded()
        tag.name = "B"
        try store.ingest(Embedding(id: "1", tag: tag, tags: [tag]))
        #expect(store.count == 2 && store.contains(server))
        #expect(try store.resource(Embedding.self, id: "1")?.tags?.map(\.name) == ["B"])
        try store.ingest(Note(id: "2", tag: ToOne(Tag(id: tag.id, name: "C")), tags: .empty))
        #expect(try store.resources(Tag.self).map(\.name) == ["C"])
    }
}
