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
            + ["\(SwiftText.nonisolated)\(modifier)enum \(type.name): RawRepresentable, CaseIterable, Codable, Hashable, Sendable {"]
            + SwiftText.indented(SwiftText.separated([declared, known, reading, writing])) + ["}"]
    }

    /// Returns the pattern for a value. Swift compares strings by their characters, but texts with other bytes are other values: for example,
    /// `K` is equal to the sign of the unit kelvin.
    private static func pattern(_ value: String) -> String {
        let text = SwiftText.quoted(value)
        let isPlain = value.utf8.allSatisfy { $0 < 0x80 && !equivalents.contains($0) }
        return isPlain ? text : "_ where rawValue.utf8.elementsEqual(\(text).utf8)"
    }

    /// The ASCII characters that are equal to another one: U+212A, U+037E, and U+1FEF.
    private static let equivalents: Set<UInt8> = [UInt8(ascii: "K"), UInt8(ascii: ";"), UInt8(ascii: "`")]
}
