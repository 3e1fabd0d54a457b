#if os(Linux) || os(macOS)

    import Foundation
    import JSONAPICodec
    import Testing

    @testable import JSONAPIArchive

    /// A process that writes an archive is killed at a random moment, repeatedly and on the same file. `ARCHIVE_KILLS` sets the number of
    /// kills.
    @Suite("Archives whose writer is killed", .serialized)
    struct ArchiveKillTests {
        private var rounds: Int { ProcessInfo.processInfo.environment["ARCHIVE_KILLS"].flatMap { Int($0) } ?? 12 }

        @Test("No confirmed state is lost, and every file can be opened", arguments: ["commit", "compact", "replace"])
        func kills(mode: String) throws {
            let helper = try #require(Self.helper, "the helper is built beside the tests")
            try withFolder { folder in
                let url = folder.appendingPathComponent("archive")
                var last = 0
                for round in 0..<rounds {
                    let confirmed = try Self.run(helper, url, mode, waitsForOne: round == 0) ?? last
                    #expect(confirmed >= last, "round \(round)")
                    guard FileManager.default.fileExists(atPath: url.path) else {
                        #expect(confirmed == 0)
                        continue
                    }
                    let archive = try Archive(contentsOf: url)
                    let state = try archive.decodeIfPresent(Int.self, forKey: "state") ?? 0
                    #expect(state == confirmed || state == confirmed + 1, "round \(round)")
                    #expect(archive.verify().allSatisfy { $0.kind == .unfinishedCommit }, "round \(round): \(archive.verify())")
                    for number in 0..<(state > 0 ? 40 : 0) {
                        let text = try archive.resource(ResourceObject.self, .init(type: "notes", id: "\(number)"))?[attribute: "text"]?
                            .string
                        #expect(text?.hasPrefix("\(state - (state + number) % 7) ") == true, "round \(round)")
                    }
                    last = state
                }
                #expect(last > 0)
                // The next writer removes what the last one left.
                try ArchiveFile(url).commit { try $0.encode(true, forKey: "done") }
                #expect(try Archive(contentsOf: url).verify().isEmpty)
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["archive"])
            }
        }

        /// Starts the helper, kills it after a random time, and returns the last number that it confirmed.
        private static func run(_ helper: URL, _ url: URL, _ mode: String, waitsForOne: Bool) throws -> Int? {
            let process = Process()
            let output = Pipe()
            process.executableURL = helper
            process.arguments = [url.path, mode]
            process.standardOutput = output
            try process.run()
            // The time starts at the first line, so that starting the process does not use it up.
            var text = try output.fileHandleForReading.read(upToCount: 6) ?? Data()
            if waitsForOne { text += try output.fileHandleForReading.read(upToCount: 2) ?? Data() }
            usleep(.random(in: 0...15_000))
            kill(process.processIdentifier, SIGKILL)
            text += try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            return lines.compactMap { Int($0) }.last
        }

        private static var helper: URL? {
            let bundles = Bundle.allBundles.map(\.bundleURL) + [URL(fileURLWithPath: CommandLine.arguments[0])]
            let folders = bundles.flatMap { [$0, $0.deletingLastPathComponent()] }
            return folders.map { $0.appendingPathComponent("ArchiveKillHelper") }
                .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        }
    }

#endif
