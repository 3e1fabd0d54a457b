import JSONAPICodec
import JSONAPIHTTP
import Testing

@Suite struct QueryLimitTests {
    @Test(arguments: [999, 1000, 1001, 3000])
    func atMostAThousandProblemsAreReported(count: Int) {
        let query = Query(parameters: (0..<count).map { QueryParameter(name: "bad[\($0)", value: "") })
        #expect(query.problems.count == min(count, 1000))
        let paths = (0..<count).map { "unknown\($0)" }
        #expect(QueryRules(include: .only(["author"])).problems(of: Query(include: paths)).count == min(count, 1000))
        let fields = paths.map { SortField($0) }
        #expect(QueryRules(sort: .only(["title"])).problems(of: Query(sort: fields)).count == min(count, 1000))
    }
}
