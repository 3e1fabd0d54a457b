/// Finds the name that a misspelled name probably stands for.
package enum NearestName {
    /// Returns the name closest to `name`, or nil if none is similar enough. A name is similar if it differs only in case, `-` and `_`, or
    /// in at most a third of its characters, and if the shorter name has more characters than differ. Checks at most 100 names.
    package static func find(_ name: String, in names: [String]) -> String? {
        let plain = simplified(name)
        var best: (name: String, distance: Int)?
        for candidate in names.prefix(100) where candidate.utf8.count < 100 {
            let other = simplified(candidate)
            let limit = min(max(1, plain.count / 3), (best?.distance ?? .max) - 1, min(plain.count, other.count) - 1)
            // Names whose lengths differ by more differ by more letters.
            guard abs(plain.count - other.count) <= limit else { continue }
            let distance = other == plain ? 0 : self.distance(plain, other)
            if distance <= limit { best = (candidate, distance) }
        }
        return best?.name
    }

    /// Returns a name that `isName` accepts and that differs from `name` by a single edit: a letter added, removed or replaced, or two
    /// letters swapped. Both have at least two letters, because names of one letter are similar only if they differ only in case. Use it
    /// when the names cannot be listed.
    ///
    /// - Complexity: O(n) calls of `isName`, about 130 for each of up to 60 letters.
    package static func probe(_ name: String, _ isName: (String) -> Bool) -> String? {
        let letters = Array(name.prefix(60))
        guard letters.count > 1 else { return [name.lowercased(), name.uppercased()].first { $0 != name && isName($0) } }
        let alphabet = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
        func accepted(_ letters: [Character]) -> String? {
            let candidate = String(letters)
            return letters.count > 1 && isName(candidate) ? candidate : nil
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

    /// Returns the names in text. After eight names, it gives the number of the others: "`a`, …, `h` and 4 more".
    package static func list(_ names: [String]) -> String {
        let shown = names.prefix(8).map { "`\($0.prefix(60))`" }.joined(separator: ", ")
        return names.count > 8 ? "\(shown) and \(names.count - 8) more" : shown
    }

    private static func simplified(_ name: String) -> [Unicode.Scalar] {
        String(name.unicodeScalars.prefix(100)).lowercased().unicodeScalars.filter { $0 != "-" && $0 != "_" }
    }

    /// Returns the Levenshtein distance, with a swap of two adjacent letters counted as one edit.
    private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
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
