import TestSupport
import Testing

@testable import JSONAPICommand

#if !os(Windows)
    import Foundation
#endif

@Suite("Arguments that are not UTF-8")
struct FileNameTests {
    @Test("A name that is not UTF-8 has a unique text, and keeps its bytes")
    func texts() throws {
        let name: [UInt8] = Array("caf".utf8) + [0xE9] + Array("\\.json".utf8)
        let names = try FileNames([Array("show".utf8), name, Array("--from=".utf8) + [0xFF], Array("é".utf8)])
        #expect(names.arguments == ["show", #"caf\xe9\\.json"#, #"--from=\xff"#, "é"])
        #expect(names[#"caf\xe9\\.json"#] == name)
        #expect(names[#"\xff"#] == [0xFF])
        #expect(names["é"] == nil)
    }

    @Test("An ambiguous argument is an error")
    func doubles() {
        #expect(throws: UsageError.self) { try FileNames([[0xE9], Array(#"\xe9"#.utf8)]) }
    }

    @Test("Names that only Swift's strings take for equal are different names")
    func equalCharacters() throws {
        let (composed, decomposed): ([UInt8], [UInt8]) = (Array("\u{E9}".utf8) + [0xFF], Array("e\u{301}".utf8) + [0xFF])
        let names = try FileNames([composed, decomposed])
        #expect(names["\u{E9}\\xff"] == composed && names["e\u{301}\\xff"] == decomposed)
        let text = try FileNames([composed, Array("e\u{301}\\xff".utf8)])
        #expect(text["\u{E9}\\xff"] == composed && text["e\u{301}\\xff"] == nil)
    }

    #if os(Linux)
        @Test("A file whose name is not UTF-8 is read")
        func file() throws {
            let folder = TestFolder.url.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let original = folder.appendingPathComponent("plain.json")
            try Data("{".utf8).write(to: original)
            let path = Array(folder.path.utf8) + [0x2F, 0xE9]
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", #"cp "$1/plain.json" "$1/$(printf '\351')""#, "sh", folder.path]
            try process.run()
            process.waitUntilExit()
            #expect(try InputFile.contents(of: path, named: "x") == Data("{".utf8))
            #expect { try InputFile.contents(of: path + [0x21], named: "x") } throws: { ($0 as? Fault)?.message == "no such file" }
        }
    #endif
}
