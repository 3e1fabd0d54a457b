import JSONText

/// Finds the differences of two JSON values.
///
/// Objects are compared member by member. Arrays of the same length are compared element by element; other arrays are compared as a whole.
/// Numbers are equal when their values are, so `1.0` equals `1`. Strings and names are compared byte by byte. The order of members does not
/// matter, and of repeated names the last member is used.
///
/// Below a long path, values are compared as a whole. Each difference contains its path, so paths must stay short for the result to remain
/// proportional to the documents.
///
/// Open containers are on an explicit stack, without recursion. O(n), n = size of both values.
struct ValueComparison {
    /// The maximum number of bytes of the names on the path to a container whose contents are compared separately.
    static let maximumPathBytes = 256
    private static let maximumLevels = 16

    private(set) var changes: [Change] = []

    /// The path to a value, shared by all values below it.
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

        /// Whether the path may be extended.
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

    /// Two values, and their name in the containers around them.
    private typealias Pair = (name: String, left: JSON?, right: JSON?)

    /// Two containers that are being compared.
    private struct Frame {
        let pairs: AnyIterator<Pair>
        let path: Path?
    }

    /// Adds the differences of two values. Nil stands for an absent value.
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

    /// Adds the differences of two sections of an object, such as `attributes` or `meta`. When one is absent, the members of the other are
    /// reported separately.
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

    /// Returns the contents of two containers in pairs; nil for values that are compared as a whole.
    private static func pairs(_ left: JSON, _ right: JSON) -> AnyIterator<Pair>? {
        switch (left, right) {
        case (.object(let left), .object(let right)): return MemberPairs(left, right).makeIterator()
        case (.array(let left), .array(let right)):
            // Arrays of different lengths are different.
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
