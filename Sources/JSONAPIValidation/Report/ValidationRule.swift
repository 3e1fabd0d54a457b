import JSONAPIRules

/// A rule of the standard that a single document can break.
///
/// ```swift
/// let rule = ValidationRule.all.first { $0.id == "document-structure/top-level/root-object" }
/// rule?.level.rawValue  // "MUST"
/// rule?.address         // "https://jsonapi.org/format/1.1/#document-top-level"
/// ```
///
/// Rules are equal if their ids are equal. The ids are those of `Conformance/requirements.json`. Two rules are about the JSON text, and
/// are not from the JSON:API specification: `json/syntax` and `json/duplicate-name`.
public struct ValidationRule: Sendable {
    /// The requirement level, as BCP 14 defines it.
    public enum Level: String, Sendable, CaseIterable {
        /// An absolute requirement.
        case must = "MUST"
        /// An absolute prohibition.
        case mustNot = "MUST NOT"
        /// A recommendation, which can be ignored for good reasons.
        case should = "SHOULD"
        /// An optional feature.
        case may = "MAY"
    }

    /// The path of the section and a name, such as `document-structure/top-level/root-object`.
    public let id: String
    /// The requirement level.
    public let level: Level
    /// The URL of the section in the standard.
    public let address: String
    /// What the standard requires, in one sentence.
    public let sentence: String
    /// The ids of the rules under which this rule is reported. Empty if it is reported under its own id.
    ///
    /// Some rules of the standard follow from others. For example, the link `edit` of a resource is not one of the links that a resource
    /// can have, and it is an additional member. Such a problem is reported as a single issue.
    public let reportedAs: [String]

    /// Creates a rule from a shared rule.
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

    /// Creates a rule that is reported under the ids of other rules, or under its own id if there are none.
    init(_ id: String, _ level: Level, _ anchor: String, _ sentence: String, reportedAs: [ValidationRule] = []) {
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
    /// Returns whether both rules have the same id.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }

    /// Hashes the id.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension ValidationRule: CustomStringConvertible {
    /// The id, the level and the sentence.
    public var description: String { "\(id) (\(level.rawValue)): \(sentence)" }
}

extension ValidationRule {
    /// All rules. The rules that the decoder and the encoder share come first, and then those of the validator, by section of the standard.
    public static let all: [ValidationRule] = [
        shared(Rule.allCases), [syntax, includedArray], topLevel, fetching, writing, reportedAsOthers, atomicOperations, cursorPagination,
    ].flatMap { $0 }
}
