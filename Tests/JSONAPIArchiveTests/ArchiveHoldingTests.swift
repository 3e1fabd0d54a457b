import Foundation
import JSONAPICodec
import JSONAPIArchive
import JSONText
import Testing

@Suite("Plain values of an archive that hold resources")
struct ArchiveHoldingTests {
    private struct Home: Codable, Equatable {
        var title: String
        var articles: [Article]
        var me: Person?
        var sections: [String: Section] = [:]

        struct Section: Codable, Equatable {
            var lead: Article
        }
    }

    private struct Entry: Resource, Equatable {
        static let type = "entries"
        var id: String?
        var text: String
    }

    private let home = Home(
        title: "Today", articles: Sample.articles, me: Sample.marit, sections: ["top": Home.Section(lead: Sample.articles[1])])

    private func archive(_ write: (inout Archive.Writer) throws -> Void) throws -> Archive {
        var writer = Archive.Writer()
        try write(&writer)
        return try Archive(data: try writer.data())
    }

    @Test("The archive has each of the resources once, with what they embed and hold, and the value refers to them")
    func identity() throws {
        let archive = try archive { try $0.encode(home, forKey: "home") }
        #expect(archive.count == 6)
        #expect(try archive.decode(Home.self, forKey: "home") == home)
        #expect(try archive.resource(Person.self, id: "9") == Sample.marit)
        #expect(try archive.json(forKey: "home")?["me"] == ["@resource": ["type": "people", "id": "9"]])
        #expect(try archive.decode(Home.self, forKey: "home").articles[0].comments.values.map(\.id) == ["5", "12"])
        #expect(try archive.namesResources("home") == false)
    }

    @Test("A resource that changes later has changed in every value that holds it")
    func laterChange() throws {
        try withFolder { folder in
            let file = try ArchiveFile(folder.appendingPathComponent("archive"))
            defer { file.close() }
            try file.commit { try $0.encode(home, forKey: "home") }
            try file.commit { try $0.insert([Person(id: "9", name: "Changed", city: nil)]) }
            let changed = try file.archive.decode(Home.self, forKey: "home")
            #expect(changed.me?.name == "Changed" && changed.articles[0].author?.name == "Changed")
            try file.compact()
            #expect(try file.archive.decode(Home.self, forKey: "home") == changed)
            let copy = try Archive(data: try Archive.Writer(try file.archive).data())
            #expect(try copy.decode(Home.self, forKey: "home") == changed)
        }
    }

    @Test("A removed resource is left out of an array; elsewhere it is an error that names it")
    func removed() throws {
        let archive = try archive {
            try $0.encode(home, forKey: "home")
            try $0.encode([home], forKey: "homes")
            try $0.remove(ResourceIdentifier(type: "articles", id: "1"))
        }
        #expect(try archive.decode(Home.self, forKey: "home").articles == [Sample.articles[1]])
        #expect(try archive.decode([Home].self, forKey: "homes").map(\.articles.count) == [1])
        let without = try self.archive {
            try $0.encode(home, forKey: "home")
            try $0.remove(ResourceIdentifier(type: "articles", id: "é"))
        }
        #expect { try without.decode(Home.self, forKey: "home") } throws: { "\($0)".contains("articles é") }
    }

    @Test("A resource without an identity is written as a plain value, and one with a lid is referred to")
    func identities() throws {
        let entries = ["new": Entry(id: nil, text: "a"), "known": Entry(id: "1", text: "b")]
        let archive = try archive { try $0.encode(entries, forKey: "entries") }
        #expect(archive.count == 1)
        #expect(try archive.decode([String: Entry].self, forKey: "entries") == entries)
        let local = try ResourceObject(#"{"type":"entries","lid":"x","attributes":{"text":"c"}}"#)
        let second = try self.archive { try $0.encode(["local": local], forKey: "entries") }
        #expect(try second.decode([String: ResourceObject].self, forKey: "entries")["local"]?.json == local.json)
    }

    private final class Owner: Resource, @unchecked Sendable {
        static let type = "owners"
        let id: String

        init(id: String) { self.id = id }
    }

    private struct Dog: Resource {
        static let type = "dogs"
        var id: String
        var owner: Owner
    }

    private struct Kennel: Codable {
        var dogs: [Dog]
    }

    @Test("Instances of classes are shared among resources that are read together")
    func instances() throws {
        let owner = Owner(id: "1")
        let dogs = ["1", "2"].map { Dog(id: $0, owner: owner) }
        let archive = try archive {
            try $0.encode(dogs, forKey: "dogs")
            try $0.encode(Kennel(dogs: dogs), forKey: "kennel")
        }
        #expect(archive.count == 3)
        let read = try archive.decode([Dog].self, forKey: "dogs")
        #expect(read[0].owner === read[1].owner)
        let kennel = try archive.decode(Kennel.self, forKey: "kennel")
        #expect(kennel.dogs[0].owner === kennel.dogs[1].owner)
    }

    private struct Owners: Codable {
        var list: [Owner]
    }

    @Test("A resource that occurs twice under a key or in an array is read as one instance")
    func repeatedInstances() throws {
        let owners = [Owner(id: "1"), Owner(id: "2")]
        let archive = try archive {
            try $0.encode([owners[0], owners[1], owners[0]], forKey: "owners")
            try $0.encode(Owners(list: [owners[0], owners[0]]), forKey: "value")
        }
        let read = try archive.decode([Owner].self, forKey: "owners")
        #expect(read.map(\.id) == ["1", "2", "1"])
        #expect(read[0] === read[2])
        let value = try archive.decode(Owners.self, forKey: "value")
        #expect(value.list.count == 2 && value.list[0] === value.list[1])
    }

    @Test("Different contents under one identity are refused, inside a value and among calls")
    func conflicts() throws {
        var other = Sample.marit
        other.name = "Other"
        let twice = Home(title: "t", articles: [], me: other, sections: ["x": Home.Section(lead: Sample.articles[0])])
        #expect(throws: EncodingError.self) { try archive { try $0.encode(twice, forKey: "home") } }
        #expect(throws: ArchiveError.self) {
            try archive {
                try $0.encode(home, forKey: "home")
                try $0.encode(["me": other], forKey: "me")
            }
        }
    }

    @Test("Values that an earlier version of this library has written hold copies, and are read as before")
    func copies() throws {
        let text = #"{"title":"t","articles":[],"me":{"id":"9","name":"Ann"},"sections":{}}"#
        let value = try JSON(parsing: text)
        // JSON is written as it is.
        let archive = try archive { try $0.encode(value, forKey: "home") }
        let read = try archive.decode(Home.self, forKey: "home")
        #expect(read.me?.name == "Ann")
    }

    @Test("A migration changes the resources that a value holds")
    func migration() throws {
        let old = try archive { try $0.encode(home, forKey: "home") }
        let model = ArchiveModel(
            version: 1,
            migrations: [
                .init(to: 1) { resource, _ in
                    var resource = resource
                    if resource.type == "people" { resource[attribute: "name"] = "Migrated" }
                    return [resource]
                }
            ])
        let archive = try Archive(data: old.data, model: model)
        #expect(try archive.decode(Home.self, forKey: "home").me?.name == "Migrated")
    }

    private struct Note: Resource, Equatable {
        static let type = "notes"
        var id: String
        var text: String
    }

    private struct Memo: Resource, Equatable {
        static let type = "memos"
        var id: String
        var text: String
    }

    private struct Pad<Page: Resource>: Codable {
        var pages: [Page]
        var first: Page?
        var byName: [String: Page] = [:]
    }

    private let notes = ["1", "2", "3\"}"].map { Note(id: $0, text: "text \($0)") }

    @Test("Values and documents follow resources that a migration renames, and leave out removed ones")
    func renaming() throws {
        let old = try archive {
            try $0.encode(Pad(pages: notes, first: notes[0], byName: [#""@resource":{"#: notes[2]]), forKey: "pad")
            try $0.encode(Document<[Note]>(notes.reversed(), meta: ["total": 3]), forKey: "document")
            try $0.encode(Document<Note?>(notes[0]), forKey: "one")
        }
        let model = ArchiveModel(
            version: 1,
            migrations: [
                .init(to: 1) { resource, _ in
                    guard resource.type == "notes", let id = resource.id, id != "2" else { return [] }
                    return [ResourceObject(resource, as: ResourceIdentifier(type: "memos", id: "m\(id)"))]
                }
            ])
        let archive = try Archive(data: old.data, model: model)
        let memos = [notes[0], notes[2]].map { Memo(id: "m\($0.id)", text: $0.text) }
        let pad = try archive.decode(Pad<Memo>.self, forKey: "pad")
        #expect(pad.pages == memos && pad.first == memos[0] && pad.byName == [#""@resource":{"#: memos[1]])
        let document = try #require(try archive.decodeDocument([Memo].self, forKey: "document"))
        #expect(document.data == memos.reversed() && document.meta == ["total": 3])
        #expect(try archive.decodeDocument(Memo?.self, forKey: "one")?.data == memos[0])
    }

    @Test("Values, documents, and keys do not show a resource that gets the identity of one that the same migration removes")
    func takenIdentity() throws {
        let old = try archive {
            try $0.encode(Pad(pages: notes, first: nil), forKey: "pad")
            try $0.encode(Document<[Note]>(notes), forKey: "document")
            try $0.encode(notes[0], forKey: "one")
            try $0.insert(notes.map { Memo(id: $0.id, text: "memo") })
        }
        let model = ArchiveModel(
            version: 1,
            migrations: [
                .init(to: 1) { resource, _ in
                    guard resource.type == "memos", let id = resource.id else { return [] }
                    return [ResourceObject(resource, as: ResourceIdentifier(type: "notes", id: id))]
                }
            ])
        let archive = try Archive(data: old.data, model: model)
        #expect(try archive.resources(Note.self).map(\.text) == ["memo", "memo", "memo"])
        #expect(try archive.decode(Pad<Note>.self, forKey: "pad").pages == [])
        #expect(try archive.decodeDocument([Note].self, forKey: "document")?.data == [])
        #expect(archiveError { _ = try archive.decode(Note.self, forKey: "one") }?.kind == .missingResource)
    }

    @Test("Resources of several types, and what a coder stores")
    func otherEntryPoints() throws {
        let coder = NSKeyedArchiver(requiringSecureCoding: true)
        try coder.encodeArchived(home, forKey: "home")
        coder.finishEncoding()
        let reader = try NSKeyedUnarchiver(forReadingFrom: coder.encodedData)
        #expect(try reader.decodeArchived(Home.self, forKey: "home") == home)
    }
}
