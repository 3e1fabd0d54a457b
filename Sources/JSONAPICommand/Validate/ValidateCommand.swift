import Foundation
import JSONAPICodec
import JSONAPIValidation
import JSONText

/// `jsonapi validate`: reports every rule of the standard that a document breaks.
struct ValidateCommand: Subcommand {
    static let name = "validate"
    static let summary = "report every rule of JSON:API that documents break"
    static let operands = "FILE…"
    static let options = [
        Option(
            name: "as", value: "KIND", choices: ValidationContext.Kind.allCases.map(\.rawValue),
            meaning: "the kind of document; response by default"),
        Option(name: "context", value: "JSON", meaning: "more about the exchange, as an object"),
        Option(name: "query", value: "Q", meaning: "the query of the request for the document"),
        Option(name: "ext", value: "NAMESPACE=URI", meaning: "an applied extension; can be repeated"),
        Option(name: "profile", value: "URI", meaning: "an applied profile; can be repeated"),
        Option(name: "strict", meaning: "report disputed readings of the specification as errors"),
        Option(name: "max-issues", value: "N", meaning: "print at most N issues; the rest is counted"),
        Option(name: "json", meaning: "print the issues as JSON"),
    ]
    static let details = """
        KIND is response, error, create, update, relationship, atomic-request or atomic-response.

        An issue is FILE:LINE:COLUMN: level: message [rule-id] pointer. Lines and columns count from 1, columns in bytes.
        The level is error for a MUST of the specification, and warning for a SHOULD or a disputed reading. The exit status
        is 1 if there is an error. If there are issues, their number follows on standard error. A document without issues
        prints nothing.

        At most 10,000 issues of a file, 1 MiB together, are described; the others are counted. With --json the output is
        an array of {"file","valid","issues"}, where an issue is {"rule","level","pointer","message","line","column"}.
        "omitted" then has the number of issues that are not described, by rule.

        The context is an object with any of these members: target (single, collection, relationship-to-one or
        relationship-to-many), query, headers, status, cardinality (to-one or to-many) and method of a relationship request,
        extensions (an array of {"namespace","uri"}), profiles, operations (the number of operations sent), strict, and for
        cursor pagination paginated, last_page, range_truncated, error_case and parameter. Without a query, the request had
        none.
        """
    static let examples = [
        Example("validate response.json", "the response of a server"),
        Example("validate --as create body.json", "the body of a request that creates a resource"),
        Example("validate --query 'include=author&fields[people]=name' response.json", "the response to a request with this query"),
        Example(#"validate --context '{"target":"collection"}' pages/*.json"#, "many responses, each a collection"),
    ]

    let files: [String]
    let validator: Validator
    let maximumIssues: Int
    let isMachineReadable: Bool

    init(_ arguments: Arguments) throws {
        files = try arguments.files()
        validator = Validator(try ValidationContext(arguments))
        maximumIssues = try arguments.count("max-issues") ?? .max
        isMachineReadable = arguments.has("json")
    }

    func run(in console: Console) throws -> ExitStatus {
        var status = ExitStatus.good
        var entries: [JSON] = []
        var tally = IssueTally(maximum: maximumIssues)
        for file in files {
            do {
                let report = validator.validate(try console.contents(of: file))
                if !report.isValid { status = status.worse(than: .fallsShort) }
                let shown = tally.add(report)
                if isMachineReadable {
                    entries.append(report.json(of: file, shown: shown))
                } else {
                    try print(report, shown: shown, of: file, console)
                }
            } catch let fault as Fault {
                // The other files are still validated. The output so far comes first.
                if !isMachineReadable { try console.flush() }
                console.complain(fault)
                status = status.worse(than: fault.status)
            }
        }
        if isMachineReadable {
            try console.print(json: .array(JSONArray(entries)))
        } else if let summary = tally.summary {
            try console.flush()
            console.complain(summary)
        }
        return status
    }

    private func print(_ report: ValidationReport, shown: Int, of file: String, _ console: Console) throws {
        for issue in report.issues.prefix(shown) { try console.print(issue.line(of: file)) }
        guard report.omittedErrors + report.omittedWarnings > 0, shown == report.issues.count else { return }
        try console.print("\(Fault.shown(file)): and \(report.omittedErrors) more errors, \(report.omittedWarnings) more warnings")
    }
}

// MARK: - Forms of an issue

extension ValidationIssue {
    /// `FILE:LINE:COLUMN: level: message [rule-id] pointer`. The pointer to the whole document is empty.
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
    /// The object of one file with its first issues. `omitted` counts the others by rule, if there are any.
    fileprivate func json(of file: String, shown: Int) -> JSON {
        let described = issues.prefix(shown)
        var members: JSONObject = ["file": .string(file), "valid": .bool(isValid), "issues": .array(JSONArray(described.map(\.json)))]
        var omitted: [String: Int] = [:]
        for (rule, count) in omittedIssues { omitted[rule.id, default: 0] += count }
        for issue in issues.dropFirst(shown) { omitted[issue.rule.id, default: 0] += 1 }
        guard !omitted.isEmpty else { return .object(members) }
        let counts = omitted.map { JSONObject.Member(name: $0.key, value: .number(JSONNumber($0.value))) }
        members["omitted"] = .object(JSONObject(members: counts.sorted { $0.name < $1.name }))
        return .object(members)
    }
}

// MARK: - Reading the options

extension ValidationContext {
    /// Reads `--context`, and then the other options, which take precedence. Throws `UsageError`.
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
        try checkNamespaces()
        try checkURIs()
    }

    /// Throws `UsageError` for an extension whose members no document can have.
    ///
    /// <https://jsonapi.org/format/1.1/#extension-rules>
    private func checkNamespaces() throws {
        for namespace in extensions.map(\.namespace) where namespace.isEmpty || !namespace.utf8.allSatisfy({ $0.isLetterOrDigit }) {
            throw UsageError(
                "`\(ShortText.plain(namespace, limit: 60))` is not the namespace of an extension, which has letters and digits only",
                of: ValidateCommand.name)
        }
    }

    /// Throws `UsageError` for an extension or a profile that is not named by a URI.
    private func checkURIs() throws {
        for text in extensions.map(\.uri) + profiles where !Self.isURI(text) {
            throw UsageError(
                "`\(ShortText.plain(text, limit: 60))` is not the URI of an extension or a profile; write it with https: or another scheme",
                of: ValidateCommand.name)
        }
    }

    /// Whether a text has the characters of a URI, and a scheme.
    private static func isURI(_ text: String) -> Bool { URLText.encodedURI(text) == text && URL(string: text)?.scheme != nil }

    private init(_ kind: Kind, text: String) throws {
        do {
            let json = try JSON(parsing: text)
            if let unknown = json.object?.names.first(where: { !Self.memberNames.contains($0) }) {
                throw UsageError.unknown("member of --context", unknown, known: Self.memberNames, of: ValidateCommand.name)
            }
            try self.init(kind, json: json)
        } catch let error as JSONSyntaxError {
            throw UsageError("--context is not JSON: \(error.reason)", of: ValidateCommand.name)
        } catch let error as ValidationContextError {
            throw UsageError("--context: \(error)", of: ValidateCommand.name)
        }
    }

    /// The members that a context can have.
    private static let memberNames = [
        "target", "cardinality", "method", "query", "status", "headers", "extensions", "profiles", "operations", "paginated", "last_page",
        "range_truncated", "error_case", "parameter", "strict",
    ]

    private static func kind(_ arguments: Arguments) throws -> Kind {
        guard let name = arguments.values(of: "as").last else { return .response }
        guard let kind = Kind(rawValue: name) else {
            throw UsageError.unknown("kind", name, known: Kind.allCases.map(\.rawValue), of: ValidateCommand.name)
        }
        return kind
    }

    private static func appliedExtension(_ text: String) throws -> Extension {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw UsageError("--ext needs a namespace and a URI: --ext NAMESPACE=URI", of: ValidateCommand.name)
        }
        return Extension(namespace: String(parts[0]), uri: String(parts[1]))
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool { self &- UInt8(ascii: "0") < 10 || (self | 0x20) &- UInt8(ascii: "a") < 26 }
}
