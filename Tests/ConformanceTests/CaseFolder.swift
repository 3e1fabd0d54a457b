import Foundation
import JSONText

/// A folder of cases: an index, and the files it names.
struct CaseFolder {
    /// The last component of the path, such as `valid` or `text`.
    let name: String
    let url: URL
    let entries: [CaseEntry]

    init(_ url: URL) throws {
        self.url = url
        name = url.lastPathComponent
        let index = try JSON(parsing: Data(contentsOf: url.appendingPathComponent("index.json")))
        guard let array = index.array else { throw Unusable("index.json is no array") }
        var entries: [CaseEntry] = []
        for value in array {
            guard let members = value.object, let file = members["file"]?.string else { throw Unusable("an entry names no file") }
            entries.append(CaseEntry(folder: name, file: file, url: url.appendingPathComponent(file), members: members))
        }
        if entries.isEmpty { throw Unusable("index.json is empty") }
        self.entries = entries
    }

    /// The files that the index does not name.
    func unlistedFiles() throws -> [String] {
        let listed = Set(entries.map(\.file)).union(["index.json"])
        return try FileManager.default.contentsOfDirectory(atPath: url.path)
            .filter { $0.hasSuffix(".json") && !listed.contains($0) }.sorted()
    }

    struct Unusable: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}

extension CaseFolder {
    /// The folders of this repository, which must exist.
    static let ownNames = ["text", "valid", "sections", "invalid", "servers"]

    static var root: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Conformance")
    }

    /// The folders of this repository and those in `CONFORMANCE_CASES`. A folder without an index means its subfolders that have one.
    static func all() -> [URL] {
        let more = ProcessInfo.processInfo.environment["CONFORMANCE_CASES", default: ""].split(separator: ":")
        return ownNames.map { root.appendingPathComponent($0) } + more.flatMap { indexed(URL(fileURLWithPath: String($0))) }
    }

    private static func indexed(_ url: URL) -> [URL] {
        let files = FileManager.default
        func hasIndex(_ url: URL) -> Bool { files.fileExists(atPath: url.appendingPathComponent("index.json").path) }
        if hasIndex(url) { return [url] }
        let names = (try? files.contentsOfDirectory(atPath: url.path).sorted()) ?? []
        let found = names.map { url.appendingPathComponent($0) }.filter(hasIndex)
        return found.isEmpty ? [url] : found
    }
}

/// One file and what its index says about it.
struct CaseEntry {
    let folder: String
    let file: String
    let url: URL
    let members: JSONObject

    var name: String { "\(folder)/\(file)" }

    subscript(member: String) -> JSON? { members[member] }

    /// The form of the index, which its fields show.
    var form: Form? {
        if members.contains(name: "violates") { return .invalid }
        if members.contains(name: "row") { return .servers }
        if members.contains(name: "verdict") { return .text }
        if members.contains(name: "fragment_of") { return .fragment }
        return members.contains(name: "expect") ? .valid : nil
    }

    enum Form { case text, valid, fragment, invalid, servers }

    func bytes() throws -> Data { try Data(contentsOf: url) }

    /// The place of the finding, and the other acceptable places.
    func pointers() throws -> [JSONPointer] {
        guard let pointer = self["pointer"]?.string else { throw CaseFolder.Unusable("no pointer") }
        let others = self["pointer_alternatives"]?.array?.compactMap(\.string) ?? []
        return try ([pointer] + others).map { try JSONPointer(parsing: $0) }
    }
}

extension CaseEntry {
    /// Whether the document is invalid and names no rule, like some examples of the specification. There is nothing to check then.
    var isSkipped: Bool { form == .valid && self["valid"]?.bool == false }
}
