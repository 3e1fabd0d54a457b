import JSONText

/// A text as a key of sets and dictionaries, equal by bytes: composed and decomposed é are two keys.
struct ByteText: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (lhs: ByteText, rhs: ByteText) -> Bool { UTF8Bytes.areEqual(lhs.text, rhs.text) }

    func hash(into hasher: inout Hasher) { UTF8Bytes.hash(text, into: &hasher) }
}

/// A resource's identity as a key: type and id, or type and lid.
struct IdentityText: Hashable {
    let type: ByteText
    let id: ByteText
    let isLocal: Bool

    init(type: String, id: String, isLocal: Bool = false) {
        self.type = ByteText(type)
        self.id = ByteText(id)
        self.isLocal = isLocal
    }
}
