import JSONAPICodec
import JSONText

/// What an archive holds: as it is in the file, or migrated.
protocol ArchiveContents: ResourceSource {
    var modelVersion: Int { get }
    var rootNames: [String] { get }
    var resourceCount: Int { get }
    /// What a key names; nil when there is no such key.
    func root(named name: String) throws -> ArchiveRoot?
    /// All resources, in the order in which they were last written.
    func keys() throws -> [ArchiveKey]
    func has(_ key: ArchiveKey) throws -> Bool
    func text(_ key: ArchiveKey) throws -> [UInt8]?
}

extension ArchiveContents {
    func resourceText(_ identifier: ResourceIdentifier) throws -> [UInt8]? {
        try ArchiveKey(identifier).flatMap { try text($0) }
    }
}

/// What a key names.
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

    func root(named name: String) throws -> ArchiveRoot? {
        guard let record: ArchiveRecord = try root(name) else { return nil }
        if record.kind == .value { return .value(bytes.array(record.text)) }
        let keys = try keys(of: record)
        // A root of kind `one` has exactly one reference.
        return record.kind == .one ? keys.first.map(ArchiveRoot.one) : .many(keys)
    }

    func keys() throws -> [ArchiveKey] { try records().map { key(of: $0) } }

    func has(_ key: ArchiveKey) throws -> Bool { try record(key) != nil }

    func text(_ key: ArchiveKey) throws -> [UInt8]? { try record(key).map { text(of: $0) } }
}
