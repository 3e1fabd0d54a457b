import JSONAPIRules

/// One statement of the standard that a single document can be checked against.
///
/// ```swift
/// let rule = ValidationRule.all.first { $0.id == "document-structure/top-level/root-object" }
/// rule?.level.rawValue  // "MUST"
/// rule?.address         // "https://jsonapi.org/format/1.1/#document-top-level"
/// ```
///
/// Rules are equal when their ids are. The ids are those of `Conformance/requirements.json`. Two rules are about the text and
/// stand in no section of the standard: `json/syntax` and `json/duplicate-name`.
public struct ValidationRule: Sendable {
    /// How strongly the standard asks, after BCP 14.
    public enum Level: String, Sendable, CaseIterable {
        /// It has to be so.
        case must = "MUST"
        /// It must not be so.
        case mustNot = "MUST NOT"
        /// It is to be so unless there are good reasons.
        case should = "SHOULD"
        /// It may be so.
        case may = "MAY"
    }

    /// Path of the section and a name, as `document-structure/top-level/root-object`.
    public let id: String
    /// How strongly the standard asks.
    public let level: Level
    /// The section of the standard, as an address with an anchor.
    public let address: String
    /// What the standard asks for, in one sentence.
    public let sentence: String
    /// The rules under whose ids a break of this one is reported; empty when it is reported under its own.
    ///
    /// The standard says some things twice: that a resource has no link `edit` follows from the links it may have, and from the
    /// ban on additional members. One break is one issue.
    public let reportedAs: [String]

    /// A rule that is reported under its own id.
    init(_ id: String, _ level: Level, _ anchor: String, _ sentence: String) {
        self.init(id, level, anchor, sentence, reportedAs: [])
    }

    /// A rule that others ask for as well.
    init(_ rule: Rule) {
        let level: Level =
            switch rule.level {
            case .must: .must
            case .mustNot: .mustNot
            case .should: .should
            }
        self.init(rule.rawValue, level, rule.anchor, rule.sentence)
    }

    static func shared(_ rules: [Rule]) -> [ValidationRule] { rules.map { ValidationRule($0) } }

    /// A rule whose breaks are reported as breaks of other rules.
    init(_ id: String, _ level: Level, _ anchor: String, _ sentence: String, reportedAs: [ValidationRule]) {
        self.id = id
        self.level = level
        self.address = Self.page(of: id) + anchor
        self.sentence = sentence
        self.reportedAs = reportedAs.map(\.id)
    }

    private static func page(of id: String) -> String {
        switch id.prefix(while: { $0 != "/" }) {
        case "atomic": "https://jsonapi.org/ext/atomic/#"
        case "cursor-pagination": "https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#"
        case "json": "https://www.rfc-editor.org/rfc/rfc8259#"
        default: "https://jsonapi.org/format/1.1/#"
        }
    }
}

extension ValidationRule: Hashable {
    /// Whether both have the same id.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }

    /// Feeds the id to `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension ValidationRule: CustomStringConvertible {
    /// Id, level and sentence.
    public var description: String { "\(id) (\(level.rawValue)): \(sentence)" }
}

extension ValidationRule {
    /// Every rule: those that the decoder and the encoder ask for as well, then those of the validator alone, by section of the standard.
    public static let all: [ValidationRule] = [
        shared(Rule.allCases), [syntax, includedArray], topLevel, fetching, writing, reportedAsOthers, atomicOperations, cursorPagination,
    ].flatMap { $0 }
}
