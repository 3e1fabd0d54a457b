/// Frees deep trees without recursion.
///
/// By default, Swift frees elements recursively while it frees their container. 4,000 levels overflow a stack of 512 KiB. Instead, deep
/// storage moves its elements to a list before it is freed. Each element that is a deep container without other references then moves
/// its own elements to the list.
///
/// ```
/// [[[[1]]], 2]   list: [[[1]]], 2      the outer array is freed
///                list: [[1]]           2 and the next array are freed
///                list: [1]             and so on
/// ```
struct TreeRelease {
    /// Swift frees containers up to this height recursively, which takes a few kilobytes of stack.
    static let nativeHeight = 16

    private var elements: [ContiguousArray<JSON>] = []
    private var members: [ContiguousArray<JSONObject.Member>] = []

    /// Moves all elements to the list.
    mutating func add(_ list: inout ContiguousArray<JSON>) {
        guard !list.isEmpty else { return }
        var taken: ContiguousArray<JSON> = []
        swap(&taken, &list)
        elements.append(taken)
    }

    /// Moves all members to the list.
    mutating func add(_ list: inout ContiguousArray<JSONObject.Member>) {
        guard !list.isEmpty else { return }
        var taken: ContiguousArray<JSONObject.Member> = []
        swap(&taken, &list)
        members.append(taken)
    }

    /// Frees everything in the list.
    ///
    /// - Complexity: O(n), n = total number of values. The list grows with the depth.
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

    /// Removes empty lists, so that a chain of single elements needs only one entry.
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
