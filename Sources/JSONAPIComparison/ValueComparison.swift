import JSONText

/// Finds where two JSON values differ.
///
/// Objects are compared member by member, arrays of the same length element by element; other arrays are compared as wholes.
/// Numbers are equal when their values are, `1.0` and `1` included; strings and names when their bytes are. The order of members
/// does not count, and of a repeated name the last member does.
///
/// Below a long path values are compared as wholes: each difference tells its path, so that paths must stay short for the result to
/// be no longer than the documents times a number.
///
/// What is open lies on a list of its own: no recursion. O(n), n = size of both values.
struct ValueComparison {
    /// How many bytes the names on the way to a container may have, if what is in it is to be told one by one.
    static let maximumPathBytes = 256
    private static let maximumLevels = 16

    private(set) var changes: [Change] = []

    /// The way to a value, shared by all that lies below it.
    private final class Path {
        let parent: Path?
        let token: String
        private let level: Int
        private let bytes: Int

        init(_ parent: Path?, _ token: String) {
            self.parent = parent
            self.token = token
            level = (parent?.level ?? 0) + 1
            bytes = (parent?.bytes ?? 0) + token.utf8.count
        }

        /// Whether more may follow.
        var isShort: Bool { level <= ValueComparison.maximumLevels && bytes <= ValueComparison.maximumPathBytes }

        static func tokens(_ path: Path?) -> [String] {
            var tokens: [String] = []
            var next = path
            while let path = next {
                tokens.append(path.token)
                next = path.parent
            }
            return tokens.reversed()
        }
    }

    /// Two values and what they are called in the containers that they are in.
    private typealias Pair = (name: String, left: JSON?, right: JSON?)

    /// Two containers that are partly compared.
    private struct Frame {
        let pairs: AnyIterator<Pair>
        let path: Path?
    }

    /// Adds the differences of two values; nil is a value that is absent.
    mutating func compare(_ left: JSON?, _ right: JSON?, at path: [String]) {
        let place = path.reduce(nil) { Path($0, $1) }
        var frames: [Frame] = []
        step(left, right, place, &frames)
        while let top = frames.last {
            guard let pair = top.pairs.next() else {
                frames.removeLast()
                continue
            }
            step(pair.left, pair.right, Path(top.path, pair.name), &frames)
        }
    }

    /// Adds the differences of two sections of an object, `attributes` or `meta`: when one is absent, the members of the other are
    /// told one by one.
    mutating func compareSection(_ left: JSON?, _ right: JSON?, at path: [String]) {
        switch (left, right) {
        case (.object(let members)?, nil) where !members.isEmpty: compare(left, .object([:]), at: path)
        case (nil, .object(let members)?) where !members.isEmpty: compare(.object([:]), right, at: path)
        default: compare(left, right, at: path)
        }
    }

    private mutating func step(_ left: JSON?, _ right: JSON?, _ path: Path?, _ frames: inout [Frame]) {
        switch (left, right) {
        case (nil, nil): break
        case (let left?, nil): changes.append(Change(path: Path.tokens(path), kind: .removed(left)))
        case (nil, let right?): changes.append(Change(path: Path.tokens(path), kind: .added(right)))
        case (let left?, let right?):
            if path?.isShort ?? true, let pairs = ValueComparison.pairs(left, right) {
                frames.append(Frame(pairs: pairs, path: path))
            } else if left != right {
                changes.append(Change(path: Path.tokens(path), kind: .changed(from: left, to: right)))
            }
        }
    }

    /// What is below two containers; nil for values that are compared as wholes.
    private static func pairs(_ left: JSON, _ right: JSON) -> AnyIterator<Pair>? {
        switch (left, right) {
        case (.object(let left), .object(let right)): return MemberPairs(left, right).makeIterator()
        case (.array(let left), .array(let right)):
            // Arrays of different lengths differ, which is known at once.
            guard left.count == right.count else { return nil }
            var position = 0
            return AnyIterator {
                guard position < left.count else { return nil }
                defer { position += 1 }
                return ("\(position)", left[position], right[position])
            }
        default: return nil
        }
    }
}
