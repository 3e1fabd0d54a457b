import JSONText

/// A value whose text is compared by its bytes. Swift's `==` treats composed and decomposed é as equal; this type does not.
///
/// The rule applies to strings, optional strings, and arrays and dictionaries of strings. Every other type uses its own `==`.
struct ExactValue<Value> {
    let value: Value

    init(_ value: Value) { self.value = value }

    /// Returns whether the text of both values has the same bytes. Returns true for types without text.
    private static func haveEqualText(_ a: Value, _ b: Value) -> Bool {
        switch (a, b) {
        case (let a as String, let b as String): UTF8Bytes.areEqual(a, b)
        case (let a as String?, let b as String?): areEqual(a, b)
        case (let a as [String], let b as [String]): a.count == b.count && zip(a, b).allSatisfy { UTF8Bytes.areEqual($0, $1) }
        case (let a as [String: String], let b as [String: String]):
            a.count == b.count && Set(a.map(Entry.init)) == Set(b.map(Entry.init))
        default: true
        }
    }

    private static func areEqual(_ a: String?, _ b: String?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return UTF8Bytes.areEqual(a, b)
    }

    private struct Entry: Hashable {
        let name: ByteText
        let value: ByteText

        init(_ entry: (key: String, value: String)) {
            name = ByteText(entry.key)
            value = ByteText(entry.value)
        }
    }
}

extension ExactValue where Value: Equatable {
    static func areEqual(_ a: Value, _ b: Value) -> Bool { a == b && haveEqualText(a, b) }
}

extension ExactValue: Equatable where Value: Equatable {
    static func == (a: ExactValue, b: ExactValue) -> Bool { areEqual(a.value, b.value) }
}

extension ExactValue: Hashable where Value: Hashable {
    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension ExactValue: Sendable where Value: Sendable {}
