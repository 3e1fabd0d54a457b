import Foundation
import JSONAPIValidation
import JSONText

/// `jsonapi validate`: every rule of the standard that a document breaks.
struct ValidateCommand: Subcommand {
    static let name = "validate"
    static let summary = "report every rule of JSON:API that documents break"
    static let operands = "FILE…"
    static let options = [
        Option(
            name: "as", value: "KIND", choices: ValidationContext.Kind.allCases.map(\.rawValue),
            meaning: "what the documents are; response by default"),
        Option(name: "context", value: "JSON", meaning: "what else is known, as an object"),
        Option(name: "query", value: "Q", meaning: "the query of the request that is answered"),
        Option(name: "ext", value: "NAMESPACE=URI", meaning: "an applied extension; may be repeated"),
        Option(name: "profile", value: "URI", meaning: "an applied profile; may be repeated"),
        Option(name: "strict", meaning: "hold contested readings against the document"),
        Option(name: "json", meaning: "print the issues as JSON"),
    ]
    static let details = """
        KIND is response, error, create, update, relationship, atomic-request or atomic-response.

        An issue is FILE:LINE:COLUMN: level: message [rule-id] pointer, both counted from 1, columns in bytes. Its level
        is error for a MUST of the specification, warning for a SHOULD or a reading on which people differ. A document
        without issues prints nothing. With --json the output is an array of {"file","valid","issues"}, where an issue is
        {"rule","level","pointer","message","line","column"}. The exit status is 1 when there is an error. A file has at most
        10,000 issues, of 1 MiB together; how many more there are is told, with --json by rule in "omitted".

        The context may have target (single, collection, relationship-to-one, relationship-to-many), query, headers,
        status, cardinality (to-one, to-many) and method of a relationship request, extensions (an array of
        {"namespace","uri"}), profiles, operations (how many were sent), and for cursor pagination paginated, last_page,
        range_truncated, error_case and parameter. Without a query, the request is taken to have had none.
        """
    static let examples = [
        Example("validate answer.json", "an answer of a server"),
        Example("validate --as create body.json", "the body of a request that creates a resource"),
        Example("validate --query 'include=author&fields[people]=name' answer.json", "an answer against what was asked for"),
        Example(#"validate --context '{"target":"collection"}' pages/*.json"#, "many answers, each a collection"),
    ]

    let files: [String]
    let validator: Validator
    let isMachineReadable: Bool

    init(_ arguments: Arguments) throws {
        files = arguments.operands
        guard !files.isEmpty else { throw UsageError("validate needs a file, or - for standard input", of: Self.name) }
        validator = Validator(try ValidationContext(arguments))
        isMachineReadable = arguments.has("json")
    }

    func run(in console: Console) throws -> ExitStatus {
        var status = ExitStatus.good
        var entries: [JSON] = []
        for file in files {
            do {
                let report = validator.validate(try console.contents(of: file))
                if !report.isValid { status = status.worse(than: .fallsShort) }
                if isMachineReadable { entries.append(report.json(of: file)) } else { try print(report, of: file, console) }
            } catch let fault as Fault {
                // The other files are validated all the same; what was found before comes first.
                if !isMachineReadable { try console.flush() }
                console.complain(fault)
                status = status.worse(than: fault.status)
            }
        }
        if isMachineReadable { try console.print(json: .array(JSONArray(entries))) }
        return status
    }

    private func print(_ report: ValidationReport, of file: String, _ console: Console) throws {
        for issue in report.issues { try console.print(issue.line(of: file)) }
        if report.omittedErrors + report.omittedWarnings > 0 {
            try console.print(
                "\(Fault.shown(file)): and \(report.omittedErrors) more errors, \(report.omittedWarnings) more warnings")
        }
    }
}

extension ExitStatus {
    fileprivate func worse(than other: ExitStatus) -> ExitStatus { rawValue >= other.rawValue ? self : other }
}

// MARK: - Forms of an issue

extension ValidationIssue {
    /// `FILE:LINE:COLUMN: level: message [rule-id] pointer`, the pointer of the root being empty.
    fileprivate func line(of file: String) -> String {
        let place = "\(Fault.shown(file)):\(position.line):\(position.column)"
        let text = ShortText.plain("\(message); \(cure)", limit: 2000)
        let pointer = pointer.tokens.isEmpty ? "" : " " + ShortText.pointer(pointer, limit: 1000)
        return "\(place): \(severity.rawValue): \(text) [\(rule.id)]\(pointer)"
    }

    fileprivate var json: JSON {
        [
            "rule": .string(rule.id),
            "level": .string(severity.rawValue),
            "pointer": .string(pointer.description),
            "message": .string("\(message); \(cure)"),
            "line": .number(JSONNumber(position.line)),
            "column": .number(JSONNumber(position.column)),
        ]
    }
}

extension ValidationReport {
    /// The object of one file. `omitted` is there only when there were too many issues to describe: their number by rule.
    fileprivate func json(of file: String) -> JSON {
        var members: JSONObject = ["file": .string(file), "valid": .bool(isValid), "issues": .array(JSONArray(issues.map(\.json)))]
        guard !omittedIssues.isEmpty else { return .object(members) }
        let counts = omittedIssues.map { JSONObject.Member(name: $0.key.id, value: .number(JSONNumber($0.value))) }
        members["omitted"] = .object(JSONObject(members: counts.sorted { $0.name < $1.name }))
        return .object(members)
    }
}

// MARK: - Reading the options

extension ValidationContext {
    /// What `--context` says, and the other options on top of it. Throws `UsageError`.
    fileprivate init(_ arguments: Arguments) throws {
        let kind = try Self.kind(arguments)
        if let text = arguments.values(of: "context").last {
            self = try ValidationContext(kind, text: text)
        } else {
            self.init(kind)
        }
        if let query = arguments.values(of: "query").last { self.query = query }
        for text in arguments.values(of: "ext") { extensions.append(try Self.appliedExtension(text)) }
        profiles += arguments.values(of: "profile")
        if arguments.has("strict") { isStrict = true }
    }

    private init(_ kind: Kind, text: String) throws {
        do {
            try self.init(kind, json: JSON(parsing: text))
        } catch let error as JSONSyntaxError {
            throw UsageError("--context is no JSON: \(error.reason)", of: ValidateCommand.name)
        } catch let error as ValidationContextError {
            throw UsageError("--context: \(error)", of: ValidateCommand.name)
        }
    }

    private static func kind(_ arguments: Arguments) throws -> Kind {
        guard let name = arguments.values(of: "as").last else { return .response }
        guard let kind = Kind(rawValue: name) else {
            throw UsageError.unknown("kind", name, known: Kind.allCases.map(\.rawValue), of: ValidateCommand.name)
        }
        return kind
    }

    private static func appliedExtension(_ text: String) throws -> Extension {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let isNamespace = parts[0].utf8.allSatisfy { $0.isLetterOrDigit } && !parts[0].isEmpty
        guard parts.count == 2, isNamespace else {
            throw UsageError("--ext needs a namespace of letters and digits, and a URI: --ext NAMESPACE=URI", of: ValidateCommand.name)
        }
        return Extension(namespace: String(parts[0]), uri: String(parts[1]))
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool { self &- UInt8(ascii: "0") < 10 || (self | 0x20) &- UInt8(ascii: "a") < 26 }
}
