import JSONAPIArchive
import JSONAPICodec

extension ResourceStore {
    /// The resource object with this identity. Nil if the store does not have it, or if it was evicted and cannot be read from its file.
    ///
    /// - Complexity: O(n) at each call, n = bytes of the resource.
    public subscript(identifier: ResourceIdentifier) -> ResourceObject? {
        StoredIdentity(identifier).flatMap { try? core.text(core.current($0)) }.flatMap(StoredText.object)
    }

    /// Returns the resource with this identity as a model. Returns nil if the store does not have it, or if the model does not accept its
    /// type.
    ///
    /// Throws `DecodingError` if the resource cannot be read. Throws `ArchiveError` if the resource was evicted and is damaged in its file.
    ///
    /// - Complexity: O(1) while the resource is unchanged. Otherwise O(n), n = bytes of the resource and of those that it embeds. After a
    ///   write to any other resource, the first call costs O(embedded resources).
    public func resource<Model: ResourceRepresentable>(_ type: Model.Type, _ identifier: ResourceIdentifier) throws -> Model? {
        if let type = subclass(in: type) as? any ResourceRepresentable.Type { return try resource(type, identifier) as? Model }
        guard let identity = StoredIdentity(identifier) else { return nil }
        if let (value, _) = cached(type, identity, in: nil) { return value }
        let current = core.current(identity, type)
        if current != identity, let (value, _) = cached(type, current, in: nil) { return value }
        return try makeNow(type, current).value.get()
    }

    /// Returns the resource of the model's type with this id. Throws as the function above does.
    public func resource<Model: Resource>(_ type: Model.Type, id: Model.ID) throws -> Model? {
        guard let text = id.wireText else { return nil }
        return try resource(type, ResourceIdentifier(type: type.type, id: text))
    }

    /// Returns all resources of the model's type, in the order of arrival, as of the same moment.
    ///
    /// Resources that only the store's file has are read from the file. Resources of other types are not read.
    ///
    /// Throws `DecodingError` if a resource cannot be read, even if `invalidElements` of the decoder is `drop`; `values(_:where:sort:)`
    /// leaves it out. Throws `ArchiveError` if the store's file is damaged.
    ///
    /// - Complexity: O(n), n = number of resources of the type, plus the time to read those that have changed.
    public func resources<Model: Resource>(_ type: Model.Type) throws -> [Model] {
        if let type = subclass(in: type) as? any Resource.Type { return try resources(type).compactMap { $0 as? Model } }
        let table = core.table
        let identities = try table.listed(ofType: Model.type)
        core.noteUse(identities)
        return try values(type, identities, in: table)
    }

    /// The resource that a reference refers to. Nil if the reference is empty, the store does not have the resource, or it cannot be read.
    public subscript<Target: ResourceRepresentable>(reference: ToOne<Target>) -> Target? {
        reference.identifier.flatMap { try? resource(Target.self, $0) }
    }

    /// The resources that a reference refers to, in order, without those that the store does not have or that cannot be read.
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
                found: reference.isEmpty ? "an empty one" : "one that is not loaded", advice: reference.isEmpty ? nil : Self.loading)
        }
        return try resolve(Target.self, identifier)
    }

    /// Returns all resources that a reference refers to, in order.
    ///
    /// Throws `StoreError` if the relationship is not loaded, if the store does not have one of the resources, or if the target does not
    /// accept its type. Throws `DecodingError` if a resource cannot be read.
    public func resolve<Target: ResourceRepresentable>(_ reference: ToMany<Target>) throws -> [Target] {
        guard let identifiers = reference.identifiers else {
            throw StoreError(
                .missingLinkage, expected: "a relationship that is loaded", found: "one that is not", advice: Self.loading)
        }
        return try identifiers.map { try resolve(Target.self, $0) }
    }

    /// The advice for a relationship that is not loaded.
    private static let loading = "ask the server to include the relationship, or request its `related` link"

    /// Returns the resource with this identity as a model. Throws `StoreError` where `resource(_:_:)` returns nil.
    public func resolve<Model: ResourceRepresentable>(_ type: Model.Type, _ identifier: ResourceIdentifier) throws -> Model {
        guard let value = try resource(type, identifier) else { throw unresolved(identifier, type) }
        return value
    }
}

// MARK: - Values

extension ResourceStore {
    /// What reading a value has found: the value or an error, and the versions of all resources that were requested.
    typealias Reading<Model> = (value: Result<Model?, any Error>, versions: [StoredIdentity: Int])

    /// Returns values as of one moment. Those that are not cached are read together, if they embed nothing.
    private func values<Model: Resource>(
        _ type: Model.Type, _ identities: [StoredIdentity], in table: ResourceTable
    ) throws -> [Model] {
        var values: [Model?] = []
        values.reserveCapacity(identities.count)
        var missing: [Int] = []
        var areReadTogether = true
        func readMissing() throws {
            let together = areReadTogether ? self.together(type, missing.map { identities[$0] }, in: table) : nil
            areReadTogether = together != nil
            for (position, index) in missing.enumerated() {
                values[index] = try together.map { $0[position] } ?? shown(type, identities[index], in: table).value.get()
            }
            missing = []
        }
        for (index, identity) in identities.enumerated() {
            values.append(cached(type, identity, in: table)?.value)
            if values[index] == nil { missing.append(index) }
            if missing.count == Self.batchSize { try readMissing() }
        }
        if !missing.isEmpty { try readMissing() }
        return values.compactMap { $0 }
    }

    /// The number of resources that are read together. A cached model can keep the texts of all of them in memory.
    private static let batchSize = 64

    /// Reads resources as one document, which takes a fraction of the time. Returns nil if one of them cannot be read, or if they embed
    /// resources: the versions of these would be known only for all models together.
    private func together<Model: Resource>(
        _ type: Model.Type, _ identities: [StoredIdentity], in table: ResourceTable
    ) -> [Model?]? {
        let source = ReadingSource(self, frozen: table, watching: Model.type)
        let models = try? reader.resources(type, identities.map(\.identifier), from: source)
        let isAlone = !source.foundWatchedType
        let versions = source.finish()
        guard let models, isAlone, versions.count == identities.count else { return nil }
        for (model, identity) in zip(models, identities) {
            guard let version = versions[identity] else { return nil }
            keep((.success(model), [identity: version]), identity, at: table.lastChange)
        }
        return models
    }

    /// Returns a value as of one moment, and the versions of the resources that it depends on. If it cannot be read, these are the resources
    /// that were requested until then.
    func shown<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identity: StoredIdentity, in table: ResourceTable
    ) -> Reading<Model> {
        if let (value, versions) = cached(type, identity, in: table) { return (.success(value), versions) }
        return make(type, identity, in: table)
    }

    private func cached<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identity: StoredIdentity, in frozen: ResourceTable?
    ) -> (value: Model, versions: [StoredIdentity: Int])? {
        guard let entry = cache.entry(identity, Model.self), let value = entry.value as? Model else { return nil }
        let change =
            frozen.map { $0.confirm(entry.dependencies, knownAt: entry.confirmedAt) }
            ?? core.confirm(entry.dependencies, knownAt: entry.confirmedAt, using: identity)
        guard let change else { return nil }
        if change > entry.confirmedAt { cache.confirm(entry, identity, Model.self, at: change) }
        return (value, entry.dependencies)
    }

    /// Creates a value from the current resources. If one of them changes in the meantime, creates it again from the resources as of one
    /// moment.
    private func makeNow<Model: ResourceRepresentable>(_ type: Model.Type, _ identity: StoredIdentity) -> Reading<Model> {
        let start = core.read { $0.lastChange }
        let reading = read(type, identity, ReadingSource(self))
        guard let change = core.confirm(reading.versions, knownAt: start, using: identity) else {
            return make(type, identity, in: core.table)
        }
        keep(reading, identity, at: change)
        return reading
    }

    private func make<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identity: StoredIdentity, in table: ResourceTable
    ) -> Reading<Model> {
        let reading = read(type, identity, ReadingSource(self, frozen: table))
        keep(reading, identity, at: table.lastChange)
        return reading
    }

    private func read<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identity: StoredIdentity, _ source: ReadingSource
    ) -> Reading<Model> {
        let value = Result { try reader.resource(type, identity.identifier, from: source) }
        return (value, source.finish())
    }

    private func keep<Model: ResourceRepresentable>(_ reading: Reading<Model>, _ identity: StoredIdentity, at change: Int) {
        guard case .success(let found) = reading.value else { return }
        guard let value = found else { return cache.remove([identity]) }
        let entry = ValueCache.Entry(value: value, dependencies: reading.versions, madeAt: change, confirmedAt: change)
        cache.insert(entry, identity, Model.self, absentLimit: core.absentLimit(identity))
    }
}
