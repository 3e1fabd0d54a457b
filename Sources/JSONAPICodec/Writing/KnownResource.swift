import JSONText

/// A resource that was noted while a document is written: its identity, and the state of its object.
struct KnownResource {
    /// What identifies it beside its type.
    enum Name { case id, lid, nothing }

    /// The index of its type.
    let type: Int
    let name: Name
    /// The id or the lid.
    let text: String
    let hash: UInt64
    let isPrimary: Bool
    /// Whether it has an id with at least one character.
    let hasPlainID: Bool
    /// The range of the object in the text; empty until it is written.
    var range = 0..<0

    /// Returns the id; or the lid when there is no id.
    @inline(__always)
    static func name(of identifier: ResourceIdentifier) -> (Name, String) {
        if let id = identifier.storedID { return (.id, id) }
        return identifier.lid.map { (.lid, $0) } ?? (.nothing, "")
    }
}
