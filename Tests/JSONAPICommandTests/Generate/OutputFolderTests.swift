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
}
