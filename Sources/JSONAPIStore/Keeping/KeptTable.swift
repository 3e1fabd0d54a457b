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

    /// Sets the value of a key, or removes it if the value is nil. Returns whether the text of the value has changed.
    ///
    /// - Complexity: O(1). For a request O(n), n = number of requests.
    mutating func set(_ key: StoreKey, _ value: KeptValue?, commit: Int) -> Bool {
        guard value?.text != entries[key]?.value.text else { return false }
        lastChange = commit
        let earlier = entries.removeValue(forKey: key)?.value
        if let value { entries[key] = Entry(value: value, version: commit) }
        lids.set(value?.lids ?? [], of: key)
        if case .request(let key) = key { set(key, value, earlier, commit: commit) }
        return true
    }

    private mutating func set(_ key: RequestKey, _ value: KeptValue?, _ earlier: KeptValue?, commit: Int) {
        requestVersion = commit
        if let earlier = earlier?.request { places.remove(earlier) }
        if let request = value?.request { places.insert(request) }
        let place = requests.indices.partitioningIndex { requests[$0].key >= key }
        let isThere = place < requests.count && requests[place].key == key
        switch (value?.request, isThere) {
        case (let request?, true): requests[place] = request
        case (let request?, false): requests.insert(request, at: place)
        case (nil, true): requests.remove(at: place)
        case (nil, false): break
        }
    }
}
