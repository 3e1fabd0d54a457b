import Foundation
import JSONAPICodec
import JSONText
import Testing

@testable import JSONAPIArchive

@Suite("Archives of older models")
struct ArchiveModelTests {
    /// Version 2 renames `name`; version 3 splits people into authors and readers.
    private static let model = ArchiveModel(
        version: 3,
        migrations: [
            .init(to: 3) { resource, old in
                var resource = resource
                func type(of id: String) -> String { old["people", id]?[attribute: "writes"]?.bool == true ? "authors" : "readers" }
                if resource.type == "people", let id = resource.id { resource.type = type(of: id) }
                if let author = resource[relationship: "author"]?.data.identifiers.first, let id = author.id {
                    resource[relationship: "author"]?.data = .one(ResourceIdentifier(type: type(of: id), id: id))
                }
                return resource[attribute: "gone"] == nil ? [resource] : []
            },
            .init(to: 2) { resource, _ in
                var resource = resource
                guard let name = resource[attribute: "name"] else { return [resource] }
                resource[attribute: "fullName"] = name
                resource[attribute: "name"] = nil
                return [resource]
            },
        ])

    private struct Author: Resource {
        static let type = "authors"
        var id: String
        var fullName: String
    }

    private struct Post: Resource {
        static let type = "posts"
        var id: String
        var author: ToOne<Author>
    }

    private struct NewerPost: Resource {
        static let type = "posts"
        var id: String
        var rating: Int
    }

    @Test("The error for a property that the model has gained names the migration", arguments: ["", #","attributes":{"title":"T"}"#])
    func newProperty(attributes: String) throws {
        var writer = Archive.Writer()
        try writer.encode(try ResourceObject(#"{"type":"posts","id":"1"\#(attributes)}"#), forKey: "post")
        let archive = try Archive(data: writer.data())
        let error = #expect(throws: DecodingError.self) { try archive.resource(NewerPost.self, id: "1") }
        #expect(error?.failure?.advice?.contains("ArchiveModel") == true)
    }

    private func old(_ version: Int = 1) throws -> Archive.Writer {
        var writer = Archive.Writer(modelVersion: version)
        let post = #"{"type":"posts","id":"1","relationships":{"author":{"data":{"type":"people","id":"9"}}}}"#
        try writer.encode([try ResourceObject(post)], forKey: "posts")
        try writer.encode(
            try ["9", "2", "3"].map {
                try ResourceObject(#"{"type":"people","id":"\#($0)","attributes":{"name":"N\#($0)","writes":\#($0 == "9")}}"#)
            }, forKey: "people")
        try writer.encode(try ResourceObject(#"{"type":"drafts","id":"1","attributes":{"gone":true}}"#), forKey: "draft")
        try writer.encode(5, forKey: "number")
        return writer
    }

    private func check(_ archive: Archive) throws {
        #expect(try archive.resource(Author.self, id: "9")?.fullName == "N9")
        #expect(try archive.decode([Post].self, forKey: "posts")[0].author.value?.fullName == "N9")
        #expect(try archive.decode([ResourceObject].self, forKey: "people").map(\.type) == ["authors", "readers", "readers"])
        #expect(try archive.contains(ResourceIdentifier(type: "people", id: "9")) == false)
        #expect(try archive.contains(ResourceIdentifier(type: "drafts", id: "1")) == false)
        #expect(try archive.decode(Int.self, forKey: "number") == 5)
        #expect(archive.count == 4)
    }

    @Test("A migration renames attributes and splits types, with identifiers and keys")
    func reading() throws {
        let data = try old().data()
        let archive = try Archive(data: data, model: Self.model)
        try check(archive)
        #expect(archive.modelVersion == 1)
        #expect(try archive.decodeIfPresent(ResourceObject?.self, forKey: "draft") ?? nil == nil)
        let copy = try Archive(data: try Archive.Writer(archive).data(), model: Self.model)
        #expect(copy.modelVersion == 3)
        try check(copy)
        #expect(copy.verify().isEmpty)
    }

    @Test func `a key names the first of several resources that replace one, alone and in an array`() throws {
        let splitting = ArchiveModel(
            version: 2,
            migrations: [
                .init(to: 2) { resource, _ in
                    guard resource.type == "people", let id = resource.id else { return [resource] }
                    return [resource, ResourceObject(ResourceIdentifier(type: "addresses", id: id))]
                }
            ])
        var writer = Archive.Writer(modelVersion: 1)
        let people = [Person(id: "1", name: "Ann", city: nil), Person(id: "2", name: "Ben", city: nil)]
        try writer.encode(people, forKey: "people")
        try writer.encode(people[0], forKey: "me")
        let archive = try Archive(data: writer.data(), model: splitting)
        #expect(archive.count == 4)
        #expect(try archive.decode(Person.self, forKey: "me") == people[0])
        #expect(try archive.decode([ResourceObject].self, forKey: "people").map(\.type) == ["people", "people"])
        #expect(try archive.decode([Person].self, forKey: "people") == people)
    }

    /// Returns an archive with these resources, migrated to version 2.
    private func migrated(
        _ texts: String..., by migrate: @escaping @Sendable (ResourceObject) -> [ResourceObject]
    ) throws -> Archive {
        var writer = Archive.Writer(modelVersion: 1)
        try writer.encode(try texts.map { try ResourceObject($0) }, forKey: "all")
        let model = ArchiveModel(version: 2, migrations: [.init(to: 2) { resource, _ in migrate(resource) }])
        return try Archive(data: writer.data(), model: model)
    }

    @Test("Linkage follows a resource to which a migration gives another type and id, also inside a whole resource in linkage")
    func linkage() throws {
        let archive = try migrated(
            """
            {"type":"teams","id":"t","relationships":{
                "members":{"data":[{"type":"people","id":"1","meta":{"since":3}},{"type":"people","id":"2"},{"type":"people","id":"7"}]},
                "boss":{"data":{"type":"people","id":"1","relationships":{"deputy":{"data":{"type":"people","id":"2"}}}}}}}
            """, #"{"type":"people","id":"1"}"#, #"{"type":"people","id":"2"}"#
        ) { resource in
            guard resource.type == "people", let id = resource.id else { return [resource] }
            return [ResourceObject(ResourceIdentifier(type: "persons", id: "p\(id)"))]
        }
        let team = try #require(try archive.resource(ResourceObject.self, ResourceIdentifier(type: "teams", id: "t")))
        let expected: JSON = [
            "members": [
                "data": [
                    ["type": "persons", "id": "p1", "meta": ["since": 3]], ["type": "persons", "id": "p2"],
                    // The archive does not have it, so nothing is known of it.
                    ["type": "people", "id": "7"],
                ]
            ],
            "boss": [
                "data": [
                    "type": "persons", "id": "p1", "relationships": ["deputy": ["data": ["type": "persons", "id": "p2"]]],
                ]
            ],
        ]
        #expect(team.members["relationships"] == expected)
    }

    @Test("If resources get the ids of others, linkage that the migration does not change follows them, and linkage that it changes stays")
    func linkageToTakenIdentities() throws {
        let archive = try migrated(
            #"{"type":"notes","id":"n","relationships":{"a":{"data":[{"type":"people","id":"1"},{"type":"people","id":"2"}]}}}"#,
            #"{"type":"notes","id":"o","relationships":{"a":{"data":{"type":"people","id":"1"}}}}"#,
            #"{"type":"people","id":"1"}"#, #"{"type":"people","id":"2"}"#
        ) { resource in
            var resource = resource
            if resource.type == "people" { resource.id = resource.id == "1" ? "2" : "3" }
            if resource.id == "o" { resource[relationship: "a"]?.data = .one(ResourceIdentifier(type: "people", id: "2")) }
            return [resource]
        }
        func linked(_ id: String) throws -> [String?]? {
            let note = try archive.resource(ResourceObject.self, ResourceIdentifier(type: "notes", id: id))
            return note?[relationship: "a"]?.data.identifiers.map(\.id)
        }
        #expect(try linked("n") == ["2", "3"])
        #expect(try linked("o") == ["2"])
    }

    @Test("Linkage does not lead to a resource that gets the identity of one that the same migration removes")
    func linkageToRemovedResource() throws {
        let archive = try migrated(
            """
            {"type":"notes","id":"n","relationships":{
                "author":{"data":{"type":"people","id":"2"}}, "readers":{"data":[{"type":"people","id":"2"},{"type":"people","id":"1"}]},
                "editor":{"data":{"type":"people","id":"3"}}}}
            """, #"{"type":"people","id":"1"}"#, #"{"type":"people","id":"2"}"#, #"{"type":"people","id":"3"}"#
        ) { resource in
            guard resource.type == "people" else { return [resource] }
            return resource.id == "1" ? [ResourceObject(ResourceIdentifier(type: "people", id: "2"))] : []
        }
        let note = try archive.resource(ResourceObject.self, ResourceIdentifier(type: "notes", id: "n"))
        #expect(note?[relationship: "author"]?.data == .null)
        #expect(note?[relationship: "readers"]?.data == .many([ResourceIdentifier(type: "people", id: "2")]))
        // No other resource has the identity.
        #expect(note?[relationship: "editor"]?.data == .one(ResourceIdentifier(type: "people", id: "3")))
    }

    @Test("Linkage that a migration changes stays if a resource has the identity, also if it contains a UUID in upper case")
    func linkageToTakenUUID() throws {
        let (first, second) = (UUID().uuidString.lowercased(), UUID().uuidString.lowercased())
        let archive = try migrated(
            #"{"type":"notes","id":"n","relationships":{"author":{"data":{"type":"people","id":"\#(second)"}}}}"#,
            #"{"type":"people","id":"\#(first)"}"#, #"{"type":"people","id":"\#(second)"}"#
        ) { resource in
            var resource = resource
            if resource.type == "people" { resource.id = resource.id == first ? "1" : first }
            if resource.type == "notes" {
                resource[relationship: "author"]?.data = .one(ResourceIdentifier(type: "people", id: first.uppercased()))
            }
            return [resource]
        }
        let note = try archive.resource(ResourceObject.self, ResourceIdentifier(type: "notes", id: "n"))
        #expect(note?[relationship: "author"]?.data.identifiers.first?.id == first.uppercased())
    }

    @Test("Linkage to a resource that is split leads to the part that keeps its identity")
    func linkageToSplitResource() throws {
        let archive = try migrated(
            #"{"type":"notes","id":"n","relationships":{"author":{"data":{"type":"people","id":"1"}}}}"#, #"{"type":"people","id":"1"}"#
        ) { resource in
            guard resource.type == "people", let id = resource.id else { return [resource] }
            return [ResourceObject(ResourceIdentifier(type: "addresses", id: id)), resource]
        }
        let note = try archive.resource(ResourceObject.self, ResourceIdentifier(type: "notes", id: "n"))
        #expect(note?[relationship: "author"]?.data == .one(ResourceIdentifier(type: "people", id: "1")))
    }

    @Test("Only migrations above the archive's version run")
    func partial() throws {
        let archive = try Archive(data: try old(2).data(), model: Self.model)
        #expect(try archive.resource(ResourceObject.self, .init(type: "authors", id: "9"))?[attribute: "name"]?.string == "N9")
        let present = try Archive(data: try old(3).data(), model: Self.model)
        #expect(try present.contains(ResourceIdentifier(type: "people", id: "9")))
    }

    @Test("Opening for writing saves the migration")
    func writing() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try old().write(to: url)
            let file = try ArchiveFile(url, model: Self.model)
            try check(try file.archive)
            #expect(try file.archive.modelVersion == 3)
            try file.commit { try $0.encode(6, forKey: "other") }
            file.close()
            try check(try Archive(contentsOf: url))
            #expect(try Archive(contentsOf: url).modelVersion == 3)
        }
    }

    @Test("A newer model is an error with both versions")
    func newer() throws {
        let error = archiveError { _ = try Archive(data: try old(4).data(), model: Self.model) }
        #expect(error?.kind == .newerModel)
        #expect(error?.reason == "the archive was written by models of version 4, this program has version 3")
        #expect(error?.localizedDescription == error?.description)
        #expect(try Archive(data: try old(4).data()).modelVersion == 4)
    }

    @Test("A migration that throws, or merges two resources, is an error and keeps the file")
    func failing() throws {
        struct Stop: Error {}
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try old().write(to: url)
            let bytes = try Data(contentsOf: url)
            #expect(throws: Stop.self) {
                try ArchiveFile(url, model: .init(version: 2, migrations: [.init(to: 2) { _, _ in throw Stop() }]))
            }
            let merging = ArchiveModel(
                version: 2,
                migrations: [
                    .init(to: 2) { resource, _ in
                        var resource = resource
                        resource.type = "one"
                        resource.id = "1"
                        return [resource]
                    }
                ])
            #expect(archiveError { _ = try ArchiveFile(url, model: merging) }?.kind == .conflict)
            #expect(try Data(contentsOf: url) == bytes)
            #expect(try ArchiveFile(url).archive.count == 5)
        }
    }
}
