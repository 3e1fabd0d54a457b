import Foundation

/// A page of the specification's repository, in Markdown, as a list of code blocks.
struct StandardPage {
    /// A code block with the heading above it.
    struct Block {
        /// The heading of level two to four above the block, without markup.
        let section: String
        /// The number of the block's first line, from 1.
        let line: Int
        /// The lines between the fences.
        let lines: [String]
    }

    /// The path below the root of the repository.
    let path: String
    let blocks: [Block]

    /// Reads a page.
    ///
    /// - Complexity: O(n), n = bytes.
    init(path: String, text: String) {
        self.path = path
        var blocks: [Block] = []
        var section = ""
        var open: (line: Int, lines: [String])?
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if trimmed.hasPrefix("```") {
                if let block = open { blocks.append(Block(section: section, line: block.line, lines: block.lines)) }
                open = open == nil ? (number + 2, []) : nil
            } else if open != nil {
                open?.lines.append(String(line))
            } else if line.hasPrefix("## ") || line.hasPrefix("### ") || line.hasPrefix("#### ") {
                section = Self.plain(line.drop { $0 == "#" })
            }
        }
        self.blocks = blocks
    }

    /// A heading without tags and code marks.
    private static func plain(_ heading: Substring) -> String {
        var (text, isTag) = ("", false)
        for character in heading {
            switch character {
            case "<": isTag = true
            case ">": isTag = false
            case "`": break
            default: if !isTag { text.append(character) }
            }
        }
        return text.trimmingCharacters(in: .whitespaces)
    }
}

extension StandardPage {
    /// The folders of the repository whose pages have examples of version 1.1.
    static let folders = ["_format/1.1", "ext", "_profiles", "examples", "recommendations"]

    /// The paths of the pages below a folder, in order.
    static func paths(in root: String) -> [String] {
        folders.flatMap { folder in
            let url = URL(fileURLWithPath: root).appendingPathComponent(folder)
            let names = (try? FileManager.default.subpathsOfDirectory(atPath: url.path)) ?? []
            return names.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
        }
    }
}
