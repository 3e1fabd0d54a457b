import JSONAPICodec
import JSONAPIStore
import JSONText
import Testing

@Suite("Forms that show a new resource which is deleted meanwhile")
struct DraftDeletionTests {
    private let store = ResourceStore()
    private let queue: RequestQueue
    private let folder = ResourceIdentifier(type: "folders", id: "9")
    /// A note whose creation is queued, and to which the folder links.
    private let new: ResourceIdentifier

    private struct Note: Resource {
        static let type = "notes"
        var id: String?
        var lid: LocalID?
        var text: String
    }

    private struct Folder: Resource {
        static let type = "folders"
        var id: String
        var name: String
        var notes: ToMany<Note>
        var first: ToOne<Note>?
    }

    init() throws {
        queue = RequestQueue(store)
        try store.ingest([Note(id: "1", text: "a"), Note(id: "2", text: "b")])
        try store.ingest(Folder(id: "9", name: "F", notes: ToMany(ids: ["1"]), first: ToOne(id: "1")))
        new = try queue.create(Note(lid: "n1", text: "Milk")).target
        try queue.add([new], to: "notes", of: folder)
        try queue.replace("first", of: folder, with: .one(new))
    }

    private var notes: [String?] { store[folder]?[relationship: "notes"]?.data.identifiers.map { $0.id ?? $0.lid } ?? [] }

    @Test("The change of a list is queued without the resource")
    func queued() throws {
        var form = try store.draft(Folder.self, id: "9")
        try queue.delete(new)
        form.value.name = "G"
        form.value.notes.append(id: "2")
        #expect(try form.conflicts().isEmpty)
        let request = try #require(try queue.update(&form))
        let sent = request.document?.data.resources.first
        #expect(sent?.attributes == ["name": "G"])
        #expect(sent?[relationship: "notes"]?.data.identifiers.map(\.id) == ["1", "2"])
        #expect(notes == ["1", "2"])
        // The value of the form still has the resource.
        form.value.notes.append(id: "3")
        #expect(try form.changes()[relationship: "notes"]?.data.identifiers.map(\.id) == ["1", "2", "3"])
        try form.commit()
        #expect(notes == ["1", "2", "3"])
        #expect(try !form.hasChanges())
    }

    @Test("A commit without the queue does not link to the resource again")
    func committed() throws {
        var form = try store.draft(Folder.self, id: "9")
        try queue.delete(new)
        form.value.notes.append(id: "2")
        try form.commit()
        #expect(notes == ["1", "2"])
    }

    @Test("Inside a transaction, a deletion of the same transaction counts")
    func transaction() throws {
        var form = try store.draft(Folder.self, id: "9")
        form.value.notes.append(id: "2")
        try store.transaction { _ in
            try queue.delete(new)
            try queue.update(&form)
        }
        #expect(notes == ["1", "2"])
    }

    @Test("A to-one relationship that showed the resource has its earlier value, and can be changed")
    func single() throws {
        var form = try store.draft(Folder.self, id: "9")
        try queue.delete(new)
        form.value.name = "G"
        let request = try queue.update(&form)
        #expect(request?.document?.data.resources.first?.relationships == nil)
        #expect(store[folder]?[relationship: "first"]?.data.identifiers.map(\.id) == ["1"])
        form.value.first = ToOne(id: "2")
        try queue.update(&form)
        #expect(store[folder]?[relationship: "first"]?.data.identifiers.map(\.id) == ["2"])
    }

    @Test("A resource that is in the store, or got its id, stays in the list of the form")
    func kept() throws {
        var form = try store.draft(Folder.self, id: "9")
        try queue.remove([new], from: "notes", of: folder)
        form.value.notes.append(id: "2")
        try form.commit()
        #expect(notes == ["1", "n1", "2"])
        let creation = try #require(try queue.next())
        try queue.answer(creation, status: 201, body: JSONAPIEncoder().encode(Note(id: "7", text: "Milk")))
        form.value.name = "G"
        form.value.notes.append(id: "3")
        try form.commit()
        #expect(notes == ["1", "7", "2", "3"])
    }

    @Test("A list that links to a resource which is still to be made keeps the link")
    func unknown() throws {
        try store.ingest(object(#"{"type":"folders","id":"8","attributes":{"name":"H"}}"#))
        try store.apply(Patch<ResourceObject>(type: "folders", id: "8").link("notes", to: [ResourceIdentifier(type: "notes", lid: "n2")]))
        var form = try store.draft(Folder.self, id: "8")
        form.value.notes.append(id: "2")
        try form.commit()
        #expect(store[ResourceIdentifier(type: "folders", id: "8")]?[relationship: "notes"]?.data.identifiers.count == 2)
    }

    @Test("A link to the resource that the user has added to the form is an error with its relationship and a cure")
    func added() throws {
        try queue.delete(new)
        var form = try store.draft(Folder.self, id: "9")
        form.value.first = ToOne(new)
        let single = #expect(throws: StoreError.self) { try queue.update(&form) }
        #expect(single?.kind == .missingIdentity && single?.pointer == JSONPointer("relationships", "first"))
        #expect(single?.advice?.contains("unlink") == true)
        let many = #expect(throws: StoreError.self) { try queue.add([new], to: "notes", of: folder) }
        #expect(many?.pointer == JSONPointer("relationships", "notes"))
        form.value.first = ToOne(id: "2")
        try queue.update(&form)
    }
}
