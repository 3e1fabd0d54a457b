// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import JSONAPIValidation
import Testing

@Suite("The articles of JSONAPIValidation")
struct ValidatingTests {
    @Test("The landing page")
    func landing() throws {
        let report = Validator(.create).validate(#"{"data": {"attributes": {"title": "Clocks"}}}"#)
        let isValid = report.isValid                                  // false
        let issue = report.issues[0]
        let rule = issue.rule.id                                      // "crud/creating/type-required"
        let place = "\(issue.pointer)"                                // "/data"
        #expect(!isValid && rule == "crud/creating/type-required" && place == "/data")
    }

    @Test("Every broken rule is reported with its place")
    func validating() throws {
        let text = try #require(DocumentationPage.named("Validating").documents.first)
        var lines: [String] = []
        let report = Validator().validate(text)
        for issue in report.issues {
            lines.append("\(issue.position) \(issue.severity.rawValue): \(issue.message); \(issue.cure)")
        }
        #expect(lines.count == 2 && report.errors.count == 2)

        let page = Data(#"{"data": [], "included": [{"type": "people", "id": "9"}]}"#.utf8)
        var context = ValidationContext(.response)
        context.target = .collection
        context.query = "include=author&fields[people]=name"
        let judged = Validator(context).validate(page)
        #expect(judged.isValid == !judged.issues.contains { $0.severity == .error })
    }

    @Test("Issues are error objects; an encoder can be checked")
    func answering() throws {
        func check(_ body: Data) throws {
            let report = Validator(.create).validate(body)
            if !report.isValid { throw ErrorDocument(errors: report.errorObjects) }
        }
        let error = #expect(throws: ErrorDocument.self) { try check(Data(#"{"data": {}}"#.utf8)) }
        #expect(error?.errors.first?.code == "crud/creating/type-required")

        var encoder = JSONAPIEncoder()
        encoder.check = Validator.encoderCheck
        #expect(throws: Never.self) { try encoder.encode(Create(type: "articles", attributes: ["title": "T"])) }

        let rule = ValidationRule.all.first { $0.id == "document-structure/top-level/root-object" }
        let level = rule?.level                                       // .must
        let address = rule?.address                                   // https://jsonapi.org/format/1.1/#document-top-level
        #expect(level == .must && address == "https://jsonapi.org/format/1.1/#document-top-level")
    }
}
