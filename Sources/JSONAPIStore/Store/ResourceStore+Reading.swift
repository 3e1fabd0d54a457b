import JSONAPICodec

extension ResourceStore {
    /// The resource object with this identity. Nil if the store does not have it, or if it was evicted and cannot be read from its file.
    ///
    /// - Complexity: O(n) at each call, n = bytes of the resource.
    public subscript(identifier: ResourceIdentifier) -> ResourceObject? {
        StoredIdentity(identifier).flatMap { try? core.found($0).text }.flatMap(StoredText.object)
    }

    /// Returns the resource with this identity as a model. Returns nil if the store does not have it, or if the model does not accept its
    /// type.
    ///
    /// Throws `DecodingError` if the resource cannot be read. Throws `ArchiveError` if the resource was evicted and is damaged in its file.
    ///
    /// - Complexity: O(1) while the resource is unchanged. Otherwise O(n), n = bytes of the resource and of those that it embeds. After a
    ///   write to any other resource, the first call costs O(embedded resources).
    public func resource<Model: ResourceRepresentable>(_ type: Model.Type, _ identifier: ResourceIdentifier) throws -> Model? {
        try StoredIdentity(identifier).flatMap { try value(type, $0) }
    }

    /// Returns the resource of the model's type with this id.
    public func resource<Model: Resource>(_ type: Model.Type, id: Model.ID) throws -> Model? {
        guard let text = id.wireText else { return nil }
        return try resource(type, ResourceIdentifier(type: Model.type, id: text))
    }

    /// Returns all resources of the model's type, in the order of arrival, as of the same moment.
    ///
    /// Resources that only the store's file has are read from the file. Resources of other types are not read.
    ///
    /// Throws `DecodingError` if a resource cannot be read, and `ArchiveError` if the store's file is damaged.
    ///
    /// - Complexity: O(n), n = number of resources of the type, plus the time to read those that have changed.
    public func resources<Model: Resource>(_ type: Model.Type) throws -> [Model] {
        let table = core.table
        let identities = try table.listed(ofType: Model.type)
        core.noteUse(identities)
        return try identities.compactMap { try value(type, $0, in: table) }
    }

    /// The resource that a reference refers to. Nil if the reference is empty, the store does not have the resource, or it cannot be read.
    public subscript<Target: ResourceRepresentable>(reference: ToOne<Target>) -> Target? {
        reference.identifier.flatMap { try? resource(Target.self, $0) }
    }

    /// The resources that a reference refers to, in order, without those that the store does not have.
    public subscript<Target: ResourceRepresentable>(reference: ToMany<Target>) -> [Target] {
        (reference.identifiers ?? []).compactMap { try? resource(Target.self, $0) }
    }

    /// Returns the resource that a reference refers to.
    ///
    /// Throws `StoreError` if the reference is empty or not loaded, if the store does not have the resource, or if the target does not
    /// accept its type. Throws `DecodingError` if the resource cannot be read.
    public func resolve<Target: ResourceRepresentable>(_ reference: ToOne<Target>) throws -> Target {
        guard let identifier = reference.identifier else {
            throw StoreError(
                .missingLinkage, expected: "a relationship that leads to a resource",
                found: reference.isEmpty ? "an empty one" : "one that is not loaded")
        }
        return try resolve(Target.self, identifier)
    }

    /// Returns all resources that a reference refers to, in order.
    ///
    /// Throws `StoreError` if the relationship is not loaded, if the store does not have one of the resources, or if the target does not
    /// accept its type. Throws `DecodingError` if a resource cannot be read.
    public func resolve<Target: ResourceRepresentable>(_ reference: ToMany<Target>) throws -> [Target] {
        guard let identifiers = reference.identifiers else {
            throw StoreError(.missingLinkage, expected: "a relationship that is loaded", found: "one that is not")
        }
        return try identifiers.map { try resolve(Target.self, $0) }
    }

    /// Returns the resource with this identity as a model. Throws `StoreError` where `resource(_:_:)` returns nil.
    public func resolve<Model: ResourceRepresentable>(_ type: Model.Type, _ identifier: ResourceIdentifier) throws -> Model {
        guard let value = try resource(type, identifier) else { throw unresolved(identifier, type) }
        return value
    }
}

// MARK: - Values

extension ResourceStore {
    /// Returns the cached value if it is still valid, or creates a new one.
    ///
    /// - Parameter frozen: the resources as of one moment; nil for the current ones.
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

    /// Returns a value as of one moment, and the versions of the resources that it was made from.
    func shown<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identity: StoredIdentity, in table: ResourceTable
    ) throws -> (value: Model?, versions: [StoredIdentity: Int]) {
        let value = try value(type, identity, in: table)
        // A concurrent write may have removed the value from the cache. The caller then looks again.
        let known = value == nil ? nil : cache.entry(identity, type)
        return (value, known?.dependencies ?? [identity: table.version(of: identity)])
    }

    /// Creates a value from the current resources. If one of them changes in the meantime, creates it again from the resources as of one
    /// moment.
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
