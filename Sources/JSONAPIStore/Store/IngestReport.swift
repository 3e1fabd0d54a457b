import JSONAPICodec
import JSONText

/// What ingesting a document or other resources did to a store.
public struct IngestReport: Sendable {
    /// A resource that arrived with values different from those in the store.
    public struct Conflict: Sendable, CustomStringConvertible {
        /// The resource.
        public let identifier: ResourceIdentifier
        /// Pointers to the attributes, relationships, links and meta whose stored values were replaced. With a custom policy, some of these
        /// values may be unchanged. If a document repeats a resource, these are the members in which a later one differs from the first,
        /// whose values stay. The pointers start at the resource object.
        public let fields: [JSONPointer]

        /// The resource and the fields.
        public var description: String { "\(identifier): \(fields.map(\.description).joined(separator: ", "))" }
    }

    static let limit = 1000

    /// The number of ingested resources that the store did not have before.
    public internal(set) var inserted = 0

    /// The number of ingested resources that the store already had.
    public internal(set) var updated = 0

    /// The number of resources that were repeated in the same call. In a document, the fields of the first one count, as for a decoder: the
    /// others only add fields that it does not have. If all primary data may be identifiers, an included resource replaces its identifier.
    /// An array of the program is merged in order, so there the last ones count.
    public internal(set) var repeated = 0

    /// The first 1,000 conflicts. In each of them, a resource differs from the store, or from an earlier one in the same call.
    public internal(set) var conflicts: [Conflict] = []

    /// The number of all conflicts.
    public internal(set) var conflictCount = 0

    /// The places of the first 1,000 resources that were not stored, because they have no identity outside their document.
    public internal(set) var skipped: [JSONPointer] = []

    /// The number of all resources that were not stored.
    public internal(set) var skippedCount = 0

    mutating func note(_ conflict: Conflict) {
        conflictCount += 1
        if conflicts.count < Self.limit { conflicts.append(conflict) }
    }

    mutating func skip(_ pointer: JSONPointer) {
        skippedCount += 1
        if skipped.count < Self.limit { skipped.append(pointer) }
    }
}
