import Foundation
import JSONMapping
import JSONText
import Synchronization
import Testing

@Suite("Graphs of instances")
struct GraphReaderTests {
    private static let live = Mutex(0)

    private final class Counted: Mapped {
        var name = ""
        var next: Counted?

        init() { GraphReaderTests.live.withLock { $0 += 1 } }
        deinit { GraphReaderTests.live.withLock { $0 -= 1 } }

        static let schema: MappingSchema<Counted> = MappingSchema(creating: Counted()) {
            MappingField(\.name, "name")
            MappingField(\.next, "next")
        }
    }

    private struct Message: Mapped {
        var id = 0
        var text = ""

        static let schema: MappingSchema<Message> = MappingSchema(creating: Message()) {
            MappingField(\.id, "id")
            MappingField(\.text, "text")
        }
    }

    private final class Pet: Mapped {
        var message = Message()

        static let schema: MappingSchema<Pet> = MappingSchema(creating: Pet()) { MappingField(\.message, "message") }
    }

    private final class Owner: Mapped {
        var pet: Pet?

        static let pets: MappingSchema<Pet> = {
            var schemas = SchemaSet()
            schemas[Message.self] = MappingSchema(creating: Message()) { MappingField(\.id, "id") }
            return schemas.schema(for: Pet.self)
        }()
        static let schema: MappingSchema<Owner> = MappingSchema(creating: Owner()) { MappingField(\.pet, "pet", .object(Owner.pets)) }
    }

    @Test("An instance whose schema comes from a set is archived by that set")
    func schemaFromASet() throws {
        let (owner, pet) = (Owner(), Pet())
        pet.message = Message(id: 3, text: "a")
        owner.pet = pet
        let data = try JSONEncoder().encode(MappedGraph(owner))
        #expect(try JSON(parsing: data) == ["root": 0, "instances": [["pet": 1], ["message": ["id": 3]]]])
        let read = try JSONDecoder().decode(MappedGraph<Owner>.self, from: data).root
        #expect(read?.pet?.message.id == 3 && read?.pet?.message.text == "")
    }

    /// `@unchecked Sendable`: only one test uses the instance.
    private final class Single: Mapped, @unchecked Sendable {
        var name = "before"

        static let shared = Single()
        static let schema: MappingSchema<Single> = MappingSchema<Single> {
            MappingField(\.name, "name")
        } make: { _ in
            Single.shared
        }
    }

    @Test("A graph that cannot be read leaves an existing instance as it was")
    func existingInstance() throws {
        let texts = [
            #"{"roots": [0, 1], "instances": [{"name": "after"}, {"name": 5}]}"#, #"{"root": 0, "instances": [{"name": "after"}]}"#,
        ]
        #expect(throws: (any Error).self) { try JSONDecoder().decode(MappedGraph<Single>.self, from: Data(texts[0].utf8)) }
        #expect(Single.shared.name == "before")
        let graph = try JSONDecoder().decode(MappedGraph<Single>.self, from: Data(texts[1].utf8))
        #expect(graph.root === Single.shared && Single.shared.name == "after")
    }

    @Test("A graph that cannot be read leaves no instance behind")
    func failedReading() throws {
        let text = #"{"root": 0, "instances": [{"name": "A", "next": 1}, {"name": 5}]}"#
        _ = Counted.schema
        let before = Self.live.withLock { $0 }
        for _ in 0..<3 {
            #expect(throws: (any Error).self) { try JSONDecoder().decode(MappedGraph<Counted>.self, from: Data(text.utf8)) }
        }
        #expect(Self.live.withLock { $0 } == before)
    }
}
