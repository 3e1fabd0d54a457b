import Foundation
import JSONAPICodec
import JSONAPIStreams
import JSONText
import Testing

@Suite("Faults in streamed documents")
struct StreamFaultTests {
    typealias Support = StreamingSupport

    /// The fault of a text: kind, place, and offset, from the whole document and from the stream.
    private func failures(
        _ text: [UInt8], size: Int, _ decoder: JSONAPIDecoder = JSONAPIDecoder()
    ) async -> (whole: DecodingFailure?, stream: DecodingFailure?, count: Int) {
        var whole: DecodingFailure?
        do { _ = try decoder.decode([ResourceObject].self, from: Data(text)) } catch { whole = (error as? DecodingError)?.failure }
        let offsets = Array(stride(from: size, to: max(text.count, size), by: size))
        let (values, error) = await Support.read(
            DocumentStream(Support.chunks(text, at: offsets), of: ResourceObject.self, decoder: decoder))
        return (whole, (error as? DecodingError)?.failure, values.count)
    }

    static let broken: [(text: String, handedOut: Int)] = [
        (#""#, 0), (#"  "#, 0), (#"{"#, 0), (#"x"#, 0), (#"{"data":[{"type":"a","id":"1"}],}"#, 1), (#"{,}"#, 0),
        (#"{"data" [ ]}"#, 0), (#"{"data":]}"#, 0), (#"{"data":[,]}"#, 0), (#"{"data":[{"type":"a","id":"1"},]}"#, 1),
        (#"{"data":[{"type":"a","id":"1"}e]}"#, 1), (#"{"meta":{}.5}"#, 0),
        (#"{"data":[{"type":"a","id":"1"} {"type":"a","id":"2"}]}"#, 1), (#"{"data":[{"type":"a","id":"1"}}}"#, 1),
        (#"{"data":[{"type":"a","id":"1"}]"#, 1), (#"{"data":[{"type":"a","id":"1"}"#, 1), (#"{"data":[{"type":"a","id":"1"},{"type":"#, 1),
        (#"{"data":[{"type":"a","id":"1"},{"type":"b","id":"2","attributes":{"x":[1,2,}}]}"#, 1),
        (#"{"data":[{"type":"a","id":"1"},{"type":"b","id":"2","attributes":{"x":01}}]}"#, 1),
        (#"{"data":[{"type":"a","id":"1"},{"type":"b"]}]}"#, 1), (#"{"data":[]} x"#, 0), (#"{"data":[]}{}"#, 0),
        (#"{"data":[{"type":"a","id":"1"}],"meta":{"a":tru}}"#, 1), (#"{"data":[{"type":"a","id":"1"}],"me\qta":{}}"#, 1),
        ("{\"da\nta\":[]}", 0), (#"{"data":[{"type":"a","id":"\ud800"}]}"#, 0), (#"{"data":[1,2]}"#, 0), (#"{"data":["a"]}"#, 0),
        (#"{"data":[{"type":"a","id":"1"},null]}"#, 1), (#"{"data":[{"type":"a","id":"1"},nul]}"#, 1), (#"{"data":5}"#, 0),
        (#"{"included":{},"data":[]}"#, 0), (#"{"data":[{"type":"a","id":"1"},{"id":"1"}]}"#, 1),
        (#"{"data":[{"type":"a","id":"1"}],"included":[{"type":"a"}]}"#, 1), (#"{"data":[{"type":"a","id":"1"}],"included":[{]}"#, 1),
        (#"{"meta":tru ,"data":[]}"#, 0), (#"{"meta":tru,"data":[]}"#, 0), (#"{"meta":tru]"#, 0), (#"{"data":[tru ]}"#, 0),
        (#"{"data":1. }"#, 0), (#"{"data":[{"type":"a","id":"1"},-,{"type":"a","id":"2"}]}"#, 1),
    ]

    @Test("Every fault equals that of the whole document, at any chunk boundary", arguments: broken.indices)
    func sameFailures(index: Int) async {
        let (text, count) = Self.broken[index]
        for size in [1, 2, 5, 13, 1000] {
            let (whole, stream, handedOut) = await failures(Array(text.utf8), size: size)
            #expect(whole != nil && whole == stream, "\(text) by \(size): \(String(describing: whole)), \(String(describing: stream))")
            #expect(whole?.offset == stream?.offset && whole?.position == stream?.position, "\(text) by \(size)")
            #expect(whole?.syntaxError == stream?.syntaxError && whole?.description == stream?.description, "\(text) by \(size)")
            #expect(handedOut == count, "\(text) by \(size)")
        }
    }

    @Test("A document without primary data is an error at its end")
    func withoutData() async {
        let (whole, stream, _) = await failures(Array("\n  {\"meta\":{}}".utf8), size: 4)
        #expect(stream?.kind == .missingMember && whole == stream)
        #expect(stream?.offset == whole?.offset && stream?.position == whole?.position && stream?.position?.line == 2)
    }

    @Test("A truncated document is an error at its end")
    func truncated() async {
        let text = Array(Support.blog.utf8)
        for count in 0..<text.count - 1 {
            let (whole, stream, _) = await failures(Array(text[..<count]), size: 17)
            #expect(stream?.syntaxError != nil && whole == stream && whole?.offset == stream?.offset, "cut at \(count)")
        }
    }

    @Test("Invalid UTF-8 is found anywhere")
    func invalidUTF8() async {
        let text = Array(Support.blog.utf8)
        for offset in stride(from: 0, to: text.count, by: 3) {
            var broken = text
            broken.insert(0xC3, at: offset)
            broken.insert(0x28, at: offset + 1)
            let (whole, stream, _) = await failures(broken, size: 50)
            #expect(whole != nil && whole == stream && whole?.offset == stream?.offset, "at \(offset)")
        }
    }

    @Test("A byte-order mark is skipped, and other encodings are named in the error")
    func encodings() async {
        let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + Array(Support.blog.utf8)
        for size in [1, 2, 100] {
            let (whole, stream, count) = await failures(marked, size: size)
            #expect(whole == nil && stream == nil && count == 3)
        }
        let wide: [UInt8] = Support.blog.utf8.flatMap { [$0, 0] as [UInt8] }
        let (whole, stream, _) = await failures(wide, size: 7)
        #expect(stream?.syntaxError?.kind == .unsupportedEncoding && whole == stream)
    }

    @Test("Line and column count the whole text, with any line ending", arguments: ["\n", "\r\n", "\r"])
    func positions(lineEnd: String) async {
        let text = ["{\"meta\": {},", "\"data\": [", "{\"type\": \"a\", \"id\": \"1\"},", "  {\"type\": 5}", "]}"].joined(
            separator: lineEnd)
        for size in 1...text.utf8.count {
            let (whole, stream, _) = await failures(Array(text.utf8), size: size)
            #expect(stream?.position == whole?.position && stream?.position?.line == 4)
        }
    }

    @Test("Mixed line endings are counted at any chunk boundary", arguments: 0..<16)
    func mixedLineEnds(shift: Int) async {
        let blanks = String(repeating: " ", count: shift)
        // There are 24 bytes between return and feed: three words, because lines are counted eight bytes at a time.
        let text =
            "{\"data\":[{\"type\":\"a\",\"id\":\"1\"},\(blanks)\r{\"type\":\"b\",\"id\":\"2\"},  \n"
            + "{\"type\":\"c\",\"id\":\"3\"},\r\n  {\"type\":5}]}"
        for size in [1, 3, 8, 1000] {
            let (whole, stream, _) = await failures(Array(text.utf8), size: size)
            #expect(stream?.position == whole?.position && stream?.position?.line == 4, "by \(size)")
        }
    }

    @Test("A million brackets exceed the depth limit, with little time and memory")
    func depth() async {
        for text in [#"{"data":[{"a":"#, #"{"meta":"#, #"{"data":["#] {
            let deep = Array(text.utf8) + [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
            let (whole, stream, _) = await failures(deep, size: 4096)
            #expect(stream?.syntaxError?.kind == .depthLimit && whole?.offset == stream?.offset)
        }
    }

    @Test("A resource beyond the limit is an error before the rest is read")
    func largeResource() async throws {
        let text = #"{"data":[{"type":"a","id":"1"},{"type":"a","id":""# + String(repeating: "x", count: 10_000) + #""}]}"#
        let stream = DocumentStream(Support.chunks(text, size: 100), of: ResourceObject.self, maximumResourceBytes: 1000)
        let (values, error) = await Support.read(stream)
        let failure = try #require((error as? DecodingError)?.failure)
        #expect(values.count == 1 && failure.syntaxError?.kind == .sizeLimit && failure.pointer.description == "/data/1")
        #expect(stream.progress.bytes < 1300)
        let blanks = #"{"meta""# + String(repeating: " ", count: 10_000) + ":{}}"
        let (_, blankError) = await Support.read(
            DocumentStream(Support.chunks(blanks, size: 100), of: ResourceObject.self, maximumResourceBytes: 1000))
        #expect((blankError as? DecodingError)?.failure?.syntaxError?.kind == .sizeLimit)
    }

    @Test("The error for a member with a name beyond the limit does not name the member before it")
    func largeName() async throws {
        let text = #"{"data":[],""# + String(repeating: "x", count: 10_000) + #"":1}"#
        let (_, error) = await Support.read(
            DocumentStream(Support.chunks(text, size: 100), of: ResourceObject.self, maximumResourceBytes: 1000))
        let failure = try #require((error as? DecodingError)?.failure)
        #expect(failure.syntaxError?.kind == .sizeLimit && failure.pointer == .root && failure.offset == 11)
    }

    @Test("The limit for the length of a resource is inclusive", arguments: [1, 7, 1000])
    func resourceOfTheLimit(size: Int) async throws {
        let resource = #"{"type":"a","id":"1","attributes":{"x":"yyyyyyyy"}}"#
        for text in [#"{"data":[\#(resource)]}"#, #"{"data":[{"type":"a","id":"0"},\#(resource)]}"#] {
            let limit = resource.utf8.count
            let chunks = Support.chunks(text, size: size)
            #expect(await Support.read(DocumentStream(chunks, of: ResourceObject.self, maximumResourceBytes: limit)).error == nil)
            let (_, error) = await Support.read(
                DocumentStream(Support.chunks(text, size: size), of: ResourceObject.self, maximumResourceBytes: limit - 1))
            #expect((error as? DecodingError)?.failure?.syntaxError?.kind == .sizeLimit)
        }
    }

    @Test("The limit for the length of the other members is inclusive, anywhere", arguments: [1, 7, 1000])
    func membersOfTheLimit(size: Int) async throws {
        let members = [#""meta":{"a":"a value"}"#, #""links":{"self":"/articles"}"#, #""x:y":[1,2,3]"#]
        let limit = members.map(\.utf8.count).reduce(0, +)
        for text in [
            #"{\#(members.joined(separator: ",")),"data":[]}"#, #"{\#(members[0]),"data":[],\#(members[1]) , \#(members[2])}"#,
        ] {
            let chunks = Support.chunks(text, size: size)
            #expect(await Support.read(DocumentStream(chunks, of: ResourceObject.self, maximumResourceBytes: limit)).error == nil)
            let (_, error) = await Support.read(
                DocumentStream(Support.chunks(text, size: size), of: ResourceObject.self, maximumResourceBytes: limit - 1))
            #expect((error as? DecodingError)?.failure?.syntaxError?.kind == .sizeLimit)
        }
    }

    @Test("The first resource beyond the decoder's limit is an error")
    func resourceLimit() async {
        var decoder = JSONAPIDecoder()
        decoder.maximumResources = 2
        let (whole, stream, _) = await failures(Array(Support.blog.utf8), size: 1000, decoder)
        #expect(stream?.kind == .resourceLimit && whole == stream && whole?.offset == stream?.offset)
        for size in [1, 1000] {
            let text = #"{"data":[{"type":"a","id":"1"},{"type":"a","id":"2"},{"type":"a","id":"3"}]}"#
            let (whole, stream, count) = await failures(Array(text.utf8), size: size, decoder)
            #expect(whole == stream && count == 2, "the resources before the limit, by \(size)")
        }
    }

    @Test("Resources inside relationships do not count for the limit, wherever the chunks end", arguments: [1, 20, 1000])
    func resourcesInLinkageDoNotCount(size: Int) async throws {
        var decoder = JSONAPIDecoder(mode: .lenient)
        decoder.maximumResources = 2
        let one = #"{"type":"a","id":"1","relationships":{"b":{"data":[{"type":"b","id":"2","attributes":{"n":1}},{"type":"b"}]}}}"#
        let text = #"{"data":[\#(one),{"type":"a","id":"2"}]}"#
        let stream = DocumentStream(Support.chunks(text, size: size), of: ResourceObject.self, decoder: decoder)
        let (values, error) = await Support.read(stream)
        #expect(error == nil && values.map(\.id) == ["1", "2"])
        try Support.withFile(text.utf8) { url in
            let cursor = try DocumentReader(url, decoder: decoder).resources(ResourceObject.self)
            #expect(Support.read(cursor).values.count == 2)
        }
    }

    @Test("Parts that are only checked have the first of two faults, wherever the chunks end", arguments: [1, 20, 1000])
    func twoFaultsInCheckedParts(size: Int) async {
        let resources = #"[{"type":"a","id":"1","relationships":{"b":null}},{"type":"a","id":"2","attributes":[]}]"#
        for (text, pointer) in [
            (#"{"included":\#(resources),"data":[]}"#, "/included/0/relationships/b"),
            (#"{"errors":[{"status":"500"}],"data":\#(resources)}"#, "/data/0/relationships/b"),
        ] {
            let (_, stream, _) = await failures(Array(text.utf8), size: size, JSONAPIDecoder(mode: .strict))
            #expect(stream?.pointer.description == pointer, "\(text): \(String(describing: stream))")
        }
    }

    @Test("The first of two faults ends a stream, after the resources before it, at any chunk boundary")
    func twoFaults() async {
        let text = Array(#"{"data":[{"type":"a","id":"1"},5,{"type":}]}"#.utf8)
        for size in [1, 7, 1000] {
            let (_, stream, count) = await failures(text, size: size)
            #expect(stream?.pointer.description == "/data/1" && count == 1, "by \(size): \(String(describing: stream))")
        }
        let names = Array(#"{"data":[{"type":"a","id":"1"},{"type":"a","id":"2","attributes":{"a/b":1}},{"type":}]}"#.utf8)
        for size in [1, 7, 1000] {
            let (_, stream, count) = await failures(names, size: size, JSONAPIDecoder(mode: .strict))
            #expect(stream?.pointer.description == "/data/1/attributes/a~1b" && count == 1, "by \(size): \(String(describing: stream))")
        }
    }

    @Test("Too many members besides the resources are an error, because each takes much more memory than its text")
    func manyMembers() async {
        let text = "{" + (0...100_000).map { "\"\($0)\":0" }.joined(separator: ",") + #","data":[]}"#
        let (_, stream, _) = await failures(Array(text.utf8), size: 1 << 16)
        #expect(stream?.syntaxError?.kind == .valueLimit)
    }

    @Test("A repeated section is an error; the last of another member counts, except in strict mode")
    func duplicateNames() async throws {
        let (_, twice, count) = await failures(Array(#"{"data":[{"type":"a","id":"1"}],"data":[]}"#.utf8), size: 10)
        #expect(twice?.kind == .duplicateName && count == 1)
        let text = #"{"meta":{"n":1},"data":[],"me\u0074a":{"n":2}}"#
        let stream = DocumentStream(Support.chunks(text, size: 4), of: ResourceObject.self)
        #expect(await Support.read(stream).error == nil && stream.header.meta?["n"]?.int == 2)
        let (whole, strict, _) = await failures(Array(text.utf8), size: 4, JSONAPIDecoder(mode: .strict))
        #expect(strict?.kind == .duplicateName && whole?.offset == strict?.offset)
        // The second name of a member is refused before its value arrives.
        let (_, refused, _) = await failures(Array(#"{"meta":{},"data":[],"meta""#.utf8), size: 4, JSONAPIDecoder(mode: .strict))
        #expect(refused?.kind == .duplicateName)
    }

    @Test("Strict mode checks every resource and the members around them")
    func strict() async {
        for text in [
            #"{"data":[{"type":"a","id":"1","attributes":{"type":1}}]}"#, #"{"data":[],"meta":5}"#, #"{"data":[],"errors":[]}"#,
        ] {
            let (whole, stream, _) = await failures(Array(text.utf8), size: 6, JSONAPIDecoder(mode: .strict))
            #expect(whole != nil && whole == stream, "\(text): \(String(describing: stream))")
        }
    }

    @Test("Errors that a client sends are a fault of the request, and not the response of the server")
    func errorsInRequests() async throws {
        var decoder = JSONAPIDecoder()
        decoder.source = .request
        let errors = #""errors":[{"status":"503","title":"pwn"}]"#
        for text in ["{\(errors)}", #"{"data":[],\#(errors)}"#, #"{\#(errors),"data":{}}"#] {
            let (whole, stream, _) = await failures(Array(text.utf8), size: 6, decoder)
            #expect(whole != nil && whole == stream && whole?.offset == stream?.offset, "\(text): \(String(describing: stream))")
            try Support.withFile(text.utf8) { url in
                let reader = try DocumentReader(url, decoder: decoder)
                #expect(throws: DecodingError.self) { try reader.header() }
            }
        }
        let (_, failure, _) = await failures(Array("{\(errors)}".utf8), size: 100, decoder)
        #expect(failure?.kind == .documentStructure && failure?.pointer.tokens == ["errors"])
    }

    @Test("The errors of a server matter more than faults in the data after them, except in strict mode")
    func faultsAfterErrors() async throws {
        for data in ["{}", "5", #"[{"type":"a"}]"#, #"{"type":"a","id":1}"#] {
            let text = #"{"errors":[{"status":"503"}],"data":\#(data)}"#
            for size in [1, 1000] {
                let (values, error) = await Support.read(DocumentStream(Support.chunks(text, size: size), of: ResourceObject.self))
                #expect(values.isEmpty && (error as? ErrorDocument)?.errors.first?.status == "503", "\(data)")
            }
            try Support.withFile(text.utf8) { url in
                let (_, error) = Support.read(try DocumentReader(url).resources(ResourceObject.self))
                #expect((error as? ErrorDocument)?.errors.first?.status == "503", "\(data)")
            }
            let (_, strict, _) = await failures(Array(text.utf8), size: 7, JSONAPIDecoder(mode: .strict))
            #expect(strict != nil, "\(data)")
        }
        let (whole, stream, _) = await failures(Array(#"{"errors":[{"status":"503"}],"data":[tru]}"#.utf8), size: 7)
        #expect(whole != nil && whole == stream)
    }

    @Test("In lenient mode, too, the errors of a server matter more than faults after them", arguments: [1, 20, 1000])
    func faultsAfterErrorsWithData(size: Int) async throws {
        let (bad, good, other) = (
            #"{"type":"people","id":"1"}"#, #"{"type":"people","id":"2","attributes":{"name":"B"}}"#,
            #"{"type":"people","id":"3","attributes":{"name":"C"}}"#
        )
        let decoder = JSONAPIDecoder(mode: .lenient)
        let documents: [(rest: String, ids: [String])] = [
            (#""included":"/""#, []), (#""included":[1]"#, []), (#""data":null,"included":[1]"#, []), (#""data":5"#, []),
            ("\"data\":[\(bad),\(good)]", ["2"]), ("\"data\":[\(good),5,\(other)]", ["2"]),
            ("\"data\":[\(good)],\"included\":[5,\(other)]", ["2"]),
        ]
        for (rest, ids) in documents {
            let text = #"{"errors":[{"status":"503"}],\#(rest)}"#
            let (values, error) = await Support.read(
                DocumentStream(Support.chunks(text, size: size), of: Support.Person.self, decoder: decoder))
            #expect(values.map(\.id) == ids && (error as? ErrorDocument)?.errors.first?.status == "503", "\(rest)")
            let parts = DocumentPartStream(
                Support.chunks(text, size: size), data: Support.Person.self, included: Support.Person.self, decoder: decoder)
            await #expect(throws: ErrorDocument.self, "\(rest)") { for try await _ in parts {} }
            try Support.withFile(text.utf8) { url in
                let reader = try DocumentReader(url, decoder: decoder)
                let (values, error) = Support.read(reader.resources(Support.Person.self))
                #expect(values.map(\.id) == ids && (error as? ErrorDocument)?.errors.first?.status == "503", "\(rest)")
                #expect(throws: ErrorDocument.self, "\(rest)") { try reader.header() }
            }
        }
    }

    @Test("Errors that are null or empty, or whose place is taken by such ones, hide no fault", arguments: [1, 1000])
    func faultsBesideQuietErrors(size: Int) async {
        let errors = #"{"errors":[{"status":"503"}]"#
        for mode in [JSONAPIDecoder.Mode.standard, .lenient] {
            for text in [#"{"errors":[],"data":[1]}"#, #"{"errors":null,"included":[1]}"#, #"{"errors":{},"data":5}"#] {
                let (whole, stream, _) = await failures(Array(text.utf8), size: size, JSONAPIDecoder(mode: mode))
                #expect(whole != nil && whole == stream, "\(text): \(String(describing: stream))")
            }
        }
        let repeated = Array(#"\#(errors),"data":[1],"errors":[]}"#.utf8)
        let (whole, stream, _) = await failures(repeated, size: size, JSONAPIDecoder(mode: .lenient))
        #expect(whole != nil && whole == stream && whole?.offset == stream?.offset)
        // The errors are not known yet.
        let (_, early, _) = await failures(Array(#"{"included":[1],"errors":[{"status":"503"}]}"#.utf8), size: size)
        #expect(early?.pointer.description == "/included/0")
        let (_, cut, _) = await failures(Array(#"\#(errors),"data":[tru]}"#.utf8), size: size, JSONAPIDecoder(mode: .lenient))
        #expect(cut?.kind == .syntax)
    }

    @Test("In strict mode, included resources require primary data, with any portions")
    func strictIncluded() async {
        let text =
            #"{"data":[{"type":"a","id":"1","relationships":{"b":{"data":{"type":"b","id":"1"}}}}],"included":[{"type":"b","id":"1"}]}"#
        let (whole, stream, count) = await failures(Array(text.utf8), size: 5, JSONAPIDecoder(mode: .strict))
        #expect(whole == nil && stream == nil && count == 1)
    }

    @Test("In strict mode, the leniency accepts null in place of included resources", arguments: [1, 7, 1000])
    func strictNullIncluded(size: Int) async {
        var decoder = JSONAPIDecoder(mode: .strict)
        decoder.leniencies = .nullContainers
        for text in [#"{"data":[{"type":"a","id":"1"}],"included":null}"#, #"{"included":null,"data":[{"type":"a","id":"1"}]}"#] {
            let (whole, stream, count) = await failures(Array(text.utf8), size: size, decoder)
            #expect(whole == nil && stream == nil && count == 1)
        }
    }

    @Test("In strict mode, pagination links belong to collections")
    func strictPagination() async {
        let text = #"{"data":{"type":"a","id":"1"},"links":{"next":"/b"}}"#
        var decoder = JSONAPIDecoder(mode: .strict)
        decoder.reportsPositions = false
        let whole = #expect(throws: DecodingError.self) { try decoder.decode(ResourceObject.self, from: Data(text.utf8)) }
        let stream = DocumentStream(Support.chunks(text, size: 5), of: ResourceObject.self, decoder: decoder)
        #expect((await Support.read(stream).error as? DecodingError)?.failure == whole?.failure)
    }

    @Test("A single resource counts toward the limit, and null does not")
    func limitOfOne() async {
        var decoder = JSONAPIDecoder()
        decoder.maximumResources = 1
        let text = #"{"data":{"type":"a","id":"1"},"included":[{"type":"b","id":"1"}]}"#
        let stream = DocumentStream(Support.chunks(text, size: 100), of: ResourceObject.self, decoder: decoder)
        #expect((await Support.read(stream).error as? DecodingError)?.failure?.pointer.description == "/included/0")
        decoder.maximumResources = 0
        let none = DocumentStream(Support.chunks(#"{"data":null}"#, size: 100), of: ResourceObject.self, decoder: decoder)
        #expect(await Support.read(none).error == nil)
    }

    @Test("A null byte after the first brace is not another encoding")
    func nullByte() async {
        let (whole, stream, _) = await failures(Array("{\n\u{0}".utf8), size: 100)
        #expect(stream?.syntaxError?.kind == .unexpectedByte && whole == stream && whole?.offset == stream?.offset)
    }

    @Test("The depth limit is inclusive for members of a document")
    func headerDepth() async {
        var decoder = JSONAPIDecoder()
        decoder.reading.maximumDepth = 1
        let stream = DocumentStream(Support.chunks(#"{"data":null}"#, size: 3), of: ResourceObject.self, decoder: decoder)
        #expect(await Support.read(stream).error == nil)
    }

    @Test("An error of the chunks is thrown")
    func chunkErrors() async {
        struct Lost: Error {}
        let chunks = AsyncThrowingStream<[UInt8], any Error> { continuation in
            continuation.yield(Array(#"{"data":[{"type":"a","id":"1"},"#.utf8))
            continuation.finish(throwing: Lost())
        }
        let (values, error) = await Support.read(DocumentStream(chunks, of: ResourceObject.self))
        #expect(values.count == 1 && error is Lost)
    }

    @Test("A stream knows its members and what was left out before the fault at the end, also for a single chunk")
    func knownBeforeFault() async throws {
        let text =
            #"{"meta":{"n":1},"data":[{"type":"people","id":"1"},{"type":"people","id":"2","attributes":{"name":"Bo"}}],}"#
        var decoder = JSONAPIDecoder()
        decoder.invalidElements = .drop
        let stream = DocumentStream(Support.chunks(text, size: 1000), of: Support.Person.self, decoder: decoder)
        let (values, error) = await Support.read(stream)
        #expect(values.map(\.name) == ["Bo"])
        #expect((error as? DecodingError)?.failure?.kind == .syntax)
        #expect(stream.header.meta?["n"] == 1)
        #expect(stream.diagnostics.count(of: .droppedElement) == 1)
    }

    @Test("Resources before an error of a sequence of bytes are returned")
    func lostConnection() async throws {
        struct Lost: Error {}
        let bytes = AsyncThrowingStream<UInt8, any Error> { continuation in
            for byte in #"{"data":[{"type":"a","id":"1"},{"type"#.utf8 { continuation.yield(byte) }
            continuation.finish(throwing: Lost())
        }
        let (values, error) = await Support.read(DocumentStream(bytes, of: ResourceIdentifier.self))
        #expect(values.map(\.id) == ["1"])
        #expect(error is Lost)
    }
}
