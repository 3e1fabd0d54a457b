/// Frees deep trees without recursion.
///
/// Left to itself, Swift frees an element by a call inside the call that frees its container: 4,000 levels overflow a
/// stack of 512 KiB. Here a storage that goes away hands its elements to a list; each element that is a deep container
/// and referred to by nothing else hands its own elements to the list before it goes.
///
/// ```
/// [[[[1]]], 2]   list: [[[1]]], 2      the outer array is free
///                list: [[1]]           2 and the next array are free
///                list: [1]             and so on
/// ```
struct TreeRelease {
    /// Containers of at most this height are left to Swift: a few kilobytes of stack, and no list.
    static let nativeHeight = 16

    private var elements: [ContiguousArray<JSON>] = []
    private var members: [ContiguousArray<JSONObject.Member>] = []

    /// Takes over all elements, and leaves none.
    mutating func add(_ list: inout ContiguousArray<JSON>) {
        guard !list.isEmpty else { return }
        var taken: ContiguousArray<JSON> = []
        swap(&taken, &list)
        elements.append(taken)
    }

    /// Takes over all members, and leaves none.
    mutating func add(_ list: inout ContiguousArray<JSONObject.Member>) {
        guard !list.isEmpty else { return }
        var taken: ContiguousArray<JSONObject.Member> = []
        swap(&taken, &list)
        members.append(taken)
    }

    /// Frees everything taken over.
    ///
    /// - Complexity: O(n), n = values in all; the list grows with the depth.
    mutating func run() {
        while true {
            if let last = elements.indices.last {
                if var value = elements[last].popLast() {
                    dropEmptyLists()
                    free(&value)
                } else {
                    elements.removeLast()
                }
            } else if let last = members.indices.last {
                if var member = members[last].popLast() {
                    dropEmptyLists()
                    free(&member.value)
                } else {
                    members.removeLast()
                }
            } else {
                return
            }
        }
    }

    /// Keeps the lists short: a chain of single elements needs one entry, whatever its length.
    private mutating func dropEmptyLists() {
        if let list = elements.last, list.isEmpty { elements.removeLast() }
        if let list = members.last, list.isEmpty { members.removeLast() }
    }

    private mutating func free(_ value: inout JSON) {
        if var array = value.takeArray() {
            array.releaseElements(to: &self)
        } else if var object = value.takeObject() {
            object.releaseMembers(to: &self)
        }
    }
}
