/// A value whose identity is known from another value, and which may lead to other resources than that value.
package struct OtherValue {
    package let number: Int
    package let value: WaitingValue
    /// The node from which it is searched; nil when it is only compared.
    let node: IncludeTree.Node?
    /// Whether it equals the first value, so that only the resources that it leads to are wanted.
    package let isEqual: Bool
    /// The number of the value that was met outside of a search, and whose search leads here.
    let root: Int
}

/// The values that share an identity with another, and may differ from it or lead to other resources. They are compared and searched after
/// the others were written.
///
/// Each search writes one value, and leads to further values only where these are not known, or differ from the known ones. None is repeated,
/// and the number of searches that others led to is limited. The cost of all of them is therefore linear, and cycles end.
struct OtherValues {
    private var waiting: [OtherValue] = []
    /// The last of them for each identity.
    private var lasts: [Int: OtherValue] = [:]
    private var searches: Set<Search> = []
    /// The numbers of searches below values.
    private var below: [Search: Int] = [:]
    /// The objects in `searches`. They are kept, so that no other object gets their identity.
    private var origins: [AnyObject] = []
    /// The number of values that were met outside of searches.
    private var rootCount = 0
    /// The number of searches that other searches led to.
    private var deepCount = 0

    private struct Search: Hashable {
        enum Origin: Hashable {
            /// The value is this object, or the object gave it: the cell of a reference, or what resolves references.
            case object(ObjectIdentifier)
            /// Below another value; see `OtherValue.root`.
            case below(Int)
        }

        let origin: Origin
        let number: Int
        let node: IncludeTree.Node
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// Forgets all values and searches.
    mutating func removeAll() { if rootCount > 0 { self = OtherValues() } }

    /// Keeps a value, unless it was searched from the same place before.
    ///
    /// - Parameter limit: The maximum number of searches that other searches led to.
    mutating func note(
        _ number: Int, _ value: WaitingValue, isEqual: Bool, _ node: IncludeTree.Node?, from origin: AnyObject?, root: Int?, limit: Int
    ) {
        let isDeep = root != nil
        if !isDeep { rootCount += 1 }
        let root = root ?? rootCount
        guard let node, isFirst(number, isEqual, node, origin, root), !isDeep || countDeep(limit) else {
            if !isEqual { waiting.append(OtherValue(number: number, value: value, node: nil, isEqual: false, root: root)) }
            return
        }
        let other = OtherValue(number: number, value: value, node: node, isEqual: isEqual, root: root)
        waiting.append(other)
        lasts[number] = other
    }

    private mutating func isFirst(_ number: Int, _ isEqual: Bool, _ node: IncludeTree.Node, _ origin: AnyObject?, _ root: Int) -> Bool {
        if let origin {
            let search = Search(origin: .object(ObjectIdentifier(origin)), number: number, node: node)
            guard searches.insert(search).inserted else { return false }
            origins.append(origin)
        }
        // Values that can only be compared as texts, and are made anew whenever they are written, never end by their places.
        below[Search(origin: .below(root), number: number, node: node), default: 0] += 1
        return isEqual || below[Search(origin: .below(root), number: number, node: node), default: 0] <= Self.mostBelow
    }

    /// The maximum number of searches of different values with one identity below another value.
    private static let mostBelow = 8

    private mutating func countDeep(_ limit: Int) -> Bool {
        deepCount += 1
        return deepCount <= limit
    }

    /// Returns the last value that is kept for an identity.
    func last(_ number: Int) -> OtherValue? { lasts[number] }

    /// Returns the values that were kept since the last call.
    mutating func take() -> [OtherValue] {
        defer { waiting = [] }
        return waiting
    }
}

/// Sees whether values that are equal hold references that lead to different places, because equality does not compare what references
/// lead to.
///
/// `@unchecked Sendable`: only the thread that encodes uses it. A task that a model starts meanwhile inherits it.
package final class ReferenceWatch: @unchecked Sendable {
    /// Whether two equal references were compared that may lead to different values.
    // Unchecked: nothing calls back while it changes.
    @safe @exclusivity(unchecked) var sawOther = false

    /// The watch of the encoder that runs, and its thread.
    private static let current = TaskLocal<(watch: ReferenceWatch, thread: UInt)?>(wrappedValue: nil)

    /// Runs `body`, whose comparisons this object sees.
    package func during<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.current.withValue((self, RunningThread.number), operation: body)
    }

    /// Notes two equal references that may lead to different values.
    static func noteOther() { if let current = current.get(), current.thread == RunningThread.number { current.watch.sawOther = true } }
}
