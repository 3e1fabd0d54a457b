import JSONText

/// A name in a set or a dictionary, equal by its bytes: Swift's own keys merge composed and decomposed é.
struct ByteName: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (a: ByteName, b: ByteName) -> Bool { UTF8Bytes.areEqual(a.text, b.text) }

    func hash(into hasher: inout Hasher) { UTF8Bytes.hash(text, into: &hasher) }
}
