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
}
