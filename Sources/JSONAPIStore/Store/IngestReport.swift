import JSONAPICodec
import JSONText

/// What ingesting a document or other resources did to a store.
public struct IngestReport: Sendable {
    /// A resource that arrived with values different from those in the store.
    public struct Conflict: Sendable, CustomStringConvertible {
        /// Which resource.
        public let identifier: ResourceIdentifier
        /// The attributes, relationships, links and meta whose stored values were replaced, or may have been by a custom policy, as pointers
        /// into the resource object.
        public let fields: [JSONPointer]

        /// The resource and the places.
        public var description: String { "\(identifier): \(fields.map(\.description).joined(separator: ", "))" }
    }

    static let limit = 1000

    /// How many resources the store did not have before.
    public internal(set) var inserted = 0

    /// How many resources the store had before.
    public internal(set) var updated = 0

    /// How often a resource was repeated in the same call. Each repetition was merged with those before it.
    public internal(set) var repeated = 0

    /// The first 1,000 resources whose values differed from those in the store, or from an earlier one in the same call.
    public internal(set) var conflicts: [Conflict] = []

    /// How many conflicts there were.
    public internal(set) var conflictCount = 0

    /// The places of the first 1,000 resources that were not stored, because they have no identity outside their document.
    public internal(set) var skipped: [JSONPointer] = []

    /// How many were not stored.
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
