import Foundation

/// The inputs for mutations: the files of `Conformance/`, in the order of their names.
package struct FuzzCorpus {
    /// Documents and other JSON texts.
    package let documents: [[UInt8]]
    /// Documents of the fuzz models, and other valid documents.
    package let sound: [[UInt8]]
    package let archives: [[UInt8]]
    /// Texts of queries, media types, and templates.
    package let queries: [[UInt8]]
    package let mediaTypes: [[UInt8]]
    package let templates: [[UInt8]]

    private static let largestSeed = 6000

    init(_ folder: URL) throws {
        var documents: [[UInt8]] = []
        var archives: [[UInt8]] = []
        var sound: [[UInt8]] = []
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
                if ["valid/", "sections/"].contains(where: path.hasPrefix) { sound.append(bytes) }
            }
        }
        guard !documents.isEmpty else { throw FuzzFinding("no seeds in \(folder.path)") }
        self.documents = documents + Self.blogs
        // Half of them are documents of the models.
        self.sound = sound + [[[UInt8]]](repeating: Self.blogs, count: max(sound.count / Self.blogs.count, 1)).joined()
        self.archives = archives
        self.queries = queries + ["include=a.b,c&fields%5Ba%5D=x,y&sort=-a,b&page[number]=2&filter[a]=b+c"].map { Array($0.utf8) }
        mediaTypes = [
            "application/vnd.api+json", "application/vnd.api+json; ext=\"https://jsonapi.org/ext/atomic https://e.com/e\"",
            "application/vnd.api+json;profile=\"http://example.com/a b\";q=0.5, text/html",
            "*/*;q=0.1, application/vnd.api+json; charset=utf-8",
        ].map { Array($0.utf8) }
        templates = ["/people/{people.id}/{a}{b}", "http://example.com/{post.id}?x={c}", "{}", "{+a}", "/plain"].map { Array($0.utf8) }
    }

    /// Documents that the fuzz models read, with every kind of relationship.
    private static let blogs: [[UInt8]] = [
        #"""
        {"data":[{"type":"articles","id":"1","attributes":{"title":"One","body":"b","created":"2024-01-02T03:04:05Z","count":7,"rating":1.5,
        "tags":["a","b"],"url":"http://example.com/a?b=c"},"relationships":{"author":{"data":{"type":"people","id":"9"},"links":{"self":"/x"}},
        "comments":{"data":[{"type":"comments","id":"5"},{"type":"comments","id":"6"}]}},"meta":{"n":1}},{"type":"articles","id":"2",
        "relationships":{"author":{"data":null},"comments":{"data":[]}}},{"type":"articles","id":"3","relationships":{"author":{
        "links":{"related":"/a"}}}}],"included":[{"type":"people","id":"9","attributes":{"name":"Dan","firstName":"D"},"relationships":{
        "articles":{"data":[{"type":"articles","id":"1"},{"type":"articles","id":"2"}]}}},{"type":"comments","id":"5","attributes":{"body":"x"},
        "relationships":{"author":{"data":{"type":"people","id":"9"}}},"links":{"self":"/c"}},{"type":"comments","id":"6","relationships":{
        "author":{"data":{"type":"people","id":"8"}}}},{"type":"people","id":"8","attributes":{"name":"Eve"}}],"links":{"self":"/articles",
        "next":null},"meta":{"total":3},"jsonapi":{"version":"1.1"}}
        """#,
        #"""
        {"data": [{"type": "people", "id": "9", "attributes": {"name": "Dän \u00e9\ud83d\ude00"}, "relationships": {"articles": {"data": [
          {"type": "articles", "id": "1", "meta": {"a": 1}}]}}}, {"type": "teams", "id": "4", "attributes": {"x": [1, {"y": 2.50}]}}],
         "included": [{"type": "articles", "id": "1", "attributes": {"title": "T", "type": "essay"}, "relationships": {"author": {"data":
          {"type": "people", "id": "9"}}}}]}
        """#,
        #"""
        {"data":{"type":"articles","id":"7","attributes":{"title":"Seven","nested":{"a":[1,null]}},"relationships":{"author":{"data":{"type":
        "people","id":"1"}}}},"included":[{"type":"people","id":"1"}]}
        """#,
        #"{"data":[{"type":"comments","id":"1","attributes":{"body":"b"},"relationships":{"author":{"data":{"type":"people","id":"2"}}}}]}"#,
    ].map { Array($0.utf8) }

    /// All strings of a JSON text.
    private static func texts(_ bytes: [UInt8]) -> [[UInt8]] {
        bytes.split(separator: UInt8(ascii: "\"")).filter { $0.count > 2 && $0.count < 300 }.map { Array($0) }
    }

    /// Words with a meaning in a document, as JSON.
    package static let words: [[UInt8]] = [
        "data", "included", "errors", "meta", "links", "jsonapi", "type", "id", "lid", "attributes", "relationships", "self", "related",
        "first", "last", "prev", "next", "href", "rel", "describedby", "title", "detail", "status", "code", "source", "pointer",
        "parameter",
        "version", "ext", "profile", "articles", "people", "comments", "1", "9", "", "author", "atomic:operations", "atomic:results", "op",
        "add", "update", "remove", "ref", "@context", "name", "body", "e\\u0301", "é", "a/b~c", "\\ud83d\\ude00", "\\ud800", "\\u0000",
        "2024-02-30T25:61:61Z", "2020-01-01T00:00:00.123Z", "http://[", "id.type",
    ].map { Array("\"\($0)\"".utf8) }

    package static let values: [[UInt8]] =
        words
        + [
            "null", "true", "false", "{}", "[]", "0", "-0", "1", "-1", "1.5", "1e400", "-1e-400", "9007199254740993",
            "9223372036854775808", "18446744073709551616", "01", "1.", ".5", "1e", "NaN", "[null]", "[[]]", "{\"a\":1,\"a\":2}", "tru",
            "{\"type\":\"people\",\"id\":\"9\"}", "[{\"type\":\"people\",\"id\":\"9\"},{\"type\":\"people\",\"id\":\"9\"}]",
            "{\"data\":null}", "{\"data\":[]}", "{\"data\":{\"type\":\"people\",\"id\":\"9\"}}", "{\"links\":{\"self\":\"/x\"}}",
            "{\"type\":\"articles\",\"id\":\"1\",\"attributes\":{\"title\":\"T\"}}",
        ].map { Array($0.utf8) }
}
