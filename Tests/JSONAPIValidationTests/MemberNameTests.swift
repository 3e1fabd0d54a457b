import Foundation
import JSONAPIValidation
import JSONText
import Testing

@Suite struct MemberNameTests {
    @Test func memberNamesOfTheConformanceList() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let lists = try JSON(parsing: Data(contentsOf: root.appendingPathComponent("Conformance/urls.json")))
        let names = try #require(lists["member_names"]?.array)
        #expect(names.count == 55)
        for entry in names {
            let name = try #require(entry["name"]?.string)
            let isLegal = entry["legal"]?.bool == true
            let attributes = JSON.object(JSONObject(members: [.init(name: name, value: 1)]))
            let document: JSON = ["data": ["type": "a", "id": "1", "attributes": attributes]]
            let report = Validator().validate(document.description)
            // An @-member is not an attribute, so its name is not checked. `type` and `id` are valid names, but not for attributes.
            if !["type", "id"].contains(name) { #expect(report.isValid == (isLegal || name.hasPrefix("@")), "\(name)") }
            let typed: JSON = ["data": ["type": .string(name), "id": "1"]]
            #expect(Validator().validate(typed.description).isValid == isLegal, "type \(name)")
        }
    }

    @Test("An attribute or a relationship of an unknown extension is a warning, and an error if the document has no extension")
    func extensions() {
        func report(
            _ fields: String, ext: String = "[]", _ change: (inout ValidationContext) -> Void = { _ in }
        ) -> ValidationReport {
            var validator = Validator()
            change(&validator.context)
            return validator.validate(#"{"data":{"type":"a","id":"1",\#(fields)},"jsonapi":{"ext":\#(ext)}}"#)
        }
        let uris = #"["https://example.com/audit"]"#
        for fields in [#""attributes":{"audit:by":"me"}"#, #""relationships":{"audit:by":{"data":null}}"#] {
            #expect(!report(fields).isValid)
            // The context names the only extension, which has another namespace.
            #expect(!report(fields, ext: uris) { $0.extensions = [.init(namespace: "other", uri: "https://example.com/audit")] }.isValid)
            let unknown = report(fields, ext: uris)
            #expect(unknown.isValid && unknown.warnings.count == 1)
            #expect(unknown.warnings.first?.description.contains("[document-structure/member-names/reserved-characters]") == true)
            let applied = report(fields) { $0.extensions = [.init(namespace: "audit", uri: "https://example.com/audit")] }
            #expect(applied.issues == [])
            #expect(!report(fields, ext: uris) { $0.isStrict = true }.isValid)
        }
        // The name of no extension.
        for fields in [#""attributes":{"a.b:by":1}"#, #""attributes":{"audit:_by":1}"#] { #expect(!report(fields, ext: uris).isValid) }
    }
}
