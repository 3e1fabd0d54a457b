import Foundation
import JSONMapping
import JSONText
import Testing

/// `@unchecked Sendable`: each test uses its own instance, on one thread.
private final class User: @unchecked Sendable {
    var id = 0
    var nick: String?
    var version: Int?
}

/// A codec that tries a second form of the JSON when the first one fails.
private struct TwoForms: SchemaCodec {
    let schema: MappingSchema<User>

    init(_ user: User) {
        schema = MappingSchema {
            MappingField(\.id, "id")
            MappingField(\.nick, "nick")
            MappingField(\.version, "version")
        } make: { _ in
            user
        }.finishing { user in if user.version != 2 { throw CancellationError() } }
    }

    func decode(_ json: JSON, by mapping: Mapping<User>) throws -> User {
        do { return try mapping.decode(json) } catch { return try mapping.decode(["id": 1, "version": 2]) }
    }

    func apply(_ json: JSON, to root: inout User, by mapping: Mapping<User>) throws {
        do { try mapping.apply(json, to: &root) } catch { try mapping.apply(["id": 1, "version": 2], to: &root) }
    }

    func unarchive(from decoder: any Decoder, by mapping: Mapping<User>) throws -> User {
        do { return try mapping.unarchive(from: decoder) } catch {
            return User()
        }
    }
}

/// The same for a struct.
private struct Note {
    var text = ""
    var tag: String?
}

private struct NoteForms: SchemaCodec {
    let schema = MappingSchema(creating: Note()) {
        MappingField(\.text, "text")
        MappingField(\.tag, "tag")
    }.finishing { if $0.text.isEmpty { throw CancellationError() } }

    func apply(_ json: JSON, to root: inout Note, by mapping: Mapping<Note>) throws {
        do { try mapping.apply(json, to: &root) } catch { try mapping.apply(["text": "second"], to: &root) }
    }
}

/// A step that fails leaves nothing behind, also when a codec catches its error.
@Suite struct CaughtFailureTests {
    private let user = User()

    private var codec: TwoForms {
        (user.id, user.nick, user.version) = (1, "Ann", 2)
        return TwoForms(user)
    }

    @Test func decodingLeavesNothingBehind() throws {
        let schema = codec.schema.coded(by: codec)
        #expect(try schema.decode(["id": 1, "nick": "rejected", "version": 1]) === user)
        #expect(user.nick == "Ann" && user.version == 2)
    }

    @Test func applyingLeavesNothingBehind() throws {
        let schema = codec.schema.coded(by: codec)
        var root = user
        try schema.apply(["id": 1, "nick": "rejected", "version": 1], to: &root)
        #expect(root === user && user.nick == "Ann" && user.version == 2)
        var note = Note(text: "first", tag: "kept")
        try NoteForms().schema.coded(by: NoteForms()).apply(["text": "", "tag": "rejected"], to: &note)
        #expect(note.text == "second" && note.tag == "kept")
    }

    @Test func unarchivingLeavesNothingBehind() throws {
        struct Box: Decodable {
            static let key = CodingUserInfoKey(rawValue: "schema")
            let user: User
            init(from decoder: any Decoder) throws {
                let schema = try #require(Self.key.flatMap { decoder.userInfo[$0] } as? MappingSchema<User>)
                user = try schema.unarchive(from: decoder)
            }
        }
        let decoder = JSONDecoder()
        decoder.userInfo[try #require(Box.key)] = codec.schema.coded(by: codec)
        let box = try decoder.decode(Box.self, from: Data(#"{"id":1,"nick":"rejected","version":1}"#.utf8))
        #expect(box.user !== user && user.nick == "Ann" && user.version == 2)
    }
}
