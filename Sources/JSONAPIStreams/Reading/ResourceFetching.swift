import JSONAPICodec
import JSONText

// Reads many resources of a file at a time. Resources that are close together are read at once, and all are parsed as one text to find
// their linkage. Reading them one by one takes a system call and a tape for each, which was half of the time for a document with embedded
// resources.

/// Resources that were fetched.
struct FetchedResources {
    /// An array of the resources, without its closing bracket.
    private var array = [UInt8(ascii: "[")]
    /// The start of a resource in a text and in the file, and its place in the document.
    typealias Origin = (text: Int, file: Int, place: ResourcePlace)

    /// The origin of each resource in `text`.
    private(set) var origins: [Origin] = []

    /// Their texts, separated by commas.
    var text: ArraySlice<UInt8> { array.dropFirst() }

    mutating func reserve(_ byteCount: Int) { array.reserveCapacity(byteCount + 2) }

    mutating func append(_ resource: ArraySlice<UInt8>, _ place: ResourcePlace, offset: Int) {
        if !origins.isEmpty { array.append(UInt8(ascii: ",")) }
        origins.append((array.count - 1, offset, place))
        array += resource
    }

    /// Calls `body` with the bytes of the whole array.
    mutating func withArray(_ body: (Span<UInt8>) -> Void) {
        array.append(UInt8(ascii: "]"))
        body(array.span)
        array.removeLast()
    }
}

extension DocumentFile {
    /// The maximum number of bytes between two resources that are read at once.
    private static let gap = 1 << 12

    /// Reads resources, which must be in the order of the file.
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
                // There are fewer bytes when the file was truncated in the meantime.
                fetched.append(
                    bytes[min(start, bytes.count)..<min(start + Int(entry.length), bytes.count)], entry.place, offset: entry.offset)
            }
            next = next.dropFirst(count)
        }
    }

    /// Requests the resources that the fetched ones refer to by relationships with the given names.
    func addLinkage(of fetched: inout FetchedResources, _ names: [String], to requests: inout ResourceRequests) {
        fetched.withArray { bytes in
            // Each was read as a part of the document before. When the file has changed in the meantime, reading the models finds it.
            try? options.withPortionTape(bytes) { tape in
                let view = tape.view
                var resources: [ResourceEntry] = []
                view.forEachElement(of: view.root) { word, _ in
                    if view.isObject(word) { resources.append(ResourceEntry(view, at: word)) }
                }
                LinkageHashing(view: view, names: names).add(resources, to: &requests)
            }
        }
    }
}
