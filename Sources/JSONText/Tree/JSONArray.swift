/// An array of JSON values.
///
/// ```swift
/// var tags: JSONArray = ["swift", "json"]
/// tags.append(1)
/// tags.count  // 3
/// ```
///
/// A value of one reference, without memory of its own when empty; copies share their elements until one changes.
/// An index out of range stops the process, as with `Array`; `JSON`'s subscript returns nil instead.
public struct JSONArray: Sendable {
    private var storage: Storage?

    /// An empty array.
    public init() {}

    /// An array of those elements, in order.
    ///
    /// - Complexity: O(n), n = elements.
    public init(_ elements: some Sequence<JSON>) {
        self.init(elements: ContiguousArray(elements))
    }

    package init(elements: ContiguousArray<JSON>) {
        guard !elements.isEmpty else { return }
        storage = Storage(elements: elements, height: Storage.height(of: elements[...]))
    }

    /// An upper bound for how deeply containers are nested, this one included.
    package var height: Int { storage?.height ?? 1 }

    /// Whether both are one storage, hence equal without a look at the elements.
    func isShared(with other: JSONArray) -> Bool {
        storage === other.storage
    }

    // MARK: - Storage

    /// The elements and a bound for their nesting.
    ///
    /// Unchecked because the compiler cannot see the rule that protects it: it changes only while one `JSONArray` alone
    /// refers to it.
    private final class Storage: @unchecked Sendable {
        var elements: ContiguousArray<JSON>
        var height: Int

        init(elements: ContiguousArray<JSON>, height: Int) {
            self.elements = elements
            self.height = height
        }

        deinit {
            // Shallow values, that is nearly all, pay for this comparison only.
            guard height > TreeRelease.nativeHeight else { return }
            var release = TreeRelease()
            release.add(&elements)
            release.run()
        }

        static func height(of elements: ContiguousArray<JSON>.SubSequence) -> Int {
            var height = 0
            for element in elements { height = Swift.max(height, element.height) }
            return height + 1
        }

        func raiseHeight(for child: JSON) {
            height = Swift.max(height, child.height + 1)
        }
    }

    /// The elements in one piece of memory.
    var elements: ContiguousArray<JSON> { storage?.elements ?? [] }

    /// The storage, for changing it: made when there is none, copied when it is shared.
    private mutating func uniqueStorage() -> Storage {
        if isKnownUniquelyReferenced(&storage), let storage { return storage }
        let copy = Storage(elements: storage?.elements ?? [], height: height)
        storage = copy
        return copy
    }

    /// Gives the elements away when nothing else refers to them.
    mutating func releaseElements(to release: inout TreeRelease) {
        guard isKnownUniquelyReferenced(&storage), let storage, storage.height > TreeRelease.nativeHeight else {
            return
        }
        release.add(&storage.elements)
        storage.height = 1
    }

    /// Moves an element out; `null` stands in its place.
    mutating func take(at position: Int) -> JSON {
        let storage = uniqueStorage()
        var element = JSON.null
        swap(&element, &storage.elements[position])
        return element
    }
}

// MARK: - Collection

extension JSONArray: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    /// 0.
    public var startIndex: Int { 0 }

    /// The number of elements.
    public var endIndex: Int { storage?.elements.count ?? 0 }

    /// The number of elements.
    public var count: Int { storage?.elements.count ?? 0 }

    /// The element at that position, from 0.
    ///
    /// - Complexity: O(1); O(n) for the first change of a copy, n = elements.
    public subscript(position: Int) -> JSON {
        get {
            guard let storage else { preconditionFailure("JSONArray index out of range") }
            return storage.elements[position]
        }
        _modify {
            let storage = uniqueStorage()
            defer { storage.raiseHeight(for: storage.elements[position]) }
            yield &storage.elements[position]
        }
    }

    /// Replaces the elements in `subrange`.
    ///
    /// - Complexity: O(n + m), n = elements behind the start of `subrange`, m = new elements.
    public mutating func replaceSubrange(
        _ subrange: Range<Int>, with newElements: some Collection<JSON>
    ) {
        let storage = uniqueStorage()
        let kept = storage.elements.count - subrange.count
        storage.elements.replaceSubrange(subrange, with: newElements)
        let added = subrange.lowerBound..<(subrange.lowerBound + storage.elements.count - kept)
        storage.height = Swift.max(storage.height, Storage.height(of: storage.elements[added]))
    }

    /// Adds an element at the end.
    ///
    /// - Complexity: O(1) on average over many calls.
    public mutating func append(_ element: JSON) {
        let storage = uniqueStorage()
        storage.raiseHeight(for: element)
        storage.elements.append(element)
    }

    /// Adds the elements of a sequence at the end.
    ///
    /// - Complexity: O(n) on average over many calls, n = new elements.
    public mutating func append(contentsOf newElements: some Sequence<JSON>) {
        let storage = uniqueStorage()
        let start = storage.elements.count
        storage.elements.append(contentsOf: newElements)
        storage.height = Swift.max(storage.height, Storage.height(of: storage.elements[start...]))
    }

    /// Makes room for `capacity` elements in all, so that adding them allocates no more.
    public mutating func reserveCapacity(_ capacity: Int) {
        guard capacity > 0 else { return }
        uniqueStorage().elements.reserveCapacity(capacity)
    }
}

extension JSONArray: ExpressibleByArrayLiteral {
    /// An array of those elements, in order.
    public init(arrayLiteral elements: JSON...) {
        self.init(elements)
    }
}

extension JSONArray: CustomStringConvertible {
    /// The array as compact JSON text.
    public var description: String { JSON.array(self).description }
}
