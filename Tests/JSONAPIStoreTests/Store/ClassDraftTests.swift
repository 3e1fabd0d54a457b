import Foundation
import JSONAPICodec
import JSONAPIStore
import Testing

@Suite("Drafts of models that are classes")
struct ClassDraftTests {
    private final class Page: Resource, @unchecked Sendable {
        static let type = "articles"
        var id: String
        var title: String
        var author: ToOne<Person>
    }

    private let store = ResourceStore()

    init() throws { try store.ingest(document(articleText)) }

    private var title: String? { get throws { try store.resource(Page.self, id: "1")?.title } }

    @Test("An edit does not change the store before the commit, and can be rolled back and sent")
    func edit() throws {
        var draft = try store.draft(Page.self, id: "1")
        draft.value.title = "New"
        #expect(try title == "One" && draft.hasChanges() && draft.original.title == "One")
        draft.rollBack()
        #expect(try draft.value.title == "One" && !draft.hasChanges())
        draft.value.title = "Newer"
        #expect(try draft.changes() == object(#"{"type":"articles","id":"1","attributes":{"title":"Newer"}}"#))
        try draft.commit()
        #expect(try title == "Newer" && draft.original.title == "Newer" && !draft.hasChanges())
        draft.value.title = "Newest"
        #expect(try title == "Newer" && draft.hasChanges())
        draft.rollBack()
        #expect(draft.value.title == "Newer" && draft.value.author.value?.name == "Ann")
    }

    @Test("A queued edit is back in the draft when its request is rolled back")
    func queued() throws {
        let queue = RequestQueue(store)
        var draft = try store.draft(Page.self, id: "1")
        draft.value.title = "New"
        let request = try #require(try queue.update(&draft))
        #expect(try title == "New" && !draft.hasChanges())
        try queue.rollBack(request)
        #expect(try title == "One" && draft.hasChanges() && draft.value.title == "New")
    }
}
