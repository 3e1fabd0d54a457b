import Foundation
import JSONAPICodec
import JSONText
import Testing

@testable import JSONAPIStore

@Suite("A closed file of a store")
struct ClosedFileTests {
    @Test("The journal of a closed file does not grow with resources that come and go")
    func churn() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            try store.ingest(Person(id: "kept", name: "K", city: nil))
            try store.ingest(Person(id: "gone", name: "G", city: nil))
            try file.save()
            file.close()
            store.remove(ResourceIdentifier(type: "people", id: "gone"))
            for number in 0..<2000 {
                try store.ingest(Person(id: "\(number)", name: "N", city: nil))
                store.remove(ResourceIdentifier(type: "people", id: "\(number)"))
            }
            #expect(store.core.journalSize < 200, "\(store.core.journalSize)")
            #expect(store.core.table.backing?.removed.count == 1)
            let again = try StoreFile(url, of: store)
            try store.ingest(Person(id: "last", name: "L", city: nil))
            try again.save()
            again.close()
            #expect(try Archive(contentsOf: url).identifiers.compactMap(\.id) == ["kept", "last"])
        }
    }

    @Test("Evicting a saved resource frees its text after the file was closed")
    func eviction() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let store = ResourceStore(limit: 10)
            let file = try StoreFile(url, of: store)
            try store.ingest((0..<10).map { Person(id: "\($0)", name: "N", city: nil) })
            try file.save()
            file.close()
            try store.ingest((10..<20).map { Person(id: "\($0)", name: "N", city: nil) })
            #expect(store.core.journalSize == 10)
            #expect(try store.resources(Person.self).count == 20)
            let again = try StoreFile(url, of: store)
            try again.save()
            again.close()
            #expect(try Archive(contentsOf: url).count == 20)
        }
    }
}
