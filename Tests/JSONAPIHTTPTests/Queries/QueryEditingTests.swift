import JSONAPICodec
import JSONAPIHTTP
import Testing

@Suite struct QueryEditingTests {
    @Test func aFieldsetCanBeRemoved() {
        var query = Query(fields: ["people": ["name"], "articles": ["title"]])
        query.fields["people"] = nil
        #expect(query.fields["people"] == nil && query.fields["articles"] == ["title"] && query.fields.count == 1)
        #expect(query.percentEncoded == "fields%5Barticles%5D=title")
        query.fields["articles"] = []
        #expect(query.fields["articles"] == [])
        query.fields["articles"] = nil
        #expect(query.isEmpty)
    }

    @Test func parametersNamedLikeOtherArgumentsAreKept() {
        #expect(Query(parameters: ["include": "author", "sort": "-id"]).description == "include=author&sort=-id")
        let query = Query(
            include: ["author"], fields: ["people": ["name"]], page: ["size": "10"], filter: ["a": "1"],
            parameters: ["include": "tags", "fields[people]": "born", "page[number]": "2", "filter[b]": "2", "fooBar": "3"])
        #expect(
            query.description
                == "include=author,tags&fields[people]=name,born&page[size]=10&page[number]=2&filter[a]=1&filter[b]=2&fooBar=3")
        var repeated = Query()
        repeated.append("sort", each: ["a", "-b"])
        #expect(repeated.description == "sort=a,-b")
    }

    @Test func settingAValueReplacesEarlierOnes() {
        var query = Query(parsing: "page[size]=1&page[size]=2&page[number]=3&filter[a]=1")
        query.page["size"] = "5"
        #expect(query.page.values("size") == ["5"] && query.page["number"] == "3")
        query.page["size"] = nil
        #expect(query.page.values("size").isEmpty && query.page.count == 1)
        query.filter["a"] = nil
        #expect(query.filter.isEmpty)
    }

    @Test(arguments: ["after", "before"])
    func eachDirectionHasOneCursor(name: String) {
        let rules = CursorRules(defaultSize: 10)
        #expect(rules.problems(of: Query(parsing: "page[\(name)]=a")).isEmpty)
        let invalid = [CursorProblem.invalidValue(parameter: "page[\(name)]")]
        #expect(rules.problems(of: Query(parsing: "page[\(name)]=a&page[\(name)]=b")) == invalid)
        #expect(rules.problems(of: Query(parsing: "page[\(name)]=")) == invalid)
        #expect(invalid[0].error.detail == "The value must be a cursor of this server, written once.")
    }

    @Test(arguments: [1, 99, 100, 101, 0])
    func theMaximumPageSizeIsInclusive(size: Int) {
        let rules = CursorRules(defaultSize: 10, maximumSize: 100)
        let problems = rules.problems(of: Query(parsing: "page[size]=\(size)"))
        switch size {
        case 0: #expect(problems == [.invalidValue(parameter: "page[size]")])
        case 101: #expect(problems == [.maximumSizeExceeded(maximum: 100)])
        default: #expect(problems.isEmpty)
        }
        #expect(rules.size(for: CursorPage(size: size)) == min(max(size, 1), 100))
    }
}
