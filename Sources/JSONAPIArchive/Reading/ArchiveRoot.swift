import JSONAPICodec

/// The contents of a key.
package enum ArchiveRoot: Sendable {
    /// JSON text.
    case value([UInt8])
    case one(StoredIdentity)
    case many([StoredIdentity])

    /// Creates the contents of a root from its record and the resources to which it refers. Returns nil if a single resource is missing.
    init?(_ record: ArchiveRecord, _ keys: [StoredIdentity], _ bytes: ArchiveBytes) {
        switch record.kind {
        case .value: self = .value(bytes.array(record.text))
        case .many: self = .many(keys)
        default:
            guard let key = keys.first else { return nil }
            self = .one(key)
        }
    }
}

extension ArchiveImage: ResourceSource {
    package var modelVersion: Int { Int(footer.modelVersion) }

    package func resourceText(_ identifier: ResourceIdentifier) throws -> [UInt8]? {
        try StoredIdentity(identifier).flatMap { try text($0) }
    }

    package func appendText(of identifier: ResourceIdentifier, to texts: inout [UInt8]) throws -> Bool {
        guard let record = try StoredIdentity(identifier).flatMap({ try record($0) }) else { return false }
        record.appendText(bytes, type: types[record.type], to: &texts)
        return true
    }

    package func text(_ key: StoredIdentity) throws -> [UInt8]? { try record(key).map { text(of: $0) } }

    /// Returns the contents of the root with a name, or nil if there is none.
    package func root(named name: String) throws -> ArchiveRoot? {
        guard let record: ArchiveRecord = try root(name) else { return nil }
        return ArchiveRoot(record, record.kind == .value ? [] : try keys(of: record), bytes)
    }

    /// Calls `body` with each key and its contents, in the order of the keys. Each byte is read once.
    func forEachRoot(_ body: (String, ArchiveRoot) throws -> Void) throws {
        let roots = try rootRecords()
        let offsets = try roots.map { try $0.record.kind == .value ? [] : references($0.record) }
        let known = try keys(at: Set(offsets.joined()))
        for (root, offsets) in zip(roots, offsets) {
            if let value = ArchiveRoot(root.record, offsets.compactMap { known[$0] }, bytes) { try body(root.name, value) }
        }
    }

    /// Calls `body` with each resource and its text, in the order in which they were first written. Each byte is read once.
    package func forEachResource(_ body: (StoredIdentity, [UInt8]) throws -> Void) throws {
        for record in try records() { try body(key(of: record), text(of: record)) }
    }
}
