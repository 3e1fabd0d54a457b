import Foundation

/// What mutations start from: the files of `Conformance/`, in the order of their names.
struct FuzzCorpus {
    /// Documents and other JSON texts.
    let documents: [[UInt8]]
    let archives: [[UInt8]]
    /// Texts of queries, media types, templates.
    let queries: [[UInt8]]
    let mediaTypes: [[UInt8]]
    let templates: [[UInt8]]

    private static let largestSeed = 6000

    init(_ folder: URL) throws {
        var documents: [[UInt8]] = []
        var archives: [[UInt8]] = []
        var queries: [[UInt8]] = []
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        for path in paths where path.hasSuffix(".json") || path.hasSuffix(".jsonarchive") {
            let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(path)))
            if path.hasSuffix(".jsonarchive") {
                archives.append(bytes)
            } else if path == "urls.json" {
                queries = Self.texts(bytes)
            } else if bytes.count <= Self.largestSeed {
                documents.append(bytes)
            }
        }
        guard !documents.isEmpty else { throw FuzzFinding("no seeds in \(folder.path)") }
        self.documents = documents
        self.archives = archives
        self.queries = queries + ["include=a.b,c&fields%5Ba%5D=x,y&sort=-a,b&page[number]=2&filter[a]=b+c"].map { Array($0.utf8) }
        mediaTypes = [
            "application/vnd.api+json", "application/vnd.api+json; ext=\"https://jsonapi.org/ext/atomic https://e.com/e\"",
            "application/vnd.api+json;profile=\"http://example.com/a b\";q=0.5, text/html", "*/*;q=0.1, application/vnd.api+json; charset=utf-8",
        ].map { Array($0.utf8) }
        templates = ["/people/{people.id}/{a}{b}", "http://example.com/{post.id}?x={c}", "{}", "{+a}", "/plain"].map { Array($0.utf8) }
    }

    /// All strings of a JSON text.
    private static func texts(_ bytes: [UInt8]) -> [[UInt8]] {
        bytes.split(separator: UInt8(ascii: "\"")).filter { $0.count > 2 && $0.count < 300 }.map { Array($0) }
    }

    /// Words that mean something in a document, as JSON.
    static let words: [[UInt8]] = [
        "data", "included", "errors", "meta", "links", "jsonapi", "type", "id", "lid", "attributes", "relationships", "self", "related",
        "first", "last", "prev", "next", "href", "rel", "describedby", "title", "detail", "status", "code", "source", "pointer", "parameter",
        "version", "ext", "profile", "articles", "people", "comments", "1", "9", "", "author", "atomic:operations", "atomic:results", "op",
        "add", "update", "remove", "ref", "@context", "name", "body", "e\\u0301", "é", "a/b~c", "\\ud83d\\ude00", "\\ud800", "\\u0000",
        "2024-02-30T25:61:61Z", "2020-01-01T00:00:00.123Z", "http://[", "id.type",
    ].map { Array("\"\($0)\"".utf8) }

    static let values: [[UInt8]] =
        words
        + [
            "null", "true", "false", "{}", "[]", "0", "-0", "1", "-1", "1.5", "1e400", "-1e-400", "9007199254740993",
            "9223372036854775808", "18446744073709551616", "01", "1.", ".5", "1e", "NaN", "[null]", "[[]]", "{\"a\":1,\"a\":2}", "tru",
            "{\"type\":\"people\",\"id\":\"9\"}", "[{\"type\":\"people\",\"id\":\"9\"},{\"type\":\"people\",\"id\":\"9\"}]",
            "{\"data\":null}", "{\"data\":[]}", "{\"data\":{\"type\":\"people\",\"id\":\"9\"}}", "{\"links\":{\"self\":\"/x\"}}",
            "{\"type\":\"articles\",\"id\":\"1\",\"attributes\":{\"title\":\"T\"}}",
        ].map { Array($0.utf8) }
}
