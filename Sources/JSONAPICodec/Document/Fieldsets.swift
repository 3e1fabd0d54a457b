import JSONText

/// The fields asked for, by type of resource, in order.
///
/// ```swift
/// let fields: Fieldsets = ["articles": ["title", "author"], "people": []]
/// fields["articles"]   // ["title", "author"]
/// fields["people"]     // []: none of their fields
/// fields["comments"]   // nil: nothing is said of comments
/// ```
///
/// Types compare by bytes. Looking one up costs a walk over the types.
///
/// Specification: <https://jsonapi.org/format/1.1/#fetching-sparse-fieldsets>
public struct Fieldsets: Sendable {
    /// A type and the names of its fields.
    public typealias Element = (type: String, fields: [String])

    private var entries: [Element] = []

    /// Nothing is said of any type.
    public init() {}

    /// Those of a dictionary, ordered by type.
    public init(_ dictionary: [String: [String]]) {
        entries = dictionary.sorted { UTF8Bytes.isLess($0.key, $1.key) }.map { ($0.key, $0.value) }
    }

    /// Takes entries of types that differ.
    package init(unchecked entries: [Element]) { self.entries = entries }

    /// The fields of that type; nil when nothing is said of it. Setting replaces them in place or adds them at the end; nil
    /// removes the type.
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

    /// The same for a model's type.
    public subscript(_ model: (some Resource).Type) -> [String]? {
        get { self[model.type] }
        set { self[model.type] = newValue }
    }

    /// By type, without order.
    ///
    /// Swift's dictionaries hold composed and decomposed é for one key; of two such types the first has it.
    public var dictionary: [String: [String]] {
        Dictionary(entries.map { ($0.type, $0.fields) }, uniquingKeysWith: { first, _ in first })
    }
}

extension Fieldsets: RandomAccessCollection {
    /// 0.
    public var startIndex: Int { 0 }
    /// How many types are named.
    public var endIndex: Int { entries.count }
    /// The type at that position, from 0, with its fields.
    public subscript(position: Int) -> Element { entries[position] }
}

extension Fieldsets: ExpressibleByDictionaryLiteral {
    /// Those types and fields, in order; of a type that is named again, the last fields count.
    public init(dictionaryLiteral elements: (String, [String])...) {
        for (type, fields) in elements { self[type] = fields }
    }
}

extension Fieldsets: Hashable {
    /// Whether both name the same types in the same order, each with the same fields: by bytes.
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
