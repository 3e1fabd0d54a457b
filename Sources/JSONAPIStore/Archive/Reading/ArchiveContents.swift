import JSONAPICodec
import JSONText

/// The contents of an archive, as they are in the file or after a migration.
protocol ArchiveContents: ResourceSource {
    var modelVersion: Int { get }
    var rootNames: [String] { get }
    var resourceCount: Int { get }
    func hasRoot(named name: String) -> Bool
    /// Returns the contents of the root with a name, or nil if there is none.
    func root(named name: String) throws -> ArchiveRoot?
    /// Returns all resources, in the order in which they were first written.
    func keys() throws -> [ArchiveKey]
    /// Returns the resources of a type, in the same order.
    func keys(ofType type: String) throws -> [ArchiveKey]
    func has(_ key: ArchiveKey) throws -> Bool
    func text(_ key: ArchiveKey) throws -> [UInt8]?
    /// Calls `body` with each resource and its text, in the same order. Each byte is read once.
    func forEachResource(_ body: (ArchiveKey, [UInt8]) throws -> Void) throws
    /// Calls `body` with each key and its contents, in the order of the keys. Each byte is read once.
    func forEachRoot(_ body: (String, ArchiveRoot) throws -> Void) throws
}

extension ArchiveContents {
    func resourceText(_ identifier: ResourceIdentifier) throws -> [UInt8]? {
        try ArchiveKey(identifier).flatMap { try text($0) }
    }
}

/// The contents of a key.
enum ArchiveRoot: Sendable {
    /// JSON text.
    case value([UInt8])
    case one(ArchiveKey)
    case many([ArchiveKey])
}

extension ArchiveImage: ArchiveContents {
    var modelVersion: Int { Int(footer.modelVersion) }
    var rootNames: [String] { roots.map(\.name) }
    var resourceCount: Int { footer.resourceCount }

    func hasRoot(named name: String) -> Bool { rootEntry(name) != nil }

    func root(named name: String) throws -> ArchiveRoot? {
        guard let record: ArchiveRecord = try root(name) else { return nil }
        return root(record, record.kind == .value ? [] : try keys(of: record))
    }

    private func root(_ record: ArchiveRecord, _ keys: [ArchiveKey]) -> ArchiveRoot? {
        if record.kind == .value { return .value(bytes.array(record.text)) }
        // A root of kind `one` has exactly one reference.
        return record.kind == .one ? keys.first.map(ArchiveRoot.one) : .many(keys)
    }

    func forEachRoot(_ body: (String, ArchiveRoot) throws -> Void) throws {
        let roots = try rootRecords()
        let offsets = try roots.map { try $0.record.kind == .value ? [] : references($0.record) }
        let known = try keys(at: Set(offsets.joined()))
        for (root, offsets) in zip(roots, offsets) {
            if let value = self.root(root.record, offsets.compactMap { known[$0] }) { try body(root.name, value) }
        }
    }

    func forEachResource(_ body: (ArchiveKey, [UInt8]) throws -> Void) throws {
        for record in try records() { try body(key(of: record), text(of: record)) }
    }

    func keys() throws -> [ArchiveKey] { try records().map { key(of: $0) } }

    func keys(ofType type: String) throws -> [ArchiveKey] { try identities(ofType: type).map(ArchiveKey.init) }

    func text(_ key: ArchiveKey) throws -> [UInt8]? { try record(key).map { text(of: $0) } }
}
