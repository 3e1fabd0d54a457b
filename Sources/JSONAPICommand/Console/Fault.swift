import Foundation
import JSONAPICodec
import JSONText

/// What is wrong with the input, and where.
///
///     articles.json:3:14: error: expected a string, found a number (/data/attributes/title)
///     {"file":"articles.json","line":3,"column":14,"pointer":"/data/attributes/title","kind":"wrongType","message":"…"}
struct Fault: Error {
    /// As the user wrote it; `-` for standard input.
    let file: String
    var position: TextPosition?
    var pointer: JSONPointer?
    /// The name of the kind in the library, the id of a broken rule, or `unreadableFile`.
    let kind: String
    /// One sentence, without place.
    var message: String
    var status = ExitStatus.fallsShort
    /// Whether an unusable file is one that was to be written.
    var isWriting = false
}

// MARK: - Making

extension Fault {
    /// A file that cannot be read.
    static func unreadable(_ file: String, _ reason: String) -> Fault {
        Fault(file: file, kind: "unreadableFile", message: reason, status: .unusable)
    }

    /// Creates the fault for a text that is not JSON.
    init(_ error: JSONSyntaxError, in text: some Sequence<UInt8>, file: String) {
        self.init(
            file: file, position: error.position(in: text), pointer: error.pointer, kind: error.kind.description,
            message: error.reason)
    }

    /// Creates the fault for an error of this library's decoder; nil for any other error.
    init?(decoding error: any Error, in text: Data, file: String) {
        guard let failure = (error as? DecodingError)?.failure else { return nil }
        if let syntaxError = failure.syntaxError {
            self.init(syntaxError, in: text, file: file)
            return
        }
        let advice = failure.advice.map { "; \($0)" } ?? ""
        self.init(
            file: file, position: failure.position ?? TextPlaces(text).positions(of: [failure.pointer]).first ?? nil,
            pointer: failure.pointer, kind: failure.kind.description,
            message: "expected \(failure.expected), found \(failure.found)\(advice)")
    }
}

// MARK: - Forms

extension Fault {
    /// One line for people.
    var text: String {
        if status == .unusable { return "jsonapi: cannot \(isWriting ? "write" : "read") \(Fault.shown(file)): \(message)" }
        let place = [Fault.shown(file)] + (position.map { ["\($0.line)", "\($0.column)"] } ?? [])
        let pointer = pointer.flatMap { $0.tokens.isEmpty ? nil : " (\(ShortText.pointer($0, limit: 150)))" } ?? ""
        return "\(place.joined(separator: ":")): error: \(ShortText.plain(message, limit: 2000))\(pointer)"
    }

    /// One object for programs. Members that are not known are null.
    var json: JSON {
        [
            "file": .string(file),
            "line": position.map { .number(JSONNumber($0.line)) } ?? .null,
            "column": position.map { .number(JSONNumber($0.column)) } ?? .null,
            "pointer": pointer.map { .string($0.description) } ?? .null,
            "kind": .string(kind),
            "message": .string(message),
        ]
    }

    /// The name of a file in lines for people.
    static func shown(_ file: String) -> String { file == "-" ? "<stdin>" : ShortText.plain(file, limit: 1000) }
}
