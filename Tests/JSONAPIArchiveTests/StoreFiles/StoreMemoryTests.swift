import Foundation
import JSONAPICodec
import TestSupport
import Testing

@testable import JSONAPIStore

@Suite("Memory for each resource")
struct StoreMemoryTests {
    /// The documentation of `ResourceStore` states the memory for a resource in addition to its text. These are the fixed parts.
    @Test("Entries of a table have the documented size")
    func parts() {
        // Beside each entry is its number in a list.
        #expect(MemoryLayout<ResourceTable.Entry?>.stride + MemoryLayout<Int>.stride <= 64)
        #expect(MemoryLayout<Chain.Link>.stride <= 8)
    }

    @Test("An index of slots finds inserted, removed, and reinserted entries")
    func index() throws {
        let identities = (0..<1000).compactMap { StoredIdentity(ResourceIdentifier(type: "t", id: "\($0)")) }
        func identity(of slot: Int) -> StoredIdentity? { identities[slot] }
        var index = SlotIndex()
        for number in 0..<1000 { index.insert(number, identities[number], identity) }
        for number in stride(from: 0, to: 1000, by: 3) {
            let removed = index.remove(identities[number], identity)
            let again = index.remove(identities[number], identity)
            #expect(removed == number && again == nil)
        }
        for number in stride(from: 0, to: 1000, by: 6) { index.insert(number, identities[number], identity) }
        #expect(index.count == 1000 - 334 + 167)
        for number in 0..<1000 {
            let isThere = number % 3 != 0 || number % 6 == 0
            let slot = index.slot(of: identities[number], identity)
            #expect(slot == (isThere ? number : nil))
        }
    }

    @Test("Inserting and removing resources does not grow an index")
    func comingAndGoing() throws {
        let store = ResourceStore(limit: 10)
        for number in 0..<20_000 { try store.ingest(Person(id: "\(number)", name: "n", city: nil)) }
        #expect(store.count == 10)
        for number in 19_990..<20_000 { #expect(try store.resource(Person.self, id: "\(number)") != nil) }
        #expect(try store.resource(Person.self, id: "19989") == nil)
    }

    @Test("A store uses the documented amount of memory", .enabled(if: ProcessInfo.processInfo.environment["MEASURE"] != nil))
    func measure() throws {
        func resident() throws -> Int {
            let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            return (Int(text.split(separator: " ")[1]) ?? 0) * 4096
        }
        for count in [200_000, 300_000] {
            let store = ResourceStore()
            let before = try resident()
            var bytes = 0
            for number in 0..<count {
                let object = ResourceObject(type: "people", id: "\(number)", attributes: ["name": "Name \(number)"])
                bytes += object.json.description.utf8.count
                try store.ingest(object)
            }
            print("MEASURE", count, (try resident() - before - bytes) / count, "bytes beside", bytes / count)
        }
    }

    @Test func listingManyTypesGrowsLinearly() throws {
        try withFolder { folder in
            let growth = try TimeGrowth(from: 500) { count in
                let url = folder.appendingPathComponent("types-\(count)")
                let store = ResourceStore()
                let file = try StoreFile(url, of: store)
                defer { file.close() }
                try store.transaction { transaction in
                    for number in 0..<count { try transaction.ingest(ResourceObject(type: "t\(number)", id: "1")) }
                }
                try file.save()
                let other = ResourceStore()
                file.close()
                let again = try StoreFile(url, of: other)
                defer { again.close() }
                return processorSeconds { #expect(other.identifiers.count == count) }
            }
            #expect(growth.isLinear, "\(growth)")
        }
    }
}
