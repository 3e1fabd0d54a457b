import JSONAPICodec

extension ResourceStore {
    /// Tells `body` of every change to a resource, whether the store has it by now or not, until the observation ends.
    ///
    /// ```swift
    /// observation = store.observe(identifier) { change in
    ///     if let object = change.object { print(object.attributes) }
    /// }
    /// ```
    ///
    /// - It is told of every write to that resource: the first one, later ones, equal contents included, and its removal; one
    ///   change for each transaction. Changes to other resources, even embedded ones, are not told.
    /// - It is called after the write, when the store has the new contents, and outside every lock: it may read, write, register
    ///   and cancel. What it writes is told afterwards.
    /// - Changes come in the order of the writes, the same for all observers. For one change the observers of the resource
    ///   are called first, then those of its type, each in the order in which they registered.
    /// - It is called by the thread that made the change, before its write returns. If another thread is telling changes just then, that
    ///   one, or one of the system, tells this change as well: the write returns at once, and no writer tells the changes of many others.
    /// - Only who was registered at the moment of the write is told of it.
    /// - An observed resource is not evicted.
    ///
    /// The store keeps `body` until the observation ends: it is cancelled, nothing refers to it, or the store ends.
    public func observe(
        _ identifier: ResourceIdentifier, _ body: @escaping @Sendable (ResourceChange) -> Void
    ) -> StoreObservation {
        observe(StoredIdentity(identifier).map { .resource($0) }, body)
    }

    /// The same for every resource of a type.
    public func observe(type: String, _ body: @escaping @Sendable (ResourceChange) -> Void) -> StoreObservation {
        observe(.type(TypeName(type)), body)
    }

    /// Tells `body` of every change to a resource, as long as `owner` lives. The store does not keep it alive.
    ///
    /// An owner has one observer for each resource: a second one takes the place of the first. An identifier with neither id nor
    /// lid means no resource, and nothing is observed.
    public func observe<Owner: AnyObject & Sendable>(
        _ identifier: ResourceIdentifier, owner: Owner, _ body: @escaping @Sendable (Owner, ResourceChange) -> Void
    ) {
        guard let identity = StoredIdentity(identifier) else { return }
        observe(.resource(identity), owner, body)
    }

    /// The same for every resource of a type.
    public func observe<Owner: AnyObject & Sendable>(
        type: String, owner: Owner, _ body: @escaping @Sendable (Owner, ResourceChange) -> Void
    ) {
        observe(.type(TypeName(type)), owner, body)
    }

    /// Ends everything that the owner observes.
    public func removeObserver(_ owner: AnyObject) { core.removeObserver(ObjectIdentifier(owner), nil) }

    /// Ends what the owner observes of one resource.
    public func removeObserver(_ owner: AnyObject, of identifier: ResourceIdentifier) {
        guard let identity = StoredIdentity(identifier) else { return }
        core.removeObserver(ObjectIdentifier(owner), .resource(identity))
    }

    /// Ends what the owner observes of a type.
    public func removeObserver(_ owner: AnyObject, ofType type: String) {
        core.removeObserver(ObjectIdentifier(owner), .type(TypeName(type)))
    }
}

// MARK: - Sequences

extension ResourceStore {
    /// How many changes wait for a reader that is slower than the writers.
    public typealias ChangeBuffering = AsyncStream<ResourceChange>.Continuation.BufferingPolicy

    /// The changes to a resource from this call on.
    ///
    /// ```swift
    /// for await change in store.changes(of: identifier) { … }
    /// // only the newest state matters:
    /// for await _ in store.changes(of: identifier, buffering: .bufferingNewest(1)) {
    ///     show(try store.resource(Article.self, identifier))
    /// }
    /// ```
    ///
    /// It has what an observer is told, in that order. It ends with the task that reads it, when nobody keeps it, and with the
    /// store.
    ///
    /// `buffering` says what happens to changes that nobody has read yet. `.unbounded`, the default, loses none and needs memory
    /// for all; `.bufferingNewest(n)` drops the oldest, `.bufferingOldest(n)` the newest.
    public func changes(of identifier: ResourceIdentifier, buffering: ChangeBuffering = .unbounded) -> AsyncStream<ResourceChange> {
        changes(StoredIdentity(identifier).map { .resource($0) }, buffering)
    }

    /// The changes to all resources of a type from this call on.
    public func changes(ofType type: String, buffering: ChangeBuffering = .unbounded) -> AsyncStream<ResourceChange> {
        changes(.type(TypeName(type)), buffering)
    }
}

// MARK: - Registering

extension ResourceStore {
    private func observe(_ target: ObservationTarget?, _ body: @escaping @Sendable (ResourceChange) -> Void) -> StoreObservation {
        guard let target else { return StoreObservation(nil) {} }
        let observer = Registration.Observer { change in
            body(change)
            return true
        }
        let registration = Registration(target, observer)
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
        core.add(Registration(target, owner: ObjectIdentifier(owner), Registration.Observer(call: call, isAlive: isAlive)))
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
        let registration = Registration(target, Registration.Observer(call: call, end: { continuation.finish() }))
        continuation.onTermination = { [weak core, weak registration] _ in
            if let registration { core?.remove([registration]) }
        }
        core.add(registration)
        return stream
    }
}
