import JSONAPICodec
import JSONText

/// What a write did to one resource, as observers are told.
public struct ResourceChange: Sendable, CustomStringConvertible {
    /// What happened. The set may grow: always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The kind's name, as `updated`.
        public let description: String
        private init(_ name: String) { description = name }

        /// The resource is new in the store.
        public static let inserted = Kind("inserted")
        /// The resource was written again, maybe with equal contents.
        public static let updated = Kind("updated")
        /// The program took the resource out.
        public static let removed = Kind("removed")
        /// The store let go of the resource, because it holds more than its limit.
        public static let evicted = Kind("evicted")
    }

    /// What happened.
    public let kind: Kind

    /// Which resource.
    public let identifier: ResourceIdentifier

    /// The number of the write: each has a greater one than those before it. All changes of one transaction share it.
    public let revision: Int

    let text: [UInt8]?
    /// What it was before; nil when it was not in the store.
    let earlierText: [UInt8]?

    /// The resource as this write left it; nil when it is gone. The store may have a newer one by now.
    ///
    /// - Complexity: O(its text), at each call.
    public var object: ResourceObject? { text.flatMap(StoredText.object) }

    /// The attributes and relationships, links and meta that the write changed, as pointers into the resource object: all of a new resource,
    /// none of one that is gone or was written with equal contents.
    ///
    /// - Complexity: O(both texts), at each call.
    public var fields: [JSONPointer] {
        guard let object else { return [] }
        guard let earlier = earlierText.flatMap(StoredText.object) else { return ResourceMerge.places(of: object) }
        return ResourceMerge.differences(earlier, object)
    }

    /// What happened, to which resource.
    public var description: String { "\(kind) \(identifier)" }
}
