import Foundation
import JSONAPICodec
import JSONText
import Testing

/// An encoder writes what references refer to with its own strategies, not with those of the decoder that read it.
@Suite struct OtherStrategiesTests {
    struct Writer: Resource, Equatable {
        static let type = "writers"
        var id: String
        var firstName: String
        var born: Date
        var friends: ToMany<Writer>
    }

    struct Story: Resource {
        static let type = "stories"
        var id: String
        var writer: ToOne<Writer>
        var readers: ToMany<Writer>
    }

    private func writer(_ id: String, friend: String) -> String {
        """
        {"type":"writers","id":"\(id)","attributes":{"first_name":"W\(id)","born":1700000000},"relationships":{"friends":{"data":[
        {"type":"writers","id":"\(friend)"}]}}}
        """
    }

    private var text: Data {
        Data(
            """
            {"data":{"type":"stories","id":"1","relationships":{"writer":{"data":{"type":"writers","id":"1"}},"readers":{"data":[
            {"type":"writers","id":"2"}]}}},"included":[\(writer("1", friend: "2")),\(writer("2", friend: "3")),\(writer("3", friend: "1"))]}
            """.utf8)
    }

    private var decoder: JSONAPIDecoder {
        var decoder = JSONAPIDecoder()
        decoder.keyStrategy = .snakeCase
        decoder.dateDecodingStrategy = .secondsSince1970
        return decoder
    }

    @Test("What references refer to is written with the strategies of the encoder, along any chain and around cycles")
    func references() throws {
        let story = try decoder.decode(Story.self, from: text)
        let again = try JSONAPIDecoder().decode(Story.self, from: JSONAPIEncoder().encode(story, include: ["writer.friends.friends"]))
        let writer = try #require(try again.writer.resolved())
        #expect(writer.firstName == "W1" && writer.born == Date(timeIntervalSince1970: 1_700_000_000))
        let friend = try #require(try writer.friends.resolved().first)
        #expect(friend.firstName == "W2")
        #expect(try friend.friends.resolved().map(\.firstName) == ["W3"])
    }

    @Test("With the strategies of the decoder, resources are written as they were read")
    func sameStrategies() throws {
        var encoder = JSONAPIEncoder()
        encoder.keyStrategy = .snakeCase
        encoder.dateEncodingStrategy = .secondsSince1970
        let known = Data(String(decoding: text, as: UTF8.self).replacingOccurrences(of: "1700000000", with: "1700000000,\"x\":1.50").utf8)
        let story = try decoder.decode(Story.self, from: known)
        let written = try JSON(parsing: String(decoding: encoder.encode(story, include: ["writer", "readers"]), as: UTF8.self))
        #expect(written["included"]?.array?.map { $0["attributes"]?["x"]?.description } == ["1.50", "1.50"])
    }

    // MARK: - Pairs of strategies for dates

    private struct Pair: Sendable {
        let reading: JSONAPIDecoder.DateDecodingStrategy
        let writing: JSONAPIEncoder.DateEncodingStrategy
    }

    private static let pairs: [Pair] = [
        Pair(reading: .iso8601, writing: .iso8601), Pair(reading: .layout(.iso8601), writing: .layout(.iso8601)),
        Pair(reading: .layout("dd.MM.yyyy HH:mm:ss"), writing: .layout("dd.MM.yyyy HH:mm:ss")),
        Pair(reading: .layout("MM/dd/yyyy HH:mm:ss"), writing: .layout("MM/dd/yyyy HH:mm:ss")),
        Pair(reading: .deferredToDate, writing: .deferredToDate), Pair(reading: .secondsSince1970, writing: .secondsSince1970),
        Pair(reading: .millisecondsSince1970, writing: .millisecondsSince1970),
    ]

    @Test("A document read with any strategy for dates can be written with any other", arguments: pairs.indices, pairs.indices)
    func dates(read: Int, written: Int) throws {
        let born = Date(timeIntervalSince1970: 1_700_000_000)
        var encoder = JSONAPIEncoder()
        encoder.dateEncodingStrategy = Self.pairs[read].writing
        let writers = (1...3).map { Writer(id: "\($0)", firstName: "W\($0)", born: born, friends: .empty) }
        let story = Story(id: "1", writer: ToOne(writers[0]), readers: ToMany(writers))
        var decoder = JSONAPIDecoder()
        decoder.dateDecodingStrategy = Self.pairs[read].reading
        let known = try decoder.decode(Story.self, from: encoder.encode(story, include: ["writer", "readers"]))
        encoder.dateEncodingStrategy = Self.pairs[written].writing
        decoder.dateDecodingStrategy = Self.pairs[written].reading
        let again = try decoder.decode(Story.self, from: encoder.encode(known, include: ["writer", "readers"]))
        #expect(try again.readers.resolved().map(\.born) == [born, born, born])
    }

    /// Reads by `Key`, and writes by the keys that the compiler makes, so that a patch reads back what it writes.
    private struct Meeting: Resource {
        static let type = "meetings"
        var id: String
        var begins: Date

        init(begins: Date) { (id, self.begins) = ("1", begins) }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            id = try container.decode(String.self, forKey: .id)
            begins = try container.decode(Date.self, forKey: .attributes("begins"))
        }
    }

    @Test("A patch reads back its dates with any strategy", arguments: pairs.indices)
    func readBack(index: Int) throws {
        var encoder = JSONAPIEncoder()
        encoder.dateEncodingStrategy = Self.pairs[index].writing
        let old = Meeting(begins: Date(timeIntervalSince1970: 1))
        let patch = Patch(from: old, to: Meeting(begins: Date(timeIntervalSince1970: 86_400 * 400)))
        let body = try JSON(parsing: encoder.encode(patch))
        var decoder = JSONAPIDecoder()
        decoder.dateDecodingStrategy = Self.pairs[index].reading
        let text = try JSONWriter().write(try #require(body["data"]?["attributes"]?["begins"]))
        #expect(try decoder.value(Date.self, from: text) == Date(timeIntervalSince1970: 86_400 * 400))
    }
}
