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
}
