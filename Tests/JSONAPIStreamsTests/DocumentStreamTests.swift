import Foundation
import JSONAPICodec
import JSONAPIStreams
import JSONText
import Testing

@Suite("Documents in chunks")
struct DocumentStreamTests {
    typealias Support = StreamingSupport
    typealias Article = StreamingSupport.Article

    @Test("A document split at any byte gives the same resources")
    func everyCut() async throws {
        let whole = try JSONAPIDecoder().decode([Article].self, from: Data(Support.blog.utf8))
        for offset in 0...Support.blog.utf8.count {
            let stream = DocumentStream(Support.chunks(Support.blog.utf8, at: [offset]), of: Article.self)
            let (values, error) = await Support.read(stream)
            #expect(error == nil && values == whole, "cut at \(offset): \(String(describing: error))")
        }
    }

    @Test("Chunks of any size give the same resources, members, and sizes", arguments: [1, 2, 3, 7, 64, 100_000])
    func chunkSizes(size: Int) async throws {
        let whole = try JSONAPIDecoder().decode(Document<[Article]>.self, from: Data(Support.blog.utf8))
        let stream = DocumentStream(Support.chunks(Support.blog, size: size), of: Article.self, totalBytes: Support.blog.utf8.count)
        let (values, error) = await Support.read(stream)
        #expect(error == nil && values == whole.data)
        #expect(stream.header.meta == whole.meta && stream.header.links == whole.links && stream.header.jsonapi == whole.jsonapi)
        #expect(stream.progress.bytes == Support.blog.utf8.count && stream.progress.fraction == 1 && stream.progress.resources == 3)
    }

    @Test("A stream of single bytes works")
    func singleBytes() async throws {
        let bytes = AsyncStream<UInt8> { continuation in
            for byte in Support.blog.utf8 { continuation.yield(byte) }
            continuation.finish()
        }
        let (values, error) = await Support.read(DocumentStream(bytes, of: ResourceIdentifier.self))
        #expect(error == nil && values.map(\.id) == ["1", "2", "3"])
    }

    @Test("Included resources are returned in document order")
    func included() async throws {
        var names: [String] = []
        for try await part in DocumentPartStream(
            Support.chunks(Support.blog, size: 10), data: ResourceObject.self, included: Support.Person.self)
        {
            switch part {
            case .data(let resource): names.append(resource.id ?? "")
            case .included(let person): names.append(person.name)
            }
        }
        #expect(names == ["1", "2", "3", "Dan", "Eve"])
    }

    @Test("Resources are returned before the document ends")
    func early() async throws {
        let (chunks, continuation) = AsyncStream<[UInt8]>.makeStream()
        var iterator = DocumentStream(chunks, of: ResourceIdentifier.self).makeAsyncIterator()
        continuation.yield(Array(#"{"data":[{"type":"a","id":"1"},{"type":"a","#.utf8))
        #expect(try await iterator.next()?.id == "1")
        continuation.yield(Array(#""id":"2"}"#.utf8))
        #expect(try await iterator.next()?.id == "2")
        continuation.yield(Array("]}".utf8))
        continuation.finish()
        #expect(try await iterator.next() == nil)
    }

    @Test("An embedded relationship is an error with advice")
    func embedded() async throws {
        let text = #"""
            {"data":[{"type":"articles","id":"1"},
              {"type":"articles","id":"2","relationships":{"author":{"data":{"type":"people","id":"9"}}}},
              {"type":"articles","id":"3"}],
             "included":[{"type":"people","id":"9","attributes":{"name":"Dan"}}]}
            """#
        var iterator = DocumentStream(Support.chunks(text, size: 1000), of: Support.Story.self).makeAsyncIterator()
        #expect(try await iterator.next()?.id == "1")
        let error = await #expect(throws: DecodingError.self) { try await iterator.next() }
        #expect(error?.failure?.kind == .notIncluded && error?.failure?.pointer.description == "/data/1/relationships/author")
        #expect(error?.failure?.advice?.contains("DocumentReader") == true)
        #expect(try await iterator.next()?.id == "3")
        var decoder = JSONAPIDecoder()
        decoder.missingResources = .omit
        let (values, none) = await Support.read(DocumentStream(Support.chunks(text, size: 9), of: Support.Story.self, decoder: decoder))
        #expect(none == nil && values.map(\.author) == [nil, nil, nil])
    }

    @Test("A stream of an empty document, and of one resource")
    func smallDocuments() async throws {
        for (text, count) in [(#"{"data":[]}"#, 0), (#"{"data":null}"#, 0), (#"{"data":{"type":"a","id":"1"}}"#, 1)] {
            let (values, error) = await Support.read(DocumentStream(Support.chunks(text, size: 1), of: ResourceObject.self))
            #expect(error == nil && values.count == count)
        }
    }

    @Test("A document of errors is thrown with all its members")
    func errors() async throws {
        let text = #"{"meta":{"a":1},"errors":[{"status":"500"}],"links":{"about":"/x"}}"#
        let (_, error) = await Support.read(DocumentStream(Support.chunks(text, size: 3), of: Article.self))
        let document = try #require(error as? ErrorDocument)
        #expect(document.errors.first?.status == "500" && document.meta?["a"]?.int == 1 && document.links?["about"]?.href == "/x")
    }

    @Test("Resources after errors are returned only with the leniency, and the errors are thrown at the end")
    func errorsWithData() async throws {
        let text = #"{"errors":[{"status":"500"}],"data":[{"type":"people","id":"1","attributes":{"name":"Dan"}}]}"#
        for size in [1, 20, 1000] {
            let (values, error) = await Support.read(DocumentStream(Support.chunks(text, size: size), of: Support.Person.self))
            #expect(values.isEmpty && (error as? ErrorDocument)?.errors.first?.status == "500")
            var decoder = JSONAPIDecoder()
            decoder.leniencies.insert(.dataWithErrors)
            let stream = DocumentStream(Support.chunks(text, size: size), of: Support.Person.self, decoder: decoder)
            let (all, late) = await Support.read(stream)
            #expect(all.map(\.name) == ["Dan"] && (late as? ErrorDocument)?.errors.first?.status == "500")
            decoder.source = .request
            let (_, fault) = await Support.read(
                DocumentStream(Support.chunks(text, size: size), of: Support.Person.self, decoder: decoder))
            #expect((fault as? DecodingError)?.failure?.pointer.description == "/errors")
        }
    }

    @Test("With the leniency, null or empty errors are absent", arguments: ["null", "[]"])
    func quietErrors(errors: String) async throws {
        let text = #"{"data":[{"type":"people","id":"1","attributes":{"name":"Dan"}}],"errors":\#(errors)}"#
        let decoder = JSONAPIDecoder(mode: .lenient)
        let (all, none) = await Support.read(DocumentStream(Support.chunks(text, size: 9), of: Support.Person.self, decoder: decoder))
        #expect(all.map(\.name) == ["Dan"] && none == nil)
    }

    @Test("The advice for a misspelled type does not depend on where chunks end", arguments: [1, 40, 1000])
    func misspelledType(size: Int) async throws {
        let person = #"{"type":"people","id":"1","attributes":{"name":"Dan"}}"#
        let similar = "`peopel` in the document is similar to `people`: check the spelling of both, or "
        for (other, beginning) in [("peopel", similar), ("notes", "")] {
            let text = #"{"data":[\#(person),{"type":"\#(other)","id":"2"},\#(person)]}"#
            let (values, error) = await Support.read(DocumentStream(Support.chunks(text, size: size), of: Support.Person.self))
            let advice = (error as? DecodingError)?.failure?.advice
            #expect(values.count == 1 && advice == beginning + "use a ResourceUnion for several types in one place")
            try Support.withFile(text.utf8) { url in
                let (_, error) = Support.read(try DocumentReader(url).resources(Support.Person.self))
                #expect((error as? DecodingError)?.failure?.advice == advice)
            }
        }
    }

    @Test("A stream restarts if its chunks can be read again")
    func secondRun() async throws {
        var decoder = JSONAPIDecoder()
        decoder.invalidElements = .drop
        let text = #"{"meta":{"n":1},"data":[{"type":"people","id":"1"},{"type":"people","id":"2","attributes":{"name":"B"}}]}"#
        let stream = DocumentStream(
            Support.RepeatableChunks(text, size: 10), of: Support.Person.self, decoder: decoder, totalBytes: text.utf8.count)
        for _ in 0..<3 {
            var iterator = stream.makeAsyncIterator()
            #expect(stream.header.members.isEmpty && stream.diagnostics.isEmpty)
            #expect(stream.progress.bytes == 0 && stream.progress.resources == 0 && stream.progress.fraction == 0)
            #expect(try await iterator.next()?.name == "B")
            #expect(try await iterator.next() == nil)
            #expect(stream.header.members == ["meta": ["n": 1]] && stream.diagnostics.count(of: .droppedElement) == 1)
            #expect(stream.progress.fraction == 1 && stream.progress.resources == 1)
        }
    }

    @Test("What an older iteration reads does not count for the most recent one")
    func olderIterations() async throws {
        var decoder = JSONAPIDecoder()
        decoder.invalidElements = .drop
        let text = #"{"data":[{"type":"people","id":"1"},{"type":"people","id":"2","attributes":{"name":"B"}}],"meta":{"n":1}}"#
        let stream = DocumentStream(Support.RepeatableChunks(text, size: 10), of: Support.Person.self, decoder: decoder)
        var old = stream.makeAsyncIterator()
        #expect(try await old.next()?.name == "B")
        var new = stream.makeAsyncIterator()
        while try await old.next() != nil {}
        #expect(stream.progress.bytes == 0 && stream.progress.resources == 0)
        #expect(stream.header.members.isEmpty && stream.diagnostics.isEmpty)
        #expect(try await new.next()?.name == "B")
        #expect(stream.progress.resources == 1 && stream.progress.bytes < text.utf8.count && stream.header.members.isEmpty)
        while try await new.next() != nil {}
        #expect(stream.progress.bytes == text.utf8.count && stream.header.members == ["meta": ["n": 1]])
        #expect(stream.diagnostics.count(of: .droppedElement) == 1)
    }

    @Test(
        "Escaped quotation marks and brackets do not end a value at any chunk boundary",
        arguments: [#"one \" ]}"#, #"\\\" } ] , {"#, #"\"\"\" [[{"#, #"\\"#, #"\u0022 ]}"#])
    func escapedQuotes(_ title: String) async throws {
        let text =
            #"{"meta":{"\#(title)":"\#(title)"},"data":[{"type":"articles","id":"1","attributes":{"title":"\#(title)"},"#
            + #""relationships":{"author":{"data":null}}},{"type":"articles","id":"2","relationships":{"author":{"data":null}}}]}"#
        let whole = try JSONAPIDecoder().decode(Document<[Article]>.self, from: Data(text.utf8))
        for offset in 0...text.utf8.count {
            let stream = DocumentStream(Support.chunks(text.utf8, at: [offset]), of: Article.self)
            let (values, error) = await Support.read(stream)
            #expect(error == nil && values == whole.data && stream.header.meta == whole.meta, "cut at \(offset)")
        }
    }

    @Test("The stream continues after a resource that does not fit the model")
    func goesOn() async throws {
        let text = #"{"data":[{"type":"people","id":"1"},{"type":"people","id":"2","attributes":{"name":"B"}}]}"#
        var iterator = DocumentStream(Support.chunks(text, size: 40), of: Support.Person.self).makeAsyncIterator()
        let error = await #expect(throws: DecodingError.self) { try await iterator.next() }
        #expect(error?.failure?.pointer.description == "/data/0")
        #expect(try await iterator.next()?.name == "B")
        #expect(try await iterator.next() == nil)
        var decoder = JSONAPIDecoder()
        decoder.invalidElements = .drop
        let stream = DocumentStream(Support.chunks(text, size: 40), of: Support.Person.self, decoder: decoder)
        let (values, none) = await Support.read(stream)
        #expect(none == nil && values.map(\.id) == ["2"] && stream.diagnostics.first?.pointer.description == "/data/0")
    }
}
