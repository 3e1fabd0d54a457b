import Foundation
import JSONAPICodec
import JSONText

/// Reads a document that arrives in chunks, one resource at a time: from a network, or from any other `AsyncSequence`.
///
/// ```swift
/// let (bytes, _) = try await URLSession.shared.bytes(from: url)
/// let articles = DocumentStream(bytes, of: Article.self)
/// for try await article in articles {
///     try database.insert(article)
///     show(articles.progress.bytes)
/// }
/// articles.header.meta
/// ```
///
/// Chunks may end anywhere. Each resource is returned as soon as it is complete. When the document has a fault, all resources before it are
/// returned before the error is thrown. Options, errors and pointers are those of `JSONAPIDecoder`, with these exceptions:
///
/// - A section that occurs twice in the document is an error, because the first one was already returned.
/// - More than 100,000 members besides `data` and `included` are an error.
/// - Limits on bytes and on the number of values apply to each resource, and to all other members together, not to the document. The limit
///   on resources counts those of `data` and `included`, not whole resources in place of identifiers.
/// - Strict mode does not check that linkage reaches every included resource, that a `lid` in linkage is that of a resource, and that
///   identities are not repeated.
/// - An error has the first problem of a resource, whatever `problems` is.
/// - A fault before `errors` is thrown in place of the errors of the server, which have not been read yet. Outside of strict mode, a fault
///   after `errors` is not thrown, unless the text is not JSON or a limit is exceeded. Resources that cannot be read are then left out, and
///   the errors of the server are thrown at the end.
///
/// A stream cannot go back, so it cannot look up resources by identity. `ToOne` and `ToMany` keep their identifiers, whatever
/// `missingResources` is, and have no values; whether these could be read, for example without an `id`, is not checked. An embedded relationship that is not empty is an error, unless `missingResources` is `omit`.
/// To resolve relationships, read from a file with `DocumentReader`, or collect `included` with `DocumentPartStream`.
///
/// **Memory.** A few times the size of the largest resource or chunk.
///
/// A stream can be read once, unless its chunks can be read again.
public struct DocumentStream<Chunks: AsyncSequence, Element: PrimaryElement>: AsyncSequence where Chunks.Element: Sequence<UInt8> {
    private let parts: DocumentPartStream<Chunks, Element, ResourceObject>

    /// Creates a stream over chunks: `Data`, arrays, or any other sequences of bytes.
    ///
    /// `totalBytes` is the size of the document, if it is known; `progress` uses it. `maximumResourceBytes` limits one resource, and all
    /// other members together: 64 MiB by default.
    public init(
        _ chunks: Chunks, of type: Element.Type, decoder: JSONAPIDecoder = JSONAPIDecoder(), totalBytes: Int? = nil,
        maximumResourceBytes: Int = 64 << 20
    ) {
        parts = DocumentPartStream(chunks, type, nil, decoder, totalBytes, maximumResourceBytes)
    }

    /// Creates a stream over single bytes. They are collected into chunks of 16 KiB, so resources are returned after that many bytes.
    public init<Bytes>(
        _ bytes: Bytes, of type: Element.Type, decoder: JSONAPIDecoder = JSONAPIDecoder(), totalBytes: Int? = nil,
        maximumResourceBytes: Int = 64 << 20
    ) where Chunks == ByteChunks<Bytes> {
        parts = DocumentPartStream(ByteChunks(bytes), type, nil, decoder, totalBytes, maximumResourceBytes)
    }

    /// How far the most recent iteration has read.
    public var progress: ReadingProgress { parts.progress }

    /// The members other than `data` and `included` that the most recent iteration has read; all of them at its end.
    public var header: DocumentObject { parts.header }

    /// What the most recent iteration has cut or left out, and the leniencies that it has used. Faults that no model is concerned with, which
    /// a whole `Document` reports, are not among them, and those of the members beside the resources are known at its end.
    ///
    /// They are in the order in which they were found. Of resources that arrive together, all leniencies are found first, so the order depends
    /// on where chunks end.
    public var diagnostics: Diagnostics { parts.diagnostics }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(parts: parts.makeAsyncIterator()) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        var parts: DocumentPartStream<Chunks, Element, ResourceObject>.AsyncIterator

        /// Returns the next resource; nil at the end. Throws what `ResourceCursor.next()` throws, and what the chunks throw. Throws
        /// `CancellationError` when more chunks are needed and the task is canceled.
        public mutating func next() async throws -> Element? {
            while let part = try await parts.next() {
                if case .data(let value) = part { return value }
            }
            return nil
        }

        /// Returns the next resource on the caller's actor. It does not leave the actor while resources are available. Throws as the
        /// function above does.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            while let part = try await parts.next(isolation: actor) {
                if case .data(let value) = part { return value }
            }
            return nil
        }
    }
}

/// Reads the included resources as well, in the order of the document.
///
/// ```swift
/// for try await part in DocumentPartStream(chunks, data: Article.self, included: ResourceObject.self) {
///     switch part {
///     case .data(let article): try database.insert(article)
///     case .included(let resource): try database.insert(resource)
///     }
/// }
/// ```
///
/// For a `Resource`, the included resources of its type are returned; for a `ResourceUnion` or `ResourceObject`, all of them.
public struct DocumentPartStream<Chunks: AsyncSequence, Primary: PrimaryElement, Included: PrimaryElement>: AsyncSequence
where Chunks.Element: Sequence<UInt8> {
    public typealias Element = DocumentPart<Primary, Included>

    private let chunks: Chunks
    private let included: Included.Type?
    private let decoder: JSONAPIDecoder
    private let maximumResourceBytes: Int
    private let state: StreamState

    init(
        _ chunks: Chunks, _ data: Primary.Type, _ included: Included.Type?, _ decoder: JSONAPIDecoder, _ totalBytes: Int?,
        _ maximumResourceBytes: Int
    ) {
        self.chunks = chunks
        self.included = included
        self.decoder = decoder
        self.maximumResourceBytes = maximumResourceBytes
        state = StreamState(totalBytes)
    }

    /// Creates a stream over chunks; `DocumentStream` describes the parameters.
    public init(
        _ chunks: Chunks, data: Primary.Type, included: Included.Type, decoder: JSONAPIDecoder = JSONAPIDecoder(),
        totalBytes: Int? = nil, maximumResourceBytes: Int = 64 << 20
    ) {
        self.init(chunks, data, included, decoder, totalBytes, maximumResourceBytes)
    }

    /// Creates a stream over single bytes. They are collected into chunks of 16 KiB, so resources are returned after that many bytes.
    public init<Bytes>(
        _ bytes: Bytes, data: Primary.Type, included: Included.Type, decoder: JSONAPIDecoder = JSONAPIDecoder(),
        totalBytes: Int? = nil, maximumResourceBytes: Int = 64 << 20
    ) where Chunks == ByteChunks<Bytes> {
        self.init(ByteChunks(bytes), data, included, decoder, totalBytes, maximumResourceBytes)
    }

    /// How far the most recent iteration has read.
    public var progress: ReadingProgress { state.current.progress }

    /// The members other than `data` and `included` that the most recent iteration has read; all of them at its end.
    public var header: DocumentObject { state.current.header }

    /// What the most recent iteration has tolerated, cut or left out. The order depends on where chunks end, as for `DocumentStream`.
    public var diagnostics: Diagnostics { state.current.diagnostics }

    public func makeAsyncIterator() -> AsyncIterator {
        let iteration = state.start()
        let walk = DocumentWalk(decoder, maximumResourceBytes: maximumResourceBytes)
        let reading = PartReading(walk, data: Primary.self, included: included, file: nil)
        return AsyncIterator(chunks: chunks.makeAsyncIterator(), reading: reading, state: state, iteration: iteration)
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var chunks: Chunks.AsyncIterator
        fileprivate let reading: PartReading<Primary, Included>
        fileprivate let state: StreamState
        /// The number of this iteration.
        fileprivate let iteration: Int
        /// The part to return next.
        fileprivate var part: DocumentPart<Primary, Included>?

        /// Returns the next resource; nil at the end. Throws what `ResourceCursor.next()` throws, and what the chunks throw. Throws
        /// `CancellationError` when more chunks are needed and the task is canceled.
        public mutating func next() async throws -> DocumentPart<Primary, Included>? {
            while try state.needsChunk(iteration, reading, &part) {
                try Task.checkCancellation()
                try state.take(iteration, try await chunks.next(), reading)
            }
            return part.take()
        }

        /// Returns the next resource on the caller's actor. It does not leave the actor while resources are available. Throws as the
        /// function above does.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> DocumentPart<Primary, Included>? {
            while try state.needsChunk(iteration, reading, &part) {
                try Task.checkCancellation()
                try state.take(iteration, try await chunks.next(isolation: actor), reading)
            }
            return part.take()
        }
    }
}

extension DocumentStream: Sendable where Chunks: Sendable {}
extension DocumentPartStream: Sendable where Chunks: Sendable {}

/// The observable state of a stream: that of its most recent iteration. What earlier iterations read is not noted.
///
/// `@unchecked Sendable`: `value` is read and written under the lock.
private final class StreamState: @unchecked Sendable {
    struct Value {
        /// The number of the iteration.
        let iteration: Int
        var progress = ReadingProgress()
        var header = DocumentObject()
        var diagnostics = Diagnostics()
        /// The number of parts of the document whose diagnostics were noted.
        var diagnosedCount = 0

        init(_ iteration: Int, _ totalBytes: Int?) {
            self.iteration = iteration
            progress.totalBytes = totalBytes
        }
    }

    private let lock = Lock()
    private var value: Value

    init(_ totalBytes: Int?) { value = Value(0, totalBytes) }

    var current: Value { lock.withLock { value } }

    /// Begins an iteration and returns its number.
    func start() -> Int {
        lock.withLock {
            value = Value(value.iteration + 1, value.progress.totalBytes)
            return value.iteration
        }
    }

    /// Reads the next part; nil at the end. Returns true when a chunk is needed first.
    func needsChunk<Primary, Included>(
        _ iteration: Int, _ reading: PartReading<Primary, Included>, _ next: inout DocumentPart<Primary, Included>?
    ) throws -> Bool {
        // Also before an error: what was read until then stays known.
        defer { note(iteration, reading) }
        switch try reading.step() {
        case .part(let part):
            change(iteration) { $0.progress.resources += 1 }
            next = part
            return false
        case .needsMore: return true
        case .end:
            next = nil
            return false
        }
    }

    /// Passes a chunk to the reading, or tells it that there are no more. When the chunks end because the task was canceled, that is not
    /// the end of the document.
    func take<Primary, Included>(
        _ iteration: Int, _ chunk: (some Sequence<UInt8>)?, _ reading: PartReading<Primary, Included>
    ) throws {
        if let chunk {
            reading.walk.append(chunk)
        } else {
            try Task.checkCancellation()
            reading.walk.complete()
        }
        change(iteration) { $0.progress.bytes = reading.walk.byteCount }
    }

    /// Notes what is new. With small chunks and many members, noting everything each time would cost their product, because the reading
    /// would have to copy what is shared.
    private func note<Primary, Included>(_ iteration: Int, _ reading: PartReading<Primary, Included>) {
        change(iteration) {
            for member in reading.walk.header.members.dropFirst($0.header.members.count) {
                $0.header.members.append(name: member.name, value: member.value)
            }
            guard reading.diagnosedCount != $0.diagnosedCount else { return }
            $0.diagnosedCount = reading.diagnosedCount
            $0.diagnostics = reading.diagnostics
        }
    }

    private func change(_ iteration: Int, _ body: (inout Value) -> Void) {
        lock.withLock { if iteration == value.iteration { body(&value) } }
    }
}

/// Collects single bytes into chunks of 16 KiB.
public struct ByteChunks<Bytes: AsyncSequence>: AsyncSequence where Bytes.Element == UInt8 {
    let bytes: Bytes

    init(_ bytes: Bytes) { self.bytes = bytes }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes: bytes.makeAsyncIterator()) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        var bytes: Bytes.AsyncIterator
        /// The error after the bytes that were returned.
        var fault: (any Error)?

        /// Returns the next chunk; nil at the end. Throws what the bytes throw, after those that arrived before.
        public mutating func next() async throws -> [UInt8]? {
            if let fault = fault.take() { throw fault }
            var chunk: [UInt8] = []
            chunk.reserveCapacity(1 << 14)
            do {
                while chunk.count < 1 << 14, let byte = try await bytes.next() { chunk.append(byte) }
            } catch {
                guard !chunk.isEmpty else { throw error }
                fault = error
            }
            return chunk.isEmpty ? nil : chunk
        }
    }
}

extension ByteChunks: Sendable where Bytes: Sendable {}
