import JSONAPIArchive

/// The keys of requests by the resources that they are about, and by those that they link to. Each list begins with the oldest request.
struct RequestPlaces: Sendable {
    private var byTarget: [StoredIdentity: [RequestKey]] = [:]
    private var byLink: [StoredIdentity: [RequestKey]] = [:]

    /// The requests about a resource.
    func about(_ identity: StoredIdentity) -> [RequestKey] { byTarget[identity] ?? [] }

    /// The requests whose documents link to a resource.
    func linking(to identity: StoredIdentity) -> [RequestKey] { byLink[identity] ?? [] }

    /// - Complexity: O(1) for the newest request about a resource; otherwise O(n), n = number of requests about it.
    mutating func insert(_ request: QueuedRequest) {
        if let identity = request.identity { byTarget[identity, default: []].insert(request.key) }
        for identity in request.linked { byLink[identity, default: []].insert(request.key) }
    }

    /// - Complexity: O(1) for the newest request about a resource; otherwise O(n), n = number of requests about it.
    mutating func remove(_ request: QueuedRequest) {
        if let identity = request.identity { Self.remove(request.key, of: identity, &byTarget) }
        for identity in request.linked { Self.remove(request.key, of: identity, &byLink) }
    }

    private static func remove(_ key: RequestKey, of identity: StoredIdentity, _ lists: inout [StoredIdentity: [RequestKey]]) {
        lists[identity]?.remove(key)
        if lists[identity]?.isEmpty == true { lists[identity] = nil }
    }
}

extension [RequestKey] {
    /// Returns the index of a key, or that at which it would stand.
    private func place(of key: RequestKey) -> Int { indices.partitioningIndex { self[$0] >= key } }

    /// Inserts a key in order, unless it is there.
    fileprivate mutating func insert(_ key: RequestKey) {
        guard let last, last >= key else { return append(key) }
        let place = place(of: key)
        if self[place] != key { insert(key, at: place) }
    }

    fileprivate mutating func remove(_ key: RequestKey) {
        let place = place(of: key)
        if place < count, self[place] == key { remove(at: place) }
    }

    /// Returns the keys of both lists in order, each once.
    func merged(with other: [RequestKey]) -> [RequestKey] {
        if other.isEmpty { return self }
        return isEmpty ? other : Set(self + other).sorted()
    }
}
