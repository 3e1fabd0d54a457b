import Foundation
import JSONAPIValidation
import JSONText

/// Cases of whole documents for the validator. A valid document breaks no MUST, and an invalid one breaks the rule of its index at its
/// place.
enum ValidationCases {
    /// Checks a valid document: no error. A recommendation that it breaks gives a warning.
    static func checkValid(_ entry: CaseEntry, _ report: inout Report) throws {
        let found = try validate(entry)
        report.rules.note(found)
        for error in found.errors { report.fail(entry, "validation", "expected no error, found \(error)") }
        for rule in entry["should_violations"]?.array?.compactMap(\.string) ?? [] where isKnown(rule) {
            if !found.warnings.contains(where: { $0.rule.id == rule }) { report.fail(entry, "validation", "expected the warning \(rule)") }
        }
    }

    /// Checks an invalid document: the rule at its place, and no other issue. A warning is enough for a rule derived from two others.
    static func checkInvalid(_ entry: CaseEntry, _ report: inout Report) throws {
        guard let rule = entry["violates"]?.string else { throw CaseFolder.Unusable("no violates") }
        let pointers = try entry.pointers()
        let found = try validate(entry)
        report.rules.note(found)
        let isDerived = entry["basis"]?.string == "derived"
        let counted = isDerived && found.errors.isEmpty ? found.warnings : found.errors
        if !counted.contains(where: { $0.rule.id == rule && pointers.contains($0.pointer) }) {
            report.fail(entry, "validation", "expected \(rule) at \(pointers), found [\(found)]")
        } else if counted.count > 1 {
            report.fail(entry, "validation", "expected one error, found [\(found)]")
        }
    }

    private static func validate(_ entry: CaseEntry) throws -> ValidationReport {
        guard let name = entry["kind"]?.string, let kind = ValidationContext.Kind(rawValue: name) else {
            throw CaseFolder.Unusable("no kind of document")
        }
        let context = try ValidationContext(kind, json: entry["context"] ?? [:])
        let data = try entry.bytes()
        let json = try JSON(parsing: data)
        let report = Validator(context).validate(data)
        for issue in report.issues where json[pointer: issue.pointer] == nil {
            throw CaseFolder.Unusable("\(issue) points nowhere")
        }
        return report
    }

    private static func isKnown(_ rule: String) -> Bool { ValidationRule.all.contains { $0.id == rule } }
}
