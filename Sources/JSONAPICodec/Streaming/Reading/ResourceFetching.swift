import JSONText

// Many resources of a file at a time: those that stand close together are read at once, and all are parsed as one text to see what
// their relationships lead to. One at a time takes a system call and a tape for each, which was half of the time of reading a
// document whose models embed.

/// Resources of a file that are wanted, in the order in which they stand there.
struct ResourceRequests {
    fileprivate var list: [(identifier: ResourceIdentifier, entry: ResourceDirectory.Entry)] = []

    /// The bytes of all of them, and a comma behind each.
    var byteCount: Int { list.reduce(0) { $0 + Int($1.entry.length) + 1 } }
}

/// Resources that were fetched.
struct FetchedResources {
    /// Their texts, with commas between.
    var text: [UInt8] = []
    /// Where they stand in the document.
    var places: [ResourcePlace] = []
    /// What their relationships of certain names lead to.
    var linkage: [ResourceIdentifier] = []

    fileprivate mutating func append(_ resource: some Sequence<UInt8>, _ place: ResourcePlace) {
        if !text.isEmpty { text.append(UInt8(ascii: ",")) }
        text += resource
        places.append(place)
    }
}

extension DocumentFile {
    /// Between two resources that are read at once lie at most so many bytes.
    private static let gap = 1 << 12

    /// Where the resources with these identities stand. Those that the document does not have are left out.
    func requests(for identifiers: [ResourceIdentifier]) throws -> ResourceRequests {
        let directory = try currentDirectory()
        var requests = ResourceRequests()
        for identifier in identifiers {
            if let entry = directory.first(for: identifier, { $0 }) { requests.list.append((identifier, entry)) }
        }
        requests.list.sort { $0.entry.offset < $1.entry.offset }
        return requests
    }

    /// Fetches resources, and what their relationships of these names lead to.
    func fetch(_ requests: ResourceRequests, linkageOf names: [String]) throws -> FetchedResources {
        var fetched = FetchedResources()
        try forEachText(requests) { fetched.append($1, $0.place) }
        guard let linkage = linkage(of: fetched.text, requests, names) else { return try fetchEach(requests, names) }
        fetched.linkage = linkage
        fetched.text = try rewritten(fetched.text)
        return fetched
    }

    /// One by one: another resource may have the hash of a wanted one.
    private func fetchEach(_ requests: ResourceRequests, _ names: [String]) throws -> FetchedResources {
        var fetched = FetchedResources()
        for request in requests.list {
            guard let found = try find(request.identifier, linkageOf: names) else { continue }
            fetched.append(found.text, found.place)
            fetched.linkage += found.linkage
        }
        return fetched
    }

    private func forEachText(
        _ requests: ResourceRequests, _ body: (ResourceDirectory.Entry, ArraySlice<UInt8>) throws -> Void
    ) throws {
        var next = requests.list[...]
        while let first = next.first?.entry {
            var end = first.end
            var count = 0
            for request in next {
                guard request.entry.offset - end <= Self.gap, request.entry.end - first.offset <= max(Self.chunkSize, Int(first.length))
                else { break }
                end = max(end, request.entry.end)
                count += 1
            }
            let bytes = try bytes(at: first.offset, count: end - first.offset)
            for request in next.prefix(count) {
                let start = request.entry.offset - first.offset
                // Fewer bytes when the file was cut off meanwhile.
                try body(request.entry, bytes[min(start, bytes.count)..<min(start + Int(request.entry.length), bytes.count)])
            }
            next = next.dropFirst(count)
        }
    }

    /// The linkage of resources, given with commas between; nil when they are not those that were asked for.
    private func linkage(of text: [UInt8], _ requests: ResourceRequests, _ names: [String]) -> [ResourceIdentifier]? {
        let array = [UInt8(ascii: "[")] + text + [UInt8(ascii: "]")]
        return array.withUnsafeBufferPointer { bytes in
            guard let tape = try? Tape.borrowing(bytes, options: options.portionReading) else { return nil }
            return withExtendedLifetime(tape) {
                let view = tape.view
                var words: [Int] = []
                view.forEachElement(of: view.root) { word, _ in words.append(word) }
                guard words.count == requests.list.count else { return nil }
                var linkage: [ResourceIdentifier] = []
                for (word, request) in zip(words, requests.list) {
                    guard view.isObject(word) else { return nil }
                    let entry = ResourceEntry(view, at: word)
                    guard entry.isResource(request.identifier, view) else { return nil }
                    linkage += view.linkage(of: entry, names) { _ in true }
                }
                return linkage
            }
        }
    }
}
