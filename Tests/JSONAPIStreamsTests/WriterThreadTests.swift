import Foundation
import JSONAPICodec
import JSONAPIStreams
import JSONText
import Testing

/// A writer that is used by one thread after another.
@Suite struct WriterThreadTests {
    private struct Note: Codable {
        var text: String
        var replies: [Note] = []
    }

    private struct Post: Resource {
        static let type = "posts"
        var id: String
        var note: Note
        var subtitle: String?
        var rest = RemainingMembers(["tag": "new"])
        enum CodingKeys: String, CodingKey {
            case id, note, subtitle
            case rest = "attributes"
        }
    }

    /// `@unchecked Sendable`: the threads use it one after another.
    private final class Writing: @unchecked Sendable {
        private let writer: DocumentWriter
        private(set) var errors: [any Error] = []

        init() throws { writer = try DocumentWriter { (_: Data) in } }

        func append(_ id: String) {
            let note = Note(text: "a", replies: [Note(text: "b", replies: [Note(text: "c")])])
            do { try writer.append(Post(id: id, note: note)) } catch { errors.append(error) }
        }
    }

    private static func onThread(_ body: @escaping @Sendable () -> Void) {
        let end = DispatchSemaphore(value: 0)
        let thread = Thread {
            body()
            end.signal()
        }
        thread.stackSize = 512 * 1024
        thread.start()
        end.wait()
    }

    @Test("A writer continues on another thread, whose stack is below or above the first one", arguments: [false, true])
    func anotherThread(isReversed: Bool) throws {
        let writing = try Writing()
        // Both threads exist at the same time. In one of the two orders, the second one has the lower stack.
        Self.onThread {
            if !isReversed { writing.append("1") }
            Self.onThread { writing.append(isReversed ? "1" : "2") }
            if isReversed { writing.append("2") }
        }
        #expect(writing.errors.isEmpty, "\(writing.errors)")
    }
}
