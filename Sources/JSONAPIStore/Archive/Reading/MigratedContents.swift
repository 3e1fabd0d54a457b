import JSONAPICodec
import JSONText

/// The contents of an older archive after its migration, in memory.
final class MigratedContents: ArchiveContents {
    let modelVersion: Int
    let rootNames: [String]
    private let order: [ArchiveKey]
    private let texts: [ArchiveKey: [UInt8]]
    private let roots: [ByteText: ArchiveRoot]

    /// Runs the migrations above the version of the archive. Throws their errors.
    ///
    /// - Complexity: O(n), n = number of bytes times number of migrations.
    init(_ image: ArchiveImage, _ model: ArchiveModel) throws {
        modelVersion = model.version
        var state = State()
        try image.forEachResource { key, text in
            state.order.append(key)
            state.texts[key] = text
        }
        var names: [String] = []
        var roots: [ByteText: ArchiveRoot] = [:]
        try image.forEachRoot { name, root in
            names.append(name)
            roots[ByteText(name)] = root
        }
        rootNames = names
        for migration in model.migrations where migration.version > image.modelVersion && migration.version <= model.version {
            let (next, successors) = try state.applying(migration)
            state = next
            roots = roots.mapValues { $0.following(successors) }
        }
        order = state.order
        texts = state.texts
        self.roots = roots
    }

    var resourceCount: Int { order.count }
    func hasRoot(named name: String) -> Bool { roots[ByteText(name)] != nil }
    func root(named name: String) throws -> ArchiveRoot? { roots[ByteText(name)] }
    func keys() throws -> [ArchiveKey] { order }
    func keys(ofType type: String) throws -> [ArchiveKey] { order.filter { UTF8Bytes.areEqual($0.type, type) } }
    func has(_ key: ArchiveKey) throws -> Bool { texts[key] != nil }
    func text(_ key: ArchiveKey) throws -> [UInt8]? { texts[key] }

    func forEachResource(_ body: (ArchiveKey, [UInt8]) throws -> Void) throws {
        for key in order { if let text = texts[key] { try body(key, text) } }
    }

    func forEachRoot(_ body: (String, ArchiveRoot) throws -> Void) throws {
        for name in rootNames { if let root = roots[ByteText(name)] { try body(name, root) } }
    }
}

/// All resources in one version.
private struct State {
    var order: [ArchiveKey] = []
    var texts: [ArchiveKey: [UInt8]] = [:]

    /// Returns the next version, and the identities that replace each resource.
    func applying(_ migration: ArchiveModel.Migration) throws -> (State, [ArchiveKey: [ArchiveKey]]) {
        var next = State()
        var successors: [ArchiveKey: [ArchiveKey]] = [:]
        let old = ArchiveModel.OldResources(texts: texts)
        for key in order {
            guard let text = texts[key] else { continue }
            guard let members = try ArchiveForm.json(text, "the text of a resource").object else { throw ArchiveError.noObject(key) }
            for result in try migration.migrate(ResourceObject(members: members), old) {
                guard let identifier = result.identifier, let newKey = ArchiveKey(identifier) else {
                    throw ArchiveError(.missingIdentity, "the migration to version \(migration.version) made a resource without identity")
                }
                let newText = try JSONWriter().write(result.json)
                if let known = next.texts[newKey] {
                    guard known == newText else { throw ArchiveError.conflict(identifier, migration.version) }
                } else {
                    next.order.append(newKey)
                    next.texts[newKey] = newText
                }
                successors[key, default: []].append(newKey)
            }
        }
        return (next, successors)
    }
}

extension ArchiveRoot {
    fileprivate func following(_ successors: [ArchiveKey: [ArchiveKey]]) -> ArchiveRoot {
        switch self {
        case .value: self
        // If the resource was removed, the key still contains its identity, which leads to nothing.
        case .one(let key): .one(successors[key]?.first ?? key)
        case .many(let keys): .many(keys.flatMap { successors[$0] ?? [] })
        }
    }
}

extension ArchiveError {
    static func noObject(_ key: ArchiveKey) -> ArchiveError {
        ArchiveError(.malformed, "the text of \(key.identifier) is no resource object of that identity", section: .record)
    }

    fileprivate static func conflict(_ identifier: ResourceIdentifier, _ version: Int) -> ArchiveError {
        ArchiveError(.conflict, "the migration to version \(version) made two different resources \(identifier)")
    }
}
