import Foundation
import TestSupport
import Testing

@testable import JSONAPICommand

/// The pages here imitate the form of the specification's repository. The examples are our own, except in a clone of that repository.
@Suite("The examples of the specification")
struct StandardExampleTests {
    /// A run over the pages in a folder.
    private struct Run {
        let status: Int32
        let lines: [String]

        init(_ root: String) throws {
            var output = Data()
            let console = Console(terminal: .none, input: { Data() }, output: { output.append($0) }, error: { _ in })
            status = try StandardRun(root: root).run(in: console).rawValue
            try console.flush()
            lines = String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
    }

    @Test(
        "Every example in a clone of the specification's repository passes",
        .enabled(if: ProcessInfo.processInfo.environment["JSONAPI_STANDARD"] != nil))
    func clone() throws {
        let root = try #require(ProcessInfo.processInfo.environment["JSONAPI_STANDARD"])
        let run = try Run(root)
        #expect(run.status == 0, "\(run.lines.joined(separator: "\n"))")
    }

    private static let page = """
        ---
        title: Examples
        ---
        ## <a href="#one" id="one" class="headerlink"></a> The `data` Member

        A whole response, and the request for it:

        ```http
        GET /boats?fields[boats]=name&include=crew HTTP/1.1
        ```

        ```http
        HTTP/1.1 200 OK
        Content-Type: application/vnd.api+json

        {
          "data": [{"type": "boats", "id": "1", "attributes": {"name": "Http://x"}}],
          "included": [{"type": "sailors", "id": "2"}]
        }
        ```

        A part of a document, and members of an extension:

        ```json
        // ...
        {
          "type": "boats", "id": "1", // the rest is left out
          "attributes": {"name": "Ann"}
        }
        ```

        ```http
        HTTP/1.1 200 OK
        Content-Type: application/vnd.api+json;ext="https://example.com/ext/tide"

        {"data": {"type": "boats", "id": "1", "tide:level": 3}}
        ```

        ```json
        "links": {"self": "/boats/1", "related": "/boats/1/crew"}
        ```

        ### <a href="#two"></a> Requests

        ```http
        PATCH /boats/1/relationships/crew HTTP/1.1

        {"data": [{"type": "sailors", "id": "2"}]}
        ```

        ```http
        PATCH /boats/1 HTTP/1.1

        {"date": []}
        ```

        ```http
        HTTP/1.1 422 Unprocessable Content

        {"errors": [{"source": {"pointer": ""}}]}
        ```

        ```json
        {"data": {
          // ...
        }}
        ```
        """

    private func run(_ page: String) throws -> Run {
        let folder = TestFolder.url.appendingPathComponent(UUID().uuidString)
        let pages = folder.appendingPathComponent("_format/1.1")
        try FileManager.default.createDirectory(at: pages, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(page.utf8).write(to: pages.appendingPathComponent("index.md"))
        return try Run(folder.path)
    }

    @Test("Every example is decoded, encoded, and validated")
    func examples() throws {
        let run = try run(Self.page)
        #expect(
            run.lines == [
                "page                  section          examples  decoded  encoded  validated",
                "_format/1.1/index.md  The data Member         4        4        4          4",
                "_format/1.1/index.md  Requests                3        3        3          3",
                "total                                         7        7        7          7",
                "not checked: _format/1.1/index.md:64: it leaves something out",
                "",
            ])
        #expect(run.status == 0)
    }

    @Test("A failure has its page and line")
    func failures() throws {
        let run = try run("## Bad\n\n```json\n{\"data\": {\"id\": 1}}\n```\n")
        #expect(run.status == 1)
        #expect(run.lines.contains { $0.hasPrefix("_format/1.1/index.md:4: ") && $0.contains("resource-objects/type-required") })
    }

    private func total(_ run: Run) -> [Substring] {
        run.lines.first { $0.hasPrefix("total") }?.split(separator: " ") ?? []
    }

    @Test("A body to create has no id, and addresses in it are no comments")
    func creation() throws {
        let body = #"{"data": {"type": "photos", "attributes": {"src": "http://example.com/a.png"}}}"#
        let run = try run("## New\n\n```http\nPOST /photos HTTP/1.1\n\n\(body)\n```\n")
        #expect(total(run) == ["total", "1", "1", "1", "1"])
        #expect(run.status == 0)
    }

    @Test("An error object stands in a document of errors; the form that drafts gave its link is invalid")
    func errorObjects() throws {
        let run = try run(
            """
            ## Errors
            ```json
            {"status": "400", "links": {"type": "https://example.com/too-large"}}
            ```
            ```json
            {"status": "400", "links": {"type": ["https://example.com/too-large"]}}
            ```
            """)
        #expect(total(run) == ["total", "2", "2", "2", "2"])
        #expect(run.status == 0)
    }

    @Test("A block that is not JSON is named with the reason")
    func notJSON() throws {
        let run = try run("## Bad\n\n```json\n{\"links\": {\"prev\": \"/a\"\n\"next\": \"/b\"}}\n```\n")
        #expect(run.status == 0)
        #expect(run.lines.contains { $0.hasPrefix("not checked: _format/1.1/index.md:4: it is not JSON: ") })
    }

    @Test("A folder without pages is an error")
    func noPages() {
        let fault = #expect(throws: Fault.self) { try Run(TestFolder.url.appendingPathComponent(UUID().uuidString).path) }
        #expect(fault?.status == .unusable)
    }
}
