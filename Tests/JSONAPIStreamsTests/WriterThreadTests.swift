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

    /// Calls `body` on threads inside each other, with the number of each: on the way in, and on the way out.
    private static func onThreads(_ numbers: Range<Int>, _ body: @escaping @Sendable (Int, Bool) -> Void) {
        guard let number = numbers.first else { return }
        onThread {
            body(number, true)
            onThreads(numbers.dropFirst(), body)
            body(number, false)
        }
    }

    @Test("A writer continues on other threads, whose stacks are below or above the first one", arguments: [false, true])
    func anotherThread(isReversed: Bool) throws {
        let writing = try Writing()
        // All threads exist at the same time. In one of the two orders, a later one has a lower stack than the first one.
        Self.onThreads(0..<5) { number, isEntering in
            if isEntering != isReversed { writing.append("\(number)") }
        }
        #expect(writing.errors.isEmpty, "\(writing.errors)")
    }
}
