import Foundation
import JSONAPICodec
import JSONAPIStreams
import JSONMapping
import JSONText
import Testing

/// The documented behavior of whole documents also applies to streamed ones.
@Suite struct StreamBehaviorTests {
    typealias Support = StreamingSupport

    struct Person: Resource {
        static let type = "people"
        var id: String
        var name: String
    }

    struct Article: Resource {
        static let type = "articles"
        var id: String
        var author: Person?
    }

    struct Note: Resource {
        static let type = "notes"
        var id: String
        var size: Int
    }

    @Test("A limit of one level is that of the document, and not of the text around a portion")
    func smallestDepth() async throws {
        var decoder = JSONAPIDecoder()
        decoder.reading.maximumDepth = 1
        let empty = await Support.read(
            DocumentStream(Support.chunks(#"{"data":null}"#.utf8, at: []), of: ResourceObject.self, decoder: decoder))
        #expect(empty.values.isEmpty && empty.error == nil, "\(String(describing: empty.error))")
        for (text, offset) in [(#"{"data":null,"included":{"self":"x"}}"#, 24), (#"{"data":[]}"#, 8), (#"{"data":{}}"#, 8)] {
            let whole = #expect(throws: DecodingError.self) { try decoder.decode([ResourceObject].self, from: Data(text.utf8)) }
            let streamed = await Support.read(DocumentStream(Support.chunks(text.utf8, at: []), of: ResourceObject.self, decoder: decoder))
            let failure = (streamed.error as? DecodingError)?.failure
            #expect(failure?.offset == offset && failure?.offset == whole?.failure?.offset, "\(text)")
        }
    }

    // MARK: - Chunks

    @Test func aCancelledTaskThrowsCancellationErrorInsteadOfATruncatedText() async throws {
        let (chunks, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        continuation.yield(Array(#"{"data":[{"type":"people","id":"1","attributes":{"name":"A"}}"#.utf8))
        let task = Task {
            var names: [String] = []
            do {
                for try await person in DocumentStream(chunks, of: Person.self) {
                    names.append(person.name)
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            } catch is CancellationError {
                return names
            }
            return []
        }
        #expect(try await task.value == ["A"])
    }

    /// Chunks that end because the task is canceled while they are awaited, as those of an `AsyncStream` do.
    struct CanceledChunks: AsyncSequence, AsyncIteratorProtocol {
        var rest: ArraySlice<[UInt8]>

        func makeAsyncIterator() -> Self { self }
        mutating func next() async -> [UInt8]? {
            if rest.isEmpty { withUnsafeCurrentTask { $0?.cancel() } }
            return rest.popFirst()
        }
    }

    @Test(arguments: [#"{"data":[{"type":"people","id":"1","attributes":{"name":"A"}}"#, #"{"data":[]}"#])
    func chunksThatEndWithTheTaskAreNotTheEndOfTheDocument(text: String) async {
        let task = Task {
            try await DocumentStream(CanceledChunks(rest: [Array(text.utf8)]), of: Person.self).reduce(0) { count, _ in count + 1 }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// Chunks that record whether they are requested on the main actor.
    struct IsolatedChunks: AsyncSequence, AsyncIteratorProtocol {
        var rest: ArraySlice<[UInt8]>
        nonisolated(unsafe) static var isAskedElsewhere = false

        func makeAsyncIterator() -> Self { self }
        mutating func next() async -> [UInt8]? {
            Self.isAskedElsewhere = true
            return rest.popFirst()
        }
        mutating func next(isolation actor: isolated (any Actor)?) async -> [UInt8]? {
            if actor !== MainActor.shared { Self.isAskedElsewhere = true }
            return rest.popFirst()
        }
    }

    @Test @MainActor func anIterationStaysOnItsActor() async throws {
        let text = Array(#"{"data":[{"type":"people","id":"1","attributes":{"name":"A"}}]}"#.utf8)
        let chunks = IsolatedChunks(rest: stride(from: 0, to: text.count, by: 7).map { Array(text[$0..<min($0 + 7, text.count)]) }[...])
        var names: [String] = []
        for try await person in DocumentStream(chunks, of: Person.self) { names.append(person.name) }
        #expect(names == ["A"])
        #expect(!IsolatedChunks.isAskedElsewhere)
    }

    // MARK: - Rewriters

    /// A hundred notes, of which the fiftieth has no size.
    private static let notes = Data(
        (#"{"data":["#
            + (0..<100).map { #"{"type":"notes","id":"\#($0)","attributes":{"\#($0 == 50 ? "length" : "bytes")":\#($0)}}"# }
            .joined(separator: ",") + "]}").utf8)

    private static func decoder() -> JSONAPIDecoder {
        var decoder = JSONAPIDecoder()
        decoder.rewriters = ["notes": Rewriter { Rule("size", from: "bytes") }]
        return decoder
    }

    @Test(
        "Resources before a syntax error are read, and its offset is that in the file, with and without rewriters",
        arguments: [false, true])
    func syntaxErrorAfterRewriting(rewrites: Bool) throws {
        let name = rewrites ? "bytes" : "size"
        let start = #"{"data":["# + (0..<60).map { #"{"type":"notes","id":"\#($0)","attributes":{"\#(name)":\#($0)}},"# }.joined()
        try Support.withFile(Array((start + #"{"type":"notes","id":1x},{"type":"notes","id":"61"}]}"#).utf8)) { url in
            let decoder = rewrites ? Self.decoder() : JSONAPIDecoder()
            let (notes, error) = Support.read(try DocumentReader(url, decoder: decoder).resources(Note.self))
            #expect(notes.map(\.size) == Array(0..<60))
            let failure = try #require((error as? DecodingError)?.failure)
            let offset = start.utf8.count + #"{"type":"notes","id":1"#.utf8.count
            #expect(failure.offset == offset && failure.syntaxError?.offset == offset)
            #expect(failure.pointer.description == "/data/60")
        }
    }

    @Test("Resources before a fault of the rewritten text are read")
    func faultAfterRewriting() throws {
        let text = #"{"data":["# + (0..<60).map { #"{"type":"notes","id":"\#($0)","attributes":{"bytes":\#($0)}},"# }.joined() + "7]}"
        try Support.withFile(Array(text.utf8)) { url in
            let (notes, error) = Support.read(try DocumentReader(url, decoder: Self.decoder()).resources(Note.self))
            #expect(notes.map(\.size) == Array(0..<60))
            #expect((error as? DecodingError)?.failure?.pointer.description == "/data/60")
        }
    }

    @Test func aResourceThatFailsToRewriteDoesNotEndTheWalk() throws {
        try Support.withFile(Self.notes) { url in
            let cursor = try DocumentReader(url, decoder: Self.decoder()).resources(Note.self)
            var sizes: [Int] = []
            var places: [JSONPointer] = []
            var isOver = false
            while !isOver {
                do {
                    if let note = try cursor.next() { sizes.append(note.size) } else { isOver = true }
                } catch let error as ValidationError {
                    places += error.issues.map(\.pointer)
                }
            }
            #expect(sizes == (0..<100).filter { $0 != 50 })
            #expect(places.map(\.description) == ["/data/50/attributes/size"])
        }
    }

    @Test func aResourceObjectThatFailsToRewriteIsAnError() throws {
        try Support.withFile(Self.notes) { url in
            let reader = try DocumentReader(url, decoder: Self.decoder())
            let (objects, error) = Support.read(reader.resources(ResourceObject.self))
            #expect(objects.count == 50)
            #expect((error as? ValidationError)?.issues.map(\.pointer.description) == ["/data/50/attributes/size"])
        }
    }

    @Test func aResourceThatFailsToRewriteIsDroppedOnRequest() async throws {
        var decoder = Self.decoder()
        decoder.invalidElements = .drop
        let chunks = Support.chunks(String(decoding: Self.notes, as: UTF8.self), size: 1000)
        let stream = DocumentStream(chunks, of: Note.self, decoder: decoder)
        var count = 0
        for try await _ in stream { count += 1 }
        #expect(count == 99)
        #expect(stream.diagnostics.map(\.pointer.description) == ["/data/50"])
    }

    // MARK: - Faults

    private static func articles(_ end: String) -> Data {
        Data(
            """
            {"data":[{"type":"articles","id":"1","relationships":{"author":{"data":{"type":"people","id":"1"}}}},
            {"type":"articles","id":"2","relationships":{"author":{"data":{"type":"people","id":"2"}}}}],
            "included":[{"type":"people","id":"1","attributes":{"name":"One"}}\(end)
            """.utf8)
    }

    @Test func resourcesBeforeAFaultAreReturnedWithTheirEmbeddedResources() throws {
        let text = Self.articles(#",{"type":"people","id":"2","attributes":{"name":"Two"}}]} x"#)
        try Support.withFile(text) { url in
            var decoder = JSONAPIDecoder()
            decoder.reportsPositions = true
            let cursor = try DocumentReader(url, decoder: decoder).resources(Article.self)
            #expect(try cursor.next()?.author?.name == "One")
            #expect(try cursor.next()?.author?.name == "Two")
            let error = #expect(throws: DecodingError.self) { try cursor.next() }
            #expect(error?.failure?.position == TextPosition(line: 3, column: 125))
        }
    }

    @Test func resourcesAfterAFaultAreNotReportedAsMissing() throws {
        try Support.withFile(Self.articles(#",{"type":"people","id":"2","attributes":x"#)) { url in
            var decoder = JSONAPIDecoder()
            decoder.reportsPositions = true
            let cursor = try DocumentReader(url, decoder: decoder).resources(Article.self)
            #expect(try cursor.next()?.author?.name == "One")
            let error = #expect(throws: DecodingError.self) { try cursor.next() }
            #expect(error?.failure?.kind == .syntax)
            #expect(error?.failure?.position?.line == 3)
        }
    }

    @Test func resourcesBeforeAFaultInTheSamePortionAreFound() throws {
        try Support.withFile(Self.articles(#",{"type":"people","id":"2","attributes":x}]}"#)) { url in
            let cursor = try DocumentReader(url).resources(Article.self)
            #expect(try cursor.next()?.author?.name == "One")
            let error = #expect(throws: DecodingError.self) { try cursor.next() }
            #expect(error?.failure?.kind == .syntax)
            #expect(error?.failure?.position?.line == 3)
        }
    }

    // MARK: - Writing

    @Test func finishCanBeRepeatedAfterMetaThatIsNestedTooDeeply() throws {
        var encoder = JSONAPIEncoder()
        encoder.maximumDepth = 8
        var text = Data()
        let writer = try DocumentWriter(encoder: encoder) { text += $0 }
        try writer.append(Person(id: "1", name: "A"))
        let deep = (0..<20).reduce(JSON.null) { inner, _ in .object(["in": inner]) }
        #expect(throws: EncodingError.self) { try writer.finish(meta: ["deep": deep]) }
        try writer.finish(meta: ["n": 1])
        let document = try JSONAPIDecoder().decode(Document<[Person]>.self, from: text)
        #expect(document.data.map(\.name) == ["A"])
        #expect(document.meta?["n"] == 1)
    }

    @Test func aSymbolicLinkIsKeptAndItsTargetIsReplaced() throws {
        try Support.withFolder { folder in
            let (file, link) = (folder.appendingPathComponent("file.json"), folder.appendingPathComponent("link.json"))
            try Data("old".utf8).write(to: file)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
            try DocumentWriter(link).finish()
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path)
            #expect(try Data(contentsOf: file) == Data(#"{"data":[]}"#.utf8))
        }
    }

    @Test("A symbolic link to a file that does not exist stays, and the file is created", arguments: [false, true])
    func danglingLink(isRelative: Bool) throws {
        try Support.withFolder { folder in
            let file = folder.appendingPathComponent("file.json")
            let links = ["one.json", "two.json"].map { folder.appendingPathComponent($0).path }
            try FileManager.default.createSymbolicLink(atPath: links[0], withDestinationPath: isRelative ? "two.json" : links[1])
            try FileManager.default.createSymbolicLink(atPath: links[1], withDestinationPath: isRelative ? "file.json" : file.path)
            try DocumentWriter(URL(fileURLWithPath: links[0])).finish()
            #expect(try Data(contentsOf: file) == Data(#"{"data":[]}"#.utf8))
            for link in links { _ = try FileManager.default.destinationOfSymbolicLink(atPath: link) }
        }
    }

    #if !os(Windows)
        @Test("Included resources of a document that goes to a pipe need no file beside the pipe")
        func includedResourcesOfAPipe() throws {
            try Support.withFolder { folder in
                let inner = folder.appendingPathComponent("inner")
                try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
                let pipe = inner.appendingPathComponent("pipe")
                try #require(mkfifo(pipe.path, 0o600) == 0)
                let reading = ReadingThread(pipe)
                let writer = try DocumentWriter(pipe)
                // Nothing can be created in this folder any more, as in that of a device.
                try FileManager.default.removeItem(at: inner)
                for number in 0..<40 {
                    let author = StreamingSupport.Person(id: "p\(number)", name: String(repeating: "n", count: 60_000))
                    try writer.append(StreamingSupport.Story(id: "\(number)", title: nil, author: author, related: []))
                }
                try writer.finish()
                let stories = try JSONAPIDecoder().decode([StreamingSupport.Story].self, from: reading.contents)
                #expect(stories.map { $0.author?.id } == (0..<40).map { "p\($0)" })
            }
        }

        @Test func aPipeReceivesTheText() throws {
            try Support.withFolder { folder in
                let pipe = folder.appendingPathComponent("pipe")
                try #require(mkfifo(pipe.path, 0o600) == 0)
                let reading = ReadingThread(pipe)
                let writer = try DocumentWriter(pipe)
                try writer.append(Person(id: "1", name: "A"))
                try writer.finish()
                #expect(try JSONAPIDecoder().decode([Person].self, from: reading.contents).map(\.name) == ["A"])
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["pipe"])
            }
        }

        @Test("A pipe without a name receives the text through a link of the system, such as /dev/stdout")
        func aPipeBehindALink() throws {
            let pipe = Pipe()
            let writer = try DocumentWriter(URL(fileURLWithPath: "/dev/fd/\(pipe.fileHandleForWriting.fileDescriptor)"))
            try writer.append(Person(id: "1", name: "A"))
            try writer.finish()
            // The whole text is in the pipe already.
            let text = pipe.fileHandleForReading.availableData
            #expect(try JSONAPIDecoder().decode([Person].self, from: text).map(\.name) == ["A"])
        }

        @Test("Writing to a pipe whose reader went away throws, and leaves the signals of the thread as they were")
        func aPipeWithoutAReader() throws {
            try Support.withFolder { folder in
                let pipe = folder.appendingPathComponent("pipe")
                try #require(mkfifo(pipe.path, 0o600) == 0)
                let reader = open(pipe.path, O_RDONLY | O_NONBLOCK)
                try #require(reader >= 0)
                let writer = try DocumentWriter(pipe)
                try #require(close(reader) == 0)
                let name = String(repeating: "n", count: 1000)
                let error = #expect(throws: DocumentFileError.self) {
                    for number in 0..<1000 { try writer.append(Person(id: "\(number)", name: name)) }
                    try writer.finish()
                }
                #expect(error?.call == "write" && error?.code == EPIPE)
                var (blocked, pending) = (sigset_t(), sigset_t())
                #expect(pthread_sigmask(SIG_BLOCK, nil, &blocked) == 0 && sigismember(&blocked, SIGPIPE) == 0)
                #expect(sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 0)
            }
        }
    #endif

    /// Reads a file to its end on a thread.
    private final class ReadingThread: @unchecked Sendable {
        private let end = DispatchSemaphore(value: 0)
        private var data = Data()

        init(_ url: URL) {
            Thread.detachNewThread {
                self.data = (try? FileHandle(forReadingFrom: url).readToEnd()) ?? Data()
                self.end.signal()
            }
        }

        var contents: Data {
            end.wait()
            return data
        }
    }

    @Test func aFolderAndANetworkAddressAreErrorsAtOnce() throws {
        try Support.withFolder { folder in
            let unwritable = #expect(throws: DocumentFileError.self) { try DocumentWriter(folder) }
            #expect(unwritable?.localizedDescription == unwritable?.description)
            let address = try #require(URL(string: "https://example.com\(folder.path)/a.json"))
            #expect(throws: DocumentFileError.self) { try DocumentWriter(address) }
            #expect(throws: DocumentFileError.self) { try DocumentReader(address) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test func anUnfinishedFileIsRemovedWhenTheProcessExits() async {
        await #expect(processExitsWith: .success) {
            // Called after the library's own handler, which is registered later.
            atexit { if (try? FileManager.default.contentsOfDirectory(atPath: ExitingProcess.folder).isEmpty) != true { _exit(1) } }
            try FileManager.default.createDirectory(atPath: ExitingProcess.folder, withIntermediateDirectories: true)
            let writer = try DocumentWriter(URL(fileURLWithPath: ExitingProcess.folder).appendingPathComponent("a.json"))
            try writer.append(Person(id: "1", name: "A"))
            guard try !FileManager.default.contentsOfDirectory(atPath: ExitingProcess.folder).isEmpty else { exit(2) }
            withExtendedLifetime(writer) { exit(0) }
        }
    }

    private enum ExitingProcess {
        static let folder = NSTemporaryDirectory() + "exiting-\(ProcessInfo.processInfo.processIdentifier)"
    }
}

extension StreamBehaviorTests {
    @Test func aFaultInAnotherMemberHasItsPlace() async throws {
        let text = "{\"data\":[],\n \"meta\":{},\n \"links\":{\"self\":17}}"
        var decoder = JSONAPIDecoder(mode: .strict)
        decoder.reportsPositions = true
        let whole = #expect(throws: DecodingError.self) { try decoder.decode([Note].self, from: Data(text.utf8)) }
        let streamed = await #expect(throws: DecodingError.self) {
            for try await _ in DocumentStream(Support.chunks(text, size: 5), of: Note.self, decoder: decoder) {}
        }
        #expect(streamed?.failure?.position?.line == 3)
        #expect(streamed?.failure?.position == whole?.failure?.position)
        #expect(streamed?.failure?.offset == whole?.failure?.offset)
    }
}

extension StreamBehaviorTests {
    @Test(arguments: [JSONAPIDecoder.MissingPolicy.keep, .omit, .throw])
    func referencesKeepTheirIdentifiersWithEveryPolicy(policy: JSONAPIDecoder.MissingPolicy) async throws {
        let text = """
            {"data":[{"type":"articles","id":"1","relationships":{"author":{"data":{"type":"people","id":"9"}}}}],
            "included":[{"type":"people","id":"9","attributes":{"name":"N"}}]}
            """
        var decoder = JSONAPIDecoder()
        decoder.missingResources = policy
        for try await article in DocumentStream(Support.chunks(text, size: 40), of: Support.Article.self, decoder: decoder) {
            #expect(article.author.identifier == ResourceIdentifier(type: "people", id: "9"))
            #expect(article.author.value == nil)
        }
    }

    @Test func invalidIncludedResourcesAreDroppedOnRequest() throws {
        let text = Data(
            """
            {"data":[],"included":[{"type":"people","id":"1","attributes":{"name":"A"}},{"type":"people","id":"2"},
            {"type":"people","id":"3","attributes":{"name":"C"}}]}
            """.utf8)
        var decoder = JSONAPIDecoder()
        #expect(throws: DecodingError.self) { try decoder.decode(Document<[Note]>.self, from: text).included(Person.self) }
        decoder.invalidElements = .drop
        #expect(try decoder.decode(Document<[Note]>.self, from: text).included(Person.self).map(\.id) == ["1", "3"])
    }
}
