/// Finds what somebody may have meant.
package enum NearestName {
    /// The name closest to `name` that is close enough to be a slip: the same but for case, `-` and `_`, or at most a third of its
    /// characters away. Looks at no more than 100 names.
    package static func find(_ name: String, in names: [String]) -> String? {
        let plain = simplified(name)
        var best: (name: String, distance: Int)?
        for candidate in names.prefix(100) where candidate.utf8.count < 100 {
            let other = simplified(candidate)
            let distance = other == plain ? 0 : self.distance(plain, other)
            if distance <= max(1, plain.count / 3), distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.name
    }

    /// The name one slip away from `name` that `isName` accepts, where the names cannot be listed: a letter too many, too few, another,
    /// or two that changed places.
    ///
    /// - Complexity: some sixty calls of `isName` for each letter.
    package static func probe(_ name: String, _ isName: (String) -> Bool) -> String? {
        let letters = Array(name.prefix(60))
        let alphabet = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
        func accepted(_ letters: [Character]) -> String? {
            let candidate = String(letters)
            return isName(candidate) ? candidate : nil
        }
        for i in letters.indices {
            var other = letters
            other.remove(at: i)
            if let found = accepted(other) { return found }
            if i + 1 < letters.count {
                other = letters
                other.swapAt(i, i + 1)
                if let found = accepted(other) { return found }
            }
        }
        for i in 0...letters.count {
            for letter in alphabet {
                var other = letters
                other.insert(letter, at: i)
                if let found = accepted(other) { return found }
                guard i < letters.count else { continue }
                other = letters
                other[i] = letter
                if let found = accepted(other) { return found }
            }
        }
        return nil
    }

    /// `a`, `b`, `c` and 4 more.
    package static func list(_ names: [String]) -> String {
        let shown = names.prefix(8).map { "`\($0.prefix(60))`" }.joined(separator: ", ")
        return names.count > 8 ? "\(shown) and \(names.count - 8) more" : shown
    }

    private static func simplified(_ name: String) -> [Character] {
        name.prefix(100).lowercased().filter { $0 != "-" && $0 != "_" }.map { $0 }
    }

    /// Levenshtein's distance, with a swap of two neighbours counted as one slip.
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var before: [Int] = []
        var row = Array(0...b.count)
        for (i, left) in a.enumerated() {
            var next = [i + 1]
            for (j, right) in b.enumerated() {
                var steps = left == right ? row[j] : min(row[j], row[j + 1], next[j]) + 1
                if i > 0, j > 0, left == b[j - 1], a[i - 1] == right { steps = min(steps, before[j - 1] + 1) }
                next.append(steps)
            }
            before = row
            row = next
        }
        return row[b.count]
    }
}
