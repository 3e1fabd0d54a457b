import JSONAPIArchive
import JSONText

/// A value, a document or a request that a store keeps beside its resources.
struct KeptValue: Sendable {
    /// The JSON text that a file saves.
    let text: [UInt8]
    /// The request that the text describes; nil for values and documents.
    let request: QueuedRequest?
    /// The lids of the resources that the text mentions. Those of a request are also in what undoes it.
    let lids: Set<StoredIdentity>

    private init(_ text: [UInt8], _ request: QueuedRequest?) {
        self.text = text
        self.request = request
        lids = StoredText.lids(in: text)
    }

    init(_ text: [UInt8]) { self.init(text, nil) }

    /// Creates a value for a request that was read from a file, with its text.
    init(_ request: QueuedRequest, text: [UInt8]) { self.init(text, request) }

    /// Throws `JSONWriteError` if the body is nested deeper than a parser accepts.
    init(_ request: QueuedRequest) throws { self.init(try JSONWriter().write(request.json), request) }
}

/// The values and documents of a store by name, and the waiting requests in order.
///
/// A table is a value, so a copy is a snapshot.
struct KeptTable: Sendable {
    private struct Entry: Sendable {
        let value: KeptValue
        /// The number of the commit that stored the value.
        let version: Int
    }

    private var entries: [StoreKey: Entry] = [:]
    /// The waiting requests, oldest first.
    private(set) var requests: [QueuedRequest] = []
    /// Their keys by resource.
    private(set) var places = RequestPlaces()
    /// The keys by the lids that their values mention.
    private(set) var lids = LIDIndex<StoreKey>()
    /// The number of the last commit that changed a request.
    private(set) var requestVersion = 0
    /// The number of the last commit that changed anything.
    private(set) var lastChange = 0

    func value(_ key: StoreKey) -> KeptValue? { entries[key]?.value }

    /// Returns the number of the commit that set the value of the key; 0 if the key has no value.
    func version(of key: StoreKey) -> Int { entries[key]?.version ?? 0 }

    /// All keys, in no particular order.
    var keys: [StoreKey] { Array(entries.keys) }

    private typealias RequestChange = (key: RequestKey, earlier: QueuedRequest?, new: QueuedRequest?)

    /// Makes the changes of a commit. Returns those that have changed the text of a value, or removed it.
    ///
    /// - Complexity: O(n log n), n = number of changes. If requests were added or removed, also O(m), m = number of requests.
    mutating func apply(
        _ changes: [(key: StoreKey, change: PendingChange<KeptValue>)], commit: Int
    ) -> [(key: StoreKey, change: PendingChange<KeptValue>)] {
        var requestChanges: [RequestChange] = []
        let changed = changes.filter { key, change in
            let (earlier, new) = (value(key), change.value)
            guard new?.text != earlier?.text else { return false }
            entries[key] = new.map { Entry(value: $0, version: commit) }
            lids.set(new?.lids ?? [], of: key)
            if case .request(let place) = key { requestChanges.append((place, earlier?.request, new?.request)) }
            return true
        }
        if !changed.isEmpty { lastChange = commit }
        if !requestChanges.isEmpty {
            requestVersion = commit
            setRequests(requestChanges.sorted { $0.key < $1.key })
        }
        return changed
    }

    /// Changes the requests all at once, because adding or removing one of them moves those after it.
    private mutating func setRequests(_ changes: [RequestChange]) {
        // At the end of a list of places, removing and inserting are fastest.
        for change in changes.reversed() { if let earlier = change.earlier { places.remove(earlier) } }
        for change in changes { if let new = change.new { places.insert(new) } }
        var gone: Set<RequestKey> = []
        var added: [QueuedRequest] = []
        for (key, earlier, new) in changes {
            switch (earlier, new) {
            case (_?, let new?): requests[place(of: key)] = new
            case (nil, let new?): added.append(new)
            case (_?, nil): gone.insert(key)
            case (nil, nil): break
            }
        }
        if gone.count == 1, let key = gone.first {
            requests.remove(at: place(of: key))
        } else if !gone.isEmpty {
            requests.removeAll { gone.contains($0.key) }
        }
        let last = requests.last?.key
        requests += added
        if let last, let first = added.first, first.key < last { requests.sort { $0.key < $1.key } }
    }

    /// Returns the index of a request that is in the queue.
    private func place(of key: RequestKey) -> Int { requests.indices.partitioningIndex { requests[$0].key >= key } }
}
