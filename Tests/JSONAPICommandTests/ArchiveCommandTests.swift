import Foundation
import JSONAPIArchive
import JSONText
import Testing

@Suite("jsonapi archive")
struct ArchiveCommandTests {
    private static let document = """
        {"data":[{"type":"articles","id":"1","attributes":{"title":"JSON:API","rate":1.50},\
        "relationships":{"author":{"data":{"type":"people","id":"9"}},"tags":{"links":{"related":"/t"}}}},\
        {"type":"articles","id":"2"}],"included":[{"type":"people","id":"9","attributes":{"name":"Marit"}}]}
        """

    /// Packs a document, and runs `body` with the paths of the document and the archive.
    private func packed(_ body: (String, String) throws -> Void) throws {
        try CommandRun.withFile(Self.document, named: "articles.json") { file in
            let archive = file + ".jsonarchive"
            let run = CommandRun("archive", "pack", archive, file)
            #expect(run.status == 0 && run.output.isEmpty && run.error.isEmpty)
            try body(file, archive)
        }
    }

    @Test(
        "An archive is a file, and not standard input or output",
        arguments: [
            ["list", "-"], ["get", "-", "people", "9"], ["unpack", "-"], ["verify", "-"], ["recover", "-", "out"], ["recover", "in", "-"],
            ["pack", "-", "document.json"],
        ])
    func standardStreams(arguments: [String]) {
        let run = CommandRun(["archive"] + arguments)
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.error.contains("an archive is a file"))
    }

    @Test("A packed document is unpacked unchanged")
    func roundTrip() throws {
        try packed { _, archive in
            let run = CommandRun("archive", "unpack", "--compact", archive)
            #expect(run.status == 0)
            #expect(run.output == Self.document + "\n")
            #expect(CommandRun("archive", "unpack", "--key", "articles.json", "--compact", archive).output == Self.document + "\n")
        }
    }

    @Test(
        "One resource stays one, and null stays null", arguments: [#"{"data":{"type":"a","id":"1"}}"#, #"{"data":null}"#, #"{"data":[]}"#])
    func single(document: String) throws {
        try CommandRun.withFile("") { file in
            let archive = file + ".a"
            #expect(CommandRun("archive", "pack", archive, "-", input: document).status == 0)
            #expect(CommandRun("archive", "unpack", "--compact", archive).output == document + "\n")
        }
    }

    @Test("Integer ids and local ids are unpacked unchanged")
    func tolerant() throws {
        let document = #"{"data":[{"type":"a","id":7},{"type":"b","id":"1","included":[]}]}"#
        try CommandRun.withFile(document, named: "d.json") { file in
            #expect(CommandRun("archive", "pack", file + ".a", file).status == 0)
            let run = CommandRun("archive", "unpack", "--compact", file + ".a")
            #expect(run.output == document + "\n")
        }
    }

    @Test("A resource with meta only never replaces one with fields, in any order, and is not lost without a note")
    func resourcesWithMeta() throws {
        let (full, meta) = (#"{"type":"a","id":"1","attributes":{"x":1}}"#, #"{"type":"a","id":"1","meta":{"n":1}}"#)
        for (data, included) in [(meta, full), (full, meta)] {
            try CommandRun.withFile(#"{"data":[{"type":"a","id":"1"}]}"#, named: "bare.json") { bare in
                let archive = bare + ".a"
                let document = #"{"data":\#(data),"included":[\#(included)]}"#
                let run = CommandRun("archive", "pack", archive, "-", bare, input: document)
                let which = data == meta ? "this one is kept" : "the one with fields is kept"
                #expect(run.status == 0 && run.error.contains("they differ; \(which) [duplicateResource] (/included/0)"))
                #expect(CommandRun("archive", "get", "--compact", archive, "a", "1").output == full + "\n")
            }
        }
        try CommandRun.withFile(#"{"data":\#(full)}"#, named: "full.json") { first in
            let archive = first + ".a"
            let run = CommandRun("archive", "pack", archive, first, "-", input: #"{"data":[\#(meta)]}"#)
            #expect(run.status == 0 && run.error.contains("they differ; the one with fields is kept [duplicateResource] (/data/0)"))
            #expect(CommandRun("archive", "get", "--compact", archive, "a", "1").output == full + "\n")
        }
        try CommandRun.withFile(#"{"data":\#(meta)}"#, named: "meta.json") { first in
            #expect(CommandRun("archive", "pack", first + ".a", first).status == 0)
            #expect(CommandRun("archive", "get", "--compact", first + ".a", "a", "1").output == meta + "\n")
        }
    }

    @Test("The list has keys and resources, also as JSON")
    func list() throws {
        try packed { _, archive in
            let run = CommandRun("archive", "list", archive)
            #expect(run.status == 0)
            #expect(run.lines[0].hasPrefix("format 4, models of version 0, 3 resources, "))
            #expect(run.lines.dropFirst().joined(separator: "|") == "key articles.json: 2 resources|articles 1|articles 2|people 9|")
            let json = try CommandRun("archive", "list", "--json", archive).outputJSON
            #expect(json["format"]?.int == 4)
            #expect(json["keys"]?[0]?["form"]?.string == "many")
            #expect(json["keys"]?[0]?["count"]?.int == 2)
            #expect(json["resources"]?.array?.count == 3)
        }
    }

    @Test("A resource is printed; a missing one is status 1")
    func get() throws {
        try packed { _, archive in
            let run = CommandRun("archive", "get", "--compact", archive, "people", "9")
            #expect(run.output == #"{"type":"people","id":"9","attributes":{"name":"Marit"}}"# + "\n")
            let missing = CommandRun("archive", "get", archive, "people", "8")
            #expect(missing.status == 1)
            #expect(missing.error == "\(archive): error: the archive has no resource people 8\n")
            let error = try CommandRun("archive", "get", "--json", archive, "x", "8").errorJSON
            #expect(error["kind"]?.string == "missingResource")
        }
    }

    @Test("A key is printed as its value, or as the identifiers of its resources")
    func getByKey() throws {
        try packed { _, archive in
            let resources = CommandRun("archive", "get", "--compact", "--key", "articles.json", archive)
            #expect(resources.output == #"[{"type":"articles","id":"1"},{"type":"articles","id":"2"}]"# + "\n")
            let missing = CommandRun("archive", "get", "--key", "article.json", archive)
            #expect(missing.status == 1 && missing.error.contains("articles.json"))
            #expect(CommandRun("archive", "get", "--key", "a", archive, "people", "9").status == 2)
        }
        try CommandRun.withFile("") { file in
            let archive = file + ".a"
            var writer = Archive.Writer()
            try writer.encode(["theme": "dark"], forKey: "settings")
            try writer.write(to: URL(fileURLWithPath: archive))
            #expect(CommandRun("archive", "get", "--compact", "--key", "settings", archive).output == #"{"theme":"dark"}"# + "\n")
        }
    }

    @Test("compact removes what was replaced, and changes nothing about a missing or damaged archive")
    func compact() throws {
        try packed { _, archive in
            let url = URL(fileURLWithPath: archive)
            let whole = try Archive(contentsOf: url)
            do {
                let file = try ArchiveFile(url)
                for size in [100_000, 10] { try file.commit { try $0.encode(String(repeating: "x", count: size), forKey: "note") } }
            }
            let run = CommandRun("archive", "compact", archive)
            #expect(run.status == 0 && run.output.hasPrefix("\(archive): "))
            let compacted = try Archive(contentsOf: url)
            #expect(try compacted.byteCount < 100_000 && compacted.identifiers == whole.identifiers)
            #expect(try compacted.decode(String.self, forKey: "note").count == 10)
            #expect(CommandRun("archive", "compact", archive + "x").status == 2)
            #expect(!FileManager.default.fileExists(atPath: archive + "x"))
        }
    }

    @Test("verify accepts an intact archive, and reports where a damaged one is damaged")
    func verify() throws {
        try packed { _, archive in
            #expect(CommandRun("archive", "verify", archive).output == "\(archive): sound, 3 resources\n")
            var bytes = try Data(contentsOf: URL(fileURLWithPath: archive))
            try (bytes + [0]).write(to: URL(fileURLWithPath: archive))
            let longer = CommandRun("archive", "verify", archive)
            #expect(longer.status == 0 && longer.error.contains(": note: 1 bytes behind the last commit"))
            // In the first resource, after the name of its type.
            bytes[8256] ^= 1
            try bytes.write(to: URL(fileURLWithPath: archive))
            let run = CommandRun("archive", "verify", archive)
            #expect(run.status == 1)
            #expect(run.error.contains("error: the checksum of a record does not match (record at byte 8239)"))
            #expect(try CommandRun("archive", "list", "--json", archive).errorJSON["kind"]?.string == "corrupt")
        }
    }

    @Test("verify, recover and compact print their results as JSON with --json")
    func resultsAsJSON() throws {
        try packed { _, archive in
            var bytes = try Data(contentsOf: URL(fileURLWithPath: archive))
            let compacted = try CommandRun("archive", "compact", "--json", archive).outputJSON
            #expect(compacted["file"] == .string(archive) && compacted["before"]?.int == bytes.count && compacted["bytes"]?.int != nil)
            #expect(
                try CommandRun("archive", "verify", "--json", archive).outputJSON == [
                    "file": .string(archive), "sound": true, "resources": 3,
                ])
            let rescued = archive + ".rescued"
            #expect(
                try CommandRun("archive", "recover", "--json", archive, rescued).outputJSON
                    == ["file": .string(rescued), "resources": 3, "keys": 1])
            // In the first resource, after the name of its type.
            bytes[8256] ^= 1
            try bytes.write(to: URL(fileURLWithPath: archive))
            let run = CommandRun("archive", "verify", "--json", archive)
            #expect(try run.status == 1 && run.outputJSON["sound"] == false)
            #expect(run.error.contains(#""kind":"corrupt""#))
        }
    }

    @Test("Unreadable and unwritable files, and files that are not archives")
    func unusable() throws {
        try packed { file, archive in
            let missing = CommandRun("archive", "list", archive + "x")
            #expect(missing.status == 2)
            #expect(missing.error.hasPrefix("jsonapi: cannot read \(archive)x: open failed: no such file"))
            let unwritable = CommandRun("archive", "pack", "/dev/null/x", file)
            #expect(unwritable.status == 2)
            #expect(unwritable.error.hasPrefix("jsonapi: cannot write /dev/null/x: "))
            #expect(CommandRun("archive", "list", file).status == 1)
            // Swapped operands do not destroy the document.
            let swapped = CommandRun("archive", "pack", file, archive)
            #expect(swapped.status == 2)
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(text == Self.document)
        }
    }

    @Test("Files of the same name get different keys")
    func sameName() throws {
        try CommandRun.withFile(#"{"data":{"type":"a","id":"1"}}"#, named: "page.json") { first in
            try CommandRun.withFile(#"{"data":{"type":"a","id":"2"}}"#, named: "page.json") { second in
                let archive = first + ".a"
                #expect(CommandRun("archive", "pack", archive, first, second).status == 0)
                #expect(CommandRun("archive", "unpack", "--key", "page.json", "--compact", archive).output.contains(#""id":"1""#))
                #expect(CommandRun("archive", "unpack", "--key", "page.json (2)", "--compact", archive).output.contains(#""id":"2""#))
            }
        }
    }

    @Test("Many files of the same name get numbered keys, beside a file that has such a name already")
    func manyOfSameName() throws {
        try CommandRun.withFile(#"{"data":null}"#, named: "page (3)") { other in
            try CommandRun.withFile(#"{"data":null}"#, named: "page") { file in
                let archive = file + ".a"
                #expect(CommandRun(["archive", "pack", archive, other] + Array(repeating: file, count: 4)).status == 0)
                let keys = try Archive(contentsOf: URL(fileURLWithPath: archive)).keys
                #expect(keys.sorted() == ["page", "page (2)", "page (3)", "page (4)", "page (5)"])
            }
        }
    }

    @Test("A document without a resource is unpacked with its null")
    func nullData() throws {
        for included in ["", #","included":[{"type":"a","id":"1","attributes":{"x":1}}]"#] {
            try CommandRun.withFile(#"{"data":null\#(included)}"#, named: "null.json") { file in
                let archive = file + ".a"
                #expect(CommandRun("archive", "pack", archive, file).status == 0)
                #expect(CommandRun("archive", "unpack", "--compact", archive).output == #"{"data":null\#(included)}"# + "\n")
            }
        }
    }

    @Test("One of several different versions of a resource is kept, with a note")
    func duplicates() throws {
        let document = #"{"data":[{"type":"a","id":"1","attributes":{"x":1}},{"type":"a","id":"1","attributes":{"x":2}}]}"#
        try CommandRun.withFile(#"{"data":{"type":"a","id":"1","attributes":{"x":3}}}"#, named: "later.json") { later in
            let archive = later + ".a"
            let run = CommandRun("archive", "pack", archive, "-", later, input: document)
            #expect(run.status == 0)
            #expect(
                run.error.contains(
                    "<stdin>: note: another resource a 1, and they differ; the first one is kept [duplicateResource] (/data/1)"))
            #expect(run.error.contains("this one is kept [duplicateResource] (/data)"))
            #expect(CommandRun("archive", "get", "--compact", archive, "a", "1").output.contains(#"{"x":3}"#))
        }
    }

    @Test("A bare identifier never replaces its resource, in any order, and is no other version of it")
    func identifiers() throws {
        let resource = #"{"type":"a","id":"1","attributes":{"x":1}}"#
        let identifier = #"{"type":"a","id":"1"}"#
        for (data, included) in [(identifier, resource), (resource, identifier)] {
            let document = #"{"data":[\#(data)],"included":[\#(included)]}"#
            try CommandRun.withFile(#"{"data":[\#(identifier)]}"#, named: "later.json") { later in
                let archive = later + ".a"
                for files in [["-"], ["-", later], [later, "-"]] {
                    let run = CommandRun(["archive", "pack", archive] + files, input: document)
                    #expect(run.status == 0 && run.error.isEmpty, "\(run.error)")
                    #expect(CommandRun("archive", "get", "--compact", archive, "a", "1").output == resource + "\n")
                }
            }
        }
        try CommandRun.withFile("") { file in
            let other = resource.replacingOccurrences(of: "1}", with: "2}")
            let document = #"{"data":[\#(identifier)],"included":[\#(resource),\#(other)]}"#
            #expect(CommandRun("archive", "pack", file + ".a", "-", input: document).error.contains("the first one is kept"))
            #expect(CommandRun("archive", "get", "--compact", file + ".a", "a", "1").output == resource + "\n")
        }
    }

    @Test("A bare identifier never replaces its resource, also if one of them has a lid as well", arguments: [true, false])
    func identifiersWithLocalIDs(isLocalResource: Bool) throws {
        let lid = #""lid":"x","#
        let resource = #"{"type":"a","id":"1",\#(isLocalResource ? lid : "")"attributes":{"x":1}}"#
        let identifier = #"{"type":"a",\#(isLocalResource ? "" : lid)"id":"1"}"#
        try CommandRun.withFile(#"{"data":\#(identifier)}"#, named: "identifier.json") { file in
            let archive = file + ".a"
            for files in [["-", file], [file, "-"]] {
                let run = CommandRun(["archive", "pack", archive] + files, input: #"{"data":\#(resource)}"#)
                #expect(run.status == 0 && run.error.isEmpty, "\(run.error)")
                #expect(CommandRun("archive", "get", "--compact", archive, "a", "1").output == resource + "\n")
            }
        }
    }

    @Test("Two versions of a resource are told apart by its id, not by its lid")
    func duplicatesWithLocalIDs() throws {
        let versions = #"{"type":"a","id":"1","attributes":{"x":1}},{"type":"a","id":"1","lid":"x","attributes":{"x":2}}"#
        try CommandRun.withFile("") { file in
            let run = CommandRun("archive", "pack", file + ".a", "-", input: #"{"data":[\#(versions)]}"#)
            #expect(run.error.contains("and they differ; the first one is kept [duplicateResource] (/data/1)"))
            #expect(CommandRun("archive", "get", "--compact", file + ".a", "a", "1").output.contains(#"{"x":1}"#))
        }
    }

    @Test(
        "A document without identified resources cannot be packed",
        arguments: [#"{"meta":{}}"#, #"{"errors":[{"status":"404"}]}"#, #"{"data":{"type":"a"}}"#, "[]"])
    func unfit(document: String) throws {
        try CommandRun.withFile("") { file in
            let run = CommandRun("archive", "pack", file + ".a", "-", input: document)
            #expect(run.status == 1, "\(run.error)")
            #expect(run.error.contains("error: "))
            #expect(FileManager.default.fileExists(atPath: file + ".a") == false)
        }
    }

    @Test("Standard input cannot be packed twice")
    func inputTwice() throws {
        try CommandRun.withFile("") { file in
            let run = CommandRun("archive", "pack", file + ".a", "-", "-", input: Self.document)
            #expect(run.status == 2 && run.error.contains("standard input can be read only once"), "\(run.error)")
            #expect(!FileManager.default.fileExists(atPath: file + ".a"))
        }
    }

    @Test(
        "Wrong usage",
        arguments: [[], ["lst", "a"], ["list"], ["get", "a", "b"], ["pack", "a"], ["unpack", "a", "b"], ["recover", "a"]])
    func usage(arguments: [String]) {
        let run = CommandRun(["archive"] + arguments)
        #expect(run.status == 2)
        #expect(run.error.contains("jsonapi archive --help"))
    }
}
