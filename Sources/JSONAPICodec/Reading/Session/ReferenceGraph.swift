/// The links between resources, by references and by embedded values. They determine which references may hold their values.
///
/// A reference holds its value, and that value holds the references in it. Three kinds of values are excluded, and read again on each
/// access:
///
/// - a value that would close a cycle, because it would never be freed;
/// - a value below which values nest more than `maximumHeight` deep, because freeing them recurses, on any stack;
/// - when a cycle passes through embedded values, every value that embeds others.
///
/// - Complexity: O(resources + links).
struct ReferenceGraph {
    /// Each link: its two resources, and whether it is by an embedded value.
    private let links: ScratchStack<UInt64>

    private static let embedding: UInt64 = 1 << 63
    private static let embeddingTarget: UInt32 = 1 << 31
    private static let maximumHeight: UInt8 = 100

    init(_ links: ScratchStack<UInt64>) { self.links = links }

    /// Returns a link as a number. Ordinals have 31 bits: a resource takes more than two words of a tape, which has fewer than 2³².
    @inline(__always)
    static func link(from ordinal: Int, to target: Int, isEmbedded: Bool = false) -> UInt64 {
        (isEmbedded ? embedding : 0) | UInt64(truncatingIfNeeded: ordinal) << 32 | UInt64(truncatingIfNeeded: target)
    }
}

// MARK: - Excluded values

extension ReferenceGraph {
    /// Returns 1 for each resource whose value no reference may hold.
    ///
    /// - Parameter count: The number of resources.
    func excluded(_ count: Int) -> Scratch<UInt8> {
        var walk = Walk(self, count)
        for ordinal in 0..<count { walk.visit(ordinal) }
        if walk.hasEmbeddedCircle {
            // Each cycle contains a reference. Its target embeds others, or its value is already excluded.
            for link in links where link & Self.embedding != 0 {
                walk.excluded[Int(truncatingIfNeeded: (link & ~Self.embedding) >> 32)] = 1
            }
        }
        return walk.excluded
    }

    /// A depth-first walk without recursion.
    private struct Walk {
        let excluded: Scratch<UInt8>
        private(set) var hasEmbeddedCircle = false
        /// The links of each resource are adjacent. These are the start of each resource's links, and the next one to follow.
        private let starts: Scratch<UInt32>
        private let nexts: Scratch<UInt32>
        private let targets: Scratch<UInt32>
        /// The depth to which values nest below each resource.
        private let heights: Scratch<UInt8>
        private let states: Scratch<UInt8>
        /// The resources on the current path, each with the kind of the link to it.
        private let way = ScratchStack<UInt32>(capacity: 64)

        private static let onTheWay: UInt8 = 1
        private static let done: UInt8 = 2

        init(_ graph: ReferenceGraph, _ count: Int) {
            excluded = Scratch(zeroes: count)
            heights = Scratch(zeroes: count)
            states = Scratch(zeroes: count)
            starts = Scratch(zeroes: count + 1)
            nexts = Scratch(zeroes: count)
            targets = Scratch(zeroes: graph.links.count)
            sort(graph.links, count)
        }

        /// Groups the links by resource.
        private func sort(_ links: ScratchStack<UInt64>, _ count: Int) {
            for link in links { starts[Self.origin(link) + 1] += 1 }
            for ordinal in 0..<count {
                starts[ordinal + 1] += starts[ordinal]
                nexts[ordinal] = starts[ordinal]
            }
            for link in links {
                let origin = Self.origin(link)
                let isEmbedded = link & embedding != 0
                targets[Int(nexts[origin])] = UInt32(truncatingIfNeeded: link) | (isEmbedded ? embeddingTarget : 0)
                nexts[origin] += 1
            }
            for ordinal in 0..<count { nexts[ordinal] = starts[ordinal] }
        }

        private static func origin(_ link: UInt64) -> Int { Int(truncatingIfNeeded: (link & ~embedding) >> 32) }

        mutating func visit(_ ordinal: Int) {
            guard states[ordinal] == 0, starts[ordinal] < starts[ordinal + 1] else { return }
            enter(UInt32(truncatingIfNeeded: ordinal))
            while let last = way.last {
                let ordinal = Self.ordinal(last)
                let next = nexts[ordinal]
                if next < starts[ordinal + 1] {
                    nexts[ordinal] = next + 1
                    follow(targets[Int(next)], from: ordinal)
                } else {
                    leave(last)
                }
            }
        }

        private func enter(_ target: UInt32) {
            states[Self.ordinal(target)] = Self.onTheWay
            way.push(target)
        }

        private mutating func follow(_ target: UInt32, from ordinal: Int) {
            let other = Self.ordinal(target)
            switch states[other] {
            case Self.done: raise(ordinal, over: target)
            case Self.onTheWay:
                if target & embeddingTarget != 0 { hasEmbeddedCircle = true } else { excluded[other] = 1 }
            default: enter(target)
            }
        }

        private func leave(_ target: UInt32) {
            let ordinal = Self.ordinal(target)
            way.pop()
            states[ordinal] = Self.done
            if heights[ordinal] > maximumHeight { excluded[ordinal] = 1 }
            if let above = way.last { raise(Self.ordinal(above), over: target) }
        }

        /// Updates the depth below a resource that has a link to another.
        private func raise(_ ordinal: Int, over target: UInt32) {
            let other = Self.ordinal(target)
            if excluded[other] != 0, target & embeddingTarget == 0 { return }
            heights[ordinal] = max(heights[ordinal], min(heights[other], maximumHeight) + 1)
        }

        private static func ordinal(_ target: UInt32) -> Int { Int(target & ~embeddingTarget) }
    }
}
