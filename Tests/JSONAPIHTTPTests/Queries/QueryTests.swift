import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONText
import Testing

@Suite("Queries")
struct QueryTests {
    static let query = Query(
        include: ["author", "comments.author"], fields: ["people": ["name"], "articles": ["title", "author"]],
        sort: ["-published", "title"],
        page: ["size": "10"], filter: ["tags": "swift,json"], parameters: ["camelCase": "1+1", "version:at": "2024-01-01"])

    @Test("A query is printed in the order of its parts")
    func printing() {
        #expect(
            Self.query.description == """
                include=author,comments.author&fields[people]=name&fields[articles]=title,author&sort=-published,title\
                &page[size]=10&filter[tags]=swift,json&camelCase=1%2B1&version:at=2024-01-01
                """)
        #expect(
            Self.query.percentEncoded == """
                include=author,comments.author&fields%5Bpeople%5D=name&fields%5Barticles%5D=title,author&sort=-published,title\
                &page%5Bsize%5D=10&filter%5Btags%5D=swift,json&camelCase=1%2B1&version%3Aat=2024-01-01
                """)
    }

    @Test("The order of setting or parsing parts does not matter")
    func order() {
        var query = Query()
        query["version:at"] = "2024-01-01"
        query.filter["tags"] = "swift,json"
        query.page["size"] = "10"
        query["sort"] = "-published,title"
        query.fields = ["people": ["name"], "articles": ["title", "author"]]
        query.include = ["author", "comments.author"]
        query["camelCase"] = "1+1"
        query["version:at"] = nil
        query["version:at"] = "2024-01-01"
        #expect(query == Self.query)
        #expect(
            Query(parsing: "camelCase=1%2B1&sort=-published,title&include=author")
                == Query(include: ["author"], sort: ["-published", "title"], parameters: ["camelCase": "1+1"]))
    }

    @Test("Calls can be chained")
    func builders() {
        let query = Query()
            .including("author", "comments.author")
            .fields(of: Blog.Article.self, ["title", "author"])
            .fields(of: Blog.Person.self, [])
            .sorted(by: .descending("published"), "title")
            .page("size", 10)
            .filter("author", "12")
        #expect(
            query.description == """
                include=author,comments.author&fields[articles]=title,author&fields[people]=&sort=-published,title&page[size]=10&filter[author]=12
                """)
        #expect(query.fields[Blog.Article.self] == ["title", "author"])
    }

    @Test("Absent and empty lists differ")
    func absentAndEmpty() {
        let absent = Query(parsing: "")
        #expect(absent.include == nil)
        #expect(absent.sort == nil)
        #expect(absent.fields["articles"] == nil)
        #expect(absent.isEmpty)
        #expect(absent == Query())

        let empty = Query(parsing: "include=&fields[articles]=&sort")
        #expect(empty.include == [])
        #expect(empty.sort == [])
        #expect(empty.fields["articles"] == [])
        #expect(empty == Query(include: [], fields: ["articles": []], sort: []))
        #expect(empty.description == "include=&fields[articles]=&sort=")
    }

    @Test(
        "Lists are split after decoding",
        arguments: ["include=a%2Cb.c", "include=a,b.c", "include=a&include=b.c", "include=a&include&include=b%2ec"])
    func lists(text: String) {
        #expect(Query(parsing: text).include == ["a", "b.c"])
    }

    @Test("Other parameters can repeat")
    func repetitions() {
        var query = Query(parsing: "filter[id][]=1&page[size]=2&filter[id][]=3&x2=1&x2=2")
        #expect(query.filter.values("id", "") == ["1", "3"])
        #expect(query.filter["id", ""] == "1")
        #expect(query.parameters.map(\.description) == ["page[size]=2", "filter[id][]=1", "filter[id][]=3", "x2=1", "x2=2"])
        query.filter["id", ""] = "9"
        query["x2"] = nil
        #expect(query.description == "page[size]=2&filter[id][]=9")
    }

    @Test("Members of a family are accessed by the name in brackets")
    func families() {
        let filter = Query(parsing: "filter=x&filter[a]=1&filter[]=2&filter[a][]=3&filter[a][b]=5&filter[a.b]=6").filter
        #expect(filter.value == "x")
        #expect(filter["a"] == "1")
        #expect(filter[""] == "2")
        #expect(filter["a", ""] == "3")
        #expect(filter["a", "b"] == "5")
        #expect(filter["a.b"] == "6")
        #expect(filter["b"] == nil)
        #expect(filter.map(\.path) == [[], ["a"], [""], ["a", ""], ["a", "b"], ["a.b"]])
    }

    @Test("A path includes its beginnings")
    func includes() {
        let query = Query(include: ["comments.author", "tag"])
        #expect(query.includes("comments") && query.includes("comments.author") && query.includes("tag"))
        #expect(!query.includes("comment") && !query.includes("author") && !query.includes("tag.x") && !query.includes("tags"))
        #expect(!Query().includes("comments"))
    }

    @Test("Composed and decomposed letters are different names")
    func bytes() {
        let query = Query(parsing: "fields[caf\u{E9}]=a&fields[cafe\u{301}]=b&filter[\u{E9}]=1")
        #expect(query.fields.count == 2)
        #expect(query.fields["cafe\u{301}"] == ["b"])
        #expect(query.filter["e\u{301}"] == nil)
        #expect(Query(include: ["\u{E9}"]) != Query(include: ["e\u{301}"]))
        #expect(Query(parsing: "include=a,\u{301}b").include == ["a", "\u{301}b"])
    }

    @Test("Sort fields have a direction; only the first hyphen counts")
    func sorting() {
        let sort = Query(parsing: "sort=-first-name,--x,-").sort
        #expect(sort?.map(\.field) == ["first-name", "-x", ""])
        #expect(sort?.map(\.direction) == [.descending, .descending, .descending])
        #expect(SortField.ascending("title") == "title")
    }

    @Test("Dictionaries convert to fieldsets in the order of types")
    func fieldsets() {
        let dictionary = ["b": ["x"], "a": ["y", "z"]]
        let fields = Fieldsets(dictionary)
        #expect(fields.map(\.type) == ["a", "b"])
        #expect(fields.dictionary == dictionary)
        #expect(Query(fields: fields).fields == fields)
    }
}

@Suite("Queries and URLs")
struct QueryURLTests {
    @Test(
        "A query is appended to a URL",
        arguments: [
            ("https://example.com/articles", "https://example.com/articles?page%5Bsize%5D=a%26b%20%2B"),
            ("https://example.com/articles?", "https://example.com/articles?page%5Bsize%5D=a%26b%20%2B"),
            ("https://example.com/articles?x2=1#top", "https://example.com/articles?x2=1&page%5Bsize%5D=a%26b%20%2B#top"),
            ("/articles", "/articles?page%5Bsize%5D=a%26b%20%2B"),
        ])
    func appending(before: String, after: String) throws {
        let query = Query(page: ["size": "a&b +"])
        let url = query.appending(to: try #require(URL(string: before)))
        #expect(url.absoluteString == after)
        #expect(Query(of: url).page == query.page)
    }

    @Test("A query replaces the query of a URL")
    func replacing() throws {
        let url = try #require(URL(string: "https://example.com/articles?page%5Bsize%5D=2&filter%5bx%5d=%2B"))
        var query = Query(of: url)
        #expect(query.filter["x"] == "+")
        query.page["after"] = "abc="
        #expect(
            query.replacingQuery(of: url).absoluteString
                == "https://example.com/articles?page%5Bsize%5D=2&page%5Bafter%5D=abc%3D&filter%5Bx%5D=%2B")
        #expect(Query().replacingQuery(of: url).absoluteString == "https://example.com/articles")
        #expect(Query().appending(to: url) == url)
    }

    @Test("Query items work with URLComponents")
    func items() throws {
        let query = Query(include: ["a", "b"], filter: ["x": "1 + 1 = 2 & ü"])
        var components = try #require(URLComponents(string: "https://example.com"))
        components.percentEncodedQueryItems = query.percentEncodedQueryItems
        #expect(Query(of: try #require(components.url)) == query)
        components.percentEncodedQuery = query.percentEncoded
        #expect(Query(of: try #require(components.url)) == query)
        #expect(query.queryItems == [URLQueryItem(name: "include", value: "a,b"), URLQueryItem(name: "filter[x]", value: "1 + 1 = 2 & ü")])
    }
}
