import JSONText

/// Something that a store keeps beside its resources.
struct KeptValue: Sendable {
    /// Its JSON text, as it is saved.
    let text: [UInt8]
    /// The request that the text describes; nil for values and documents.
    let request: QueuedRequest?

    init(_ text: [UInt8]) {
        self.text = text
        request = nil
    }

    /// A request with its text, as it was read from a file.
    init(_ request: QueuedRequest, text: [UInt8]) {
        self.text = text
        self.request = request
    }

    /// Throws `JSONWriteError` for a body that nests deeper than text is read again.
    init(_ request: QueuedRequest) throws {
        text = try JSONWriter().write(request.json)
        self.request = request
    }
}

/// What a transaction does to one of these.
enum KeptChange: Sendable {
    case put(KeptValue)
    /// The text is the one that the file of the store has.
    case load(KeptValue)
    case remove

    var value: KeptValue? {
        switch self {
        case .put(let value), .load(let value): value
        case .remove: nil
        }
    }
}

/// What a store keeps beside its resources: values and documents by name, and the waiting requests in their order.
///
/// A value type: a copy is a snapshot.
struct KeptTable: Sendable {
    private struct Entry: Sendable {
        let value: KeptValue
        /// The number of the commit that put it here.
        let version: Int
    }

    private var entries: [StoreKey: Entry] = [:]
    /// The waiting requests, oldest first.
    private(set) var requests: [QueuedRequest] = []
    /// The requests about each resource, in no order.
    private var requestsByTarget: [StoredIdentity: [RequestKey]] = [:]
    /// The number of the last commit that changed a request.
    private(set) var requestVersion = 0
    /// The number of the last commit that changed anything.
    private(set) var lastChange = 0

    func value(_ key: StoreKey) -> KeptValue? { entries[key]?.value }

    /// The number of the commit that gave the key its value; 0 when there is none.
    func version(of key: StoreKey) -> Int { entries[key]?.version ?? 0 }

    /// Everything that is kept, in no order.
    var keys: [StoreKey] { Array(entries.keys) }

    /// The requests about a resource, in no order.
    func requests(about identity: StoredIdentity) -> [RequestKey] { requestsByTarget[identity] ?? [] }

    /// Changes what a key names.
    ///
    /// - Complexity: O(1); O(n) for a request, n = requests.
    mutating func set(_ key: StoreKey, _ value: KeptValue?, commit: Int) {
        lastChange = commit
        let earlier = entries.removeValue(forKey: key)?.value
        if let value { entries[key] = Entry(value: value, version: commit) }
        guard case .request(let key) = key else { return }
        requestVersion = commit
        if let identity = earlier?.request?.identity {
            requestsByTarget[identity]?.removeAll { $0 == key }
            if requestsByTarget[identity]?.isEmpty == true { requestsByTarget[identity] = nil }
        }
        if let identity = value?.request?.identity { requestsByTarget[identity, default: []].append(key) }
        let place = requests.partitioningIndex { $0.key >= key }
        let isThere = place < requests.count && requests[place].key == key
        switch (value?.request, isThere) {
        case (let request?, true): requests[place] = request
        case (let request?, false): requests.insert(request, at: place)
        case (nil, true): requests.remove(at: place)
        case (nil, false): break
        }
    }
}

extension Array {
    /// The first index whose element is in the second half of an array that `isInSecondHalf` divides.
    fileprivate func partitioningIndex(_ isInSecondHalf: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isInSecondHalf(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
