import Foundation
import JSONAPICodec
import JSONText
import Observation
import Testing

/// Classes with the macro `@Observable`, whose stored properties have other names than those in the source.
@Suite struct ObservableClassTests {
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Observable final class Settings: Codable, @unchecked Sendable {
        var theme: String?
        init() {}
        // The compiler would make these, with a warning about the last one.
        enum CodingKeys: CodingKey { case _theme, _$observationRegistrar }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Observable final class Note: Resource, @unchecked Sendable {
        static let type = "notes"
        var id: String?
        var text: String?
        init() {}
        enum CodingKeys: CodingKey { case _id, _text, _$observationRegistrar }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Observable final class Keyed: Resource, @unchecked Sendable {
        static let type = "notes"
        var id: String
        var text: String?
        init(id: String) { self.id = id }
        enum CodingKeys: String, CodingKey { case _id = "id", _text = "text" }
    }

    private struct Screen<Value: Codable & Sendable>: Resource {
        static var type: String { "screens" }
        var id: String
        var settings: Value?
    }

    private let note = Data(#"{"data":{"type":"notes","id":"1","attributes":{"text":"x"}}}"#.utf8)

    @Test("An @Observable class without coding keys is neither read without its values nor written with private names")
    func withoutKeys() throws {
        guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *) else { return }
        let decoder = JSONAPIDecoder()
        func read(_ body: () throws -> Void) -> String? { #expect(throws: DecodingError.self, performing: body)?.failure?.advice }
        let screen = Data(#"{"data":{"type":"screens","id":"1","attributes":{"settings":{"theme":"dark"}}}}"#.utf8)
        #expect(read { _ = try decoder.decode(Screen<Settings>.self, from: screen) }?.contains("@Observable") == true)
        #expect(read { _ = try decoder.decode(Note.self, from: note) }?.contains("coding keys") == true)

        var encoder = JSONAPIEncoder()
        func written(_ body: () throws -> Void) -> String? { #expect(throws: EncodingError.self, performing: body)?.failure?.advice }
        let settings = Settings()
        settings.theme = "dark"
        #expect(written { _ = try encoder.encode(Screen(id: "1", settings: settings)) }?.contains("@Observable") == true)
        #expect(written { _ = try JSON(encoding: ["a": [settings]]) }?.contains("@Observable") == true)
        let made = Note()
        made.text = "x"
        #expect(written { _ = try encoder.encode(Create(made)) }?.contains("@Observable") == true)
        encoder.checksNames = false
        #expect(written { _ = try encoder.encode(Create(made)) }?.contains("@Observable") == true)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Observable final class Reply: Resource, @unchecked Sendable {
        static let type = "replies"
        var id: String?
        var author: ToOne<Keyed>?
        init() {}
        enum CodingKeys: CodingKey { case _id, _author, _$observationRegistrar }
    }

    @Test("A relationship of an @Observable class without coding keys is not lost")
    func relationships() throws {
        guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *) else { return }
        let reply = Data(#"{"data":{"type":"replies","id":"1","relationships":{"author":{"data":{"type":"notes","id":"2"}}}}}"#.utf8)
        let error = #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode(Reply.self, from: reply) }
        #expect(error?.failure?.description.contains("`_author`") == true)
    }

    @Test("A strategy can remove the underscores, and a document can have them")
    func underscores() throws {
        guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *) else { return }
        var decoder = JSONAPIDecoder()
        decoder.keyStrategy = .custom { $0.hasPrefix("_") ? String($0.dropFirst()) : $0 }
        #expect(try decoder.decode(Note.self, from: note).text == "x")
        let both = Data(#"{"data":{"type":"notes","id":"1","attributes":{"_text":"x","text":"y"}}}"#.utf8)
        #expect(try JSONAPIDecoder().decode(Note.self, from: both).text == "x")
    }

    @Test("With coding keys, an @Observable class is read, edited, and written")
    func withKeys() throws {
        guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *) else { return }
        let read = try JSONAPIDecoder().decode(Keyed.self, from: note)
        #expect(read.id == "1" && read.text == "x")
        #expect(try JSONAPIEncoder().encode(read) == note)
        let body = try JSON(parsing: JSONAPIEncoder().encode(read.patch { $0.text = "y" }))
        #expect(body["data"]?["attributes"] == ["text": "y"])
    }
}
