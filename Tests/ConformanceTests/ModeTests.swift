import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Strict mode accepts fewer documents than standard mode, and standard mode fewer than lenient mode. If two modes accept a document, their
/// values are equal.
@Suite struct ModeTests {
    struct Anything: Resource {
        static let type = "articles"
        var id: String
        var title: JSON?
        var author: ToOne<Person>?
        var tags: ToMany<Person>?
    }

    struct Person: Resource {
        static let type = "people"
        var id: String
        var name: JSON?
    }

    private static func documents() throws -> [(name: String, text: Data)] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try ["valid", "invalid", "sections", "servers"].flatMap { folder in
            let url = root.appendingPathComponent("Conformance/\(folder)")
            return try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension == "json" && $0.lastPathComponent != "index.json" }
                .map { ("\(folder)/\($0.lastPathComponent)", try Data(contentsOf: $0)) }
        }
    }

    /// Whole resources in place of identifiers, as real servers send them.
    private static let embedded: [(name: String, text: Data)] = [
        #""attributes": {"name": "Jane"}"#, #""attributes": {"name": 1}, "relationships": 7"#, #""attributes": 7, "relationships": {}"#,
        #""attributes": {}, "links": 7"#, #""attributes": {}, "links": {"self": 7}, "meta": {}"#, #""attributes": {}, "x": null"#,
        #""relationships": {"a": 7, "b": {"data": 7}, "c": {"data": [null]}, "d": {}, "e": {"data": {"id": 1}}}"#, #""name": "Jane""#,
        #""attributes": {"type": 1, "_x": 2}, "relationships": {"type": {"data": null}}"#,
    ].flatMap { members in
        [#"{"type": "people", "id": "3", \#(members)}"#, #"[{"type": "people", "id": "3", \#(members)}]"#].map { data in
            (members, Data(#"{"data": {"type": "articles", "id": "1", "relationships": {"author": {"data": \#(data)}}}}"#.utf8))
        }
    }

    private static func text(_ value: Anything) -> String {
        let author = value.author?.identifier
        let tags: [String] = value.tags?.identifiers?.map { $0.id ?? "" } ?? []
        let title = value.title?.description ?? ""
        return [value.id, title, author?.type ?? "", author?.id ?? "", tags.joined(separator: ",")].joined(separator: " ")
    }

    /// Returns a text for the decoded document; nil if decoding throws.
    private static func read(_ text: Data, _ mode: JSONAPIDecoder.Mode, _ source: JSONAPIDecoder.Source) -> [String: String] {
        var decoder = JSONAPIDecoder(mode: mode)
        decoder.source = source
        var read: [String: String] = [:]
        func note(_ name: String, _ value: () throws -> String) { read[name] = try? value() }
        note("document") { try decoder.decode(DocumentObject.self, from: text).description }
        note("resources") { try decoder.decode([ResourceObject].self, from: text).map(\.description).joined() }
        note("resource") { try decoder.decode(ResourceObject.self, from: text).description }
        note("whole document") { try "\(decoder.decode(Document<[ResourceObject]>.self, from: text).data)" }
        note("models") { try (decoder.decode([Anything].self, from: text) as [Anything]).map(Self.text).joined() }
        note("model") { Self.text(try decoder.decode(Anything.self, from: text)) }
        return read
    }

    @Test func eachModeAcceptsWhatStricterModesAccept() throws {
        var count = 0
        for (name, text) in try Self.documents() + Self.embedded {
            for source in [JSONAPIDecoder.Source.response, .request] {
                let strict = Self.read(text, .strict, source)
                let standard = Self.read(text, .standard, source)
                let lenient = Self.read(text, .lenient, source)
                for (kind, value) in strict {
                    #expect(standard[kind] == value, "\(name) as \(kind), \(source): strict reads it, standard does not")
                }
                for (kind, value) in standard {
                    count += 1
                    #expect(lenient[kind] == value, "\(name) as \(kind), \(source): standard reads it, lenient does not")
                }
            }
        }
        #expect(count > 500)
    }
}
