import JSONText

/// A resource that was met while a document is written: who it is, and what is known of its object.
///
/// There is one for each resource of the document. A short id is kept in words, without a string.
struct KnownResource {
    /// The entry of its type, which all resources of that type share.
    let type: UnsafeMutablePointer<KnownTypes.Known>
    let hash: UInt64
    let isPrimary: Bool
    /// The id when it is short, of no bytes otherwise.
    let shortID: ShortText
    /// The id when it is not short, empty otherwise.
    private let longID: String
    /// An identifier that is more than a type and an id, or less.
    private let unusual: Unusual?
    /// The value that is written, to compare others with.
    var value: KeptValue?
    /// The bytes of the object in the text; empty until it is written.
    var range = 0..<0

    private final class Unusual {
        let identifier: ResourceIdentifier
        init(_ identifier: ResourceIdentifier) { self.identifier = identifier }
    }

    /// One with a short id, which is not empty.
    init(_ id: ShortText, _ type: UnsafeMutablePointer<KnownTypes.Known>, hash: UInt64, isPrimary: Bool) {
        self.type = type
        self.hash = hash
        self.isPrimary = isPrimary
        shortID = id
        longID = ""
        unusual = nil
    }

    /// One with an id that is not short.
    init(_ id: String, _ type: UnsafeMutablePointer<KnownTypes.Known>, hash: UInt64, isPrimary: Bool) {
        self.type = type
        self.hash = hash
        self.isPrimary = isPrimary
        shortID = .empty
        longID = id
        unusual = nil
    }

    /// One with a lid, or with nothing at all.
    init(unnamed identifier: ResourceIdentifier, _ type: UnsafeMutablePointer<KnownTypes.Known>, hash: UInt64 = 0, isPrimary: Bool = false)
    {
        self.type = type
        self.hash = hash
        self.isPrimary = isPrimary
        shortID = .empty
        longID = ""
        unusual = Unusual(identifier)
    }

    /// Whatever it is, for one that nobody looks up.
    init(loose identifier: ResourceIdentifier, _ type: UnsafeMutablePointer<KnownTypes.Known>) {
        guard !identifier.hasOtherMembers, let id = identifier.id, !id.isEmpty else {
            self.init(unnamed: identifier, type)
            return
        }
        if let short = ShortText(id) {
            self.init(short, type, hash: 0, isPrimary: false)
        } else {
            self.init(id, type, hash: 0, isPrimary: false)
        }
    }

    /// Type and id, or what else there is.
    var identifier: ResourceIdentifier {
        if let unusual { return unusual.identifier }
        return ResourceIdentifier(type: type.pointee.name, id: shortID.count > 0 ? shortID.string : longID)
    }

    /// The id of one at an address that is not short, without copying it; empty when it is short, or there is none.
    @inline(__always)
    static func lendID<Result>(_ known: UnsafePointer<KnownResource>, to body: (String) throws -> Result) rethrows -> Result {
        guard let offset = MemoryLayout<KnownResource>.offset(of: \.longID) else { return try body(known.pointee.longID) }
        return try Lending.lend(UnsafeRawPointer(known) + offset, as: String.self, to: body)
    }
}
