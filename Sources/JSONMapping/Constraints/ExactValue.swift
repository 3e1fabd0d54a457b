import JSONText

/// A value whose text is compared by its bytes. Swift's `==` treats composed and decomposed é as equal; this type does not.
///
/// The rule applies to strings, also in optionals, arrays, sets and dictionaries inside each other. Every other type uses its own `==`.
struct ExactValue<Value> {
    let value: Value

    init(_ value: Value) { self.value = value }
}

extension ExactValue where Value: Equatable {
    static func areEqual(_ a: Value, _ b: Value) -> Bool { a == b && haveEqualText(a, b) }
}

extension ExactValue {
    /// Returns whether two values are equal. Returns false if their type is not `Equatable`.
    static func areKnownEqual(_ a: Value, _ b: Value) -> Bool {
        func areEqual<Known: Equatable>(_ type: Known.Type) -> Bool {
            guard let a = a as? Known, let b = b as? Known else { return false }
            return ExactValue<Known>.areEqual(a, b)
        }
        return (Value.self as? any Equatable.Type).map { areEqual($0) } ?? false
    }
}

extension ExactValue: Equatable where Value: Equatable {
    static func == (a: ExactValue, b: ExactValue) -> Bool { areEqual(a.value, b.value) }
}

extension ExactValue: Hashable where Value: Hashable {
    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension ExactValue: Sendable where Value: Sendable {}

/// Returns whether the text of two equal values has the same bytes. Returns true for types without text.
package func haveEqualText(_ a: Any, _ b: Any) -> Bool {
    guard let text = a as? any TextContainer else { return true }
    return text.hasEqualText(b)
}

/// A string, or a type whose values can contain strings.
private protocol TextContainer {
    /// Returns whether the text has the same bytes as that of an equal value.
    func hasEqualText(_ other: Any) -> Bool
}

extension String: TextContainer {
    fileprivate func hasEqualText(_ other: Any) -> Bool { (other as? String).map { UTF8Bytes.areEqual(self, $0) } ?? false }
}

extension Optional: TextContainer {
    fileprivate func hasEqualText(_ other: Any) -> Bool {
        guard let self, let other = (other as? Wrapped?).flatMap({ $0 }) else { return true }
        return haveEqualText(self, other)
    }
}

extension Array: TextContainer {
    fileprivate func hasEqualText(_ other: Any) -> Bool {
        guard Element.self is any TextContainer.Type else { return true }
        return (other as? [Element]).map { zip(self, $0).allSatisfy { haveEqualText($0, $1) } } ?? false
    }
}

extension Set: TextContainer {
    fileprivate func hasEqualText(_ other: Any) -> Bool {
        guard Element.self is any TextContainer.Type else { return true }
        guard let other = other as? Set<Element> else { return false }
        return allSatisfy { element in other.firstIndex(of: element).map { haveEqualText(element, other[$0]) } ?? false }
    }
}

extension Dictionary: TextContainer {
    fileprivate func hasEqualText(_ other: Any) -> Bool {
        guard Key.self is any TextContainer.Type || Value.self is any TextContainer.Type else { return true }
        guard let other = other as? [Key: Value] else { return false }
        return allSatisfy { key, value in
            other.index(forKey: key).map { haveEqualText(key, other[$0].key) && haveEqualText(value, other[$0].value) } ?? false
        }
    }
}
