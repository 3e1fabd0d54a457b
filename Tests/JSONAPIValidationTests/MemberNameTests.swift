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
            // An @-member is no attribute, so its name is nobody's business; type and id are legal names, but not of attributes.
            if !["type", "id"].contains(name) { #expect(report.isValid == (isLegal || name.hasPrefix("@")), "\(name)") }
            let typed: JSON = ["data": ["type": .string(name), "id": "1"]]
            #expect(Validator().validate(typed.description).isValid == isLegal, "type \(name)")
        }
    }
}
