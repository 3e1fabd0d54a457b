import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONText
import Testing

@Suite("Rules for queries")
struct QueryRulesTests {
    @Test(
        "Invalid names are status 400",
        arguments: [
            ("lowercase=1", QueryProblem.Kind.reservedName), ("search[x]=1", .reservedName), ("a.B=1", .illegalName),
            ("_x=1", .illegalName),
            ("=1", .illegalName), ("@context=1", .illegalName), ("filter[_]=1", .illegalName), ("filter[a.]=1", .illegalName),
            ("page[a][-]=1", .illegalName), ("fields[_]=1", .illegalName), ("fields=1", .illegalBrackets), ("fields[]=1", .illegalBrackets),
            ("fields[a][b]=1", .illegalBrackets), ("include[]=1", .illegalBrackets), ("sort[a]=1", .illegalBrackets),
            ("filter[a=1", .illegalBrackets), ("filter[a]b=1", .illegalBrackets), ("filter[[a]]=1", .illegalBrackets),
            ("camelCase[a]]=1", .illegalBrackets), ("version:at=1", .unknownExtension), ("version:=1", .illegalName),
            (":at=1", .illegalName),
            ("v-1:at=1", .illegalName), ("%zz=1", .illegalName), ("a%00b=1", .illegalName),
        ])
    func names(text: String, kind: QueryProblem.Kind) throws {
        let problems = Query(parsing: text).problems
        #expect(problems.map(\.kind) == [kind], "\(problems)")
        let problem = try #require(problems.first)
        #expect(problem.kind.isOfName)
        #expect(problem.error.status == "400")
        #expect(problem.error.source?.parameter == problem.parameter)
    }

    @Test(
        "Parameters that servers define are accepted",
        arguments: [
            "camelCase=1", "snake_case[a.b][]=1", "größe=1", "x2", "with space=1", "2=", "page=1", "page[]=1", "filter[][]=1", "", "&&",
            "sort=-author.name", "include=_a", "fields[a b]=_c",
        ])
    func accepted(text: String) {
        #expect(Query(parsing: text).problems == [])
    }

    @Test("Empty names are reported once for each list")
    func emptyNames() {
        let problems = Query(parsing: "include=a..b,,&fields[a]=,&sort=-,a").problems
        #expect(problems.map(\.kind) == [.emptyName, .emptyName, .emptyName])
        #expect(problems.map(\.parameter) == ["include", "fields[a]", "sort"])
        #expect(problems.allSatisfy { !$0.kind.isOfName })
    }

    @Test("Rules list what an endpoint supports")
    func rules() {
        let rules = QueryRules(
            include: .only(["author", "comments.author"]), sort: .only(["title"]), page: .only(["page[size]"]), filter: .none,
            custom: .only(["camelCase"]), namespaces: ["version"])
        func kinds(_ text: String) -> [QueryProblem.Kind] { rules.problems(of: Query(parsing: text)).map(\.kind) }

        #expect(kinds("include=author,comments&sort=-title&page[size]=1&camelCase=1&version:at=1&fields[x]=y") == [])
        #expect(kinds("include=authors,comments.x") == [.unknownPath, .unknownPath])
        #expect(kinds("include=") == [])
        #expect(kinds("sort=title,-date") == [.unknownSortField])
        #expect(
            kinds("page[number]=1&filter[x]=1&camelcased=1&snake_case=1&other:at=1")
                == [.unsupportedParameter, .unsupportedParameter, .reservedName, .unsupportedParameter, .unknownExtension])
        #expect(
            QueryRules(include: .none, sort: .none).problems(of: Query(parsing: "include=&sort=a")).map(\.kind)
                == [.unsupportedParameter, .unsupportedParameter])
    }

    @Test(
        "Messages say what is wrong, and suggest a name",
        arguments: [
            ("includes=author", "The name consists of a-z only, which is reserved for the specification; did you mean `include`?"),
            ("fields=title", "The brackets of the name are not valid: they contain one type, as in `fields[articles]`."),
            ("a.b=1", "The name of the parameter is illegal: the name contains the reserved character `.`."),
            (
                "version:at[_]=1",
                "The name of the parameter is illegal: in the brackets, the name begins with a hyphen, an underscore or a space, which are allowed only inside."
            ),
            ("fields[a.b]=x", "The name of the parameter is illegal: in the brackets, the name contains the reserved character `.`."),
            ("page[a..b]=1", "The name of the parameter is illegal: in the brackets, the name is empty."),
            (
                "version:At=1",
                "The name of the parameter is illegal: a namespace of letters and digits comes before the colon, and only a-z after it."
            ),
            ("include[]=a", "The brackets of the name are not valid: `include` has none."),
            ("include=auther", "This endpoint does not include the path: `auther`; did you mean `author`?"),
            ("sort=-titel", "This endpoint does not sort by the field: `titel`; did you mean `title`?"),
            ("page[site]=1", "This endpoint does not support the parameter; did you mean `page[size]`?"),
        ])
    func messages(text: String, message: String) {
        let rules = QueryRules(include: .only(["author"]), sort: .only(["title"]), page: .only(["page[size]"]))
        #expect(rules.problems(of: Query(parsing: text)).map(\.message) == [message])
    }

    @Test("Hostile queries get short messages")
    func hostile() throws {
        let many = Query(parsing: String(repeating: "x&", count: 50_000))
        #expect(many.problems.count == 1_000)
        let paths = Query(parsing: "include=" + String(repeating: "x,", count: 50_000) + "x")
        #expect(QueryRules(include: .only(["author", "tags"])).problems(of: paths).count == 1_000)
        let problem = try #require(Query(parsing: "a%0Ab%E2%80%AE" + String(repeating: "%CC%81", count: 10_000)).problems.first)
        #expect(problem.description.unicodeScalars.count < 300)
        #expect(!problem.description.unicodeScalars.contains { $0 == "\n" || $0 == "\u{202E}" })
    }

    @Test("check throws an error document")
    func check() throws {
        let rules = QueryRules(include: .only(["author"]))
        #expect(throws: Never.self) { try rules.check(Query(include: ["author"])) }
        let document = try #require(#expect(throws: ErrorDocument.self) { try rules.check(Query(include: ["x"])) })
        #expect(document.errors.map(\.source?.parameter) == ["include"])
    }

    @Test("A problem converts to an error object")
    func errorObject() {
        #expect(
            Query(parsing: "fields[a:b]=x").problems.first?.error.json == [
                "status": "400", "title": "Invalid Query Parameter",
                "detail": "The name of the parameter is illegal: in the brackets, the name contains the reserved character `:`.",
                "source": ["parameter": "fields[a:b]"],
            ])
    }

    @Test("Members of a family have short or complete names")
    func familyMembers() {
        let rules = QueryRules(page: .only(["size", "page"]), filter: .only(["author", "filter[author][name]", "tags.id"]))
        func problems(_ text: String) -> [String] {
            rules.problems(of: Query(parsing: text)).map { "\($0.parameter) \($0.nearest ?? "-")" }
        }
        #expect(problems("page[size]=1&page=2&filter[author]=3&filter[author][name]=A&filter[tags.id]=4") == [])
        #expect(problems("page[sise]=1") == ["page[sise] page[size]"])
        #expect(problems("page[page]=1&filter=x&filter[author][id]=2").count == 3)
        #expect(problems("size=1").count == 1)
    }
}
