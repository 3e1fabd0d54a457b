import JSONAPIValidation
import Testing

/// Cursor pagination: https://jsonapi.org/profiles/ethanresnick/cursor-pagination/
@Suite struct CursorRuleTests {
    private static func page(_ meta: String, links: String = #""prev": null, "next": null"#, item: String = "{}") -> String {
        #"{"links": {\#(links)}, "data": [{"type": "a", "id": "1", "meta": \#(item)}], "meta": {"page": \#(meta)}}"#
    }
    private static func relationship(_ links: String, data: String = "[]", name: String = "r") -> String {
        #"{"data": {"type": "a", "id": "1", "relationships": {"\#(name)": {"data": \#(data), "links": {\#(links)}}}}}"#
    }
    private static let base = "https://jsonapi.org/profiles/ethanresnick/cursor-pagination"
    private static func error(_ members: String) -> String { #"{"errors": [{"status": "400", \#(members)}]}"# }
    private static func errorCase(_ name: String) -> String { #"{"profiles": ["\#(base)"], "error_case": "\#(name)"}"# }

    static let pages = [
        RuleCase(
            "page as an array, of an item too", page("[]", item: #"{"page": 1}"#), context: Given.cursor(""),
            "cursor-pagination/document/page-object /data/0/meta/page", "cursor-pagination/document/page-object /meta/page"),
        RuleCase(
            "sizes of wrong kinds", page(#"{"total": "3", "estimatedTotal": 3}"#), context: Given.cursor(""),
            "cursor-pagination/document/total-integer /meta/page/total",
            "cursor-pagination/document/estimated-total-object /meta/page/estimatedTotal"),
        RuleCase(
            "integers in other spellings", page(#"{"total": 3.0, "estimatedTotal": {"bestGuess": 1.5e1}}"#), context: Given.cursor("")),
        RuleCase(
            "no integers in other spellings", page(#"{"total": 1e-1, "estimatedTotal": {"bestGuess": 1.25e1}}"#), context: Given.cursor(""),
            "cursor-pagination/document/total-integer /meta/page/total",
            "cursor-pagination/document/best-guess-integer /meta/page/estimatedTotal/bestGuess"),
        RuleCase(
            "a null cursor", page("{}", item: #"{"page": {"cursor": null}}"#), context: Given.cursor(""),
            "cursor-pagination/document/item-cursor-falls-on-item /data/0/meta/page/cursor"),
        RuleCase("total means nothing for an item", page("{}", item: #"{"page": {"total": "x"}}"#), context: Given.cursor("")),
        RuleCase(
            "both links missing", page("{}", links: ""), context: Given.cursor(""),
            "cursor-pagination/document/prev-and-next-links /links"),
        RuleCase(
            "more items than asked for",
            #"{"links": {"prev": null, "next": null}, "data": [{"type": "a", "id": "1"}, {"type": "a", "id": "2"}]}"#,
            context: Given.cursor(#""query": "page[size]=1""#), "cursor-pagination/page-size/item-count /data"),
        RuleCase(
            "a link back from the first page", page("{}", links: #""prev": "/p", "next": null"#),
            context: Given.cursor(#""query": "page[size]=5""#),
            "cursor-pagination/document/prev-null /links/prev"),
        RuleCase(
            "a link back from the page of a request without a query", page("{}", links: #""prev": "/p", "next": null"#),
            context: Given.cursor(""), "cursor-pagination/document/prev-null /links/prev"),
        RuleCase(
            "a link back from behind a cursor", page("{}", links: #""prev": "/p", "next": null"#),
            context: Given.cursor(#""query": "page%5Bafter%5D=x""#)),
        RuleCase(
            "a link on from the last page", page("{}", links: #""prev": null, "next": {"href": "/n"}"#),
            context: Given.cursor(#""last_page": true"#),
            "cursor-pagination/document/next-null /links/next"),
        RuleCase(
            "a link on from the last page before a cursor", page("{}", links: #""prev": null, "next": "/n""#),
            context: Given.cursor(#""last_page": true, "query": "page[before]=x""#)),
        RuleCase(
            "a link on from a page that is not full", page("{}", links: #""prev": null, "next": "/n""#),
            context: Given.cursor(#""query": "page[size]=2""#), "cursor-pagination/document/next-null /links/next"),
        RuleCase(
            "a link on from a full page", page("{}", links: #""prev": null, "next": "/n""#),
            context: Given.cursor(#""query": "page[size]=1""#)),
        RuleCase(
            "a link on from a page behind a cursor that is not full", page("{}", links: #""prev": "/p", "next": "/n""#),
            context: Given.cursor(#""query": "page[after]=x&page[size]=2""#), "cursor-pagination/document/next-null /links/next"),
        RuleCase(
            "a link on from a page before a cursor that is not full", page("{}", links: #""prev": null, "next": "/n""#),
            context: Given.cursor(#""query": "page[before]=x&page[size]=2""#)),
        RuleCase(
            "a link on from a page of the server's size", page("{}", links: #""prev": null, "next": "/n""#),
            context: Given.cursor(#""query": "page[size]""#)),
        RuleCase(
            "a range cut off without a word", #"{"links": {"prev": null, "next": null}, "data": []}"#,
            context: Given.cursor(#""range_truncated": true"#),
            "cursor-pagination/range/range-truncated "),
        RuleCase(
            "a range cut off, with other meta", #"{"links": {"prev": null, "next": null}, "data": [], "meta": {"n": 1}}"#,
            context: Given.cursor(#""range_truncated": true"#),
            "cursor-pagination/range/range-truncated /meta"),
        RuleCase("without the profile nothing is asked", page("1", links: "", item: #"{"page": {"cursor": 1}}"#)),
        RuleCase("one resource is no page", #"{"data": {"type": "a", "id": "1"}}"#, context: Given.cursor("")),
        RuleCase(
            "a query for a page makes one", #"{"data": []}"#, context: #"{"profiles": ["\#(base)"], "query": "page[size]=1"}"#,
            "cursor-pagination/document/prev-and-next-links "),
    ]

    private static let links = "cursor-pagination/document/prev-and-next-links /data/relationships/r/links"

    static let relationships = [
        RuleCase("only a link on", relationship(#""self": "/r", "next": "/n""#), context: Given.cursor(""), links),
        RuleCase("only a link back", relationship(#""prev": "/p""#), context: Given.cursor(""), links),
        RuleCase("only the first page", relationship(#""first": "/f""#), context: Given.cursor(""), links),
        RuleCase("both", relationship(#""prev": null, "next": "/n""#), context: Given.cursor("")),
        RuleCase("no page", relationship(#""self": "/r", "related": "/a""#), context: Given.cursor("")),
        RuleCase("no links", relationship(""), context: Given.cursor("")),
        RuleCase("no other page", relationship(#""self": "/r", "next": null"#), context: Given.cursor("")),
        RuleCase(
            "no collection", relationship(#""next": "/n""#, data: "null"), context: Given.cursor(""),
            "~fetching/pagination/links-location /data/relationships/r/links/next"),
        RuleCase("an @-member", relationship(#""next": "/n""#, name: "@r"), context: Given.cursor("")),
        RuleCase("another profile", relationship(#""next": "/n""#)),
        RuleCase(
            "of an included resource",
            #"""
            {"data": {"type": "a", "id": "1", "relationships": {"b": {"data": {"type": "b", "id": "1"}}}},
             "included": [{"type": "b", "id": "1", "relationships": {"r": {"data": [], "links": {"self": "/r", "next": "/n"}}}}]}
            """#, context: Given.cursor(""), "cursor-pagination/document/prev-and-next-links /included/0/relationships/r/links"),
    ]

    static let errors = [
        RuleCase(
            "an unsupported sort", error(#""source": {"parameter": "sort"}, "links": {"type": "\#(base)/unsupported-sort"}"#), as: .error,
            context: errorCase("unsupported-sort")),
        RuleCase(
            "another parameter", error(#""source": {"parameter": "order"}, "links": {"type": {"href": "\#(base)/unsupported-sort"}}"#),
            as: .error,
            context: errorCase("unsupported-sort"), "cursor-pagination/errors/unsupported-sort/error-object /errors/0/source/parameter"),
        RuleCase(
            "no type link", error(#""source": {"parameter": "sort"}"#), as: .error, context: errorCase("unsupported-sort"),
            "cursor-pagination/errors/unsupported-sort/error-object /errors/0"),
        RuleCase(
            "a maximum as text",
            error(
                #""source": {"parameter": "page[size]"}, "meta": {"page": {"maxSize": "9"}}, "links": {"type": "\#(base)/max-size-exceeded"}"#
            ), as: .error,
            context: errorCase("max-size"), "cursor-pagination/errors/max-size/error-object /errors/0/meta/page/maxSize"),
        RuleCase(
            "another type link", error(#""links": {"type": "\#(base)/range"}"#), as: .error, context: errorCase("range-not-supported"),
            "cursor-pagination/errors/range-not-supported/error-object /errors/0/links/type"),
        RuleCase(
            "no parameter named", error(#""title": "x""#), as: .error, context: errorCase("invalid-parameter"),
            "cursor-pagination/errors/invalid-parameter/400 /errors/0"),
        RuleCase(
            "one of several errors is enough",
            #"{"errors": [{"status": "400"}, {"status": "400", "source": {"parameter": "page[size]"}}]}"#, as: .error,
            context: errorCase("invalid-parameter")),
        RuleCase(
            "no error at all", #"{"errors": []}"#, as: .error, context: errorCase("max-size"),
            "cursor-pagination/errors/max-size/error-object /errors"),
    ]

    @Test("The parameter `page` without brackets makes a page, too") func bareParameter() throws {
        try RuleCase(
            "page=2", #"{"data": []}"#, context: #"{"profiles": ["\#(Self.base)"], "query": "page=2"}"#,
            "cursor-pagination/document/prev-and-next-links "
        ).check()
    }

    @Test(arguments: pages) func reportsPageRules(_ example: RuleCase) throws { try example.check() }

    @Test(arguments: relationships) func reportsPagesInRelationships(_ example: RuleCase) throws { try example.check() }

    @Test(arguments: errors) func reportsErrorRules(_ example: RuleCase) throws { try example.check() }
}
