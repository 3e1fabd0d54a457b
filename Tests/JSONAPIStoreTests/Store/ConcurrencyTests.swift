import Foundation
import JSONAPICodec
import JSONAPIStore
import JSONText
import Testing

/// Threads that read, write, and observe at the same time: for `JSONAPI_STRESS_SECONDS`, one second by default.
@Suite struct StoreConcurrencyTests {
    private static let seconds = Double(ProcessInfo.processInfo.environment["JSONAPI_STRESS_SECONDS"] ?? "") ?? 1

    private func counter(_ value: Int, id: String) -> ResourceObject {
        ResourceObject(type: "counters", id: id, attributes: ["n": .number(JSONNumber(value))])
    }

    private func run(_ bodies: [@Sendable (Date) -> Void]) {
        let end = Date(timeIntervalSinceNow: Self.seconds)
        let group = DispatchGroup()
        for body in bodies {
            group.enter()
            Thread.detachNewThread {
                body(end)
                group.leave()
            }
        }
        group.wait()
    }

    @Test func aWriterReadsWhatItWroteWhateverOthersRead() throws {
        let store = ResourceStore()
        for number in 0..<5 { try store.ingest(counter(0, id: "\(number)")) }
        let stale = Record<Int>()
        let reader: @Sendable (Date) -> Void = { end in
            while Date() < end {
                _ = try? store.resource(Counter.self, id: "3")
                _ = try? store.resources(Counter.self)
            }
        }
        let other: @Sendable (Date) -> Void = { end in
            var number = 0
            while Date() < end {
                number += 1
                _ = try? store.ingest(ResourceObject(type: "others", id: "1", attributes: ["n": .number(JSONNumber(number))]))
            }
        }
        let writer: @Sendable (Date) -> Void = { [self] end in
            var number = 0
            while Date() < end {
                number += 1
                _ = try? store.ingest(counter(number, id: "3"))
                if (try? store.resource(Counter.self, id: "3"))?.n != number { stale.append(number) }
                if (try? store.resources(Counter.self))?.first(where: { $0.id == "3" })?.n != number { stale.append(number) }
            }
        }
        run([reader, reader, other, writer])
        #expect(stale.elements.isEmpty)
    }

    @Test func everyUpdateIsObservedOnceAndInOrder() throws {
        let store = ResourceStore()
        let identifiers = (0..<4).map { ResourceIdentifier(type: "counters", id: "\($0)") }
        let seen = identifiers.map { _ in Record<Int>() }
        let revisions = Record<Int>()
        let observations = zip(identifiers, seen).map { identifier, record in
            store.observe(identifier) { record.append($0.object?[attribute: "n"]?.int ?? -1) }
        }
        let ofType = store.observe(type: "counters") { revisions.append($0.revision) }
        let written = Record<Int>()

        let writer: @Sendable (Date) -> Void = { end in
            var number = 0
            while Date() < end {
                let identifier = identifiers[number % identifiers.count]
                number += 1
                try? store.transaction { transaction in
                    let n = transaction[identifier]?[attribute: "n"]?.int ?? 0
                    try transaction.ingest(counter(n + 1, id: identifier.id ?? ""))
                    if number % 7 == 0 { throw CancellationError() }
                    written.append(1)
                }
            }
        }
        let reader: @Sendable (Date) -> Void = { end in
            while Date() < end {
                _ = try? store.resources(Counter.self)
                _ = try? store.snapshot().document
                store.observe(type: "counters") { _ in }.cancel()
            }
        }
        run([writer, writer, writer, writer, reader, reader, reader, reader])
        let total = identifiers.compactMap { store[$0]?[attribute: "n"]?.int }.reduce(0, +)
        // A system thread delivers changes that no writer has delivered.
        for _ in 0..<3000 where revisions.elements.count < total { Thread.sleep(forTimeInterval: 0.01) }
        withExtendedLifetime((observations, ofType)) {}

        #expect(total == written.elements.count)
        for (identifier, record) in zip(identifiers, seen) {
            #expect(record.elements == Array(1...(store[identifier]?[attribute: "n"]?.int ?? 0)))
        }
        #expect(revisions.elements == revisions.elements.sorted())
        #expect(revisions.elements.count == total)
    }

    @Test func aReadIsConsistent() throws {
        let store = ResourceStore()
        let pair = { @Sendable (n: Int) in
            try store.ingest([
                ResourceObject(
                    type: "counters", id: "a", attributes: ["n": .number(JSONNumber(n))],
                    relationships: ["other": RelationshipObject(data: .one(ResourceIdentifier(type: "counters", id: "b")))]),
                ResourceObject(type: "counters", id: "b", attributes: ["n": .number(JSONNumber(n))]),
            ])
        }
        _ = try pair(0)
        let torn = Record<Int>()
        let writer: @Sendable (Date) -> Void = { end in
            var n = 0
            while Date() < end {
                n += 1
                _ = try? pair(n)
            }
        }
        let reader: @Sendable (Date) -> Void = { end in
            while Date() < end {
                let embedded = try? store.resource(EmbeddingCounter.self, id: "a")
                if embedded?.n != embedded?.other?.n { torn.append(1) }
                let all = try? store.resources(Counter.self)
                if all?.first?.n != all?.last?.n || all?.count != 2 { torn.append(2) }
            }
        }
        run([writer, writer, reader, reader, reader, reader])
        #expect(torn.elements.isEmpty)
    }

    @Test func concurrentWritersEvictionsAndOwnersAreSafe() throws {
        let store = ResourceStore(limit: 50)
        let journal = store.journal()
        let writer: @Sendable (Date) -> Void = { end in
            var n = 0
            while Date() < end {
                n += 1
                _ = try? store.ingest(counter(n, id: "\(n % 200)"))
                if n % 50 == 0 { try? store.removeAll(ofType: "counters") }
                if n % 20 == 0 { _ = try? store.takeChanges(of: journal) }
            }
        }
        let observer: @Sendable (Date) -> Void = { end in
            var n = 0
            while Date() < end {
                n += 1
                let owner = Owner()
                let identifier = ResourceIdentifier(type: "counters", id: "\(n % 200)")
                let removes = n % 10 == 0
                store.observe(identifier, owner: owner) { _, change in
                    _ = try? store.resource(Counter.self, change.identifier)
                    if removes { store.remove(change.identifier) }
                }
                _ = try? store.draft(Counter.self, identifier)
                if n % 3 == 0 { store.removeObserver(owner) }
            }
        }
        run([writer, writer, writer, observer, observer, observer])
        #expect(store.count <= 200)
    }
}

private struct Counter: Resource {
    static let type = "counters"
    var id: String
    var n: Int
}

private struct EmbeddingCounter: Resource {
    static let type = "counters"
    var id: String
    var n: Int
    var other: Counter?
}
