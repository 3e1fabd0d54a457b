import Foundation
import JSONText
import Testing

/// Compares the counts in the README's table of conformance cases with the files in `Conformance/`.
@Suite("The tables of the README")
struct ReadmeTables {
    /// The rows of the table, and the first parts of the rule identifiers that each row counts.
    private static let sections: [(name: String, parts: Set<String>)] = [
        (
            "Media types, extensions, profiles, negotiation, query parameters",
            ["media-type", "extensions", "profiles", "content-negotiation", "query-parameters"]
        ),
        ("Document structure", ["document-structure"]),
        ("Fetching data", ["fetching"]),
        ("Creating, updating, and deleting resources", ["crud"]),
        ("Errors", ["errors"]),
        ("Atomic Operations", ["atomic"]),
        ("Cursor Pagination", ["cursor-pagination"]),
    ]

    @Test("The README counts the cases of each section")
    func sectionCounts() throws {
        let readme = try text("README.md")
        let statements = try list("requirements.json")
        let broken = try list("invalid/index.json")
        for section in Self.sections {
            let inSection = statements.filter { section.parts.contains(Self.part(of: $0["id"])) }
            let rules = inSection.filter { $0["checkable_on_document"]?.bool == true }
            let cases = broken.filter { section.parts.contains(Self.part(of: $0["violates"])) }
            let row = "| \(section.name) | \(inSection.count) | \(rules.count) | \(cases.count) |"
            #expect(readme.contains(row), "README.md should have the row\n\(row)")
        }
        let known = Self.sections.reduce(into: Set<String>()) { $0.formUnion($1.parts) }
        #expect(Set(statements.map { Self.part(of: $0["id"]) }) == known, "a section of the standard has no row")
        #expect(readme.contains("lists the \(statements.count) statements of the standard"), "\(statements.count) statements")
    }

    @Test("The README counts the other cases")
    func otherCounts() throws {
        let readme = try text("README.md")
        let valid = try list("valid/index.json").count + list("sections/index.json").count
        let servers = try list("servers/index.json").count
        let texts = try list("text/index.json").count
        let headers =
            try conformance("urls.json").object?.filter { $0.name != "about" }.map { $0.value.array?.count ?? 0 }.reduce(0, +) ?? 0
        let sentence = """
            The suite also has \(valid) valid documents, \(servers) responses in the style of real servers, \(texts) JSON texts, and \
            \(headers) query strings, headers, and names.
            """
        #expect(readme.contains(sentence), "README.md should say\n\(sentence)")
    }

    /// The first part of a rule's identifier, which names the section.
    private static func part(of id: JSON?) -> String { id?.string?.split(separator: "/").first.map(String.init) ?? "" }

    private func text(_ name: String) throws -> String {
        try String(contentsOf: Repository.root.appendingPathComponent(name), encoding: .utf8)
    }

    private func conformance(_ name: String) throws -> JSON { try JSON(parsing: text("Conformance/\(name)")) }

    private func list(_ name: String) throws -> JSONArray { try #require(try conformance(name).array) }
}
