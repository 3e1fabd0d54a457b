import Foundation
import JSONAPICodec
import JSONAPIStore
import JSONText
import TestSupport
import Testing

@Suite(.serialized) struct LargeStoreTests {
    /// A chain of links of that length; the last leads to the first.
    private func chain(_ count: Int) -> DocumentObject {
        let resources = (0..<count).map { number in
            ResourceObject(
                type: "links", id: "\(number)", attributes: ["n": .number(JSONNumber(number))],
                relationships: [
                    "next": RelationshipObject(data: .one(ResourceIdentifier(type: "links", id: "\((number + 1) % count)")))
                ])
        }
        return DocumentObject(data: .many(resources))
    }

    /// The time of everything that grows with a store, with that many resources.
    private func time(_ count: Int) throws -> Double {
        let document = chain(count)
        return try processorSeconds {
            let store = ResourceStore(limit: count)
            let observation = store.observe(type: "links") { _ in }
            try store.ingest(document)
            try store.ingest(document)
            #expect(store.count == count)
            #expect(store.identifiers.count == count)
            for number in 0..<count where number % 2 == 0 { store.remove(ResourceIdentifier(type: "links", id: "\(number)")) }
            #expect(store.count(ofType: "links") == count / 2)
            try store.removeAll()
            try store.ingest(ResourceObject(type: "links", id: "new"))
            #expect(store.identifiers == [ResourceIdentifier(type: "links", id: "new")])
            withExtendedLifetime(observation) {}
        }
    }

    @Test func costsGrowLinearly() throws {
        let growth = try TimeGrowth(from: 10_000, seconds: time)
        #expect(growth.isLinear, "\(growth)")
    }

    @Test func manyLiveValuesDoNotSlowLargeWrites() throws {
        let store = ResourceStore()
        try store.ingest(document(articleText))
        let document = chain(10_000)
        func time() throws -> Double {
            try store.removeAll(ofType: "links")
            return try processorSeconds { try store.ingest(document) }
        }
        _ = try time()
        let alone = try time()
        let live = (0..<1000).map { _ in store.value(Article.self, id: "1").makeAsyncIterator() }
        // Comparing each of 10,000 resources with each of 1,000 live values would take many seconds.
        let together = try time()
        #expect(together < alone * 5 + 0.1, "alone: \(alone) s, with live values: \(together) s")
        withExtendedLifetime(live) {}
    }

    @Test func liveValuesOfOtherResourcesDoNotSlowWrites() throws {
        let growth = try TimeGrowth(from: 500) { count in
            let store = ResourceStore()
            for number in 0..<count { try store.ingest(ResourceObject(type: "t", id: "\(number)")) }
            let live = (0..<count).map { store.value(ResourceObject.self, ResourceIdentifier(type: "t", id: "\($0)")).makeAsyncIterator() }
            return try processorSeconds {
                for number in 0..<count { try store.ingest(ResourceObject(type: "others", id: "\(number)")) }
                withExtendedLifetime(live) {}
            }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test func addingLiveValuesGrowsLinearly() throws {
        let growth = TimeGrowth(from: 1000) { count in
            let store = ResourceStore()
            return processorSeconds {
                let live = (0..<count).map { _ in store.value(Article.self, id: "1").makeAsyncIterator() }
                withExtendedLifetime(live) {}
            }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test func readingGrowsLinearly() throws {
        let growth = try TimeGrowth(from: 2_000) { count in
            let store = ResourceStore()
            try store.ingest(chain(count))
            return try processorSeconds {
                for _ in 0..<2 { #expect(try store.resources(Link.self).count == count) }
                try store.ingest(ResourceObject(type: "t", id: "1"))
                #expect(try store.resources(Link.self).count == count)
            }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test func aLongChainNeedsNoStack() throws {
        let count = 100_000
        let store = ResourceStore()
        try store.ingest(chain(count))
        let lengths = Record<Int>()
        onSmallStack {
            var link = try? store.resource(Link.self, id: 0)
            var length = 0
            while let next = link?.next.value, length < count {
                link = next
                length += 1
            }
            lengths.append(link?.id ?? -1)
            lengths.append(length)
            // Writing a value of the chain does not walk it.
            lengths.append(link.flatMap { try? store.ingest($0).updated } ?? -1)
        }
        #expect(lengths.elements == [0, count, 1])
    }

    @Test func aLongEmbeddedChainIsAnError() throws {
        let store = ResourceStore()
        try store.ingest(chain(20_000))
        let outcomes = Record<String>()
        onSmallStack {
            do {
                _ = try store.resource(EmbeddedLink.self, id: 0)
                outcomes.append("read")
            } catch let error as DecodingError {
                outcomes.append(error.failure?.kind.description ?? "other")
            } catch {
                outcomes.append("\(error)")
            }
        }
        #expect(outcomes.elements == ["nestingLimit"])
    }

    @Test func resourcesThatAreNestedTooDeeplyAreErrors() throws {
        var deep = JSON.null
        for _ in 0..<600 { deep = .array([deep]) }
        let store = ResourceStore()
        let resource = ResourceObject(type: "t", id: "1", attributes: ["a": deep])
        #expect(throws: JSONWriteError.self) { try store.ingest([ResourceObject(type: "t", id: "0"), resource]) }
        #expect(store.isEmpty)
    }

    @Test func manyStepsInOneTransactionTakeLinearTime() throws {
        let growth = try TimeGrowth(from: 3_000) { count in
            let store = ResourceStore()
            return try processorSeconds {
                try store.transaction { transaction in
                    for number in 0..<count {
                        try store.ingest(ResourceObject(type: "t", id: "\(number)"))
                        _ = transaction[ResourceIdentifier(type: "t", id: "\(number / 2)")]
                    }
                }
                #expect(store.count == count)
            }
        }
        #expect(growth.isLinear, "\(growth)")
    }
}

private struct EmbeddedLink: Resource {
    static let type = "links"
    var id: Int
    var next: [EmbeddedLink]

    enum CodingKeys: CodingKey { case id, next }
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int.self, forKey: .id)
        next = try container.decodeIfPresent(EmbeddedLink.self, forKey: .next).map { [$0] } ?? []
    }
}
