import Foundation
import JSONAPICodec
import JSONText
import TestSupport
import Testing

@testable import JSONAPIArchive

@Suite("Salvaging a damaged archive")
struct ArchiveSalvageTests {
    /// The resources and keys with their contents.
    private func parts(_ archive: Archive) throws -> [String: String] {
        var parts: [String: String] = [:]
        try archive.forEachResource { parts["\($0)"] = String(decoding: $1, as: UTF8.self) }
        for key in archive.keys { parts[key] = try archive.json(forKey: key)?.description }
        return parts
    }

    private func samples() throws -> [[UInt8]] { [[UInt8](try Sample.writer().data()), try ArchiveDamageTests.logBytes()] }

    @Test("An intact archive loses nothing", arguments: [0, 1])
    func sound(index: Int) throws {
        let data = Data(try samples()[index])
        let salvage = try ArchiveFile.salvage(data)
        #expect(salvage.losses == [])
        let archive = try Archive(data: data)
        #expect(try parts(salvage.archive) == parts(archive))
        #expect(salvage.archive.keys == archive.keys && salvage.archive.modelVersion == archive.modelVersion)
        #expect(try salvage.archive.identifiers == archive.identifiers)
        #expect(salvage.archive.verify() == [])
    }

    @Test("A flipped bit destroys at most one record, and is reported", arguments: [0, 1], 0..<4)
    func bits(sample: Int, part: Int) throws {
        let bytes = try samples()[sample]
        let all = try parts(Archive(data: Data(bytes)))
        let isFill = ArchiveDamageTests.fill(bytes)
        for index in bytes.indices where index % 4 == part && (!isFill[index] || index % 37 == 0) {
            for bit in 0..<8 where (index / 4 + bit) % TestEffort.count(8, debug: 24) == 0 {
                var damaged = bytes
                damaged[index] ^= 1 << UInt8(bit)
                let salvage = try ArchiveFile.salvage(Data(damaged))
                let found = try parts(salvage.archive)
                // A key for one lost resource is lost. A key for several keeps the others.
                let isMaritLost = found.keys.allSatisfy { !$0.contains(#""id":"9""#) }
                let lost = all.filter { found[$0.key] == nil && !($0.key == "me" && isMaritLost) }
                #expect(lost.count <= 1, "byte \(index) bit \(bit): \(lost.keys)")
                #expect(lost.isEmpty || !salvage.losses.isEmpty, "byte \(index) bit \(bit)")
                for (name, text) in found where name.contains("\"type\"") { #expect(text == all[name], "byte \(index) bit \(bit)") }
            }
        }
    }

    @Test("Errors of damage suggest salvage, except for what is harmless or was salvaged")
    func advice() throws {
        var bytes = [UInt8](try Sample.writer().data())
        let image = try ArchiveImage(ArchiveBytes(bytes))
        let record = try #require(try image.record(StoredIdentity(type: "people", name: "9", isLocal: false)))
        bytes[record.text.lowerBound] ^= 1
        let archive = try Archive(data: Data(bytes))
        let error = archiveError { _ = try archive.decode(Person.self, forKey: "me") }
        #expect(error?.kind == .corrupt && error?.description.hasSuffix("recover what is intact with ArchiveFile.salvage(_:)") == true)
        #expect(try ArchiveFile.salvage(Data(bytes)).losses.allSatisfy { $0.advice == nil })
        bytes[record.text.lowerBound] ^= 1
        var damagedSlot = bytes
        damagedSlot[Forgery.slots[1] + 3] ^= 1
        for bytes in [damagedSlot, bytes + [0]] {
            let problems = try Archive(data: Data(bytes)).verify()
            #expect(problems.count == 1 && problems[0].advice != nil && problems[0].advice != ArchiveError.salvageAdvice)
        }
        let truncated = archiveError { _ = try Archive(data: Data(bytes.prefix(9000))) }
        #expect(truncated?.kind == .truncated && truncated?.advice == ArchiveError.salvageAdvice)
    }

    @Test("A lost resource is named")
    func named() throws {
        var bytes = [UInt8](try Sample.writer().data())
        let image = try ArchiveImage(ArchiveBytes(bytes))
        let record = try #require(try image.record(StoredIdentity(type: "people", name: "9", isLocal: false)))
        bytes[record.text.lowerBound + 20] ^= 1
        let salvage = try ArchiveFile.salvage(Data(bytes))
        #expect(salvage.losses.first?.offset == record.range.lowerBound)
        #expect(salvage.losses[0].reason.contains(#""people""#) && salvage.losses[0].reason.contains(#""9""#))
        #expect(try salvage.archive.resource(Person.self, id: "9") == nil)
        #expect(try salvage.archive.resource(Person.self, id: "2") == Sample.ben)
    }

    @Test("A key whose only resource is lost is reported", arguments: [false, true])
    func keyOfLost(isDirectoryDamaged: Bool) throws {
        var writer = Archive.Writer()
        try writer.encode(Person(id: "1", name: "Ann", city: nil), forKey: "me")
        try writer.encode(Person(id: "2", name: "Ben", city: nil), forKey: "you")
        var data = try writer.data()
        let name = try #require(data.range(of: Data("\"Ann\"".utf8)))
        data[name.lowerBound + 1] = UInt8(ascii: "Z")
        if isDirectoryDamaged {
            let image = try ArchiveImage(ArchiveBytes(data))
            data[try #require(image.footer.directorySections.first).offset] ^= 1
        }
        let salvage = try ArchiveFile.salvage(data)
        #expect(salvage.archive.keys == ["you"])
        #expect(salvage.losses.contains { $0.reason.contains("the key `me`") })
        #expect(!salvage.losses.contains { $0.reason.contains("the key `you`") })
    }

    @Test(arguments: [false, true]) func `a key whose only resource was removed is no loss`(isDirectoryDamaged: Bool) throws {
        var writer = Archive.Writer()
        try writer.encode(Person(id: "1", name: "Ann", city: nil), forKey: "me")
        try writer.encode(Person(id: "2", name: "Ben", city: nil), forKey: "you")
        try writer.remove(ResourceIdentifier(type: "people", id: "1"))
        var data = try writer.data()
        #expect(try Archive(data: data).verify() == [])
        if isDirectoryDamaged {
            let image = try ArchiveImage(ArchiveBytes(data))
            data[try #require(image.footer.directorySections.first).offset] ^= 1
        }
        let salvage = try ArchiveFile.salvage(data)
        #expect(salvage.archive.keys == ["you"])
        #expect(salvage.losses.isEmpty != isDirectoryDamaged)
        #expect(!salvage.losses.contains { $0.reason.contains("the key `me`") })
    }

    @Test("A key never names another resource because an id is damaged, and reports the loss")
    func damagedIdentity() throws {
        var writer = Archive.Writer()
        try writer.encode(Person(id: "1", name: "Ann", city: nil), forKey: "me")
        try writer.encode(Person(id: "3", name: "Cid", city: nil), forKey: "you")
        var data = try writer.data()
        let image = try ArchiveImage(ArchiveBytes(data))
        let record = try #require(try image.record(StoredIdentity(type: "people", name: "1", isLocal: false)))
        data[record.key.lowerBound] ^= 2
        let salvage = try ArchiveFile.salvage(data)
        #expect(salvage.archive.keys == ["you"])
        #expect(salvage.losses.contains { $0.reason.contains("the key `me`") })
    }

    @Test("A key of an array is whole or reports its loss, whichever byte of a replaced record is damaged", arguments: [2, 60])
    func damagedReplacedRecord(others: Int) throws {
        var people = [Person(id: "1", name: "old", city: nil)]
        people += (2...1 + others).map { Person(id: "\($0)", name: "other", city: nil) }
        let (old, bytes): (ArchiveRecord, [UInt8]) = try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let file = try ArchiveFile(url)
            defer { file.close() }
            try file.commit { try $0.encode(people, forKey: "home") }
            let old = try #require(try file.image.record(StoredIdentity(type: "people", name: "1", isLocal: false)))
            people[0].name = "new"
            try file.commit { try $0.insert([people[0]]) }
            return (old, [UInt8](try Data(contentsOf: url)))
        }
        for index in old.range {
            var damaged = bytes
            damaged[index] ^= 2
            let salvage = try ArchiveFile.salvage(Data(damaged))
            let home = try salvage.archive.decode([Person].self, forKey: "home")
            if old.text.contains(index) || salvage.losses.isEmpty {
                #expect(home == people && salvage.losses == [], "byte \(index)")
            } else {
                #expect(home == Array(people[1...]), "byte \(index)")
                #expect(salvage.losses.contains { $0.reason.contains("a part of the value of the key `home`") }, "byte \(index)")
            }
            #expect(try salvage.archive.resource(Person.self, id: "1")?.name == "new")
        }
    }

    @Test("The names of types are in every commit with resources")
    func namesOfTypes() throws {
        let (places, bytes): ([Range<Int>], [UInt8]) = try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            var writer = Archive.Writer()
            try writer.insert([Sample.ben])
            try writer.write(to: url)
            let file = try ArchiveFile(url)
            defer { file.close() }
            let first = file.image
            var places = [try #require(first.footer.section(ArchiveFormat.typesSection)).range]
            var position = first.header.firstRecord
            while let record = try? first.record(at: position) {
                if record.kind == .typeName { places.append(record.range) }
                position = record.range.upperBound
            }
            try file.commit { try $0.insert([Sample.marit]) }
            // A commit without resources needs no names.
            let names = file.image.footer.section(ArchiveFormat.typesSection)
            try file.commit { try $0.encode(1, forKey: "a") }
            #expect(file.image.footer.section(ArchiveFormat.typesSection) == names)
            return (places, [UInt8](try Data(contentsOf: url)))
        }
        #expect(places.count == 2)
        var damaged = bytes
        for index in places.joined() { damaged[index] ^= 0xFF }
        // The directory of the last commit is damaged as well, so that all records are searched.
        let image = try ArchiveImage(ArchiveBytes(bytes))
        damaged[try #require(image.footer.directorySections.first).offset] ^= 1
        let salvage = try ArchiveFile.salvage(Data(damaged))
        #expect(Set(try salvage.archive.resources(Person.self).map(\.id)) == ["2", "9"])
    }

    @Test("A removed resource does not return, and an older state is not used")
    func removed() throws {
        let bytes = try ArchiveDamageTests.logBytes()
        let image = try ArchiveImage(ArchiveBytes(bytes))
        var damaged = bytes
        // The end of the last commit.
        damaged[image.head.footer + 9] ^= 1
        let salvage = try ArchiveFile.salvage(Data(damaged))
        #expect(try salvage.archive.resource(Person.self, id: "2") == nil)
        #expect(try salvage.archive.resource(Person.self, id: "9")?.name == "Marit")
        #expect(try salvage.archive.decode(Settings.self, forKey: "settings") == Sample.settings)
        #expect(!salvage.losses.isEmpty)
    }

    @Test("A resource that one commit adds and removes does not return", arguments: [false, true])
    func addedAndRemoved(isLocal: Bool) throws {
        func person(_ id: String) -> ResourceObject {
            var object = ResourceObject(ResourceIdentifier(type: "people", id: id))
            object[attribute: "name"] = .string("Name \(id)")
            return object
        }
        let never = isLocal ? ResourceIdentifier(type: "people", lid: "1") : ResourceIdentifier(type: "people", id: "1")
        let bytes: [UInt8] = try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let file = try ArchiveFile(url)
            try file.commit { try $0.insert(person("2")) }
            try file.commit { changes in
                try changes.insert(ResourceObject(never))
                try changes.remove(never)
                try changes.insert(person("3"))
            }
            return [UInt8](try Data(contentsOf: url))
        }
        #expect(try Archive(data: Data(bytes)).verify() == [])
        let isFill = ArchiveDamageTests.fill(bytes)
        for index in stride(from: 0, to: bytes.count, by: TestEffort.count(1, debug: 3)) where !isFill[index] {
            var damaged = bytes
            damaged[index] ^= 0x10
            let salvaged = try ArchiveFile.salvage(Data(damaged)).archive
            #expect(try !salvaged.contains(never), "byte \(index)")
        }
    }

    @Test("Half of a file gives its resources; another file is an error")
    func halves() throws {
        var writer = Archive.Writer()
        try writer.insert((0..<500).map { Person(id: "\($0)", name: "Name \($0)", city: nil) })
        let bytes = [UInt8](try writer.data())
        let salvage = try ArchiveFile.salvage(Data(bytes[..<(8192 + (bytes.count - 8192) / 3)]))
        let people = try salvage.archive.resources(Person.self)
        #expect(people.count > 100 && people.allSatisfy { $0.name == "Name \($0.id)" } && !salvage.losses.isEmpty)
        #expect(archiveError { _ = try ArchiveFile.salvage(Data("{}".utf8)) }?.kind == .notAnArchive)
        #expect(archiveError { _ = try ArchiveFile.salvage(Data()) }?.kind == .notAnArchive)
        #expect(archiveError { _ = try ArchiveFile.salvage(Data(Forgery(bytes).with { $0[8] = 5 })) }?.kind == .unsupportedVersion)
    }

    @Test("Random damage gives no wrong value, and does not stop the process")
    func random() throws {
        for bytes in try samples() {
            let all = try parts(Archive(data: Data(bytes)))
            for _ in 0..<300 {
                var damaged = bytes
                for _ in 0..<Int.random(in: 1...20) { damaged[Int.random(in: damaged.indices)] = .random(in: 0...255) }
                guard let salvage = try? ArchiveFile.salvage(Data(damaged)) else { continue }
                // If the newest record is lost and its commit is unknown, an older state can be returned.
                for (name, _) in try parts(salvage.archive) where name.contains("\"people\"") && !name.contains("\"2\"") {
                    #expect(all[name] != nil)
                }
            }
        }
    }
}
