import JSONText

// Many resources of a file at a time: those that stand close together are read at once, and all are parsed as one text to see what
// their relationships lead to. One at a time takes a system call and a tape for each, which was half of the time of reading a
// document whose models embed.

/// Resources that were fetched.
struct FetchedResources {
    /// An array of them, up to the bracket at its end.
    private var array = [UInt8(ascii: "[")]
    /// Where they stand in the document.
    private(set) var places: [ResourcePlace] = []
    /// Where each of them begins: in `text`, counted from its beginning, and in the file.
    private(set) var starts: [(text: Int, file: Int)] = []

    /// Their texts, with commas between.
    var text: ArraySlice<UInt8> { array.dropFirst() }

    mutating func reserve(_ byteCount: Int) { array.reserveCapacity(byteCount + 2) }

    mutating func append(_ resource: ArraySlice<UInt8>, _ place: ResourcePlace, offset: Int) {
        if !places.isEmpty { array.append(UInt8(ascii: ",")) }
        starts.append((array.count - 1, offset))
        array += resource
        places.append(place)
    }

    /// Hands out the bytes of the whole array.
    mutating func withArray(_ body: (Span<UInt8>) -> Void) {
        array.append(UInt8(ascii: "]"))
        body(array.span)
        array.removeLast()
    }
}

extension DocumentFile {
    /// Between two resources that are read at once lie at most so many bytes.
    private static let gap = 1 << 12

    /// Reads resources that stand in the order of the file.
    func read(_ entries: [ResourceDirectory.Entry], into fetched: inout FetchedResources) throws {
        var next = entries[...]
        while let first = next.first {
            var end = first.end
            var count = 0
            for entry in next {
                guard entry.offset - end <= Self.gap, entry.end - first.offset <= max(Self.chunkSize, Int(first.length)) else { break }
                end = max(end, entry.end)
                count += 1
            }
            let bytes = try bytes(at: first.offset, count: end - first.offset)
            for entry in next.prefix(count) {
                let start = entry.offset - first.offset
                // Fewer bytes when the file was cut off meanwhile.
                fetched.append(
                    bytes[min(start, bytes.count)..<min(start + Int(entry.length), bytes.count)], entry.place, offset: entry.offset)
            }
            next = next.dropFirst(count)
        }
    }

    /// Asks for what the relationships of these names lead to from the resources.
    func addLinkage(of fetched: inout FetchedResources, _ names: [String], to requests: inout ResourceRequests) {
        fetched.withArray { bytes in
            // Each was read as part of the document before; where the file was changed meanwhile, who reads the models finds it.
            try? options.withPortionTape(bytes) { tape in
                let view = tape.view
                var resources: [ResourceEntry] = []
                view.forEachElement(of: view.root) { word, _ in
                    if view.isObject(word) { resources.append(ResourceEntry(view, at: word)) }
                }
                var linkage = LinkageHashing(view, names)
                linkage.add(resources, to: &requests)
            }
        }
    }
}
