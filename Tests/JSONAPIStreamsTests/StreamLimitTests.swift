import Foundation
import JSONAPICodec
import JSONAPIStreams
import JSONMapping
import JSONText
import Testing

/// The limits of a decoder on the size of a text, which apply to each resource of a document that is read part by part.
@Suite("Limits on each resource of a stream")
struct StreamLimitTests {
    typealias Support = StreamingSupport

    struct Item: Resource {
        static let type = "items"
        var id: String
        var q: [Int]?
    }

    private static func item(_ id: Int, _ count: Int) -> String {
        #"{"type":"items","id":"\#(id)","attributes":{"q":[\#((0..<count).map { _ in "1" }.joined(separator: ","))]}}"#
    }

    /// How many values an item with `count` numbers counts as: two objects and an array count twice, and there are six names or texts.
    private static func valueCount(_ count: Int) -> Int { 3 * 2 + 6 + count }

    /// Returns the number of resources and the failure of a stream, and those of a file.
    private func read(_ text: String, _ decoder: JSONAPIDecoder, size: Int = 1000) async throws -> [(count: Int, failure: DecodingFailure?)]
    {
        let stream = await Support.read(DocumentStream(Support.chunks(text, size: size), of: Item.self, decoder: decoder))
        let file = try Support.withFile(text.utf8) { try Support.read(DocumentReader($0, decoder: decoder).resources(Item.self)) }
        return [stream, file].map { ($0.values.count, ($0.error as? DecodingError)?.failure) }
    }

    private static func documents(_ large: String) -> [(text: String, pointer: String, before: Int)] {
        let small = item(0, 1)
        return [
            (#"{"data":[\#(small),\#(small),\#(large),\#(small)]}"#, "/data/2", 2), (#"{"data":\#(large)}"#, "/data", 0),
            (#"{"data":[\#(small)],"included":[\#(small),\#(large)]}"#, "/included/1", 1),
        ]
    }

    @Test("A resource with more values than maximumValues is an error after the resources before it", arguments: [1, 1000])
    func values(size: Int) async throws {
        let large = Self.item(1, 50)
        for (text, pointer, before) in Self.documents(large) {
            var decoder = JSONAPIDecoder()
            decoder.reading.maximumValues = Self.valueCount(50)
            for (_, failure) in try await read(text, decoder, size: size) { #expect(failure == nil, "\(text)") }
            decoder.reading.maximumValues -= 1
            for rewriters in [[:], ["items": Rewriter(unreferenced: .keep) { Rule("p", from: "p").optional }]] {
                decoder.rewriters = rewriters
                for (count, failure) in try await read(text, decoder, size: size) {
                    #expect(failure?.syntaxError?.kind == .valueLimit && failure?.pointer.description == pointer, "\(text)")
                    #expect(failure?.offset == text.range(of: large)?.lowerBound.utf16Offset(in: text) && count == before, "\(text)")
                }
            }
        }
    }

    @Test("A resource with more bytes than maximumBytes is an error after the resources before it", arguments: [1, 1000])
    func bytes(size: Int) async throws {
        let large = Self.item(1, 50)
        for (text, pointer, before) in Self.documents(large) {
            var decoder = JSONAPIDecoder()
            decoder.reading.maximumBytes = large.utf8.count
            for (_, failure) in try await read(text, decoder, size: size) { #expect(failure == nil, "\(text)") }
            decoder.reading.maximumBytes -= 1
            for (count, failure) in try await read(text, decoder, size: size) {
                #expect(failure?.syntaxError?.kind == .sizeLimit && failure?.pointer.description == pointer, "\(text)")
                #expect(failure?.offset == text.range(of: large)?.lowerBound.utf16Offset(in: text) && count == before, "\(text)")
            }
        }
    }

    @Test("The limit on values also applies to the members beside the resources, together")
    func members() async throws {
        // Each member has its name and an array.
        let text = #"{"data":[],"meta":{"a":[1,2]},"x:y":[3,4,5]}"#
        var decoder = JSONAPIDecoder()
        decoder.reading.maximumValues = (1 + 2 + 1 + 2 + 2) + (1 + 2 + 3)
        for (_, failure) in try await read(text, decoder) { #expect(failure == nil) }
        decoder.reading.maximumValues -= 1
        for (_, failure) in try await read(text, decoder) {
            #expect(failure?.syntaxError?.kind == .valueLimit && failure?.offset == 30)
        }
    }

    @Test("A look-up by identity has the same limits as a cursor")
    func lookUps() throws {
        let large = Self.item(1, 50)
        try Support.withFile(#"{"data":[\#(Self.item(0, 1)),\#(large)]}"#.utf8) { url in
            for excess in [0, 1] {
                var (bytes, values) = (JSONAPIDecoder(), JSONAPIDecoder())
                bytes.reading.maximumBytes = large.utf8.count - excess
                values.reading.maximumValues = Self.valueCount(50) - excess
                for decoder in [bytes, values] {
                    let reader = try DocumentReader(url, decoder: decoder)
                    #expect(try reader.resource(Item.self, id: "0")?.q == [1])
                    if excess == 0 {
                        #expect(try reader.resource(Item.self, id: "1")?.q?.count == 50)
                    } else {
                        let error = #expect(throws: DecodingError.self) { try reader.resource(Item.self, id: "1") }
                        #expect(error?.failure?.pointer.description == "/data/1")
                    }
                }
            }
        }
    }

    @Test("Many small resources may together exceed the limits on bytes and values")
    func manyResources() async throws {
        let text = #"{"data":[\#((0..<200).map { Self.item($0, 3) }.joined(separator: ","))]}"#
        var decoder = JSONAPIDecoder()
        decoder.reading.maximumBytes = 100
        decoder.reading.maximumValues = 30
        for (count, failure) in try await read(text, decoder) { #expect(failure == nil && count == 200) }
    }

    @Test("maximumResourceBytes limits a single resource as it does a resource in an array", arguments: [1, 1000])
    func singleResource(size: Int) async throws {
        let resource = Self.item(1, 5)
        for (text, pointer) in [(#"{"data" : \#(resource)}"#, "/data"), (#"{"data":[\#(resource)]}"#, "/data/0")] {
            for limit in [resource.utf8.count, resource.utf8.count - 1] {
                let stream = DocumentStream(Support.chunks(text, size: size), of: Item.self, maximumResourceBytes: limit)
                let (values, error) = await Support.read(stream)
                guard limit < resource.utf8.count else {
                    #expect(error == nil && values.count == 1)
                    continue
                }
                let failure = try #require((error as? DecodingError)?.failure)
                #expect(failure.syntaxError?.kind == .sizeLimit && failure.pointer.description == pointer)
                #expect(failure.offset == text.range(of: resource)?.lowerBound.utf16Offset(in: text))
            }
        }
    }
}
