import JSONAPICodec
import JSONAPIHTTP
import JSONText
import Testing

@Suite("Cursor pagination")
struct CursorPaginationTests {
    @Test("Parameters are created and parsed")
    func parameters() {
        var query = Query(sort: ["title"], page: ["offset": "1"])
        query.cursorPage = CursorPage(size: 20, after: "a+b=")
        #expect(query.percentEncoded == "sort=title&page%5Boffset%5D=1&page%5Bsize%5D=20&page%5Bafter%5D=a%2Bb%3D")
        #expect(query.cursorPage == CursorPage(size: 20, after: "a+b="))
        query.cursorPage.before = "c"
        #expect(query.cursorPage.isRange)
        query.cursorPage = CursorPage()
        #expect(query.description == "sort=title&page[offset]=1")
    }

    @Test(
        "A size must be a positive integer",
        arguments: [
            ("1", 1), ("007", 7), ("100", 100), ("0", nil), ("-1", nil), ("+1", nil), ("1.0", nil), ("1e2", nil), (" 10", nil), ("", nil),
            ("١", nil),
            ("0x10", nil),
        ] as [(String, Int?)])
    func sizes(text: String, size: Int?) throws {
        let query = Query(page: ["size": text])
        let rules = CursorRules(defaultSize: 20, maximumSize: 100)
        #expect(query.cursorPage.size == size)
        #expect(rules.problems(of: query) == (size == nil ? [.invalidValue(parameter: "page[size]")] : []))
    }

    @Test("A size over the maximum is an error that names the maximum", arguments: ["101", "99999999999999999999999999"])
    func maximum(text: String) throws {
        let query = Query(page: ["size": text])
        let rules = CursorRules(defaultSize: 20, maximumSize: 100)
        let document = try #require(#expect(throws: ErrorDocument.self) { try rules.page(of: query) })
        #expect(
            document.errors.map(\.json) == [
                [
                    "links": ["type": "https://jsonapi.org/profiles/ethanresnick/cursor-pagination/max-size-exceeded"], "status": "400",
                    "title": "Page Size Too Large", "detail": "A page has at most 100 items.", "source": ["parameter": "page[size]"],
                    "meta": ["page": ["maxSize": 100]],
                ]
            ])
        #expect(document.errors.first.flatMap(CursorProblem.init) == .maximumSizeExceeded(maximum: 100))
        #expect(CursorRules(defaultSize: 20).problems(of: Query(page: ["size": "101"])) == [])
    }

    @Test("An estimated total keeps its other members when the guess changes")
    func bestGuess() {
        var meta = CursorMeta(members: ["estimatedTotal": ["low": 1, "bestGuess": 5, "high": 9]])
        meta.bestGuess = 6
        #expect(meta.members == ["estimatedTotal": ["low": 1, "bestGuess": 6, "high": 9]])
        meta.bestGuess = nil
        #expect(meta.members.isEmpty)
        meta.bestGuess = 7
        #expect(meta.members == ["estimatedTotal": ["bestGuess": 7]])
    }

    @Test("All problems of a query are found")
    func problems() {
        let rules = CursorRules(
            defaultSize: 20, supportsRanges: false, supportsSort: { $0.allSatisfy { $0.field == "id" } }, isCursor: { $0.count == 3 })
        #expect(rules.problems(of: Query(parsing: "sort=-id&page[after]=abc")) == [])
        #expect(
            rules.problems(of: Query(parsing: "sort=name&page[size]=1&page[size]=2&page[after]=x&page[before]=abc")) == [
                .unsupportedSort, .invalidValue(parameter: "page[size]"), .invalidValue(parameter: "page[after]"), .rangeNotSupported,
            ])
        #expect(CursorRules(defaultSize: 1).problems(of: Query(parsing: "page[before]=")) == [.invalidValue(parameter: "page[before]")])
    }

    @Test(
        "Each error has the link that the profile defines",
        arguments: [
            (CursorProblem.unsupportedSort, "/unsupported-sort", "sort"), (.rangeNotSupported, "/range-pagination-not-supported", nil),
            (.maximumSizeExceeded(maximum: 5), "/max-size-exceeded", "page[size]"),
            (.invalidValue(parameter: "page[after]"), nil, "page[after]"),
        ] as [(CursorProblem, String?, String?)])
    func errors(problem: CursorProblem, type: String?, parameter: String?) {
        let error = problem.error
        #expect(error.status == "400")
        #expect(error.links?.type?.href == type.map { CursorPagination.profile + $0 })
        #expect(error.source?.parameter == parameter)
        #expect(CursorProblem(error) == (type == nil ? nil : problem))
    }

    @Test("The error in the profile's example is decoded")
    func errorOfThePage() {
        let error = ErrorObject(members: [
            "meta": ["page": ["maxSize": 100]],
            "links": ["type": ["https://jsonapi.org/profiles/ethanresnick/cursor-pagination/max-size-exceeded"]],
        ])
        #expect(CursorProblem(error) == .maximumSizeExceeded(maximum: 100))
    }

    @Test("The size is the default, the requested one, or the maximum for ranges")
    func usedSize() {
        let rules = CursorRules(defaultSize: 20, maximumSize: 100)
        #expect(rules.size(for: CursorPage()) == 20)
        #expect(rules.size(for: CursorPage(size: 7)) == 7)
        #expect(rules.size(for: CursorPage(after: "a", before: "b")) == 100)
        #expect(CursorRules(defaultSize: 200, maximumSize: 100).size(for: CursorPage()) == 100)
        #expect(CursorRules(defaultSize: 0).size(for: CursorPage()) == 1)
        #expect(CursorRules(defaultSize: 20).size(for: CursorPage(after: "a", before: "b")) == nil)
        #expect(CursorRules(defaultSize: 20).size(for: CursorPage(size: 7, after: "a", before: "b")) == 7)
    }

    @Test("Pagination metadata is decoded and encoded, with unknown members")
    func meta() {
        let meta: JSONObject = ["x": 1, "page": ["total": 200, "estimatedTotal": ["bestGuess": 190], "rangeTruncated": true, "y": 2]]
        var page = CursorMeta(meta: meta)
        #expect(page?.total == 200 && page?.bestGuess == 190 && page?.rangeTruncated == true && page?.cursor == nil)
        page?.total = nil
        page?.cursor = "abc"
        #expect(
            page?.added(to: meta).description
                == #"{"x":1,"page":{"estimatedTotal":{"bestGuess":190},"rangeTruncated":true,"y":2,"cursor":"abc"}}"#)
        #expect(CursorMeta(meta: ["page": 1]) == nil)
        #expect(CursorMeta(meta: ["page": ["total": 1.5, "cursor": 1, "estimatedTotal": 3]])?.total == nil)
        #expect(CursorMeta(bestGuess: 5).added(to: [:]).description == #"{"page":{"estimatedTotal":{"bestGuess":5}}}"#)
    }
}
