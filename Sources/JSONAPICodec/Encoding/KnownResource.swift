import JSONText

/// A resource that was met while a document is written: who it is, and what is known of its object.
struct KnownResource {
    let identifier: ResourceIdentifier
    /// The entry of its type, which all resources of that type share.
    let type: UnsafeMutablePointer<KnownTypes.Known>
    let hash: UInt64
    let isPrimary: Bool
    /// The value that is written, to compare others with.
    var value: KeptValue?
    /// The bytes of the object in the text; empty until it is written.
    var range = 0..<0

    init(_ identifier: ResourceIdentifier, _ type: UnsafeMutablePointer<KnownTypes.Known>, hash: UInt64 = 0, isPrimary: Bool = false) {
        self.identifier = identifier
        self.type = type
        self.hash = hash
        self.isPrimary = isPrimary
    }

    /// Whether an identifier means the resource at an address. As a method it would copy the resource first.
    @inline(__always)
    static func isOne(
        _ known: UnsafePointer<KnownResource>, _ other: ResourceIdentifier, _ otherType: UnsafeMutablePointer<KnownTypes.Known>
    ) -> Bool {
        guard known.pointee.type == otherType else { return false }
        if let id = known.pointee.identifier.shortID, let otherID = other.shortID { return id == otherID }
        return haveOneIdentity(known, other)
    }

    @inline(never)
    private static func haveOneIdentity(_ known: UnsafePointer<KnownResource>, _ other: ResourceIdentifier) -> Bool {
        known.pointee.identifier.hasIdentity(of: other)
    }
}
