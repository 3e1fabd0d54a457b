import JSONAPIValidation
import JSONText
import Testing

/// The last member of a repeated name counts, in small and large objects.
@Suite struct RepeatedNameTests {
    @Test(arguments: [0, 1, 14, 15, 16, 17, 40, 1000]) func theLastRepeatedMemberCountsInLargeObjects(_ others: Int) {
        let fillers = (0..<others).map { #""@a\#($0)": 1, "# }.joined()
        for (text, isValid) in [
            (#"{"data": {"type": 1, \#(fillers)"id": "1", "type": "a"}}"#, true),
            (#"{"data": {"type": "a", \#(fillers)"id": "1", "type": 1}}"#, false),
            (#"{"data": {"type": "a", "id": "1", "attributes": {"a.b": 1, \#(fillers)"@z": 1}, "attributes": {}}}"#, true),
            (#"{\#(fillers)"meta": 1, "meta": {}}"#, true),
            (#"{\#(fillers)"meta": {}, "meta": 1}"#, false),
        ] {
            let report = Validator().validate(text)
            #expect(report.isValid == isValid, "\(others): \(text.prefix(60)): \(report)")
            #expect(report.issues.count { $0.rule.id == "json/duplicate-name" } == 1)
        }
    }

    @Test func aRepeatedNameIsReportedOnceAtItsLastMember() {
        let members = (0..<40).flatMap { number in (0..<3).map { _ in #""a\#(number)": {}"# } }.joined(separator: ", ")
        let report = Validator().validate(#"{"meta": {\#(members)}}"#)
        #expect(report.issues.count == 40)
        #expect(Set(report.issues.map(\.pointer)).count == 40)
    }
}
