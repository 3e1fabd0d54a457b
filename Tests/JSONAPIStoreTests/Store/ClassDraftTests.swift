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

    /// One of its cases has a class.
    private enum Item: ResourceUnion {
        case page(Page), person(Person), unknown(ResourceObject)

        static let members: [UnionMember<Item>] = [.init(Item.page), .init(Item.person)]

        var resource: any ResourceRepresentable {
            switch self {
            case .page(let page): page
            case .person(let person): person
            case .unknown(let object): object
            }
        }
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

    @Test("A draft of a union is refused if the case of the resource has a class, and possible for the other cases")
    func union() throws {
        let error = #expect(throws: StoreError.self) { try store.draft(Item.self, ResourceIdentifier(type: "articles", id: "1")) }
        #expect(error?.kind == .misuse)
        var draft = try store.draft(Item.self, .person("9"))
        if case .person(var person) = draft.value {
            person.name = "Bea"
            draft.value = .person(person)
        }
        try draft.commit()
        #expect(try store.resource(Person.self, id: "9")?.name == "Bea")
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
