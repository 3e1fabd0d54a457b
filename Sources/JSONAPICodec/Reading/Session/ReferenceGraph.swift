/// Which resources lead to which, by references and by embedded values; and from that, which references may hold their values.
///
/// A reference holds the value that it leads to, and that value the references in it. Three kinds of values are left out, and read again
/// whenever a reference to them is followed: one that would close a circle, as nothing would ever be freed; one below which values nest
/// more than `maximumHeight` deep, as they are freed inside each other, on any stack; and, where a circle goes through embedded
/// values, every one that embeds others.
///
/// - Complexity: O(resources + links).
struct ReferenceGraph {
    /// Each link: from which resource to which, and whether by an embedded value.
    private let links: ScratchStack<UInt64>

    private static let embedding: UInt64 = 1 << 63
    private static let embeddingTarget: UInt32 = 1 << 31
    private static let maximumHeight: UInt8 = 100

    init(_ links: ScratchStack<UInt64>) { self.links = links }

    /// A link as a number. Ordinals have 31 bits: a resource takes more than two words of a tape, which has fewer than 2³².
    @inline(__always)
    static func link(from ordinal: Int, to target: Int, isEmbedded: Bool = false) -> UInt64 {
        (isEmbedded ? embedding : 0) | UInt64(truncatingIfNeeded: ordinal) << 32 | UInt64(truncatingIfNeeded: target)
    }
}

// MARK: - Values that are left out

extension ReferenceGraph {
    /// For each resource 1 where no reference may hold its value.
    ///
    /// - Parameter count: how many resources there are.
    func excluded(_ count: Int) -> Scratch<UInt8> {
        var walk = Walk(self, count)
        for ordinal in 0..<count { walk.visit(ordinal) }
        if walk.hasEmbeddedCircle {
            // Each circle has a reference in it, which leads to one that embeds, or the value it leads to is left out already.
            for link in links where link & Self.embedding != 0 {
                walk.excluded[Int(truncatingIfNeeded: (link & ~Self.embedding) >> 32)] = 1
            }
        }
        return walk.excluded
    }

    /// A walk in depth, without recursion.
    private struct Walk {
        let excluded: Scratch<UInt8>
        private(set) var hasEmbeddedCircle = false
        /// The links of each resource stand together: where those of a resource begin, and the next one to follow.
        private let starts: Scratch<UInt32>
        private let nexts: Scratch<UInt32>
        private let targets: Scratch<UInt32>
        /// How deep values nest below each.
        private let heights: Scratch<UInt8>
        private let states: Scratch<UInt8>
        /// The resources on the way, each with the kind of the link that led to it.
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

        /// Puts the links of each resource together.
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

        /// Notes how deep values nest below a resource that leads to another.
        private func raise(_ ordinal: Int, over target: UInt32) {
            let other = Self.ordinal(target)
            if excluded[other] != 0, target & embeddingTarget == 0 { return }
            heights[ordinal] = max(heights[ordinal], min(heights[other], maximumHeight) + 1)
        }

        private static func ordinal(_ target: UInt32) -> Int { Int(target & ~embeddingTarget) }
    }
}
