/// An array of JSON values.
///
/// ```swift
/// var tags: JSONArray = ["swift", "json"]
/// tags.append(1)
/// tags.count  // 3
/// ```
///
/// A value is a single reference, and an empty array allocates no memory. Copies share their elements until one of them changes. An index
/// out of range stops the process, as with `Array`. The subscript of `JSON` returns nil instead.
public struct JSONArray: Sendable {
    private var storage: Storage?

    /// Creates an empty array.
    public init() {}

    /// Creates an array of the given elements.
    ///
    /// - Complexity: O(n), n = number of elements.
    public init(_ elements: some Sequence<JSON>) {
        self.init(elements: ContiguousArray(elements))
    }

    package init(elements: ContiguousArray<JSON>) {
        self.init(elements: elements, height: Storage.height(of: elements[...]))
    }

    /// - Parameter height: An upper bound of the nesting depth, including the array.
    init(elements: ContiguousArray<JSON>, height: Int) {
        guard !elements.isEmpty else { return }
        storage = Storage(elements: elements, height: height)
    }

    /// An upper bound of the nesting depth, including this array.
    package var height: Int { storage?.height ?? 1 }

    /// Returns whether both arrays share their storage and are therefore equal.
    func isShared(with other: JSONArray) -> Bool {
        storage === other.storage
    }

    // MARK: - Storage

    /// The elements and a bound of their nesting depth.
    ///
    /// `@unchecked Sendable`: the storage only changes while a single `JSONArray` refers to it.
    private final class Storage: @unchecked Sendable {
        var elements: ContiguousArray<JSON>
        var height: Int

        init(elements: ContiguousArray<JSON>, height: Int) {
            self.elements = elements
            self.height = height
        }

        deinit {
            // For shallow values, which are by far the most common, this comparison is the only cost.
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

    /// The elements in contiguous memory.
    var elements: ContiguousArray<JSON> { storage?.elements ?? [] }

    /// Returns storage that can be changed. It is created if there is none, and copied if it is shared.
    private mutating func uniqueStorage() -> Storage {
        if isKnownUniquelyReferenced(&storage), let storage { return storage }
        let copy = Storage(elements: storage?.elements ?? [], height: height)
        storage = copy
        return copy
    }

    /// Moves the elements to `release` if the storage is deep and has no other reference.
    mutating func releaseElements(to release: inout TreeRelease) {
        guard isKnownUniquelyReferenced(&storage), let storage, storage.height > TreeRelease.nativeHeight else {
            return
        }
        release.add(&storage.elements)
        storage.height = 1
    }

    /// Moves an element out and leaves `null` in its place.
    mutating func take(at position: Int) -> JSON {
        let storage = uniqueStorage()
        var element = JSON.null
        swap(&element, &storage.elements[position])
        return element
    }
}

// MARK: - Collection

extension JSONArray: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    /// The position of the first element, which is always 0.
    public var startIndex: Int { 0 }

    /// The position after the last element, which is equal to `count`.
    public var endIndex: Int { storage?.elements.count ?? 0 }

    /// The number of elements.
    public var count: Int { storage?.elements.count ?? 0 }

    /// The element at a position, from 0.
    ///
    /// - Complexity: O(1), or O(n) for the first change of a copy, n = number of elements.
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

    /// Replaces the elements in a range.
    ///
    /// - Complexity: O(n + m), n = number of elements after the start of `subrange`, m = number of new elements.
    public mutating func replaceSubrange(
        _ subrange: Range<Int>, with newElements: some Collection<JSON>
    ) {
        let newElements = Self.copied(newElements)
        let storage = uniqueStorage()
        let kept = storage.elements.count - subrange.count
        storage.elements.replaceSubrange(subrange, with: newElements)
        let added = subrange.lowerBound..<(subrange.lowerBound + storage.elements.count - kept)
        storage.height = Swift.max(storage.height, Storage.height(of: storage.elements[added]))
    }

    /// Adds an element at the end.
    ///
    /// - Complexity: Amortized O(1).
    public mutating func append(_ element: JSON) {
        let storage = uniqueStorage()
        storage.raiseHeight(for: element)
        storage.elements.append(element)
    }

    /// Adds the elements of a sequence at the end.
    ///
    /// - Complexity: Amortized O(n), n = number of new elements.
    public mutating func append(contentsOf newElements: some Sequence<JSON>) {
        let newElements = Self.copied(newElements)
        let storage = uniqueStorage()
        let start = storage.elements.count
        storage.elements.append(contentsOf: newElements)
        storage.height = Swift.max(storage.height, Storage.height(of: storage.elements[start...]))
    }

    /// Returns the elements of a collection that may share its storage with this array, as in `tags += tags`.
    ///
    /// They must be read before `uniqueStorage()` is called. An optimized caller of another module holds no reference of its own for a
    /// generic argument, so the storage would seem unshared.
    private static func copied(_ elements: some Sequence<JSON>) -> ContiguousArray<JSON> { ContiguousArray(elements) }

    /// Reserves memory for `capacity` elements in total, so that adding them does not allocate again.
    public mutating func reserveCapacity(_ capacity: Int) {
        guard capacity > 0 else { return }
        uniqueStorage().elements.reserveCapacity(capacity)
    }
}

extension JSONArray: ExpressibleByArrayLiteral {
    /// Creates an array of the given elements.
    public init(arrayLiteral elements: JSON...) {
        self.init(elements)
    }
}

extension JSONArray: CustomStringConvertible {
    /// The array as compact JSON text.
    public var description: String { JSON.array(self).description }
}
