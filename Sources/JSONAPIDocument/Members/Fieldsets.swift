import JSONText

/// The requested fields, by resource type, in order.
///
/// ```swift
/// let fields: Fieldsets = ["articles": ["title", "author"], "people": []]
/// fields["articles"]   // ["title", "author"]
/// fields["people"]     // []: none of their fields
/// fields["comments"]   // nil: comments are not restricted
/// ```
///
/// Types are compared byte by byte.
///
/// - Complexity: O(n) to look up a type, n = types.
///
/// Specification: <https://jsonapi.org/format/1.1/#fetching-sparse-fieldsets>
public struct Fieldsets: Sendable {
    /// A type and the names of its fields.
    public typealias Element = (type: String, fields: [String])

    private var entries: [Element] = []

    /// Creates fieldsets that restrict no type.
    public init() {}

    /// Creates fieldsets from a dictionary, ordered by type.
    public init(_ dictionary: [String: [String]]) {
        entries = dictionary.sorted { UTF8Bytes.isLess($0.key, $1.key) }.map { ($0.key, $0.value) }
    }

    /// Creates fieldsets from entries whose types are distinct.
    package init(unchecked entries: [Element]) { self.entries = entries }

    /// The fields of the given type; nil when the type is not restricted. Setting replaces the fields in place, or adds them at the end.
    /// Setting nil removes the type.
    public subscript(type: String) -> [String]? {
        get { entries.first { UTF8Bytes.areEqual($0.type, type) }?.fields }
        set {
            guard let position = entries.firstIndex(where: { UTF8Bytes.areEqual($0.type, type) }) else {
                if let newValue { entries.append((type, newValue)) }
                return
            }
            if let newValue { entries[position].fields = newValue } else { entries.remove(at: position) }
        }
    }

    /// The fieldsets as an unordered dictionary.
    ///
    /// Swift's dictionaries treat composed and decomposed é as equal. Of two types that differ only in this, the first is kept.
    public var dictionary: [String: [String]] {
        Dictionary(entries.map { ($0.type, $0.fields) }, uniquingKeysWith: { first, _ in first })
    }
}

extension Fieldsets: RandomAccessCollection {
    /// The position of the first type, 0.
    public var startIndex: Int { 0 }
    /// The number of types.
    public var endIndex: Int { entries.count }
    /// The type at the given position, counted from 0, with its fields.
    public subscript(position: Int) -> Element { entries[position] }
}

extension Fieldsets: ExpressibleByDictionaryLiteral {
    /// Creates fieldsets in the given order. When a type occurs more than once, its last fields are used.
    public init(dictionaryLiteral elements: (String, [String])...) {
        for (type, fields) in elements { self[type] = fields }
    }
}

extension Fieldsets: Hashable {
    /// Whether both have the same types in the same order, with the same fields. Names are compared byte by byte.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.elementsEqual(rhs) {
            UTF8Bytes.areEqual($0.type, $1.type) && $0.fields.elementsEqual($1.fields, by: UTF8Bytes.areEqual)
        }
    }

    /// Feeds the bytes of types and fields to `hasher`.
    public func hash(into hasher: inout Hasher) {
        for entry in entries {
            UTF8Bytes.hash(entry.type, into: &hasher)
            hasher.combine(entry.fields.count)
            for field in entry.fields { UTF8Bytes.hash(field, into: &hasher) }
        }
    }
}
