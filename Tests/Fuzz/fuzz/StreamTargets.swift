import Foundation
import Fuzzing
import JSONAPICodec
import JSONAPIStreams
import JSONText

extension FuzzTarget {
    /// Documents in chunks and in files, compared with whole documents: the same verdict and the same values.
    static let stream = FuzzTarget(name: "stream", seeds: { $0.documents + $0.sound }) { input, random in
        var decoder = JSONAPIDecoder(mode: random.pick([.strict, .standard, .lenient]))
        if random.chance(1, in: 4) { decoder.reading.maximumDepth = random.below(8) }
        if random.chance(1, in: 4) { decoder.maximumResources = random.below(4) }
        let whole = Result { try decoder.decode([ResourceObject].self, from: Data(input)) }
        let stream = DocumentStream(FuzzChunks(input, &random), of: ResourceObject.self, decoder: decoder)
        // The last member of a repeated name counts, which a stream cannot know in advance.
        let isAmbiguous = (try? whole.get()) != nil && unambiguousTree(input) == nil
        var values: [ResourceObject] = []
        do {
            for try await value in stream { values.append(value) }
            try compare(whole, .success(values), decoder)
        } catch let finding as FuzzFinding {
            throw finding
        } catch {
            if !isAmbiguous { try compare(whole, .failure(error), decoder) }
        }
        try require(stream.progress.bytes <= input.count, "more bytes than there are")
        if random.chance(1, in: 16) { try readFile(input, decoder) }
    }

    private static func compare(
        _ whole: Result<[ResourceObject], any Error>, _ stream: Result<[ResourceObject], any Error>, _ decoder: JSONAPIDecoder
    ) throws {
        switch (whole, stream) {
        case (.success(let values), .success(let streamed)): try require(values == streamed, "other resources")
        case (.failure(let error), .success):
            // A single resource, or null, is also a stream. Repeated identities and unlinked resources are not checked.
            if let kind = failure(error)?.kind, [.cardinality, .unexpectedNull, .wrongType, .duplicateResource, .notLinked].contains(kind) {
                return
            }
            // Whole resources inside relationships are not counted.
            if failure(error)?.kind == .resourceLimit, decoder.leniencies.contains(.embeddedResources) { return }
            throw FuzzFinding("only the whole is refused: \(error)")
        case (.success, .failure(let error)):
            if failure(error)?.kind == .duplicateName { return }
            throw FuzzFinding("only the stream is refused: \(error)")
        case (.failure(let error), .failure(let streamed)):
            guard let expected = failure(error), let found = failure(streamed) else { return }
            // The stream finds the first fault in the text. A whole document is parsed before anything else is checked.
            if found.syntaxError == nil || found.kind == .duplicateName || decoder.mode == .strict { return }
            try require(
                expected == found && expected.offset == found.offset && expected.position == found.position,
                "the whole: \(expected), offset \(expected.offset ?? -1); the stream: \(found), offset \(found.offset ?? -1)")
        }
    }

    private static func failure(_ error: any Error) -> DecodingFailure? { (error as? DecodingError)?.failure }

    /// Embedded resources, which are found by identity in a file.
    private static func readFile(_ input: [UInt8], _ decoder: JSONAPIDecoder) throws {
        guard let whole = try? decoder.decode([FuzzModels.Story].self, from: Data(input)),
            let document = try? decoder.decode(DocumentObject.self, from: Data(input)), hasUniqueIdentities(document)
        else { return }
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data(input).write(to: url)
        let cursor = try DocumentReader(url, decoder: decoder).resources(FuzzModels.Story.self)
        var values: [FuzzModels.Story] = []
        do {
            while let value = try cursor.next() { values.append(value) }
        } catch let error where unambiguousTree(input) == nil {
            // The first of two repeated sections was read, which a whole document ignores.
            return try require(error is DecodingError, "another error than one of decoding: \(error)")
        }
        try require(values == whole, "other resources from the file: \(values), not \(whole)")
    }

    static func hasUniqueIdentities(_ document: DocumentObject) -> Bool {
        var known: Set<ResourceIdentifier> = []
        let primary: [ResourceObject] =
            switch document.data {
            case .many(let resources): resources
            case .one(let resource): [resource]
            default: []
            }
        for resource in primary + (document.included ?? []) {
            guard let id = resource.id, known.insert(ResourceIdentifier(type: resource.type, id: id)).inserted else { return false }
        }
        return true
    }

    /// Documents written one resource at a time, compared with whole documents: the same bytes.
    static let writer = FuzzTarget(name: "writer", seeds: { $0.sound }) { input, random in
        let include = random.pick([IncludePaths.all, .none, [], ["author"], ["comments.author", "author.articles"]])
        let fields = random.pick([[:], ["articles": ["title", "author"]], ["people": [], "comments": ["body"]]])
        if random.chance(1, in: 2) {
            try write([FuzzModels.Story].self, input, include, fields)
        } else {
            try write([FuzzModels.Contributor].self, input, include, fields)
        }
    }

    /// Resources in another order can be included in another order. A raw resource that becomes primary data later can add its own related
    /// resources.
    static func compare(_ whole: Data, _ streamed: Data) throws {
        let (first, second) = (try JSON(parsing: whole), try JSON(parsing: streamed))
        let isSame = first["data"] == second["data"] && Set(first["included"]?.array ?? []).isSubset(of: second["included"]?.array ?? [])
        try require(isSame, "\(String(decoding: whole, as: UTF8.self)) and \(String(decoding: streamed, as: UTF8.self))")
    }

    private static func write<Element: PrimaryElement & ResourceRepresentable>(
        _ type: [Element].Type, _ input: [UInt8], _ include: IncludePaths, _ fields: [String: [String]]
    ) throws {
        guard let values = try? JSONAPIDecoder().decode(type, from: Data(input)) else { return }
        var encoder = JSONAPIEncoder()
        // A writer does not know all resources before the end.
        encoder.checksGivenNames = false
        let whole = Result { try encoder.encode(values, include: include, fields: fields) }
        var text = Data()
        let streamed = Result {
            let writer = try DocumentWriter(include: include, fields: fields) { text.append($0) }
            try writer.append(contentsOf: values)
            try writer.finish()
            return text
        }
        switch (whole, streamed) {
        case (.success(let whole), .success(let streamed)):
            if whole == streamed { return }
            try compare(whole, streamed)
        case (.failure, .failure): return
        case (.failure(let error), _): throw FuzzFinding("only the encoder refuses it: \(error)")
        case (_, .failure(let error)): throw FuzzFinding("only the writer refuses it: \(error)")
        }
    }
}

/// A text in chunks of random sizes.
struct FuzzChunks: AsyncSequence, Sendable {
    let chunks: [ArraySlice<UInt8>]

    init(_ bytes: [UInt8], _ random: inout FuzzRandom) {
        var chunks: [ArraySlice<UInt8>] = []
        let largest = random.pick([1, 3, 16, 200, 5000])
        var start = 0
        while start < bytes.count {
            let end = Swift.min(bytes.count, start + 1 + random.below(largest))
            chunks.append(bytes[start..<end])
            start = end
        }
        self.chunks = chunks
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var chunks: IndexingIterator<[ArraySlice<UInt8>]>
        mutating func next() async -> ArraySlice<UInt8>? { chunks.next() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunks: chunks.makeIterator()) }
}
