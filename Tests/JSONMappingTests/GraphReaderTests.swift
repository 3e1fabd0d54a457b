import Foundation
import JSONMapping
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
