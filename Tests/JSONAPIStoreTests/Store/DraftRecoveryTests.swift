import Foundation
import JSONAPICodec
import JSONAPIStore
import JSONText
import Testing

@Suite struct DraftRecoveryTests {
    private struct Info: Codable, Equatable {
        var stars: Int
    }

    private struct Book: Resource {
        static let type = "books"
        var id: String
        var title: String
        var info: ResourceMeta<Info>
    }

    private let store = ResourceStore()
    init() throws { try store.ingest(document(articleText)) }

    @Test func aDraftsOwnCommitIsNotAConflict() throws {
        var draft = try store.draft(Person.self, id: "9")
        draft.value.name = "Bea"
        try draft.commit()
        draft.value.name = "Cleo"
        #expect(try draft.conflicts().isEmpty)
        try draft.commit()
        #expect(try store.resource(Person.self, id: "9")?.name == "Cleo")
    }

    @Test func aDraftSendsItsChangesOnce() throws {
        var draft = try store.draft(Person.self, id: "9")
        draft.value.name = "Bea"
        try draft.commit()
        #expect(try !draft.hasChanges())
        try store.ingest(object(#"{"type":"people","id":"9","attributes":{"name":"Theirs"}}"#))
        draft.value.nick = "B"
        try draft.commit()
        let person = try #require(try store.resource(Person.self, id: "9"))
        #expect(person.name == "Theirs" && person.nick == "B")
    }

    @Test func aFailedCommitDoesNotChangeTheDraft() throws {
        var draft = try store.draft(Person.self, id: "9")
        let before = try #require(store[.person("9")])
        draft.value.name = "Bea"
        store.remove(.person("9"))
        #expect(throws: StoreError.self) { try draft.commit() }
        #expect(try draft.hasChanges())
        try store.ingest(before)
        #expect(try draft.conflicts().isEmpty)
        try draft.commit()
        #expect(try store.resource(Person.self, id: "9")?.name == "Bea")
        #expect(try !draft.hasChanges())
    }

    @Test func aChangeOfOnlyMetaIsCommitted() throws {
        try store.ingest(object(#"{"type":"books","id":"1","attributes":{"title":"T"},"meta":{"stars":1}}"#))
        var draft = try store.draft(Book.self, id: "1")
        #expect(try !draft.hasChanges())
        draft.value.info = ResourceMeta(Info(stars: 5))
        #expect(try draft.hasChanges())
        try draft.commit()
        #expect(store[ResourceIdentifier(type: "books", id: "1")]?.meta == ["stars": 5])
    }

    @Test func aPatchedRelationshipKeepsItsLinks() throws {
        try store.ingest(
            object(
                """
                {"type":"articles","id":"7","attributes":{"title":"Seven"},"relationships":{
                    "author":{"data":{"type":"people","id":"9"},"links":{"related":"/articles/7/author"}},
                    "comments":{"data":[]}}}
                """))
        try store.apply(Patch<Article>(id: "7").unlink("author"))
        let author = try #require(store[.article("7")]?[relationship: "author"])
        #expect(author.data == .null)
        #expect(author.links?.related?.href == "/articles/7/author")
    }
}

@Suite struct TransactionRecoveryTests {
    private let store = ResourceStore()
    init() throws { try store.ingest([Person(id: "1", name: "a"), Person(id: "2", name: "b")]) }

    private struct Stop: Error {}

    private var names: [String] { get throws { try store.resources(Person.self).map { "\($0.id)\($0.name)" } } }

    @Test func aFailedStepLeavesNothingInTheTransaction() throws {
        try store.transaction { transaction in
            try transaction.ingest(Person(id: "3", name: "c"))
            do {
                try store.transaction { inner in
                    try inner.ingest(Person(id: "1", name: "lost"))
                    try inner.remove(.person("2"))
                    try inner.ingest(Person(id: "4", name: "lost"))
                    throw Stop()
                }
            } catch is Stop {}
            try transaction.ingest(Person(id: "5", name: "e"))
        }
        #expect(try names == ["1a", "2b", "3c", "5e"])
    }

    @Test func aFailedTransactionDoesNotAffectTheNext() throws {
        #expect(throws: Stop.self) {
            try store.transaction { transaction in
                try transaction.removeAll()
                throw Stop()
            }
        }
        #expect(try names == ["1a", "2b"])
        try store.ingest(Person(id: "1", name: "next"))
        #expect(try names == ["1next", "2b"])
    }

    @Test func removeAllAlsoRemovesResourcesOfTheTransaction() throws {
        try store.transaction { transaction in
            try transaction.ingest(Person(id: "3", name: "c"))
            try transaction.removeAll(ofType: "people")
            #expect(transaction[.person("3")] == nil && transaction[.person("1")] == nil)
        }
        #expect(store.isEmpty && store.types.isEmpty)
    }

    @Test func aValueIsUpdatedAfterItsResourceIsRemovedAndAddedAgain() throws {
        try store.ingest(document(articleText))
        #expect(try store.resource(Article.self, id: "1")?.comments.first?.author?.name == "Ann")
        store.remove(.person("9"))
        #expect(try store.resource(Article.self, id: "1")?.comments.first?.author == nil)
        try store.ingest(Person(id: "9", name: "Bea"))
        #expect(try store.resource(Article.self, id: "1")?.comments.first?.author?.name == "Bea")
    }
}
