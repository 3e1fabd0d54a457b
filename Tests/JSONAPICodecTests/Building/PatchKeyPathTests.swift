import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Key paths to parts of meta and of attributes.
@Suite struct PatchKeyPathTests {
    private let encoder = JSONAPIEncoder()

    private struct Info: Codable, Sendable, Equatable { var revision: Int? }
    private struct Page: Resource {
        static let type = "pages"
        var id: String
        var title: String?
        var revision: Int?
        var etag: String?
        var city: String?
        var zip: String?
        enum CodingKeys: String, CodingKey {
            case id, title, revision = "meta.revision", etag = "meta.etag", city = "attributes.place.city", zip = "attributes.place.zip"
        }
    }
    private struct Sheet: Resource {
        static let type = "pages"
        var id: String
        var title: String?
        var info: ResourceMeta<Info>?
        var links: ResourceLinks?
        var lid: LocalID?
        var author: ToOne<Writer>
    }
    private struct Venue: Resource {
        static let type = "venues"
        var id: String
        var city: String?
        var place: RemainingMembers
        var extra: RemainingMembers
        enum CodingKeys: String, CodingKey { case id, city = "attributes.place.city", place = "attributes.place", extra }
    }

    @Test("Parts of meta that are set one after another are all sent, with the rest of the base's meta")
    func partsOfMeta() throws {
        let patch = Patch<Page>(id: "1").set(\.revision, 2).set(\.etag, "x")
        #expect(try patch.object().meta == ["revision": 2, "etag": "x"])
        let base = ResourceObject(type: "pages", id: "1", meta: ["revision": 1, "other": 5])
        let page = Page(id: "1", revision: 1)
        #expect(try Patch(from: page, to: page, base: base).set(\.revision, 2).object().meta == ["revision": 2, "other": 5])
        struct Flagged: Resource {
            static let type = "flagged"
            var id: String
            var flags: [String: Bool]?
            enum CodingKeys: String, CodingKey { case id, flags = "meta.flags" }
        }
        let twice = Patch<Flagged>(id: "1").set(\.flags, ["b": true]).set(\.flags, ["a": true])
        #expect(try twice.object().meta == ["flags": ["a": true]], "the later value replaces the earlier one")
        let whole = Patch<Sheet>(id: "1").set(\.info, ResourceMeta(Info(revision: 3)))
        #expect(try whole.object().meta == ["revision": 3])
        #expect(try whole.set(\.info, ResourceMeta(Info())).object().meta?["revision"] != 3)
    }

    @Test("A key path leaves out meta or a field as a whole, and is an error for a part of one")
    func omittedParts() throws {
        let sheet = Sheet(id: "1", title: "T", info: ResourceMeta(Info(revision: 1)), author: .notLoaded)
        let edited = sheet.patch {
            $0.title = "N"
            $0.info = ResourceMeta(Info(revision: 2))
            $0.author = ToOne(id: "9")
        }
        #expect(try edited.omitting(\.info).object().meta == nil)
        let titleOnly = ResourceObject(type: "pages", id: "1", attributes: ["title": "N"])
        #expect(try edited.omitting(\.info, \.author, \.links).object() == titleOnly)
        #expect(try edited.omitting(\.title).object().attributes == nil)
        for patch in [edited.omitting(\.id), edited.omitting(\.lid)] {
            #expect(encodingFailure { _ = try encoder.encode(patch) }?.kind == .unknownName)
        }
        let page = Page(id: "1", title: "T", revision: 1, city: "Oslo", zip: "1")
        let moved = page.patch {
            $0.city = "Bergen"
            $0.zip = "2"
            $0.revision = 2
        }
        let part = encodingFailure { _ = try encoder.encode(moved.omitting(\.city)) }
        #expect(part?.kind == .unknownName && part?.advice?.contains(#"omitting("place")"#) == true)
        let meta = encodingFailure { _ = try encoder.encode(moved.omitting(\.revision)) }
        #expect(meta?.kind == .unknownName && meta?.advice?.contains("ResourceMeta") == true)
        #expect(try moved.omitting("place").object().meta?["revision"] == 2)
    }

    @Test("Remaining members are not set beside properties that name members of the same object")
    func remainingMembers() throws {
        let failure = encodingFailure {
            _ = try encoder.encode(Patch<Venue>(id: "1").set(\.place, RemainingMembers(["zip": "0151"])))
        }
        #expect(failure?.kind == .wrongPlace && failure?.advice?.contains(#"set("place", …)"#) == true)
        let whole = Patch<Venue>(id: "1").set(\.extra, RemainingMembers(["a": 1]))
        #expect(try whole.object().attributes == ["extra": ["a": 1]])
        #expect(try Patch<Venue>(id: "1").set("place", ["zip": "0151"]).object().attributes == ["place": ["zip": "0151"]])
    }
}
