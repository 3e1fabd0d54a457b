import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONText
import Testing

/// A document from a server, a change by the program, and the patch: nothing that the model does not know is deleted.
@Suite("A patch loses nothing of the response")
struct DataLossTests {
    struct Person: Resource, Equatable {
        static let type = "people"
        var id: String
        var name: String
        var articles: [Essay]?
    }
    struct Note: Resource, Equatable {
        static let type = "comments"
        var id: String
        var body: String
    }
    /// Embeds its related resources.
    struct Essay: Resource, Equatable {
        static let type = "articles"
        var id: String
        var title: String
        var comments: [Note]
    }
    /// The same with optional relationships.
    struct LooseEssay: Resource, Equatable {
        static let type = "articles"
        var id: String
        var title: String
        var comments: [Note]?
    }
    /// The same with references.
    struct LinkedEssay: Resource, Equatable {
        static let type = "articles"
        var id: String
        var title: String
        var comments: ToMany<Note> = .notLoaded
    }
    /// The same without `Codable`.
    struct DirectEssay: DirectResource, Equatable {
        static let type = "articles"
        var id: String
        var comments: [Note]
        init(resource: ResourceView) throws {
            id = try resource.id()
            comments = try resource.relationship("comments")
        }
    }
    struct DirectLooseEssay: DirectResource, Equatable {
        static let type = "articles"
        var id: String
        var comments: [Note]?
        init(resource: ResourceView) throws {
            id = try resource.id()
            comments = try resource.relationshipIfPresent("comments")
        }
    }

    let encoder = JSONAPIEncoder()

    func note(_ id: String) -> String { #"{"type":"comments","id":"\#(id)","attributes":{"body":"b\#(id)"}}"# }

    func response(_ relationships: String, included: [String] = []) -> Data {
        Data(
            (#"{"data":{"type":"articles","id":"1","attributes":{"title":"T"},"relationships":\#(relationships)}"#
                + (included.isEmpty ? "" : #","included":[\#(included.joined(separator: ","))]"#) + "}").utf8)
    }

    func linking(_ ids: String..., included: [String] = []) -> Data {
        let list = ids.map { #"{"type":"comments","id":"\#($0)"}"# }.joined(separator: ",")
        return response(#"{"comments":{"data":[\#(list)]}}"#, included: included)
    }

    func decodingFailure<Value: PrimaryValue>(
        _ type: Value.Type, _ data: Data, _ decoder: JSONAPIDecoder = JSONAPIDecoder()
    ) -> DecodingFailure? {
        do {
            _ = try decoder.decode(type, from: data)
            return nil
        } catch {
            return (error as? DecodingError)?.failure
        }
    }

    var omitting: JSONAPIDecoder {
        var decoder = JSONAPIDecoder()
        decoder.missingResources = .omit
        return decoder
    }

    // MARK: - Relationships that are not loaded

    @Test("An embedded array without data is an error")
    func arrayNotLoaded() throws {
        for relationships in [#"{"comments":{"links":{"related":"/c"}}}"#, "{}"] {
            let data = response(relationships)
            for failure in [decodingFailure(Essay.self, data), decodingFailure(DirectEssay.self, data)] {
                let failure = try #require(failure)
                #expect(failure.kind == .missingMember)
                let advice = try #require(failure.advice)
                #expect(advice.contains("?") && advice.contains("ToMany") && advice.contains("include"))
            }
            let loose = try JSONAPIDecoder().decode(LooseEssay.self, from: data)
            #expect(loose.comments == nil)
            #expect(try JSONAPIDecoder().decode(DirectLooseEssay.self, from: data).comments == nil)
            // The patch says nothing about the comments.
            let body = try encoder.text(loose.patch { $0.title = "N" })
            #expect(body == #"{"data":{"type":"articles","id":"1","attributes":{"title":"N"}}}"#)
            #expect(try !encoder.text(loose).contains("comments"))
        }
    }

    @Test("Lenient mode and .omit decode a relationship without data as empty, with a diagnostic")
    func arrayNotLoadedLeniently() throws {
        let data = response(#"{"comments":{"links":{"related":"/c"}}}"#)
        for decoder in [omitting, JSONAPIDecoder(mode: .lenient)] {
            let document = try decoder.decode(Document<Essay>.self, from: data)
            #expect(document.data.comments.isEmpty)
            #expect(document.diagnostics.count(of: .notLoaded) == 1)
        }
        var throwing = JSONAPIDecoder(mode: .lenient)
        throwing.missingResources = .throw
        #expect(decodingFailure(Essay.self, data, throwing)?.kind == .missingMember)
    }

    // MARK: - Resources that are missing

    @Test("An embedded array with missing resources is an error, even if optional")
    func arrayInPart() throws {
        let data = linking("5", "6", "7", included: [note("6")])
        for failure in [
            decodingFailure(Essay.self, data), decodingFailure(LooseEssay.self, data), decodingFailure(DirectEssay.self, data),
            decodingFailure(DirectLooseEssay.self, data),
        ] {
            let failure = try #require(failure)
            #expect(failure.kind == .notIncluded)
            #expect(failure.pointer.description == "/data/relationships/comments/data/0")
            #expect(failure.advice?.contains("ToMany") == true && failure.advice?.contains("omit") == true)
        }
    }

    @Test("An optional embedded array is nil if none of its resources is in the document")
    func arrayMissing() throws {
        let data = linking("5", "6")
        #expect(decodingFailure(Essay.self, data)?.kind == .notIncluded)
        #expect(decodingFailure(DirectEssay.self, data)?.kind == .notIncluded)
        let document = try JSONAPIDecoder().decode(Document<LooseEssay>.self, from: data)
        #expect(document.data.comments == nil)
        #expect(document.diagnostics.count(of: .notIncluded) == 1)
        #expect(try JSONAPIDecoder().decode(DirectLooseEssay.self, from: data).comments == nil)
        let body = try encoder.text(document.data.patch { $0.title = "N" })
        #expect(body == #"{"data":{"type":"articles","id":"1","attributes":{"title":"N"}}}"#)
    }

    @Test("An optional embedded array is nil if none of its resources is in the document, whatever the options leave out")
    func arrayMissingLeniently() throws {
        var dropping = JSONAPIDecoder()
        dropping.invalidElements = .drop
        let data = linking("5", "6")
        for decoder in [omitting, dropping, JSONAPIDecoder(mode: .lenient)] {
            let document = try decoder.decode(Document<LooseEssay>.self, from: data)
            #expect(document.data.comments == nil)
            #expect(document.diagnostics.count(of: .notIncluded) == 2)
            #expect(try !encoder.text(document.data).contains("comments"))
            #expect(try decoder.decode(LooseEssay.self, from: data).comments == nil)
            #expect(try decoder.decode(DirectLooseEssay.self, from: data).comments == nil)
            // The relationship is known to be empty.
            #expect(try decoder.decode(LooseEssay.self, from: linking()).comments == [])
            #expect(try decoder.decode(DirectLooseEssay.self, from: linking()).comments == [])
            // The property cannot be nil.
            #expect(try decoder.decode(Essay.self, from: data).comments == [])
            #expect(try decoder.decode(DirectEssay.self, from: data).comments == [])
        }
    }

    @Test("Lenient mode and .omit omit missing resources, with a diagnostic")
    func arrayInPartLeniently() throws {
        let data = linking("5", "6", "7", included: [note("6")])
        for decoder in [omitting, JSONAPIDecoder(mode: .lenient)] {
            let document = try decoder.decode(Document<Essay>.self, from: data)
            #expect(document.data.comments.map(\.id) == ["6"])
            #expect(document.diagnostics.count(of: .notIncluded) == 2)
            #expect(try decoder.decode(Essay.self, from: data).comments.map(\.id) == ["6"])
            #expect(try decoder.decode(DirectEssay.self, from: data).comments.map(\.id) == ["6"])
            #expect(try decoder.decode(LooseEssay.self, from: data).comments?.map(\.id) == ["6"])
        }
    }

    // MARK: - Circles

    private struct StrictAuthor: Resource {
        static let type = "people"
        var id: String
        var articles: [StrictEssay]
    }
    private struct StrictEssay: Resource {
        static let type = "articles"
        var id: String
        var author: StrictAuthor
    }
    private struct LooseAuthor: Resource {
        static let type = "people"
        var id: String
        var articles: [EssayOfLoose]?
    }
    private struct EssayOfLoose: Resource {
        static let type = "articles"
        var id: String
        var author: LooseAuthor?
    }

    private var circle: Data {
        let articles = #"{"data":[{"type":"articles","id":"1"},{"type":"articles","id":"2"}]}"#
        let author = #"{"author":{"data":{"type":"people","id":"9"}}}"#
        return response(
            author,
            included: [
                #"{"type":"people","id":"9","relationships":{"articles":\#(articles)}}"#,
                #"{"type":"articles","id":"2","relationships":\#(author)}"#,
            ])
    }

    @Test("An embedded array in a cycle is an error, or nil with a diagnostic")
    func arrayInCircle() throws {
        let failure = try #require(decodingFailure(StrictEssay.self, circle))
        #expect(failure.kind == .cycle)
        #expect(failure.found.contains("articles 1") && failure.found.contains("author → people 9"))
        #expect(failure.advice?.contains("ToMany<StrictEssay>") == true)
        let document = try JSONAPIDecoder().decode(Document<EssayOfLoose>.self, from: circle)
        let author = try #require(document.data.author)
        #expect(author.articles == nil)
        #expect(document.diagnostics.count(of: .cycleCut) == 1)
        #expect(try !encoder.text(author, include: .none).contains("articles\":"))
    }

    @Test("Lenient mode and .omit omit the ancestor in a cycle, with a diagnostic")
    func arrayInCircleLeniently() throws {
        for decoder in [omitting, JSONAPIDecoder(mode: .lenient)] {
            let document = try decoder.decode(Document<EssayOfLoose>.self, from: circle)
            #expect(document.data.author?.articles?.map(\.id) == ["2"])
            #expect(document.diagnostics.count(of: .cycleCut) > 0)
        }
    }

    // MARK: - To-many references

    @Test("Editing a relationship that is not loaded does not replace it")
    func appendingUnloaded() throws {
        let essay = try JSONAPIDecoder().decode(LinkedEssay.self, from: response(#"{"comments":{"links":{"related":"/c"}}}"#))
        var appended = essay
        appended.comments.append(id: "5")
        var removed = essay
        removed.comments.remove(ResourceIdentifier(type: "comments", id: "5"))
        for edited in [appended, removed] {
            for body in [
                { try encoder.encode(Patch(from: essay, to: edited)) }, { try encoder.encode(edited) },
                { try encoder.encode(Document(edited)) }, { try encoder.encode([edited]) },
                { try JSONEncoder().encode(edited) },
            ] {
                let failure = try #require(encodingFailure { _ = try body() })
                #expect(failure.kind == .missingLinkage)
                #expect(failure.advice?.contains("Linkage(adding:)") == true)
            }
            #expect(!edited.comments.isLoaded && edited != essay)
        }
        #expect(
            try encoder.text(Linkage(adding: appended.comments.identifiers ?? []))
                == #"{"data":[{"type":"comments","id":"5"}]}"#)
        // The server has nothing of a new resource.
        #expect(try encoder.text(Create(appended)).contains(#""comments":{"data":[{"type":"comments","id":"5"}]}"#))
        // Setting a relationship explicitly replaces it.
        appended.comments.identifiers = [ResourceIdentifier(type: "comments", id: "6")]
        #expect(
            try encoder.text(Patch(from: essay, to: appended))
                == #"{"data":{"type":"articles","id":"1","relationships":{"comments":{"data":[{"type":"comments","id":"6"}]}}}}"#)
    }

    @Test("Editing a loaded relationship sends the complete linkage")
    func appendingLoaded() throws {
        let essay = try JSONAPIDecoder().decode(LinkedEssay.self, from: linking("5"))
        let patch = essay.patch { $0.comments.append(id: "6") }
        #expect(try encoder.text(patch).contains(#"{"data":[{"type":"comments","id":"5"},{"type":"comments","id":"6"}]}"#))
    }

    // MARK: - Resources in place of identifiers

    @Test("Linkage that was received as whole resources is sent as identifiers")
    func resourcesAsIdentifiers() throws {
        let list =
            #"[{"type":"tags","id":"1","attributes":{"n":1},"links":{"self":"/t"},"meta":{"m":1}},{"type":"tags","id":"2","relationships":{}}]"#
        let bare = #"{"data":[{"type":"tags","id":"1","meta":{"m":1}},{"type":"tags","id":"2"}]}"#
        let data = Data(#"{"data":\#(list)}"#.utf8)
        let identifiers = try JSONAPIDecoder().decode([ResourceIdentifier].self, from: data)
        #expect(try encoder.text(Linkage(removing: identifiers)) == bare)
        #expect(try encoder.text(identifiers) == bare)
        let raw = try JSONAPIDecoder().decode(DocumentObject.self, from: data).linkage
        #expect(try encoder.text(raw) == bare)
        #expect(try encoder.text(Delete(raw.identifiers)) == bare)
        #expect(try encoder.text(Patch(type: "a", id: "1").link("tags", to: raw.identifiers)).contains(bare))
        // The same for a relationship in a patch.
        let read = try JSONAPIDecoder().decode(
            LinkedEssay.self, from: response(#"{"comments":{"data":[{"type":"comments","id":"5","attributes":{"body":"b"}}]}}"#))
        #expect(try !encoder.text(read.patch { $0.comments.append(id: "6") }).contains("attributes"))
    }

    // MARK: - Models that are read from another place than they are written to

    private struct Lopsided: Resource {
        static let type = "venues"
        var id: String
        var name: String
        var city: String
        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: Key.self)
            id = try map.decode(String.self, forKey: .id)
            name = try map.decode(String.self, forKey: .attributes("name"))
            city = try map.decode(String.self, forKey: .attributes("place", "city"))
        }
    }

    @Test("A patch and checkCoding detect different keys in init(from:) and encode(to:)")
    func otherPlace() throws {
        let venue = try JSONAPIDecoder().decode(Lopsided.self, from: self.venue)
        let failure = try #require(encodingFailure { _ = try encoder.encode(venue.patch { $0.city = "Bergen" }) })
        #expect(failure.kind == .wrongPlace && failure.pointer.description == "/data/attributes/city")
        // A property that is decoded and encoded at the same place can change.
        #expect(try encoder.text(venue.patch { $0.name = "M" }) == #"{"data":{"type":"venues","id":"1","attributes":{"name":"M"}}}"#)
        #expect(encodingFailure { try encoder.checkCoding(of: venue) } != nil)
        let whole = try JSONAPIDecoder().decode(WholeVenue.self, from: self.venue)
        #expect(throws: Never.self) { try encoder.checkCoding(of: whole) }
    }

    private final class LopsidedObject: Resource, @unchecked Sendable {
        static let type = "venues"
        var id: String
        var city: String
        enum CodingKeys: CodingKey { case id, city }
        init(from decoder: any Decoder) throws {
            let venue = try Lopsided(from: decoder)
            (id, city) = (venue.id, venue.city)
        }
    }

    private enum Place: ResourceUnion {
        case venue(Lopsided), unknown(ResourceObject)
        static let members: [UnionMember<Place>] = [.init(Place.venue)]
        var resource: any ResourceRepresentable {
            switch self {
            case .venue(let venue): venue
            case .unknown(let object): object
            }
        }
    }

    @Test("A patch detects different keys in init(from:) and encode(to:) also of a class, and of a resource in a union")
    func otherPlaceInObject() throws {
        let object = try JSONAPIDecoder().decode(LopsidedObject.self, from: self.venue)
        #expect(encodingFailure { _ = try encoder.encode(object.patch { $0.city = "Bergen" }) }?.kind == .wrongPlace)
        let venue = try JSONAPIDecoder().decode(Lopsided.self, from: self.venue)
        var moved = venue
        moved.city = "Bergen"
        #expect(encodingFailure { _ = try encoder.encode(Patch(from: Place.venue(venue), to: .venue(moved))) }?.kind == .wrongPlace)
        moved = venue
        moved.name = "M"
        #expect(try encoder.tree(Patch(from: Place.venue(venue), to: .venue(moved)))["data"]?["attributes"] == ["name": "M"])
    }
}
