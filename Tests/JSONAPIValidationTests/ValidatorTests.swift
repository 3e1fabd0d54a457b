import Foundation
import JSONAPIValidation
import JSONText
import Testing

/// The validator as a whole: the text, the report, the limits.
@Suite struct ValidatorTests {
    @Test func invalidJSONIsOneIssue() throws {
        let report = Validator().validate("{\"data\":\n  nul}")
        let issue = try #require(report.issues.first)
        #expect(report.issues.count == 1)
        #expect(issue.rule.id == "json/syntax")
        #expect(issue.pointer == JSONPointer())
        #expect(issue.position == TextPosition(line: 2, column: 6))
        #expect(issue.errorObject.status == "400")
    }

    @Test(arguments: [[], [0xEF, 0xBB, 0xBF], [0xFF], Array("[".utf8), Array(#"{"data": "\ud800"}"#.utf8)] as [[UInt8]])
    func anInvalidTextIsReportedAndNotThrown(_ bytes: [UInt8]) {
        #expect(Validator().validate(bytes).issues.map(\.rule.id) == ["json/syntax"])
    }

    @Test func aTextThatIsTooDeepIsOneIssue() {
        let text = #"{"data": "# + String(repeating: "[", count: 100_000)
        #expect(Validator().validate(text).issues.map(\.rule.id) == ["json/syntax"])
    }

    @Test func nestedLinksAreCheckedWithoutRecursion() {
        var validator = Validator()
        validator.readingOptions.maximumDepth = 1_000_000
        let open = String(repeating: #"{"href":"/","describedby":"#, count: 100_000)
        let text = #"{"data":null,"links":{"self":"# + open + "1" + String(repeating: "}", count: 100_000) + "}}"
        let report = validator.validate(text)
        #expect(report.issues.map(\.rule.id) == ["document-structure/link-objects/describedby-link"])
        #expect(report.issues.first?.pointer.tokens.count == 100_002)
    }

    @Test func issuesAreInDocumentOrderWithTheirPlaces() {
        let text = """
            {
              "included": 1,
              "links": {"self": 7},
              "data": {"id": 1}
            }
            """
        let report = Validator().validate(text)
        #expect(
            report.issues.map { "\($0.position) \($0.pointer)" } == ["2:15 /included", "3:21 /links/self", "4:11 /data", "4:18 /data/id"])
        #expect(!report.isValid)
    }

    @Test func anIssueConvertsToAnErrorObject() throws {
        let issue = try #require(Validator(.create).validate(#"{"data": {"attributes": {}}}"#).issues.first)
        let error = issue.errorObject
        #expect(error.status == "422")
        #expect(error.code == "crud/creating/type-required")
        #expect(error.source?.pointer == JSONPointer("data"))
        #expect(error.detail == "a resource object without `type`; add `type`, a string")
        #expect(issue.errorObject(status: "400").status == "400")
        // The error document that the library creates is valid.
        let document = JSON.object(["errors": .array([error.json])])
        #expect(Validator(.error).validate(document.description).issues.isEmpty)
    }

    @Test func aDocumentWithWarningsIsValid() {
        let report = Validator().validate(#"{"errors": [{"title": "x"}]}"#)
        #expect(report.isValid)
        #expect(report.errors.isEmpty)
        #expect(report.warnings.count == 1)
        #expect(report.errorObjects.isEmpty)
    }

    @Test func issuesBeyondTheLimitAreCounted() {
        var validator = Validator()
        validator.maximumIssues = 3
        let report = validator.validate(#"{"data": [1, 2, 3, 4, 5], "meta": {"_": 1}}"#)
        #expect(report.issues.count == 3)
        #expect(report.omittedErrors == 2)
        #expect(report.omittedWarnings == 1)
        #expect(!report.isValid)
        validator.maximumIssues = 0
        #expect(!validator.validate(#"{"data": 1}"#).isValid)
    }

    @Test func bytesTextAndDataGiveEqualReports() {
        let text = #"{"data": {"type": "é", "id": 1}}"#
        let expected = Validator().validate(text).issues
        #expect(expected.count == 1)
        #expect(Validator().validate(Array(text.utf8)).issues == expected)
        #expect(Validator().validate(Data(text.utf8)).issues == expected)
        #expect(Validator().validate(Array(text.utf8).lazy.map { $0 }).issues == expected)
    }

    @Test func theCureNamesTheMemberToRemove() {
        let text = #"{"data": {"type": "a", "id": "6f0c1d9e-4f7a-4b6a-9d2a-0d6a1a2f6a11", "lid": "1"}}"#
        #expect(Validator().validate(text).issues.first?.cure == "remove `lid`")
        let created = Validator(.create).validate(text).issues.first
        #expect(created?.cure == "remove `lid`, or `id` if the server assigns the id of this new resource")
    }

    @Test func messagesContainNoValuesOfTheDocument() {
        let secret = "s3cret-value"
        let text = """
            {"data": {"type": "\(secret)!", "id": "\(secret)", "attributes": "\(secret)", "links": {"self": "\(secret) x"}},
             "errors": [{"status": "\(secret)"}], "jsonapi": {"version": ["\(secret)"]}, "included": ["\(secret)"]}
            """
        for issue in Validator().validate(text).issues { #expect(!issue.description.contains(secret)) }
    }

    // MARK: - Context

    @Test func aContextIsDecodedFromJSON() throws {
        let json = try JSON(
            parsing: """
                {"target": "relationship-to-many", "cardinality": "to-one", "method": "PATCH", "query": "a=b", "status": 201, "other": [],
                 "headers": {"LOCATION": "/a"}, "extensions": [{"uri": "u", "namespace": "n"}], "profiles": ["p"], "operations": 2,
                 "paginated": false, "last_page": true, "range_truncated": true, "error_case": "max-size", "parameter": "q", "strict": true}
                """)
        let context = try ValidationContext(.update, json: json)
        #expect(context.kind == .update)
        #expect(context.target == .toManyRelationship)
        #expect(context.cardinality == .toOne)
        #expect(context.method == "PATCH")
        #expect(context.query == "a=b")
        #expect(context.status == 201)
        #expect(context.location == "/a")
        #expect(context.extensions == [.init(namespace: "n", uri: "u")])
        #expect(context.profiles == ["p"])
        #expect(context.operationCount == 2)
        #expect(context.isPaginated == false)
        #expect(context.isLastPage && context.isRangeTruncated && context.isStrict)
        #expect(context.cursorError == .maximumSize)
        #expect(context.parameter == "q")
    }

    @Test(arguments: [
        ("[]", ""), (#"{"target": "many"}"#, "/target"), (#"{"query": 1}"#, "/query"), (#"{"profiles": [1]}"#, "/profiles/0"),
        (#"{"extensions": [{}]}"#, "/extensions/0"), (#"{"headers": {"Location": 1}}"#, "/headers/Location"),
        (#"{"operations": 1.5}"#, "/operations"), (#"{"paginated": "yes"}"#, "/paginated"),
    ]) func anInvalidContextIsAnErrorWithItsPlace(_ text: String, _ pointer: String) throws {
        let json = try JSON(parsing: text)
        let error = #expect(throws: ValidationContextError.self) { try ValidationContext(json: json) }
        #expect(error?.pointer.description == pointer)
    }
}
