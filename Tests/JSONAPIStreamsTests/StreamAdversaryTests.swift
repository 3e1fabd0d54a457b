import Foundation
import JSONAPICodec
import JSONAPIStreams
import JSONText
import TestSupport
import Testing

/// Random valid and invalid documents in random chunks. The result must equal that of the whole document.
@Suite("Hostile documents in hostile chunks")
struct StreamAdversaryTests {
    typealias Support = StreamingSupport

    private func choose(_ texts: [String], _ numbers: inout SeededRandom) -> String { texts.randomElement(using: &numbers) ?? "" }

    private func value(_ depth: Int, _ numbers: inout SeededRandom) -> String {
        let count = Int.random(in: 0..<4, using: &numbers)
        switch Int.random(in: 0..<(depth == 0 ? 4 : 6), using: &numbers) {
        case 0: return choose(["null", "true", "false", "0", "-1.5e3", "12345678901234567890", "1e400"], &numbers)
        case 1, 2:
            return choose(
                [
                    #""""#, #""]}""#, #""\"""#, #""\\""#, #""\\\"{[,:""#, #""é😀""#, #""\u00e9\ud83d\ude00""#, #""data""#,
                    "\"\(String(repeating: "x", count: 40))\"",
                ],
                &numbers)
        case 3: return choose(["[]", "{}", "[ ]", "{\n}", "[[[]]]"], &numbers)
        case 4:
            return "[" + (0..<count).map { _ in value(depth - 1, &numbers) }.joined(separator: choose([",", " , ", ",\r\n"], &numbers))
                + "]"
        default:
            return "{"
                + (0..<count).map { "\"\($0)\(choose(["", "\\n", "data", "é"], &numbers))\" : \(value(depth - 1, &numbers))" }.joined(
                    separator: ",") + "}"
        }
    }

    private func resource(_ number: Int, _ numbers: inout SeededRandom) -> String {
        let attributes = "\"attributes\":{\"a\":\(value(3, &numbers)),\"b\":\(value(2, &numbers))}"
        return choose(
            [
                #"{"type":"a","id":"\#(number)",\#(attributes)}"#, #"{ "id" : "\#(number)" , "type" : "a" }"#,
                #"{"type":"\u0061","id":"\#(number)","meta":\#("{\"x\":\(value(2, &numbers))}"),"type2":0}"#,
            ], &numbers)
    }

    private func document(_ numbers: inout SeededRandom) -> String {
        var number = 0
        func resources(_ count: Int) -> String {
            (0..<count).map { _ in
                number += 1
                return resource(number, &numbers)
            }.joined(separator: choose([",", " ,\n", "\r,\t"], &numbers))
        }
        var members = [#""data":[\#(resources(Int.random(in: 0..<6, using: &numbers)))]"#]
        if Bool.random(using: &numbers) { members.append(#""included":[\#(resources(Int.random(in: 0..<4, using: &numbers)))]"#) }
        if Bool.random(using: &numbers) { members.append(#""meta":{"m":\#(value(3, &numbers))}"#) }
        if Bool.random(using: &numbers) { members.append(#""x:y":\#(value(2, &numbers))"#) }
        if Bool.random(using: &numbers) { members.append(#""l\u0069nks":{"self":"/a"}"#) }
        members.shuffle(using: &numbers)
        return choose(["", "\u{FEFF}", "\r\n ", "\t"], &numbers) + "{" + members.joined(separator: choose([",", "\n, "], &numbers)) + "}"
            + choose(["", "\n", "  \r\n"], &numbers)
    }

    /// A text that usually has a fault.
    private func broken(_ text: [UInt8], _ numbers: inout SeededRandom) -> [UInt8] {
        var text = text
        for _ in 0..<Int.random(in: 1...2, using: &numbers) {
            let place = Int.random(in: 0..<text.count, using: &numbers)
            switch Int.random(in: 0..<4, using: &numbers) {
            case 0: text.remove(at: place)
            case 1: text.insert(Array("{}[]\",:\\ \n0e".utf8).randomElement(using: &numbers) ?? 0, at: place)
            case 2: text[place] = UInt8.random(in: 0...255, using: &numbers)
            default: text.removeSubrange(place...)
            }
            if text.isEmpty { return text }
        }
        return text
    }

    private func offsets(_ count: Int, _ numbers: inout SeededRandom) -> [Int] {
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0: return Array(0..<count)
        case 1: return (0..<Int.random(in: 0..<5, using: &numbers)).map { _ in Int.random(in: 0...count, using: &numbers) }.sorted()
        default: return Array(stride(from: Int.random(in: 0..<9, using: &numbers), to: count, by: Int.random(in: 1..<30, using: &numbers)))
        }
    }

    private func compare(_ text: [UInt8], at offsets: [Int]) async {
        var whole: Result<Document<[ResourceObject]>, DecodingFailure>?
        do { whole = .success(try JSONAPIDecoder().decode(Document<[ResourceObject]>.self, from: Data(text))) } catch {
            whole = ((error as? DecodingError)?.failure).map { .failure($0) }
        }
        let stream = DocumentStream(Support.chunks(text, at: offsets), of: ResourceObject.self)
        let (values, error) = await Support.read(stream)
        let shown = String(decoding: text, as: UTF8.self)
        switch whole {
        case .success(let document):
            #expect(error == nil && values == document.data, "\(shown) at \(offsets): \(String(describing: error))")
            for name in ["meta", "links", "x:y"] {
                #expect(stream.header.members[name] == document.object.members[name], "\(name) of \(shown)")
            }
        case .failure(let failure):
            let found = (error as? DecodingError)?.failure
            #expect(found != nil, "\(shown) at \(offsets)")
            #expect(found?.offset == failure.offset || found?.kind != failure.kind, "\(shown) at \(offsets): \(failure.description)")
        case nil: #expect(error != nil, "\(shown) at \(offsets)")
        }
    }

    @Test("Random documents in random chunks equal the whole document")
    func randomDocuments() async {
        var numbers = SeededRandom(seed: 1)
        for _ in 0..<150 {
            let text = Array(document(&numbers).utf8)
            await compare(text, at: offsets(text.count, &numbers))
        }
    }

    @Test("Invalid documents in random chunks fail as the whole document does")
    func brokenDocuments() async {
        var numbers = SeededRandom(seed: 2)
        for _ in 0..<200 {
            let text = broken(Array(document(&numbers).utf8), &numbers)
            await compare(text, at: offsets(text.count, &numbers))
        }
    }

    private func failure(_ text: [UInt8], size: Int) async -> DecodingFailure? {
        let stream = DocumentStream(Support.chunks(text, at: Array(stride(from: 0, to: text.count, by: size))), of: ResourceObject.self)
        return (await Support.read(stream).error as? DecodingError)?.failure
    }

    private func compareChunks(_ text: [UInt8]) async {
        let whole = await failure(text, size: max(text.count, 1))
        for size in [1, 2, 3, 5] {
            let other = await failure(text, size: size)
            #expect(
                whole?.description == other?.description && whole?.offset == other?.offset && whole?.pointer == other?.pointer,
                "\(String(decoding: text, as: UTF8.self)) by \(size)")
        }
    }

    @Test("Errors do not depend on where chunks end")
    func errorsInChunks() async {
        let strays =
            ["é", "€", "😀", "x", "nul", "-", "\u{FEFF}"].map { Array($0.utf8) }
            + [[0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xC3, 0x28]]
        let places = [
            "", "     ", "{", #"{"data""#, #"{"data":"#, #"{"data":["#, #"{"data":[{}"#, #"{"data":[]"#, #"{"data":[],"#, #"{"data":[]} "#,
        ]
        for place in places {
            for stray in strays {
                for end in ["", "}", "]}", " x", "é", ":1}"] { await compareChunks(place.utf8 + stray + end.utf8) }
            }
        }
        var numbers = SeededRandom(seed: 4)
        for _ in 0..<300 { await compareChunks(broken(Array(document(&numbers).utf8), &numbers)) }
    }

    @Test("A document split at each byte, and into single bytes")
    func everyByte() async {
        var numbers = SeededRandom(seed: 3)
        for _ in 0..<2 {
            let text = Array(document(&numbers).utf8)
            for offset in 0...text.count { await compare(text, at: [offset]) }
            await compare(text, at: Array(0..<text.count))
        }
    }

    @Test("Many members that are not resources take linear time")
    func manyMembers() async throws {
        // One chunk for each member. With a copy of all members for each chunk, this would take minutes.
        let count = 10_000
        let (chunks, continuation) = AsyncStream<[UInt8]>.makeStream()
        continuation.yield(Array(#"{"data":[]"#.utf8))
        for number in 0..<count { continuation.yield(Array(#","x:\#(number)":{}"#.utf8)) }
        continuation.yield(Array("}".utf8))
        continuation.finish()
        let stream = DocumentStream(chunks, of: ResourceObject.self)
        let (values, error) = await Support.read(stream)
        #expect(values.isEmpty && error == nil)
        #expect(stream.header.members.count == count)
    }

    /// A class as a model, to observe its release.
    private final class Node: Resource, @unchecked Sendable {
        static let type = "nodes"
        let id: String
        let next: ToOne<Node>
    }

    @Test("Values with references are released when nothing refers to them")
    func valuesGo() async throws {
        let text =
            #"{"data":[{"type":"nodes","id":"1","relationships":{"next":{"data":{"type":"nodes","id":"2"}}}}],"included":[{"type":"nodes","id":"2","relationships":{"next":{"data":{"type":"nodes","id":"1"}}}}]}"#
        weak var decoded: Node?
        weak var streamed: Node?
        weak var fetched: Node?
        for _ in 0..<3 {
            do {
                let nodes = try JSONAPIDecoder().decode([Node].self, from: Data(text.utf8))
                decoded = nodes.first
                #expect(nodes.first?.next.value?.id == "2")
            }
            #expect(decoded == nil)
            do {
                let (values, error) = await Support.read(DocumentStream(Support.chunks(text, size: 50), of: Node.self))
                streamed = values.first
                #expect(streamed != nil && error == nil)
            }
            #expect(streamed == nil)
            try Support.withFile(text.utf8) { url in
                let reader = try DocumentReader(url)
                fetched = try reader.resource(Node.self, id: "1")?.next.value
            }
            #expect(fetched == nil)
        }
    }
}
