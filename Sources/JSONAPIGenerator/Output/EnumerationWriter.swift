/// Writes an enumeration of strings that keeps unknown ones.
struct EnumerationWriter {
    /// The access modifier of its members with a space, or an empty text.
    let modifier: String

    func lines(_ type: TypeDeclaration, _ cases: [TypeDeclaration.EnumerationCase]) -> [String] {
        let declared =
            cases.map { "case \(SwiftName.escaped($0.name))" } + [
                "/// A value that the description does not list.", "case unknown(String)",
            ]
        let known =
            ["\(modifier)static let allCases: [\(type.name)] = ["]
            + SwiftText.indented(cases.map { ".\(SwiftName.escaped($0.name))," }) + ["]"]
        let reading =
            ["\(modifier)init(rawValue: String) {", "    switch rawValue {"]
            + SwiftText.indented(cases.map { "case \(Self.pattern($0.value)): self = .\(SwiftName.escaped($0.name))" })
            + ["    default: self = .unknown(rawValue)", "    }", "}"]
        let writing =
            ["\(modifier)var rawValue: String {", "    switch self {"]
            + SwiftText.indented(cases.map { "case .\(SwiftName.escaped($0.name)): \(SwiftText.quoted($0.value))" })
            + ["    case .unknown(let value): value", "    }", "}"]
        return RequestWriter.comment(type.notes)
            + ["\(modifier)enum \(type.name): RawRepresentable, CaseIterable, Codable, Hashable, Sendable {"]
            + SwiftText.indented(SwiftText.separated([declared, known, reading, writing])) + ["}"]
    }

    /// Returns the pattern for a value. Swift compares strings by their characters, but texts with other bytes are other values.
    private static func pattern(_ value: String) -> String {
        let text = SwiftText.quoted(value)
        return value.utf8.allSatisfy { $0 < 0x80 } ? text : "_ where rawValue.utf8.elementsEqual(\(text).utf8)"
    }
}
