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
    /// The value that is written, to compare others with.
    var value: KeptValue?
    /// The bytes of the object in the text; empty until it is written.
    var range = 0..<0

    init(_ identifier: ResourceIdentifier, type: Int, hash: UInt64, isPrimary: Bool) {
        self.type = type
        self.hash = hash
        self.isPrimary = isPrimary
        (name, text) = Self.name(of: identifier)
    }

    /// What names a resource: the id, without one the lid.
    @inline(__always)
    static func name(of identifier: ResourceIdentifier) -> (Name, String) {
        if let id = identifier.id { return (.id, id) }
        return identifier.lid.map { (.lid, $0) } ?? (.nothing, "")
    }
}
