import Foundation
import JSONAPIArchive
import JSONAPICodec
import JSONAPIStore
import Testing

@Suite("Model classes that are chosen at run time")
struct ChosenClassTests {
    private class Animal: Resource, @unchecked Sendable {
        class var type: String { "animals" }
        let id: String
    }
    /// Has the same resource type.
    private class Dog: Animal, @unchecked Sendable {
        let breed: String

        private enum CodingKeys: CodingKey { case breed }
        required init(from decoder: any Decoder) throws {
            breed = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .breed)
            try super.init(from: decoder)
        }
    }
    /// Has a resource type of its own.
    private final class Wolf: Dog, @unchecked Sendable {
        override class var type: String { "wolves" }
    }

    private let resources = [
        ResourceObject(type: "animals", id: "1", attributes: ["breed": "Terrier"]),
        ResourceObject(type: "wolves", id: "1", attributes: ["breed": "Arctic"]),
    ]
    private let dog: Animal.Type = Dog.self
    private let wolf: Animal.Type = Wolf.self
    private let wolfIdentifier = ResourceIdentifier(type: "wolves", id: "1")

    private func breed(_ animal: Animal?) -> String? { (animal as? Dog)?.breed }

    @Test("A store, a snapshot, and a transaction read the class, whatever was read before")
    func store() throws {
        let store = ResourceStore()
        try store.ingest(resources)
        for _ in 0..<2 {
            #expect(try breed(store.resource(dog, id: "1")) == "Terrier")
            #expect(try breed(store.resource(wolf, id: "1")) == "Arctic")
            #expect(try store.resource(Animal.self, id: "1") is Dog == false)
            #expect(try store.resources(dog).map(breed) == ["Terrier"])
            #expect(try store.resources(wolf).map(breed) == ["Arctic"])
            #expect(try breed(store.resolve(wolf, wolfIdentifier)) == "Arctic")
        }
        let snapshot = store.snapshot()
        #expect(try breed(snapshot.resource(wolf, wolfIdentifier)) == "Arctic")
        #expect(try snapshot.resources(wolf).map(breed) == ["Arctic"])
        try store.transaction { transaction in
            let found = try [transaction.resource(dog, id: "1"), transaction.resource(wolf, id: "1")]
            #expect(found.map(breed) == ["Terrier", "Arctic"])
        }
    }

    @Test("A store decodes a document as the class")
    func decoding() throws {
        let data = Data(#"{"data":{"type":"wolves","id":"2","attributes":{"breed":"Grey"}}}"#.utf8)
        for keeping in [ResourceStore.Keeping.nothing, .everything] {
            #expect(try breed(ResourceStore().decode(wolf, from: data, keeping: keeping)) == "Grey")
        }
    }

    @Test("An archive reads the class")
    func archive() throws {
        var writer = Archive.Writer()
        try writer.encode(resources, forKey: "all")
        let archive = try Archive(data: writer.data())
        #expect(try breed(archive.resource(dog, id: "1")) == "Terrier")
        #expect(try breed(archive.resource(wolf, id: "1")) == "Arctic")
        #expect(try breed(archive.resource(wolf, wolfIdentifier)) == "Arctic")
        #expect(try archive.resources(wolf).map(breed) == ["Arctic"])
        #expect(try archive.resource(Animal.self, id: "1") is Dog == false)
    }
}
