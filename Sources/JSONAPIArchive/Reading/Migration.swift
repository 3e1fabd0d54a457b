import JSONAPICodec
import JSONText

extension ArchiveImage {
    /// Runs the migrations above the version of the archive. Returns the result as an archive in memory. Throws their errors.
    ///
    /// - Complexity: O(n log n), n = number of bytes times number of migrations.
    func migrated(by model: ArchiveModel) throws -> ArchiveImage {
        var state = State()
        try forEachResource { key, text in
            state.order.append(key)
            state.texts[key] = text
        }
        var roots: [(name: String, root: ArchiveRoot)] = []
        try forEachRoot { name, root in roots.append((name, root)) }
        state.requests = RequestMigration.all(roots)
        for migration in model.migrations where migration.version > modelVersion && migration.version <= model.version {
            state = try state.applying(migration)
            roots = try roots.map { ($0.name, try $0.root.following(state, named: $0.name)) }
        }
        try Self.replace(&roots, by: state.requests.flatMap(\.requests))
        // References that are read from the result lead to the same archive.
        var writer = Archive.Writer(0, JSONAPIEncoder(), CommitBuilder(base: nil, header: header.compacted), origin: nil)
        for key in state.order { if let text = state.texts[key] { try writer.insert(key.identifier, text.span) } }
        for (name, root) in roots {
            if case .one(let key) = root, state.texts[key] == nil {
                // The root still contains the identity of the removed resource, so it refers to a record that no directory contains.
                let nothing: [UInt8] = []
                try writer.insert(key.identifier, nothing.span)
                try writer.put(root, named: name)
                try writer.remove(key.identifier)
            } else {
                try writer.put(root, named: name)
            }
        }
        return try ArchiveImage(ArchiveBytes(try writer.bytes()))
    }

    private static func replace(_ roots: inout [(name: String, root: ArchiveRoot)], by requests: [QueuedRequest]) throws {
        let known = Dictionary(requests.map { (StoreKey.request($0.key).archiveKey, $0) }) { first, _ in first }
        for index in roots.indices {
            if let request = known[roots[index].name] { roots[index].root = .value(try JSONWriter().write(request.json)) }
        }
    }
}

/// All resources in one version, and the waiting requests about them.
private struct State {
    var order: [StoredIdentity] = []
    var texts: [StoredIdentity: [UInt8]] = [:]
    var requests: [RequestMigration] = []
    /// The identities that have replaced each resource of the version before, also those that requests hide. Empty for removed resources.
    var successors: [StoredIdentity: [StoredIdentity]] = [:]

    /// Returns the next version.
    func applying(_ migration: ArchiveModel.Migration) throws -> State {
        var next = State()
        let old = ArchiveModel.OldResources(texts: texts)
        for key in order {
            guard let text = texts[key] else { continue }
            guard let members = try ArchiveForm.json(text, "the text of a resource").object else { throw ArchiveError.noObject(key) }
            next.successors[key] = []
            for result in try migration.migrate(ResourceObject(members: members), old) {
                guard let identifier = result.identifier, let newKey = StoredIdentity(identifier) else {
                    throw ArchiveError(.missingIdentity, "the migration to version \(migration.version) made a resource without identity")
                }
                let newText = try JSONWriter.unlimited.write(result.json)
                if let known = next.texts[newKey] {
                    guard known == newText else { throw ArchiveError.conflict(identifier, migration.version) }
                } else {
                    next.order.append(newKey)
                    next.texts[newKey] = newText
                }
                next.successors[key, default: []].append(newKey)
            }
        }
        for (key, resource) in requests.compactMap({ $0.hiddenResource(old) }) {
            next.successors[key] = try migration.migrate(resource, old).compactMap { $0.identifier.flatMap(StoredIdentity.init) }
        }
        let renamed = RenamedResources(next.successors)
        try next.follow(renamed, from: self)
        next.requests = requests
        for index in requests.indices { try next.requests[index].apply(migration, old, renamed) }
        return next
    }

    /// Writes the new identities of resources into the linkage of all others.
    private mutating func follow(_ renamed: RenamedResources, from earlier: State) throws {
        guard !renamed.isEmpty else { return }
        for key in earlier.order {
            guard let old = earlier.texts[key].flatMap(StoredText.object) else { continue }
            for newKey in successors[key] ?? [] {
                guard let made = texts[newKey].flatMap(StoredText.object) else { continue }
                let following = renamed.following(made, madeOf: old)
                if following != made { texts[newKey] = try JSONWriter.unlimited.write(following.json) }
            }
        }
    }

    /// Returns the identity in place of one that was written before the last migration. If the resource was removed, nothing has that
    /// identity, even if the migration has given the old one to another resource.
    func successor(of key: StoredIdentity) -> StoredIdentity {
        // A value contains the UUID of a model in upper case.
        let known = successors[key] ?? key.lowercasedUUID.flatMap { successors[$0] }
        if let next = known?.first { return next }
        return texts[key] == nil ? key : StoredIdentity(type: "\(key.type) (removed)", name: key.name, isLocal: key.isLocal)
    }
}

extension ArchiveRoot {
    fileprivate func following(_ state: State, named name: String) throws -> ArchiveRoot {
        switch self {
        case .value(let text): .value(try Self.following(text, state, named: name))
        case .one(let key): .one(state.successor(of: key))
        case .many(let keys): .many(keys.compactMap { state.successors[$0]?.first }.filter { state.texts[$0] != nil })
        }
    }

    /// Returns the text of a plain value or of a kept document with other references to resources.
    private static func following(_ text: [UInt8], _ state: State, named name: String) throws -> [UInt8] {
        switch StoreKey(archiveKey: name) {
        // A plain value can look like a document, and the meta of a document like a reference.
        case _ where KeptDocument.isMarked(text): try KeptDocument.text(text, replacing: state.successor(of:))
        // The values of a store refer to nothing, and its requests have their own migration.
        case .value, .request, .promotions: text
        // The key of a store, or of a value that the program has named so.
        case .document:
            try HeldReferences.replaced(in: KeptDocument.text(text, replacing: state.successor(of:)), by: state.successor(of:))
        case nil: try HeldReferences.replaced(in: text, by: state.successor(of:))
        }
    }
}

extension ArchiveError {
    static func noObject(_ key: StoredIdentity) -> ArchiveError {
        ArchiveError(.malformed, "the text of \(key.identifier) is no resource object of that identity", section: .record)
    }

    fileprivate static func conflict(_ identifier: ResourceIdentifier, _ version: Int) -> ArchiveError {
        ArchiveError(.conflict, "the migration to version \(version) made two different resources \(identifier)")
    }
}
