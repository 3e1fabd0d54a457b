import JSONText

/// The identity of a resource as a key: its type and id, or its type and lid.
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
