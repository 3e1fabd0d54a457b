import Foundation
import Testing

/// A page of a documentation catalog: its Swift samples, and the JSON that they use.
struct DocumentationPage: Sendable, CustomTestStringConvertible {
    let url: URL
    let text: String

    /// The page with the given name, in any catalog.
    static func named(_ name: String) throws -> DocumentationPage {
        guard let page = try all().first(where: { $0.url.lastPathComponent == "\(name).md" }) else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "\(name).md"])
        }
        return page
    }

    /// Every page of every catalog, by path.
    static func all() throws -> [DocumentationPage] {
        try Repository.files(in: "Sources", withExtension: "md").filter { $0.path.contains(".docc/") }.map {
            DocumentationPage(url: $0, text: try String(contentsOf: $0, encoding: .utf8))
        }
    }

    var testDescription: String { url.lastPathComponent }

    /// The Swift samples, in order.
    var samples: [String] { blocks(of: "swift") }

    /// The JSON texts, in order.
    var documents: [Data] { blocks(of: "json").map { Data($0.utf8) } }

    private func blocks(of language: String) -> [String] {
        var blocks: [String] = []
        var lines: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let open = lines {
                lines = line == "```" ? nil : open + [line]
                if line == "```" { blocks.append(open.joined(separator: "\n")) }
            } else if line == "```\(language)" {
                lines = []
            }
        }
        return blocks
    }
}

/// The files of this repository.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The files below a folder, by path.
    static func files(in folder: String, withExtension type: String) throws -> [URL] {
        let folder = root.appendingPathComponent(folder)
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().map { folder.appendingPathComponent($0) }
            .filter { $0.pathExtension == type }
    }
}
