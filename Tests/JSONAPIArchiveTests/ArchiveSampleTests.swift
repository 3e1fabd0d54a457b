import Foundation
import JSONAPICodec
import JSONText
import Testing

@testable import JSONAPIArchive

@Suite("Archives of released formats")
struct ArchiveSampleTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Conformance/archives").standardized

    @Test("The sample of version 1 can be read")
    func versionOne() throws {
        let archive = try Archive(contentsOf: Self.folder.appendingPathComponent("version-1.jsonarchive"))
        let expected = try JSON(parsing: try Data(contentsOf: Self.folder.appendingPathComponent("version-1.json")))
        #expect(archive.verify().isEmpty)
        #expect(try Self.contents(of: archive).isIdentical(to: expected))
        #expect(try archive.decode([Article].self, forKey: "home")[0].comments.values == Sample.comments)
        #expect(try archive.decode(Settings.self, forKey: "settings") == Sample.settings)
        #expect(try archive.resource(Person.self, id: "2") == nil)
    }

    @Test("The samples of later versions can be read", arguments: [2, 3, 4])
    func laterVersions(version: Int) throws {
        let archive = try Archive(contentsOf: Self.folder.appendingPathComponent("version-\(version).jsonarchive"))
        let expected = try JSON(parsing: try Data(contentsOf: Self.folder.appendingPathComponent("version-1.json")))
        #expect(archive.verify().isEmpty)
        #expect(try Self.contents(of: archive).isIdentical(to: expected))
    }

    @Test("Listing one type of a file of version 1 or 2 lists all types", arguments: [1, 2])
    func listedTypes(version: Int) throws {
        let image = try Archive(contentsOf: Self.folder.appendingPathComponent("version-\(version).jsonarchive")).image
        var expected: [String: [StoredIdentity]] = [:]
        try image.forEachIdentity { expected[$0.type, default: []].append($0) }
        #expect(image.types.count > 1)
        for type in image.types {
            #expect(try image.identities(ofType: type) == expected[type] ?? [])
            #expect(image.lists.withLock { $0.count } == image.types.count)
        }
    }

    @Test("A file of an older version can be changed, and keeps everything in order", arguments: [1, 2, 3, 4])
    func changedVersion(version: Int) throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try Data(contentsOf: Self.folder.appendingPathComponent("version-\(version).jsonarchive")).write(to: url)
            let file = try ArchiveFile(url)
            let keys = try file.archive.keys
            try file.commit { try $0.insert([Sample.marit]) }
            #expect(try file.archive.keys == keys)
            try file.commit { changes in
                try changes.encode(1, forKey: "new")
                try changes.encode(Sample.ben, forKey: keys[0])
            }
            try file.commit { try $0.removeValue(forKey: keys[1]) }
            #expect(try file.archive.keys == [keys[0]] + keys[2...] + ["new"])
            #expect(try file.archive.decode(Person.self, forKey: keys[0]) == Sample.ben)
            #expect(try file.archive.decode(Settings.self, forKey: "settings") == Sample.settings)
            #expect(try file.archive.verify() == [])
            #expect(file.header.version == version)
            try file.compact()
            #expect(file.header.version == ArchiveFormat.majorVersion)
            #expect(try file.archive.keys == [keys[0]] + keys[2...] + ["new"])
            #expect(try file.archive.verify() == [])
            #expect(file.wastedByteCount == 0)
        }
    }

    static func copy(version: Int, to url: URL) throws {
        try Data(contentsOf: folder.appendingPathComponent("version-\(version).jsonarchive")).write(to: url)
    }

    /// The contents of an archive as JSON.
    static func contents(of archive: Archive) throws -> JSON {
        var roots = JSONObject()
        for key in archive.keys { roots.append(name: key, value: try archive.json(forKey: key) ?? .null) }
        var resources: [JSON] = []
        try archive.forEachResource { _, text in resources.append(try JSON(parsing: text)) }
        return [
            "modelVersion": .number(JSONNumber(archive.modelVersion)), "roots": .object(roots), "resources": .array(JSONArray(resources)),
        ]
    }

    /// Writes a sample for a new version of the format: three commits, a removal, and all forms of values.
    static func write(to url: URL) throws {
        let file = try ArchiveFile(url, model: ArchiveModel(version: 3))
        try file.commit { changes in
            try changes.encode(Sample.articles, forKey: "home")
            try changes.encode(Sample.marit, forKey: "me")
            try changes.insert(try ResourceObject(#"{"id":"1","type":"unknown","ext:x":[1.50,null]}"#))
            try changes.insert(try ResourceObject(#"{"type":"drafts","lid":"a\n","attributes":{"text":"é"}}"#))
        }
        try file.commit { try $0.encode(Sample.settings, forKey: "settings") }
        try file.commit { try $0.remove(ResourceIdentifier(type: "people", id: "2")) }
    }

    @Test("The current version writes the same contents")
    func today() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try Self.write(to: url)
            if let target = ProcessInfo.processInfo.environment["ARCHIVE_SAMPLE"] {
                try Data(contentsOf: url).write(to: URL(fileURLWithPath: target + ".jsonarchive"))
                try Data(JSONWriter(style: .indented()).write(try Self.contents(of: try Archive(contentsOf: url))))
                    .write(to: URL(fileURLWithPath: target + ".json"))
            }
            let expected = try JSON(parsing: try Data(contentsOf: Self.folder.appendingPathComponent("version-1.json")))
            #expect(try Self.contents(of: try Archive(contentsOf: url)).isIdentical(to: expected))
        }
    }

    @Test("One resource of 100,000 is read without the others")
    func large() throws {
        var writer = Archive.Writer()
        for number in 0..<100_000 {
            let text = Array(#"{"type":"people","id":"\#(number)","attributes":{"name":"Name \#(number)"}}"#.utf8)
            try writer.insert(ResourceIdentifier(type: "people", id: "\(number)"), text.span)
        }
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try writer.write(to: url)
            // The rest of the file can be damaged, because it is not read.
            var bytes = [UInt8](try Data(contentsOf: url))
            let image = try ArchiveImage(ArchiveBytes(bytes))
            let kept = try #require(try image.record(StoredIdentity(type: "people", name: "77777", isLocal: false))).range
            let end = try #require(image.footer.sections.map(\.offset).min())
            for index in Forgery.firstRecord..<end where !kept.contains(index) { bytes[index] = 0xAA }
            try Data(bytes).write(to: url)
            let archive = try Archive(contentsOf: url)
            #expect(archive.count == 100_000)
            #expect(try archive.resource(Person.self, id: "77777")?.name == "Name 77777")
            #expect(archiveError { _ = try archive.resource(Person.self, id: "77778") }?.kind == .corrupt)
        }
    }
}
