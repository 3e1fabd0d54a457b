import Foundation
import JSONAPICodec
import JSONAPIStore
import JSONText
import Testing

@Suite struct StoreTransactionTests {
    private struct Refused: Error {}
    private let store = ResourceStore()

    @Test func aTransactionThatThrowsChangesNothing() throws {
        try store.ingest(document(articleText))
        let before = try store.document
        let told = Record<Int>()
        let observations = ["people", "articles", "comments"].map { store.observe(type: $0) { _ in told.append(1) } }
        #expect(throws: Refused.self) {
            try store.transaction { transaction in
                try transaction.ingest(Person(id: "9", name: "Bea"))
                try transaction.ingest(Person(id: "10", name: "Cy"))
                try transaction.remove(.article("1"))
                #expect(transaction[.person("9")]?[attribute: "name"] == "Bea")
                #expect(transaction[.article("1")] == nil)
                #expect(store[.person("9")]?[attribute: "name"] == "Ann")
                throw Refused()
            }
        }
        withExtendedLifetime(observations) {}
        #expect(try store.document == before)
        #expect(told.elements.isEmpty)
    }

    @Test func anInvalidResourceRejectsTheWholeDocument() throws {
        let refuses = MergePolicy.custom { _, _ in throw Refused() }
        try store.ingest(Person(id: "9", name: "Old"))
        #expect(throws: Refused.self) { try store.ingest(document(articleText), merging: refuses) }
        #expect(store.count == 1)
    }

    @Test func aFailedStepCanBeCaughtAndLeavesNothing() throws {
        try store.ingest(Person(id: "2", name: "Two"))
        try store.transaction { transaction in
            try transaction.ingest(Person(id: "1", name: "One"))
            let refuses = MergePolicy.custom { _, _ in throw Refused() }
            #expect(throws: Refused.self) {
                try transaction.ingest([Person(id: "3", name: "Three"), Person(id: "2", name: "2")], merging: refuses)
            }
            #expect(transaction[.person("3")] == nil)
        }
        #expect(try store.resources(Person.self).map(\.name) == ["Two", "One"])
    }

    @Test func aResourceWhoseAdditionWasRolledBackIsListedWhereItIsAddedAgain() throws {
        try store.transaction { transaction in
            #expect(throws: Refused.self) {
                try store.transaction { inner in
                    try inner.ingest(Person(id: "1", name: "One"))
                    throw Refused()
                }
            }
            try transaction.ingest([Person(id: "2", name: "Two"), Person(id: "1", name: "One")])
        }
        #expect(try store.resources(Person.self).map(\.name) == ["Two", "One"])
    }

    @Test func writesToTheStoreArePartOfTheTransaction() throws {
        let told = Record<Int>()
        let observation = store.observe(type: "people") { told.append($0.revision) }
        try store.transaction { transaction in
            try transaction.ingest(Person(id: "1", name: "One"))
            try store.ingest(Person(id: "2", name: "Two"))
            #expect(throws: Refused.self) {
                try store.transaction { inner in
                    try inner.ingest(Person(id: "3", name: "Three"))
                    throw Refused()
                }
            }
            #expect(transaction[.person("2")] != nil && transaction[.person("3")] == nil)
            #expect(store.isEmpty && told.elements.isEmpty)
        }
        withExtendedLifetime(observation) {}
        #expect(store.count == 2)
        #expect(told.elements == [1, 1])
    }

    @Test func readsInATransactionSeeItsChanges() throws {
        try store.ingest(document(articleText))
        let article = try store.transaction { transaction in
            try transaction.ingest(Person(id: "9", name: "Bea"))
            let article = try #require(try transaction.resource(Article.self, id: "1"))
            #expect(article.author.value?.name == "Bea")
            #expect(article.comments.first?.author?.name == "Bea")
            return article
        }
        try store.ingest(Person(id: "9", name: "Cy"))
        #expect(article.author.value?.name == "Cy")
    }

    @Test func clearingAndRemovingAreTransactions() throws {
        try store.ingest(document(articleText))
        #expect(store.remove([.person("9"), .person("8")]) == 1)
        try store.removeAll(ofType: "comments")
        #expect(store.types == ["articles"])
        try store.transaction { transaction in
            try transaction.ingest(Person(id: "9", name: "Bea"))
            try transaction.removeAll()
            try transaction.ingest(Person(id: "1", name: "Di"))
        }
        #expect(store.identifiers == [.person("1")])
    }

    @Test func aTransactionCannotBeUsedAfterItsClosure() throws {
        let transaction = store.transaction { $0 }
        let error = #expect(throws: StoreError.self) { try transaction.ingest(Person(id: "1", name: "A")) }
        #expect(error?.kind == .transactionEnded)
        #expect(throws: StoreError.self) { try transaction.remove(.person("1")) }
        #expect(throws: StoreError.self) { try transaction.removeAll() }
        try store.ingest(object(#"{"type":"articles","id":"1","attributes":{"title":"A"}}"#))
        let patch = Patch<Article>(id: "1").set("title", "B")
        let refused = #expect(throws: StoreError.self) { try transaction.apply(patch) }
        #expect(refused?.kind == .transactionEnded && store[.article("1")]?[attribute: "title"] == "A")
    }

    @Test func aWriteInADeinitializerIsKept() throws {
        try store.ingest(ResourceObject(type: "leaving", id: "1"))
        Leaving.Box.last = { [weak store] in _ = try? store?.ingest(Person(id: "1", name: "Last")) }
        defer { Leaving.Box.last = nil }
        #expect(try store.resource(Leaving.self, id: "1") != nil)
        store.remove(ResourceIdentifier(type: "leaving", id: "1"))
        #expect(store.identifiers == [.person("1")])
    }

    @Test func aDocumentThatCannotBeEncodedIsAnError() throws {
        struct Unnamed: Resource {
            static let type = "unnamed"
            var id: String?
        }
        #expect(throws: EncodingError.self) { try store.ingest(Document(Unnamed(id: nil))) }
        #expect(try store.ingest(Document([Person(id: "1", name: "A")])).inserted == 1)
    }

    @Test func patchesAreApplied() throws {
        try store.ingest(
            object(
                #"{"type":"articles","id":"1","attributes":{"title":"A","subtitle":"S"},"relationships":{"author":{"data":null,"links":{"related":"/a"}}}}"#
            ))
        try store.apply(Patch<Article>(id: "1").set("title", "B").setNull("subtitle").link("author", to: .person("9")))
        let expected = try object(
            #"{"type":"articles","id":"1","attributes":{"title":"B","subtitle":null},"relationships":{"author":{"data":{"type":"people","id":"9"},"links":{"related":"/a"}}}}"#
        )
        #expect(store[.article("1")] == expected)
        #expect(throws: StoreError.self) { try store.apply(Patch<Article>(id: "2").set("title", "B")) }
    }
}

/// A model with a value that writes when its last copy is released.
private struct Leaving: Resource {
    static let type = "leaving"
    var id: String
    let box = Box()

    enum CodingKeys: CodingKey { case id }

    final class Box: Sendable {
        nonisolated(unsafe) static var last: (@Sendable () -> Void)?
        deinit { Box.last?() }
    }
}

@Suite struct StoreEvictionTests {
    private func names(_ store: ResourceStore) -> [String] { store.identifiers.compactMap(\.id).sorted() }

    @Test func theLeastRecentlyUsedResourceIsEvictedFirst() throws {
        let store = ResourceStore(limit: 3)
        let gone = Record<String>()
        let observation = store.observe(type: "people") { if $0.kind == .evicted { gone.append($0.identifier.id ?? "") } }
        for id in ["1", "2", "3"] { try store.ingest(Person(id: id, name: id)) }
        #expect(try store.resource(Person.self, id: "1")?.name == "1")
        try store.ingest(Person(id: "2", name: "2"))
        try store.ingest(Person(id: "4", name: "4"))
        #expect(names(store) == ["1", "2", "4"])
        #expect(store[.person("1")] != nil)
        try store.ingest([Person(id: "5", name: "5"), Person(id: "6", name: "6")])
        #expect(names(store) == ["1", "5", "6"])
        #expect(gone.elements == ["3", "2", "4"])
        withExtendedLifetime(observation) {}
    }

    @Test func observedResourcesAreNotEvicted() throws {
        let store = ResourceStore(limit: 1)
        let observation = store.observe(.person("1")) { _ in }
        try store.ingest(Person(id: "1", name: "1"))
        var second: StoreObservation? = store.observe(.person("2")) { _ in }
        try store.ingest(Person(id: "2", name: "2"))
        withExtendedLifetime(second) {}
        try store.ingest(Person(id: "3", name: "3"))
        #expect(names(store) == ["1", "2"])
        second = nil
        try store.ingest(Person(id: "4", name: "4"))
        #expect(names(store) == ["1"])
        observation.cancel()
        try store.ingest(Person(id: "5", name: "5"))
        #expect(names(store) == ["5"])
    }

    @Test func anObservedResourceIsKeptUntilItsLastObserverEnds() throws {
        let store = ResourceStore(limit: 1)
        let first = store.observe(.person("1")) { _ in }
        let second = store.observe(.person("1")) { _ in }
        try store.ingest(Person(id: "1", name: "1"))
        first.cancel()
        try store.ingest(Person(id: "2", name: "2"))
        #expect(names(store) == ["1"])
        second.cancel()
        try store.ingest(Person(id: "3", name: "3"))
        #expect(names(store) == ["3"])
    }

    @Test func writingInATransactionCountsAsUse() throws {
        let store = ResourceStore(limit: 2)
        for id in ["1", "2"] { try store.ingest(Person(id: id, name: id)) }
        try store.transaction { transaction in
            try transaction.ingest(Person(id: "1", name: "new"))
            #expect(try transaction.resource(Person.self, id: "2")?.name == "2")
        }
        try store.ingest(Person(id: "3", name: "3"))
        #expect(names(store) == ["1", "3"])
    }

    @Test func aSequenceWithoutReaderKeepsNoResource() throws {
        let store = ResourceStore(limit: 1)
        do {
            let changes = store.changes(of: .person("1"))
            try store.ingest(Person(id: "1", name: "1"))
            try store.ingest(Person(id: "2", name: "2"))
            #expect(names(store) == ["1"])
            withExtendedLifetime(changes) {}
        }
        try store.ingest(Person(id: "3", name: "3"))
        #expect(names(store) == ["3"])
    }

    @Test func listingCountsAsUse() throws {
        let store = ResourceStore(limit: 3)
        for id in ["1", "2"] { try store.ingest(Person(id: id, name: id)) }
        try store.ingest(Comment(id: "3", body: ""))
        #expect(try store.resources(Person.self).count == 2)
        try store.ingest(Person(id: "4", name: "4"))
        #expect(names(store) == ["1", "2", "4"])
    }

    @Test func aLimitOfZeroKeepsNothing() throws {
        let store = ResourceStore(limit: 0)
        try store.ingest(document(articleText))
        #expect(store.isEmpty)
    }
}

@Suite struct DraftTests {
    private let store = ResourceStore()
    init() throws { try store.ingest(document(articleText)) }

    @Test func aDraftListsItsChanges() throws {
        var draft = try store.draft(Article.self, id: "1")
        #expect(try !draft.hasChanges())
        draft.value.title = "New"
        draft.value.author = nil
        #expect(try draft.hasChanges())
        let body = try JSONAPIEncoder().encode(draft.patch)
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"data":{"type":"articles","id":"1","attributes":{"title":"New"},"relationships":{"author":{"data":null}}}}"#)
        #expect(try store.resource(Article.self, id: "1")?.title == "One")
        draft.rollBack()
        #expect(try !draft.hasChanges())
        #expect(draft.value.title == "One")
    }

    @Test func aCommitWritesOnlyChanges() throws {
        var draft = try store.draft(Person.self, id: "9")
        draft.value.nick = nil
        try store.ingest(object(#"{"type":"people","id":"9","attributes":{"name":"Bea"}}"#))
        #expect(try draft.conflicts().isEmpty)
        try draft.commit()
        let person = try #require(try store.resource(Person.self, id: "9"))
        #expect(person.name == "Bea" && person.nick == nil && person.articles.ids == ["1"])
        #expect(store[.person("9")]?[attribute: "nick"] == .null)
        #expect(try !draft.hasChanges())
    }

    @Test func fieldsChangedInBothAreConflicts() throws {
        var draft = try store.draft(Person.self, id: "9")
        draft.value.name = "Mine"
        draft.value.nick = "M"
        try store.ingest(object(#"{"type":"people","id":"9","attributes":{"name":"Theirs"}}"#))
        #expect(try draft.conflicts().map(\.description) == ["/attributes/name"])
        try draft.commit()
        #expect(try store.resource(Person.self, id: "9")?.name == "Mine")
        #expect(try draft.conflicts().isEmpty)
    }

    @Test func aDraftsOwnEarlierCommitIsNotAConflict() throws {
        var draft = try store.draft(Person.self, id: "9")
        for name in ["First", "Second", "Third"] {
            draft.value.name = name
            #expect(try draft.conflicts().isEmpty)
            try draft.commit()
        }
        draft.value.name = "Mine"
        try store.ingest(object(#"{"type":"people","id":"9","attributes":{"name":"Theirs"}}"#))
        #expect(try draft.conflicts().map(\.description) == ["/attributes/name"])
    }

    @Test func aDraftOfARemovedResourceCannotBeCommitted() throws {
        #expect(throws: StoreError.self) { try store.draft(Person.self, id: "1") }
        var draft = try store.draft(Person.self, id: "9")
        draft.value.name = "New"
        store.remove(.person("9"))
        let error = #expect(throws: StoreError.self) { try draft.commit() }
        #expect(error?.kind == .unresolved)
        #expect(draft.value.name == "New" && draft.original.name == "Ann")
    }

    @Test func theIdentityOfADraftCannotChange() throws {
        var draft = try store.draft(Person.self, id: "9")
        draft.value.id = "10"
        #expect(throws: EncodingError.self) { try draft.changes() }
        #expect(throws: EncodingError.self) { try draft.commit() }
    }
}
