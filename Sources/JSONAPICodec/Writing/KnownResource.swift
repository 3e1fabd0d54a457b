import JSONText

/// A resource that was met while a document is written: who it is, and what is known of its object.
struct KnownResource {
    /// What names it beside its type.
    enum Name { case id, lid, nothing }

    /// The number of its type.
    let type: Int
    let name: Name
    /// The id or the lid.
    let text: String
    let hash: UInt64
    let isPrimary: Bool
    /// Whether it has an id with at least one character.
    let hasPlainID: Bool
    /// The bytes of the object in the text; empty until it is written.
    var range = 0..<0

    init(_ name: Name, _ text: String, type: Int, hash: UInt64, isPrimary: Bool) {
        self.type = type
        self.name = name
        self.text = text
        self.hash = hash
        self.isPrimary = isPrimary
        hasPlainID = name == .id && !text.isEmpty
    }

    /// What names a resource: the id, without one the lid.
    @inline(__always)
    static func name(of identifier: ResourceIdentifier) -> (Name, String) {
        if let id = identifier.id { return (.id, id) }
        return identifier.lid.map { (.lid, $0) } ?? (.nothing, "")
    }
}
