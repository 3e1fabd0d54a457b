import JSONAPICodec

extension ResourceStore {
    /// The raw resource with this identity; nil when there is none, or it was evicted and cannot be read from its file.
    ///
    /// - Complexity: O(its text), at each call.
    public subscript(identifier: ResourceIdentifier) -> ResourceObject? {
        StoredIdentity(identifier).flatMap { try? core.found($0).text }.flatMap(StoredText.object)
    }

    /// The resource with this identity as a model; nil when the store does not have it, or has it of a type that the model is
    /// not for.
    ///
    /// Throws `DecodingError` when it cannot be read, and `ArchiveError` when it was evicted and its file is damaged there.
    ///
    /// - Complexity: O(1) while it is unchanged, else O(text of the resource and of what it embeds). After a write to any other
    ///   resource, the first call costs O(embedded resources).
    public func resource<Model: ResourceRepresentable>(_ type: Model.Type, _ identifier: ResourceIdentifier) throws -> Model? {
        try StoredIdentity(identifier).flatMap { try value(type, $0) }
    }

    /// The resource of the model's type with this id.
    public func resource<Model: Resource>(_ type: Model.Type, id: Model.ID) throws -> Model? {
        guard let text = id.wireText else { return nil }
        return try resource(type, ResourceIdentifier(type: Model.type, id: text))
    }

    /// All resources of the model's type, in the order of their arrival, as they were at one moment.
    ///
    /// Those that only the store's file has are read from there. Resources of other types are not read.
    ///
    /// Throws `DecodingError` if one of them cannot be read, and `ArchiveError` if the store's file is damaged.
    ///
    /// - Complexity: O(n), n = resources of the type, beside reading those that were changed.
    public func resources<Model: Resource>(_ type: Model.Type) throws -> [Model] {
        let table = core.table
        let identities = try table.listed(ofType: Model.type)
        core.noteUse(identities)
        return try identities.compactMap { try value(type, $0, in: table) }
    }

    /// The resource that a reference leads to; nil when the store does not have it or it cannot be read, or the reference leads
    /// to nothing.
    public subscript<Target: ResourceRepresentable>(reference: ToOne<Target>) -> Target? {
        reference.identifier.flatMap { try? resource(Target.self, $0) }
    }

    /// The resources that references lead to, in order; those that the store does not have are left out.
    public subscript<Target: ResourceRepresentable>(reference: ToMany<Target>) -> [Target] {
        (reference.identifiers ?? []).compactMap { try? resource(Target.self, $0) }
    }

    /// The resource that a reference leads to.
    ///
    /// Throws `StoreError` when the reference is empty or not loaded, the store does not have the resource, or its type is
    /// not the target's, and `DecodingError` when it cannot be read.
    public func resolve<Target: ResourceRepresentable>(_ reference: ToOne<Target>) throws -> Target {
        guard let identifier = reference.identifier else {
            throw StoreError(
                .missingLinkage, expected: "a relationship that leads to a resource",
                found: reference.isEmpty ? "an empty one" : "one that is not loaded")
        }
        return try resolve(Target.self, identifier)
    }

    /// The resources that references lead to, in order: all of them, or an error.
    ///
    /// Throws `StoreError` when the relationship is not loaded, or the store lacks one, or has it of another type, and
    /// `DecodingError` when one cannot be read.
    public func resolve<Target: ResourceRepresentable>(_ reference: ToMany<Target>) throws -> [Target] {
        guard let identifiers = reference.identifiers else {
            throw StoreError(.missingLinkage, expected: "a relationship that is loaded", found: "one that is not")
        }
        return try identifiers.map { try resolve(Target.self, $0) }
    }

    /// The resource with this identity as a model. Throws `StoreError` where `resource(_:_:)` answers nil.
    public func resolve<Model: ResourceRepresentable>(_ type: Model.Type, _ identifier: ResourceIdentifier) throws -> Model {
        guard let value = try resource(type, identifier) else { throw unresolved(identifier, type) }
        return value
    }
}

// MARK: - Values

extension ResourceStore {
    /// A value made before, if it still counts, or a new one.
    ///
    /// - Parameter frozen: the resources as they were at one moment; nil for now.
    private func value<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identity: StoredIdentity, in frozen: ResourceTable? = nil
    ) throws -> Model? {
        if let entry = cache.entry(identity, type), let value = entry.value as? Model {
            let change =
                frozen.map { $0.confirm(entry.dependencies, knownAt: entry.confirmedAt) }
                ?? core.confirm(entry.dependencies, knownAt: entry.confirmedAt, using: identity)
            if let change {
                if change > entry.confirmedAt { cache.confirm(identity, type, at: change) }
                return value
            }
        }
        if let frozen { return try make(type, identity, ReadingSource(self, frozen: frozen), at: frozen.lastChange) }
        return try makeNow(type, identity)
    }

    /// A value as of one moment, and the versions of what it was made of.
    func shown<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identity: StoredIdentity, in table: ResourceTable
    ) throws -> (value: Model?, versions: [StoredIdentity: Int]) {
        let value = try value(type, identity, in: table)
        // A write at this moment may have taken it out of the cache already; who asks looks again then.
        let known = value == nil ? nil : cache.entry(identity, type)
        return (value, known?.dependencies ?? [identity: table.version(of: identity)])
    }

    /// Makes a value of the resources as they are, or, when one of them changed meanwhile, as they are at one moment.
    private func makeNow<Model: ResourceRepresentable>(_ type: Model.Type, _ identity: StoredIdentity) throws -> Model? {
        let start = core.read { $0.lastChange }
        let source = ReadingSource(self)
        let result = Result { try reader.resource(type, identity.identifier, from: source) }
        let versions = source.finish()
        if let change = core.confirm(versions, knownAt: start, using: identity) {
            return try keep(try result.get(), type, identity, versions, at: change)
        }
        let table = core.table
        return try make(type, identity, ReadingSource(self, frozen: table), at: table.lastChange)
    }

    private func make<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identity: StoredIdentity, _ source: ReadingSource, at change: Int
    ) throws -> Model? {
        let result = Result { try reader.resource(type, identity.identifier, from: source) }
        let versions = source.finish()
        return try keep(try result.get(), type, identity, versions, at: change)
    }

    private func keep<Model: ResourceRepresentable>(
        _ value: Model?, _ type: Model.Type, _ identity: StoredIdentity, _ versions: [StoredIdentity: Int], at change: Int
    ) throws -> Model? {
        guard let value else {
            cache.remove([identity])
            return nil
        }
        let entry = ValueCache.Entry(value: value, dependencies: versions, confirmedAt: change)
        cache.insert(entry, identity, type, absentLimit: core.absentLimit(identity))
        return value
    }
}
