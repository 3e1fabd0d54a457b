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
        var strict = Validator()
        strict.context.isStrict = true
        for entry in names {
            let name = try #require(entry["name"]?.string)
            let isLegal = entry["legal"]?.bool == true
            let attributes = JSON.object(JSONObject(members: [.init(name: name, value: 1)]))
            let document: JSON = ["data": ["type": "a", "id": "1", "attributes": attributes]]
            let report = strict.validate(document.description)
            // An @-member is not an attribute, so its name is not checked. `type` and `id` are valid names, but not for attributes.
            if !["type", "id"].contains(name) { #expect(report.isValid == (isLegal || name.hasPrefix("@")), "\(name)") }
            let typed: JSON = ["data": ["type": .string(name), "id": "1"]]
            #expect(Validator().validate(typed.description).isValid == isLegal, "type \(name)")
        }
    }

    @Test("An attribute or a relationship of an extension is a warning, unless the extension is applied")
    func extensions() {
        func report(_ fields: String, _ change: (inout ValidationContext) -> Void = { _ in }) -> ValidationReport {
            var validator = Validator()
            change(&validator.context)
            return validator.validate(#"{"data":{"type":"a","id":"1",\#(fields)}}"#)
        }
        for fields in [#""attributes":{"audit:by":"me"}"#, #""relationships":{"audit:by":{"data":null}}"#] {
            let unknown = report(fields)
            #expect(unknown.isValid && unknown.warnings.count == 1)
            #expect(unknown.warnings.first?.description.contains("[document-structure/member-names/reserved-characters]") == true)
            let applied = report(fields) { $0.extensions = [.init(namespace: "audit", uri: "https://example.com/audit")] }
            #expect(applied.issues == [])
            #expect(!report(fields) { $0.isStrict = true }.isValid)
        }
        // The name of no extension.
        #expect(!report(#""attributes":{"a.b:by":1}"#).isValid && !report(#""attributes":{"audit:_by":1}"#).isValid)
    }
}
