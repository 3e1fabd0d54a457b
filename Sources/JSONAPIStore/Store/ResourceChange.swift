import JSONAPIArchive
import JSONAPICodec
import JSONText

/// What a write did to one resource, as observers receive it.
public struct ResourceChange: Sendable, CustomStringConvertible {
    /// What happened. New values may be added, so always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The kind's name, such as `updated`.
        public let description: String
        private init(_ name: String) { description = name }

        /// The resource is new in the store.
        public static let inserted = Kind("inserted")
        /// The resource was written again, possibly with equal contents.
        public static let updated = Kind("updated")
        /// The program removed the resource.
        public static let removed = Kind("removed")
        /// The store evicted the resource, because it held more than its limit.
        public static let evicted = Kind("evicted")
    }

    /// What happened.
    public let kind: Kind

    /// The resource that changed.
    public let identifier: ResourceIdentifier

    /// The number of the write. Later writes have greater numbers. All changes of a transaction have the same number.
    public let revision: Int

    let text: [UInt8]?
    /// The text before the write; nil if the resource was not in the store.
    let earlierText: [UInt8]?

    /// The resource after this write; nil if it was removed or evicted. The store may have changed it since.
    ///
    /// - Complexity: O(n) at each call, n = bytes of the resource.
    public var object: ResourceObject? { text.flatMap(StoredText.object) }

    /// Pointers to the attributes, relationships, links and meta that the write changed. The pointers start at the resource object. Empty
    /// for a removed resource, and for a write with equal contents. For a new resource, contains all fields.
    ///
    /// - Complexity: O(n) at each call, n = bytes of the resource before and after the write.
    public var fields: [JSONPointer] {
        guard let object else { return [] }
        guard let earlier = earlierText.flatMap(StoredText.object) else { return ResourceFields.places(of: object) }
        return ResourceFields.differences(earlier, object)
    }

    /// The kind of the change and the resource.
    public var description: String { "\(kind) \(identifier)" }
}
