import Foundation
import JSONAPICodec
import JSONAPIStore
import JSONText
import TestSupport
import Testing

@Suite struct StoreObservingTests {
    private let store = ResourceStore()
    private let ann = ResourceIdentifier.person("9")

    private func put(_ name: String, id: String = "9") throws { try store.ingest(Person(id: id, name: name)) }

    @Test("A resource that a transaction adds and removes is not reported, with a file as without")
    func addedAndRemoved() throws {
        let folder = TestFolder.url.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for hasFile in [false, true] {
            let store = ResourceStore()
            let file = hasFile ? try StoreFile(folder.appendingPathComponent("store"), of: store) : nil
            let changes = Record<String>()
            let observation = store.observe(type: "people") { changes.append("\($0)") }
            try store.transaction { transaction in
                try transaction.ingest(Person(id: "9", name: "Ann"))
                try transaction.remove(.person("9"))
            }
            #expect(changes.elements == [])
            withExtendedLifetime((observation, file)) {}
        }
    }

    @Test func everyWriteIsObserved() throws {
        let told = Record<String>()
        let observation = store.observe(ann) { told.append("\($0.kind) \($0.object?[attribute: "name"]?.string ?? "-")") }
        try put("Ann")
        try put("Ann")
        try put("Bea")
        try put("Cy", id: "10")
        store.remove(ann)
        store.remove(ann)
        try put("Dan")
        #expect(told.elements == ["inserted Ann", "updated Ann", "updated Bea", "removed -", "inserted Dan"])
        observation.cancel()
        try put("Eve")
        #expect(told.elements.count == 5)
    }

    @Test func observersSeeTheNewContents() throws {
        let told = Record<String?>()
        let observation = store.observe(ann) { [store] _ in told.append(try? store.resource(Person.self, id: "9")?.name) }
        try put("Ann")
        try put("Bea")
        withExtendedLifetime(observation) {}
        #expect(told.elements == ["Ann", "Bea"])
    }

    @Test func anObservationEndsWithItsToken() throws {
        let told = Record<Int>()
        var observation: StoreObservation? = store.observe(ann) { _ in told.append(1) }
        try put("Ann")
        withExtendedLifetime(observation) {}
        observation = nil
        try put("Bea")
        #expect(told.elements.count == 1)
    }

    @Test func anObservationEndsWithItsOwner() throws {
        let told = Record<Int>()
        var owner: Owner? = Owner()
        weak let released = owner
        store.observe(ann, owner: try #require(owner)) { _, _ in told.append(1) }
        store.observe(type: "people", owner: try #require(owner)) { _, _ in told.append(2) }
        try put("Ann")
        #expect(told.elements == [1, 2])
        owner = nil
        #expect(released == nil)
        try put("Bea")
        #expect(told.elements == [1, 2])
    }

    @Test func anOwnerObservesAResourceOnce() throws {
        let told = Record<String>()
        let owner = Owner()
        let other = Owner()
        store.observe(ann, owner: owner) { _, _ in told.append("first") }
        store.observe(ann, owner: other) { _, _ in told.append("other") }
        store.observe(ann, owner: owner) { _, _ in told.append("second") }
        try put("Ann")
        #expect(told.elements == ["second", "other"])
        store.removeObserver(owner, of: .person("1"))
        store.removeObserver(owner, ofType: "people")
        try put("Ann")
        #expect(told.elements.count == 4)
        store.removeObserver(owner, of: ann)
        try put("Ann")
        store.removeObserver(other)
        try put("Ann")
        #expect(told.elements == ["second", "other", "second", "other", "other"])
    }

    @Test func aReplacedObserverIsNotCalled() throws {
        let told = Record<String>()
        let owner = Owner()
        let renewing = store.observe(ann) { [store, ann] _ in
            store.observe(ann, owner: owner) { _, _ in told.append("new") }
        }
        store.observe(ann, owner: owner) { _, _ in told.append("old") }
        // The change is under way when the one observer takes the place of the other.
        try put("Ann")
        #expect(told.elements.isEmpty)
        renewing.cancel()
        try put("Bea")
        #expect(told.elements == ["new"])
    }

    @Test func aCallbackCanWriteAndIsCalledAfterwards() throws {
        let told = Record<String>()
        let first = store.observe(ann) { [store] change in
            let name = change.object?[attribute: "name"]?.string ?? ""
            told.append("first \(name)")
            if name == "Ann" { _ = try? store.ingest(Person(id: "9", name: "Bea")) }
        }
        let second = store.observe(ann) { told.append("second \($0.object?[attribute: "name"]?.string ?? "")") }
        try put("Ann")
        withExtendedLifetime((first, second)) {}
        #expect(told.elements == ["first Ann", "second Ann", "first Bea", "second Bea"])
    }

    @Test func aCallbackCanCancelAndRegister() throws {
        let told = Record<String>()
        let tokens = Record<StoreObservation>()
        tokens.append(
            store.observe(ann) { [store, ann] _ in
                told.append("first")
                for token in tokens.elements.prefix(2) { token.cancel() }
                tokens.append(store.observe(ann) { _ in told.append("late") })
            })
        tokens.append(store.observe(ann) { _ in told.append("never") })
        try put("Ann")
        #expect(told.elements == ["first"])
        try put("Bea")
        #expect(told.elements == ["first", "late"])
    }

    @Test func releasingACallbackCanEndObservations() throws {
        final class Holder: Sendable {
            let observation: StoreObservation
            init(_ observation: StoreObservation) { self.observation = observation }
        }
        let holder = Holder(store.observe(ann) { _ in })
        var outer: StoreObservation? = store.observe(ann) { [holder] _ in _ = holder }
        try put("Ann")
        withExtendedLifetime(outer) {}
        outer = nil
        try put("Bea")
    }

    @Test func observersOfAResourceAreCalledBeforeObserversOfItsType() throws {
        let told = Record<String>()
        let ofType = store.observe(type: "people") { told.append("type \($0.identifier.id ?? "")") }
        let ofResource = store.observe(ann) { _ in told.append("resource") }
        try store.ingest([Person(id: "9", name: "A"), Person(id: "10", name: "B")])
        withExtendedLifetime((ofType, ofResource)) {}
        #expect(told.elements == ["resource", "type 9", "type 10"])
    }

    @Test func aTransactionIsObservedOnceAsAWhole() throws {
        let told = Record<String>()
        let observation = store.observe(type: "people") { told.append("\($0.kind) \($0.identifier.id ?? "") \($0.revision)") }
        try store.transaction { transaction in
            try transaction.ingest(Person(id: "1", name: "A"))
            try transaction.ingest(Person(id: "1", name: "B"))
            try transaction.ingest(Person(id: "2", name: "C"))
            try transaction.remove(.person("2"))
            #expect(told.elements == [])
        }
        #expect(told.elements == ["inserted 1 1"])
        withExtendedLifetime(observation) {}
    }

    @Test func manyObserversRegisterAndCancel() throws {
        weak var first: Owner?
        for number in 0..<100_000 {
            let owner = Owner()
            if number == 0 { first = owner }
            store.observe(ann, owner: owner) { _, _ in }
            let observation = store.observe(.person("\(number)")) { _ in }
            if number % 2 == 0 { observation.cancel() }
        }
        #expect(first == nil)
        try put("Ann")
        let told = Record<Int>()
        let observation = store.observe(ann) { _ in told.append(1) }
        try put("Bea")
        withExtendedLifetime(observation) {}
        #expect(told.elements == [1])
    }
}

@Suite struct StoreSequenceTests {
    private let ann = ResourceIdentifier.person("9")

    @Test func aSequenceHasEveryChangeInOrder() async throws {
        let store = ResourceStore()
        let changes = store.changes(of: ann)
        for number in 0..<100 { try store.ingest(Person(id: "9", name: "\(number)")) }
        var names: [String] = []
        for await change in changes {
            names.append(change.object?[attribute: "name"]?.string ?? "")
            if names.count == 100 { break }
        }
        #expect(names == (0..<100).map(String.init))
    }

    @Test func aBufferOfOneHasTheNewest() async throws {
        let store = ResourceStore()
        let changes = store.changes(ofType: "people", buffering: .bufferingNewest(1))
        for number in 0..<10 { try store.ingest(Person(id: "\(number)", name: "A")) }
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next()?.identifier == .person("9"))
    }

    @Test func aSequenceEndsWithTheStoreAndWithItsTask() async throws {
        var store: ResourceStore? = ResourceStore()
        let changes = try #require(store).changes(of: ann)
        try store?.ingest(Person(id: "9", name: "A"))
        store = nil
        var count = 0
        for await _ in changes { count += 1 }
        #expect(count == 1)

        let other = ResourceStore()
        let task = Task { [ann] in for await _ in other.changes(of: ann) {} }
        task.cancel()
        await task.value
    }
}
