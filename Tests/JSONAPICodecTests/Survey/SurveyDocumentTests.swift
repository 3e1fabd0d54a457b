import Foundation
import JSONText
import Testing

@testable import JSONAPICodec

/// Faults of documents that no known server sends, and unusual valid documents.
@Suite struct SurveyDocumentTests {
    @Test(arguments: topLevel + resources + names) func eachModeBehavesAsDocumented(_ row: SurveyCase) { row.check() }
    @Test(arguments: links + jsonapi + errors + requests) func eachModeBehavesAsDocumentedForParts(_ row: SurveyCase) { row.check() }

    static let topLevel: [SurveyCase] = [
        SurveyCase("D1 array", "[]", .fails(.documentNotObject, "")),
        SurveyCase("D1 null", "null", .fails(.documentNotObject, "")),
        SurveyCase("D2 nothing", "{}", .fails(.missingMember, "")),
        SurveyCase("D2 only links", #"{"links": {}}"#, .fails(.missingMember, "")),
        SurveyCase("D2 only an @-member", #"{"@context": 1}"#, .fails(.missingMember, "")),
        SurveyCase("a member of an extension is enough", #"{"atomic:results": [{}]}"#, .silent),
        SurveyCase("meta is enough", #"{"meta": {"data": 1, "a.b": {"links": null}}}"#, .silent),
        SurveyCase(
            "D2 included without data", #"{"meta": {}, "included": []}"#, .fails(.documentStructure, "/included")),
        SurveyCase("D2 empty errors beside data", #"{"data": null, "errors": []}"#, at: "", .documentStructure, unless: .dataWithErrors),
        SurveyCase("D2 null errors beside data", #"{"data": null, "errors": null}"#, at: "", .documentStructure, unless: .dataWithErrors),
        SurveyCase("D3 number", #"{"data": 7}"#, .fails(.wrongType, "/data")),
        SurveyCase("D3 null inside", #"{"data": [{"type": "a", "id": "1"}, null]}"#, .fails(.wrongType, "/data/1")),
        SurveyCase("D10 object", #"{"data": null, "included": {}}"#, .fails(.wrongType, "/included")),
        SurveyCase("D10 null inside", #"{"data": null, "included": [null]}"#, .fails(.wrongType, "/included/0")),
        SurveyCase(
            "a pagination link with one resource", article(#""attributes": {}"#, beside: #""links": {"next": "/2"}"#), at: "/links/next",
            strict: .documentStructure, else: .documentStructure),
        SurveyCase(
            "a pagination link in a request, whose data is never a page",
            related(#"{"data": {"type": "p", "id": "1"}, "links": {"next": "/2"}}"#, beside: #""links": {"next": "/2"}"#), source: .request,
            .silent),
        SurveyCase("a null one says nothing", article(#""attributes": {}"#, beside: #""links": {"next": null}"#), .silent),
    ]

    static let resources: [SurveyCase] = [
        SurveyCase("D4 empty type", #"{"data": {"type": "", "id": "1"}}"#, .fails(.wrongType, "/data/type")),
        SurveyCase("D4 boolean id", #"{"data": {"type": "a", "id": true}}"#, .fails(.wrongType, "/data/id")),
        SurveyCase("D4 empty id", #"{"data": {"type": "a", "id": ""}}"#, .silent),
        SurveyCase("D5 meta", article(#""meta": "x""#), .fails(.wrongType, "/data/meta")),
        SurveyCase("D5 links", article(#""links": "x""#), .fails(.wrongType, "/data/links")),
        SurveyCase("D6 relationship", related(#""3""#), .fails(.wrongType, "/data/relationships/author")),
        SurveyCase("D6 text as linkage", related(#"{"data": "3"}"#), .fails(.wrongType, "/data/relationships/author/data")),
        SurveyCase("D6 nested array", related(#"{"data": [[]]}"#), .fails(.wrongType, "/data/relationships/author/data/0")),
        SurveyCase(
            "D7 both id and lid", related(#"{"data": {"type": "p", "id": "1", "lid": "a"}}"#),
            .reports(.unknownMember, "/data/relationships/author/data/lid")),
        SurveyCase(
            "D7 without type", related(#"{"data": {"id": "1"}}"#), .fails(.missingMember, "/data/relationships/author/data")),
        SurveyCase(
            "identifier's meta", related(#"{"data": {"type": "p", "id": "1", "meta": 1}}"#),
            .fails(.wrongType, "/data/relationships/author/data/meta")),
        SurveyCase("D9 linked but not included", related(#"{"data": {"type": "p", "id": "1"}}"#), .silent),
        SurveyCase(
            "D9 link to itself", related(#"{"data": {"type": "articles", "id": "1"}}"#, beside: #""included": []"#), .silent),
        SurveyCase("D11 unknown member", article(#""href": "/1""#), at: "/data/href", strict: .unknownMember, else: .unknownMember),
        SurveyCase(
            "D11 @-members and members of extensions",
            #"{"@a": 1, "x:a": 1, "data": {"@b": 1, "x:b": 1, "type": "a", "id": "1", "attributes": {"@id": 1, "x:c": 2},"#
                + #""relationships": {"@r": 1, "x:r": 1, "a": {"data": {"type": "a", "id": "1", "@i": 1, "x:i": 1}, "@m": 1}},"#
                + #""links": {"@l": 1, "x:l": 1}}}"#,
            .silent),
        SurveyCase(
            "values of attributes are not looked at",
            article(#""attributes": {"a": {"id": 1, "links": null, "_x": {"relationships": []}}}"#), .silent),
    ]

    static let names: [SurveyCase] = [
        SurveyCase(
            "D17 empty name", article(#""attributes": {"": 1}"#), at: "/data/attributes/", strict: .illegalName, else: .illegalName),
        SurveyCase("D17 names of languages", article(#""attributes": {"constructor": 1, "init": 2, "self": 3}"#), .silent),
        SurveyCase(
            "D17 __proto__", article(#""attributes": {"__proto__": 1}"#), at: "/data/attributes/__proto__", strict: .illegalName,
            else: .illegalName),
        SurveyCase(
            "name of an extension's member", article(#""attributes": {"audit:by_": 1}"#), at: "/data/attributes/audit:by_",
            strict: .illegalName, else: .illegalName),
        SurveyCase(
            "D20 pointers are escaped", article(#""attributes": {"a/b~c": 1}"#), at: "/data/attributes/a~1b~0c", strict: .illegalName,
            else: .illegalName),
        SurveyCase(
            "escapes in names", #"{"d\u0061ta": {"\u0074ype": "a", "id": "1", "attributes": {"t\u0079pe": 1}}}"#,
            at: "/data/attributes/type", strict: .illegalName, else: .reservedFieldName),
        SurveyCase(
            "many fields", manyFields, at: "/data/relationships/f20", strict: .duplicateName, else: .fieldNameClash),
    ]

    private static let manyFields: String = {
        let attributes = (0..<30).map { "\"f\($0)\": 1" }.joined(separator: ",")
        return article(#""attributes": {\#(attributes)}, "relationships": {"g": {"data": null}, "f20": {"data": null}}"#)
    }()

    static let links: [SurveyCase] = [
        SurveyCase("D12 number", #"{"data": null, "links": {"self": 7}}"#, .fails(.wrongType, "/links/self")),
        SurveyCase("D12 without href", #"{"data": null, "links": {"self": {}}}"#, .fails(.missingMember, "/links/self")),
        SurveyCase("D12 null href", #"{"data": null, "links": {"self": {"href": null}}}"#, .fails(.wrongType, "/links/self/href")),
        SurveyCase("D12 null", #"{"data": null, "links": {"self": null}}"#, .silent),
        SurveyCase("D12 empty", #"{"data": null, "links": {"self": ""}}"#, .silent),
        SurveyCase(
            "describedby is a link", #"{"data": null, "links": {"self": {"href": "", "describedby": {"href": "", "describedby": 1}}}}"#,
            .fails(.wrongType, "/links/self/describedby/describedby")),
        SurveyCase(
            "rel", #"{"data": null, "links": {"self": {"href": "", "rel": ""}}}"#, at: "/links/self/rel", strict: .invalidValue,
            else: .invalidLink),
        SurveyCase(
            "hreflang", #"{"data": null, "links": {"self": {"href": "", "hreflang": ["de", "en_US"]}}}"#, at: "/links/self/hreflang/1",
            strict: .invalidValue, else: .invalidLink),
        SurveyCase(
            "hreflang of another kind", #"{"data": null, "links": {"self": {"href": "", "hreflang": 1}}}"#,
            .fails(.wrongType, "/links/self/hreflang")),
        SurveyCase("title", #"{"data": null, "links": {"self": {"href": "", "title": null}}}"#, .fails(.wrongType, "/links/self/title")),
        SurveyCase(
            "unknown member of a link", #"{"data": null, "links": {"self": {"href": "", "method": 1}}}"#,
            at: "/links/self/method", strict: .unknownMember, else: .unknownMember),
    ]

    static let jsonapi: [SurveyCase] = [
        SurveyCase("D14 newer version", #"{"data": null, "jsonapi": {"version": "2.0"}}"#, .silent),
        SurveyCase(
            "D14 number", #"{"data": null, "jsonapi": {"version": 1.1}}"#, at: "/jsonapi/version", strict: .wrongType,
            else: .documentStructure),
        SurveyCase(
            "D14 unknown extension", #"{"data": null, "jsonapi": {"ext": ["https://example.com/x"]}}"#,
            .reports(.unknownExtension, "/jsonapi/ext/0")),
        SurveyCase("D14 known extension", #"{"data": null, "jsonapi": {"ext": ["https://jsonapi.org/ext/atomic"]}}"#, .silent),
        SurveyCase(
            "no URI", #"{"data": null, "jsonapi": {"profile": ["timestamps"]}}"#, at: "/jsonapi/profile/0", strict: .invalidValue,
            else: .documentStructure),
        SurveyCase(
            "unknown member", #"{"data": null, "jsonapi": {"vendor": 1}}"#, at: "/jsonapi/vendor", strict: .unknownMember,
            else: .unknownMember),
    ]

    static let errors: [SurveyCase] = [
        SurveyCase("D13 object", #"{"errors": {}}"#, at: "/errors", strict: .wrongType, uses: .invalidErrorMembers),
        SurveyCase("D13 text", #"{"errors": "no"}"#, at: "/errors", strict: .wrongType, uses: .textErrors),
        SurveyCase("D13 null", #"{"errors": null}"#, at: "/errors", strict: .wrongType, uses: .nullErrorMembers),
        SurveyCase("D13 number inside", #"{"errors": [404]}"#, at: "/errors/0", strict: .wrongType, uses: .invalidErrorMembers),
        SurveyCase("D13 meta", #"{"errors": [{"meta": "x"}]}"#, at: "/errors/0/meta", strict: .wrongType, uses: .invalidErrorMembers),
        SurveyCase(
            "D13 many faults, all reported", #"{"errors": [{"title": 1, "links": {"about": 1}, "source": {"header": 2}}]}"#,
            strict: .fails(.wrongType, "/errors/0/title"), standard: .uses(.invalidErrorMembers, "/errors/0/source/header"),
            lenient: .uses(.invalidErrorMembers, "/errors/0/source/header")),
        SurveyCase("D13 null inside", #"{"errors": [{"title": "x"}, null]}"#, at: "/errors/1", strict: .wrongType, uses: .nullErrorMembers),
        SurveyCase("D13 empty", #"{"errors": []}"#, .reports(.documentStructure, "/errors")),
        SurveyCase("D13 empty error", #"{"errors": [{}]}"#, at: "/errors/0", strict: .missingMember, uses: .invalidErrorMembers),
        SurveyCase("D13 title", #"{"errors": [{"title": {}}]}"#, at: "/errors/0/title", strict: .wrongType, uses: .invalidErrorMembers),
        SurveyCase(
            "D13 source", #"{"errors": [{"source": "/data"}]}"#, at: "/errors/0/source", strict: .wrongType, uses: .invalidErrorMembers),
        SurveyCase(
            "D13 header", #"{"errors": [{"source": {"header": []}}]}"#, at: "/errors/0/source/header", strict: .wrongType,
            uses: .invalidErrorMembers),
        SurveyCase(
            "links", #"{"errors": [{"links": {"about": 1}}]}"#, at: "/errors/0/links/about", strict: .wrongType,
            uses: .invalidErrorMembers),
        SurveyCase(
            "link of another place", #"{"errors": [{"links": {"self": 1}}]}"#, at: "/errors/0/links/self", strict: .unknownMember,
            else: .unknownLink),
        SurveyCase(
            "unknown member", #"{"errors": [{"title": "", "href": 1}]}"#, at: "/errors/0/href", strict: .unknownMember,
            else: .unknownMember),
        SurveyCase("number as id", #"{"errors": [{"id": 1}]}"#, .reports(.documentStructure, "/errors/0/id")),
        SurveyCase(
            "one id twice", #"{"errors": [{"id": "1"}, {"id": "1"}]}"#, at: "/errors/1/id", strict: .invalidValue,
            else: .documentStructure),
        SurveyCase("root pointer", #"{"errors": [{"source": {"pointer": ""}}]}"#, .silent),
    ]

    static let requests: [SurveyCase] = [
        SurveyCase(
            "lid of the resource itself",
            #"{"data": {"type": "a", "lid": "x", "relationships": {"parent": {"data": {"type": "a", "lid": "x"}}}}}"#, source: .request,
            .silent),
        SurveyCase(
            "lid of nothing",
            #"{"data": {"type": "a", "lid": "x", "relationships": {"parent": {"data": {"type": "b", "lid": "x"}}}}}"#, source: .request,
            at: "/data/relationships/parent/data/lid", strict: .notIncluded, else: .notIncluded),
        SurveyCase(
            "a lid and an id of one text are two resources",
            #"{"data": {"type": "a", "lid": "1", "relationships": {"x": {"data": {"type": "a", "id": "1"}}, "y": {"data": {"type": "a", "lid": "1"}}}},"#
                + #""included": [{"type": "a", "id": "1"}]}"#,
            source: .request, .silent),
        SurveyCase(
            "the lid of an id", #"{"data": {"type": "a", "id": "1", "relationships": {"x": {"data": {"type": "a", "lid": "1"}}}}}"#,
            source: .request, at: "/data/relationships/x/data/lid", strict: .notIncluded, else: .notIncluded),
        SurveyCase(
            "lid twice", #"{"data": [{"type": "a", "lid": "x"}, {"type": "a", "lid": "x"}]}"#, source: .request, at: "/data/1/lid",
            .duplicateResource, unless: .duplicateIncluded),
    ]
}
