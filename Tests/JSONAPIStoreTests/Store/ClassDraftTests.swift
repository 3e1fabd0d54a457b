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

    @Test("A draft is refused, because an edit would change the object that the store shows")
    func refused() throws {
        let error = #expect(throws: StoreError.self) { try store.draft(Page.self, id: "1") }
        #expect(error?.kind == .misuse && error?.identifier == ResourceIdentifier(type: "articles", id: "1"))
        #expect(error?.advice?.contains("struct") == true)
        #expect(try store.resource(Page.self, id: "1")?.title == "One")
    }

    @Test("The resource can be edited as a resource object")
    func resourceObject() throws {
        var draft = try store.draft(ResourceObject.self, ResourceIdentifier(type: "articles", id: "1"))
        draft.value[attribute: "title"] = "New"
        try draft.commit()
        #expect(try store.resource(Page.self, id: "1")?.title == "New")
        draft.value[attribute: "title"] = "Newer"
        draft.rollBack()
        #expect(try draft.value[attribute: "title"] == "New" && !draft.hasChanges())
    }
}
