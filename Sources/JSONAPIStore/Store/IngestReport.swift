import JSONAPICodec
import JSONText

/// What a document, or any other handful of resources, did to a store.
public struct IngestReport: Sendable {
    /// A resource that arrived with other values than the store had.
    public struct Conflict: Sendable, CustomStringConvertible {
        /// Which resource.
        public let identifier: ResourceIdentifier
        /// The attributes, relationships, links and meta whose stored values gave way or, by a policy of the program, may have: as
        /// pointers into the resource object.
        public let fields: [JSONPointer]

        /// The resource and the places.
        public var description: String { "\(identifier): \(fields.map(\.description).joined(separator: ", "))" }
    }

    static let limit = 1000

    /// How many resources the store did not have before.
    public internal(set) var inserted = 0

    /// How many resources the store had before.
    public internal(set) var updated = 0

    /// How often a resource came again in the same handful. It was merged with those before it.
    public internal(set) var repeated = 0

    /// Where values of the store, or of an earlier resource of the handful, met other ones; the first 1,000.
    public internal(set) var conflicts: [Conflict] = []

    /// How many conflicts there were.
    public internal(set) var conflictCount = 0

    /// The places of what was not stored, because it has no identity that holds beyond its document; the first 1,000.
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
