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
        try JSONAPIEncoder().forEachResource(of: values) { identifier, text, _ in texts[identifier] = Array(text) }
        return Shelf(texts)
    }
}

private struct Link: Resource {
    static let type = "links"
    var id: String
    var next: ToOne<Link>
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

    @Test func twoDifferentValuesWithOneIdentityAreAnError() {
        let failure = encodingFailure {
            try JSONAPIEncoder().forEachResource(
                of: [Team(id: "1", name: "A"), Team(id: "1", name: "B")]) { _, _, _ in }
        }
        #expect(failure?.kind == .duplicateResource)
    }
}
