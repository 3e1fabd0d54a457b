import Foundation
import JSONAPICodec
import JSONAPIStreams
import TestSupport
import Testing

/// Helpers that the streaming tests share.
enum StreamingSupport {
    struct Person: Resource, Hashable {
        static let type = "people"
        var id: String
        var name: String
    }

    struct Article: Resource, Hashable {
        static let type = "articles"
        var id: String
        var title: String?
        var author: ToOne<Person>
    }

    struct Story: Resource, Hashable {
        static let type = "articles"
        var id: String
        var title: String?
        var author: Person?
        var related: [Note]?
    }

    struct Note: Resource, Hashable {
        static let type = "notes"
        var id: String
        var author: Person?
    }

    /// Chunks of a text, split at the given offsets.
    static func chunks(_ text: some Collection<UInt8>, at offsets: [Int]) -> AsyncStream<[UInt8]> {
        let bytes = Array(text)
        var pieces: [[UInt8]] = []
        var start = 0
        for offset in offsets + [bytes.count] where offset >= start {
            pieces.append(Array(bytes[start..<min(offset, bytes.count)]))
            start = min(offset, bytes.count)
        }
        return AsyncStream { continuation in
            for piece in pieces { continuation.yield(piece) }
            continuation.finish()
        }
    }

    /// Chunks that can be read repeatedly.
    struct RepeatableChunks: AsyncSequence, Sendable {
        let pieces: [[UInt8]]

        /// The text in chunks of `size` bytes.
        init(_ text: String, size: Int) {
            let bytes = Array(text.utf8)
            pieces = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<Swift.min($0 + size, bytes.count)]) }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: pieces[...]) }

        struct AsyncIterator: AsyncIteratorProtocol {
            var rest: ArraySlice<[UInt8]>
            mutating func next() async -> [UInt8]? { rest.popFirst() }
        }
    }

    static func chunks(_ text: String, size: Int) -> AsyncStream<[UInt8]> {
        chunks(text.utf8, at: Array(stride(from: size, to: max(text.utf8.count, size), by: size)))
    }

    /// Runs `body` with a temporary file that contains the text.
    static func withFile<Result>(_ text: some Collection<UInt8>, _ body: (URL) throws -> Result) throws -> Result {
        let url = TestFolder.url.appendingPathComponent("streaming-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data(text).write(to: url)
        return try body(url)
    }

    /// Runs `body` with a temporary folder.
    static func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let url = TestFolder.url.appendingPathComponent("streaming-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        return try body(url)
    }

    /// All resources of a stream, and the error at its end.
    static func read<Chunks: AsyncSequence, Element: PrimaryElement>(
        _ stream: DocumentStream<Chunks, Element>
    ) async -> (values: [Element], error: (any Error)?) {
        var values: [Element] = []
        do {
            for try await value in stream { values.append(value) }
            return (values, nil)
        } catch {
            return (values, error)
        }
    }

    static func read<Element: PrimaryElement>(_ cursor: ResourceCursor<Element>) -> (values: [Element], error: (any Error)?) {
        var values: [Element] = []
        do {
            while let value = try cursor.next() { values.append(value) }
            return (values, nil)
        } catch {
            return (values, error)
        }
    }

    static let blog = #"""
        {"jsonapi": {"version": "1.1"}, "data": [
          {"type": "articles", "id": "1", "attributes": {"title": "A \"quoted\" [one] \\"},
           "relationships": {"author": {"data": {"type": "people", "id": "9"}},
                             "related": {"data": [{"type": "notes", "id": "5"}]}}},
          {"type": "articles", "id": "2", "attributes": {"title": "Ünï\u00e9\ud83d\ude00 {}"},
           "relationships": {"author": {"data": {"type": "people", "id": "8"}}}} ,
          {"type": "articles", "id": "3", "relationships": {"author": {"data": null}}}
        ], "meta": {"total": 3, "nested": [[], {}, "]"]},
        "included": [{"type": "people", "id": "9", "attributes": {"name": "Dan"}},
          {"type": "notes", "id": "5", "relationships": {"author": {"data": {"type": "people", "id": "8"}}}},
          {"type": "people", "id": "8", "attributes": {"name": "Eve"}}], "links": {"self": "/articles"}}
        """#
}
