import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Resource objects by identity, as text.
private final class Shelf: ResourceSource {
    private let texts: [ResourceIdentifier: [UInt8]]
    private let lock = NSLock()
    private nonisolated(unsafe) var count = 0
    var asked: Int { lock.withLock { count } }

    init(_ texts: [ResourceIdentifier: [UInt8]]) { self.texts = texts }

    func resourceText(_ identifier: ResourceIdentifier) -> [UInt8]? {
        lock.withLock { count += 1 }
        return texts[identifier]
    }

    /// Everything that the values contain or refer to.
    static func of(_ values: [some ResourceRepresentable]) throws -> Shelf {
        var texts: [ResourceIdentifier: [UInt8]] = [:]
        try JSONAPIEncoder().forEachResource(of: values) { identifier, text, _, _ in texts[identifier] = Array(text) }
        return Shelf(texts)
    }
}

private struct Link: Resource {
    static let type = "links"
    var id: String
    var next: ToOne<Link>
}

/// Counts how often each resource is read.
private final class Readings: @unchecked Sendable {
    static let key = CodingUserInfoKey(rawValue: "readings")
    private let lock = NSLock()
    private var counts: [String: Int] = [:]
    var all: [String: Int] { lock.withLock { counts } }

    func count(_ id: String) { lock.withLock { counts[id, default: 0] += 1 } }
}

/// Embeds the next one, through a key that is a path.
private struct Step: Resource {
    static let type = "steps"
    let id: String
    let next: Box?
    final class Box: Resource {
        static let type = "steps"
        let step: Step
        var id: String { step.id }
        init(from decoder: any Decoder) throws { step = try Step(from: decoder) }
        func encode(to encoder: any Encoder) throws { try step.encode(to: encoder) }
    }
    enum CodingKeys: String, CodingKey { case id, next = "relationships.next" }
    init(from decoder: any Decoder) throws {
        let map = try decoder.container(keyedBy: CodingKeys.self)
        id = try map.decode(String.self, forKey: .id)
        (Readings.key.flatMap { decoder.userInfo[$0] } as? Readings)?.count(id)
        next = try map.decodeIfPresent(Box.self, forKey: .next)
    }
}

@Suite struct ResourceSourceTests {
    private let story = Story(
        id: "1", title: "T", author: ToOne(Writer(id: "9", firstName: "Ann")),
        comments: [Remark(id: "5", body: "b", author: Writer(id: "2", firstName: "Bo")), Remark(id: "6", body: "c", author: nil)],
        reviewers: [.team(Team(id: "1", name: "A"))])

    @Test func embeddedResourcesAreReadAndReferencesResolveLater() throws {
        let shelf = try Shelf.of([story])
        let read = try #require(
            try JSONAPIDecoder().resource(Story.self, ResourceIdentifier(type: "articles", id: "1"), from: shelf))
        #expect(read == story)
        #expect(read.comments[0].author?.firstName == "Bo")
        let before = shelf.asked
        #expect(read.author.value?.firstName == "Ann")
        #expect(read.reviewers.values == [.team(Team(id: "1", name: "A"))])
        #expect(shelf.asked > before)
    }

    @Test func anAbsentResourceIsNil() throws {
        let shelf = try Shelf.of([story])
        #expect(try JSONAPIDecoder().resource(Story.self, ResourceIdentifier(type: "articles", id: "2"), from: shelf) == nil)
        #expect(try JSONAPIDecoder().resource(Team.self, ResourceIdentifier(type: "people", id: "9"), from: shelf) == nil)
    }

    @Test func aChainIsWalkedStepByStep() throws {
        var texts: [ResourceIdentifier: [UInt8]] = [:]
        for index in 0..<1000 {
            let text =
                #"{"type":"links","id":"\#(index)","relationships":{"next":{"data":{"type":"links","id":"\#((index + 1) % 1000)"}}}}"#
            texts[ResourceIdentifier(type: "links", id: "\(index)")] = Array(text.utf8)
        }
        let shelf = Shelf(texts)
        var link = try #require(try JSONAPIDecoder().resource(Link.self, ResourceIdentifier(type: "links", id: "0"), from: shelf))
        for _ in 0..<1500 { link = try #require(link.next.value) }
        #expect(link.id == "500")
        // Encoded from there, the cycle is complete.
        let document = try JSON(parsing: try JSONAPIEncoder().encode(link))
        #expect(document["included"]?.array?.count == 999)
    }

    @Test("Embedded resources behind a key that is a path are fetched together, not one after another")
    func pathsArePrefetched() throws {
        var texts: [ResourceIdentifier: [UInt8]] = [:]
        for index in 0..<40 {
            let data = index == 39 ? "null" : #"{"type":"steps","id":"\#(index + 1)"}"#
            let text = #"{"type":"steps","id":"\#(index)","relationships":{"next":{"data":\#(data)}}}"#
            texts[ResourceIdentifier(type: "steps", id: "\(index)")] = Array(text.utf8)
        }
        let readings = Readings()
        var decoder = JSONAPIDecoder()
        decoder.userInfo[try #require(Readings.key)] = readings
        let first = try #require(try decoder.resource(Step.self, ResourceIdentifier(type: "steps", id: "0"), from: Shelf(texts)))
        #expect(first.next?.step.next?.id == "2")
        #expect(readings.all.count == 40 && readings.all.values.allSatisfy { $0 <= 2 })
    }

    @Test func twoDifferentValuesWithOneIdentityAreAnError() {
        let failure = encodingFailure {
            try JSONAPIEncoder().forEachResource(
                of: [Team(id: "1", name: "A"), Team(id: "1", name: "B")]) { _, _, _, _ in }
        }
        #expect(failure?.kind == .duplicateResource)
    }
}
