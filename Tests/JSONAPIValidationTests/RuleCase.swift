import JSONAPIValidation
import JSONText
import Testing

/// A small document and its issues, in document order: `rule-id pointer` for each issue, with `~` before a warning.
struct RuleCase: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let kind: ValidationContext.Kind
    let context: String
    let issues: [String]

    init(
        _ name: String, _ text: String, as kind: ValidationContext.Kind = .response, context: String = "{}", _ issues: String...
    ) {
        self.name = name
        self.text = text
        self.kind = kind
        self.context = context
        self.issues = issues
    }

    var testDescription: String { name }

    /// Expects exactly these issues, each at an existing value.
    func check(at location: SourceLocation = #_sourceLocation) throws {
        let report = Validator(try ValidationContext(kind, json: JSON(parsing: context))).validate(text)
        let found = report.issues.map { "\($0.severity == .warning ? "~" : "")\($0.rule.id) \($0.pointer)" }
        #expect(found == issues, "\(name): \(report)", sourceLocation: location)
        let json = try JSON(parsing: text)
        for issue in report.issues { #expect(json[pointer: issue.pointer] != nil, "\(issue)", sourceLocation: location) }
    }
}

/// Contexts that many cases share.
enum Given {
    static let audit = #"{"extensions": [{"uri": "https://example.com/ext/audit", "namespace": "audit"}]}"#
    static let atomic = #"{"extensions": [{"uri": "https://jsonapi.org/ext/atomic", "namespace": "atomic"}]}"#
    static let strict = #"{"strict": true}"#
    static func query(_ query: String) -> String { #"{"query": "\#(query)"}"# }
    static func target(_ target: String, query: String? = nil) -> String {
        #"{"target": "\#(target)""# + (query.map { #", "query": "\#($0)"}"# } ?? "}")
    }
    static func cursor(_ more: String) -> String {
        #"{"profiles": ["https://jsonapi.org/profiles/ethanresnick/cursor-pagination"], "paginated": true\#(more.isEmpty ? "" : ", " + more)}"#
    }
}
