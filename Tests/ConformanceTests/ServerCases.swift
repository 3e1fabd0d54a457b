import Foundation
import JSONAPICodec
import JSONText

/// Cases of documents from real servers: the verdict of each mode, and the place of the fault.
enum ServerCases {
    static func check(_ entry: CaseEntry, _ report: inout Report) throws {
        let data = try entry.bytes()
        let original = try JSON(parsing: data)
        let expected = try entry.pointers()
        guard let reports = entry["diagnostic"]?.bool else { throw CaseFolder.Unusable("no diagnostic") }
        let places = expected.map { "\"\($0)\"" }.joined(separator: " or ")
        for pointer in expected where original[pointer: pointer] == nil {
            report.fail(entry, "pointer", "\(pointer) of the index leads nowhere")
        }
        for mode in [JSONAPIDecoder.Mode.strict, .standard, .lenient] {
            guard let verdict = entry["\(mode)"]?.string, ["accept", "reject"].contains(verdict) else {
                throw CaseFolder.Unusable("no verdict for \(mode)")
            }
            let reading = try DocumentReading(data, of: entry, in: mode)
            if let failure = reading.failure {
                if verdict == "accept" { report.fail(entry, "\(mode) verdict", "expected to be accepted, found \(failure)") }
                if !expected.contains(failure.pointer) {
                    report.fail(entry, "\(mode) pointer", "expected \(places), found \"\(failure.pointer)\": \(failure)")
                }
                if let offset = entry["offset"]?.int, failure.offset != offset {
                    report.fail(entry, "\(mode) offset", "expected \(offset), found \(failure.offset.map(String.init) ?? "none")")
                }
            } else {
                if verdict == "reject" { report.fail(entry, "\(mode) verdict", "expected to be refused, but it was read") }
                if reports, !reading.diagnostics.contains(where: { expected.contains($0.pointer) }) {
                    let found = reading.diagnostics.map(\.description).joined(separator: ", ")
                    report.fail(entry, "\(mode) diagnostic", "expected one at \(places), found [\(found)]")
                }
            }
        }
    }
}
