import Foundation
import TestSupport
import Testing

@testable import JSONAPICommand

extension GenerateCommandTests {
    @Test("A new file that does not fit on the disk is an error that says so, and no part of it is left")
    func fullDisk() throws {
        let folder = TestFolder.url.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = OutputFolder(path: folder.path, replacesFiles: false)
        let fault = #expect(throws: Fault.self) {
            try output.write([(name: "A.swift", text: "struct A {}\n")]) { text, file, options in
                try text.prefix(4).write(to: file, options: options)
                throw POSIXError(.ENOSPC)
            }
        }
        #expect(fault?.kind == "unwritableFile" && fault?.message == "no space left")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("Files are replaced with their permissions and behind their links, and nothing is written if one cannot be")
    func replacedFiles() throws {
        let (files, folder) = (FileManager.default, TestFolder.url.appendingPathComponent(UUID().uuidString))
        defer { try? files.removeItem(at: folder) }
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
        func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }
        try "old".write(toFile: path("A.swift"), atomically: false, encoding: .utf8)
        try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path("A.swift"))
        try "old".write(toFile: path("behind"), atomically: false, encoding: .utf8)
        try files.createSymbolicLink(atPath: path("B.swift"), withDestinationPath: "behind")
        let output = OutputFolder(path: folder.path, replacesFiles: true)
        try files.createDirectory(atPath: path("C.swift"), withIntermediateDirectories: false)
        let names = ["A.swift", "B.swift", "C.swift"]
        let fault = #expect(throws: Fault.self) { try output.write(names.map { (name: $0, text: "new") }) }
        #expect(try fault?.message == "it is a folder" && text("A.swift") == "old" && text("behind") == "old")
        _ = try output.write(names.dropLast().map { (name: $0, text: "new") })
        #expect(try text("A.swift") == "new" && text("behind") == "new")
        #expect(try files.attributesOfItem(atPath: path("A.swift"))[.posixPermissions] as? Int == 0o640)
        #expect(try files.destinationOfSymbolicLink(atPath: path("B.swift")) == "behind")
        try files.createSymbolicLink(atPath: path("D.swift"), withDestinationPath: "nothing")
        let dangling = #expect(throws: Fault.self) { try output.write([(name: "D.swift", text: "new")]) }
        #expect(dangling?.message == "it is a link to nothing")
        let file = OutputFolder(path: path("A.swift"), replacesFiles: true)
        let noFolder = #expect(throws: Fault.self) { try file.write([(name: "E.swift", text: "new")]) }
        #expect(noFolder?.message == "it is not a folder")
    }
}
