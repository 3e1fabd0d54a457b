import Foundation
import JSONText

/// Cases of JSON texts: the verdict, the error and its offset, and the text of an accepted value.
enum TextCases {
    static func check(_ entry: CaseEntry, _ report: inout Report) throws {
        let text = try [UInt8](entry.bytes())
        let tree = Result { () throws(JSONSyntaxError) in try compactFromTree(text) }
        let tape = Result { () throws(JSONSyntaxError) in try compactFromTape(text) }
        for (reader, result) in [("tree", tree), ("tape", tape)] {
            switch (entry["verdict"]?.string, result) {
            case ("accept", .success(let written)):
                guard let expected = entry["text"]?.string else { throw CaseFolder.Unusable("no text") }
                if written != Array(expected.utf8) {
                    report.fail(entry, "\(reader) text", "expected \(expected), found \(String(decoding: written, as: UTF8.self))")
                }
            case ("accept", .failure(let error)):
                report.fail(entry, "\(reader) verdict", "expected to be accepted, found \(error)")
            case ("reject", .success):
                report.fail(entry, "\(reader) verdict", "expected to be refused, but it was read")
            case ("reject", .failure(let error)):
                let expected = try errors(entry)
                let found = Found(error: error.kind.description, offset: error.offset)
                if !expected.contains(found) { report.fail(entry, "\(reader) error", "expected \(expected), found \(found)") }
            case (let verdict, _):
                throw CaseFolder.Unusable("no verdict: \(verdict ?? "absent")")
            }
        }
    }

    private struct Found: Hashable, CustomStringConvertible {
        let error: String
        let offset: Int
        var description: String { "\(error) at \(offset)" }
    }

    private static func errors(_ entry: CaseEntry) throws -> [Found] {
        let answers = [JSON.object(entry.members)] + (entry["alternatives"]?.array.map(Array.init) ?? [])
        return try answers.map {
            guard let error = $0["error"]?.string, let offset = $0["offset"]?.int else {
                throw CaseFolder.Unusable("no error or no offset")
            }
            return Found(error: error, offset: offset)
        }
    }

    private static func compactFromTree(_ text: [UInt8]) throws(JSONSyntaxError) -> [UInt8] {
        let json = try JSON(parsing: text)
        // No accepted value is too deep to write. An empty text would show that.
        return (try? JSONWriter().write(json)) ?? []
    }

    private static func compactFromTape(_ text: [UInt8]) throws(JSONSyntaxError) -> [UInt8] {
        try text.withUnsafeBufferPointer { (bytes) throws(JSONSyntaxError) in
            let tape = try Tape.borrowing(bytes, options: JSONReadingOptions())
            return withExtendedLifetime(tape) {
                let output = JSONOutput()
                tape.view.write(tape.view.root, into: output)
                return output.bytes
            }
        }
    }
}
