import JSONAPIArchive
import JSONAPICodec
import JSONText

extension ResourceStore {
    /// Calls `body` for every change to a resource until the observation ends. The store need not have the resource yet.
    ///
    /// ```swift
    /// observation = store.observe(identifier) { change in
    ///     if let object = change.object { print(object.attributes) }
    /// }
    /// ```
    ///
    /// - `body` is called for every write to the resource: the first one, later ones, writes with equal contents, and the removal. A
    ///   transaction makes a single change. Changes to other resources are not reported, even if they are embedded.
    /// - `body` is called after the write and without holding a lock. It can read, write, register and cancel. Its own writes are reported
    ///   afterwards.
    /// - Changes arrive in the order of the writes, which is the same for all observers. The observers of the resource are called first,
    ///   then those of its type, each in the order of registration.
    /// - The thread that made the change calls `body` before its write returns. If another thread is already calling observers, the write
    ///   returns immediately. That thread, or a system thread, then reports this change as well. No writer reports the changes of many
    ///   others.
    /// - If an id replaces the lid of the resource, or the server spells its UUID in another case, the observer follows it. The change has the
    ///   new identifier. Its kind is `inserted`, or `updated` if the store had the resource already.
    /// - Only observers that were registered at the time of the write are called.
    /// - An observed resource is not evicted.
    ///
    /// The store keeps `body` until the observation ends. That happens when you cancel it, when nothing refers to it any more, or when the
    /// store is released.
    public func observe(
        _ identifier: ResourceIdentifier, _ body: @escaping @Sendable (ResourceChange) -> Void
    ) -> StoreObservation {
        observe(StoredIdentity(identifier).map { .resource(core.current($0)) }, body)
    }

    /// Calls `body` for every change to a resource of a type.
    public func observe(type: String, _ body: @escaping @Sendable (ResourceChange) -> Void) -> StoreObservation {
        observe(.type(ByteText(type)), body)
    }

    /// Calls `body` for every change to a resource while `owner` exists. The store does not keep the owner alive.
    ///
    /// An owner has one observer for each resource, so a second one replaces the first. For an identifier with neither an id nor a lid,
    /// nothing is observed.
    public func observe<Owner: AnyObject & Sendable>(
        _ identifier: ResourceIdentifier, owner: Owner, _ body: @escaping @Sendable (Owner, ResourceChange) -> Void
    ) {
        guard let identity = StoredIdentity(identifier) else { return }
        observe(.resource(core.current(identity)), owner, body)
    }

    /// Calls `body` for every change to a resource of a type while `owner` exists.
    public func observe<Owner: AnyObject & Sendable>(
        type: String, owner: Owner, _ body: @escaping @Sendable (Owner, ResourceChange) -> Void
    ) {
        observe(.type(ByteText(type)), owner, body)
    }

    /// Ends all observations of the owner.
    public func removeObserver(_ owner: AnyObject) { core.removeObserver(ObjectIdentifier(owner), nil) }

    /// Ends the owner's observation of a resource.
    public func removeObserver(_ owner: AnyObject, of identifier: ResourceIdentifier) {
        guard let identity = StoredIdentity(identifier) else { return }
        core.removeObserver(ObjectIdentifier(owner), .resource(identity))
        let current = core.current(identity)
        if current != identity { core.removeObserver(ObjectIdentifier(owner), .resource(current)) }
    }

    /// Ends the owner's observation of a type.
    public func removeObserver(_ owner: AnyObject, ofType type: String) {
        core.removeObserver(ObjectIdentifier(owner), .type(ByteText(type)))
    }
}

// MARK: - Sequences

extension ResourceStore {
    /// How many changes are buffered for a reader that is slower than the writers.
    public typealias ChangeBuffering = AsyncStream<ResourceChange>.Continuation.BufferingPolicy

    /// Returns a sequence of the changes to a resource from now on.
    ///
    /// ```swift
    /// for await change in store.changes(of: identifier) { … }
    /// // only the newest state matters:
    /// for await _ in store.changes(of: identifier, buffering: .bufferingNewest(1)) {
    ///     show(try store.resource(Article.self, identifier))
    /// }
    /// ```
    ///
    /// The sequence contains the same changes as an observer receives, in the same order. It ends when its task is canceled, when nothing
    /// refers to it, or when the store is released.
    ///
    /// `buffering` decides about changes that have not been read yet. `.unbounded`, the default, keeps all of them in memory.
    /// `.bufferingNewest(n)` drops the oldest changes, and `.bufferingOldest(n)` the newest.
    public func changes(of identifier: ResourceIdentifier, buffering: ChangeBuffering = .unbounded) -> AsyncStream<ResourceChange> {
        changes(StoredIdentity(identifier).map { .resource(core.current($0)) }, buffering)
    }

    /// Returns a sequence of the changes to all resources of a type from now on.
    public func changes(ofType type: String, buffering: ChangeBuffering = .unbounded) -> AsyncStream<ResourceChange> {
        changes(.type(ByteText(type)), buffering)
    }
}

// MARK: - Registering

extension ResourceStore {
    private func observe(_ target: ObservationTarget?, _ body: @escaping @Sendable (ResourceChange) -> Void) -> StoreObservation {
        guard let target else { return StoreObservation(nil) {} }
        let call = { @Sendable (change: ResourceChange) -> Bool in
            body(change)
            return true
        }
        let registration = Registration(target, call)
        core.add(registration)
        return StoreObservation(registration) { [weak core] in core?.remove([registration]) }
    }

    private func observe<Owner: AnyObject & Sendable>(
        _ target: ObservationTarget, _ owner: Owner, _ body: @escaping @Sendable (Owner, ResourceChange) -> Void
    ) {
        let call = { @Sendable [weak owner] (change: ResourceChange) -> Bool in
            guard let owner else { return false }
            body(owner, change)
            return true
        }
        let isAlive = { @Sendable [weak owner] in owner != nil }
        core.add(Registration(target, owner: ObjectIdentifier(owner), call, isAlive: isAlive))
    }

    private func changes(_ target: ObservationTarget?, _ buffering: ChangeBuffering) -> AsyncStream<ResourceChange> {
        let (stream, continuation) = AsyncStream.makeStream(of: ResourceChange.self, bufferingPolicy: buffering)
        guard let target else {
            continuation.finish()
            return stream
        }
        let call = { @Sendable (change: ResourceChange) -> Bool in
            if case .terminated = continuation.yield(change) { false } else { true }
        }
        let registration = Registration(target, call, end: { continuation.finish() })
        continuation.onTermination = { [weak core, weak registration] _ in
            if let registration { core?.remove([registration]) }
        }
        core.add(registration)
        return stream
    }
}
