import JSONText

/// The relationships of a resource, by name.
///
/// ```swift
/// var relationships: Relationships = ["author": RelationshipObject(data: .one(.init(type: "people", id: "9")))]
/// relationships["author"]?.data.identifiers  // [{"type":"people","id":"9"}]
/// relationships["tags"] = RelationshipObject(data: .many([]))
/// ```
///
/// Iterating visits every relationship in order. It skips @-members, members of extensions and values that are not relationship objects;
/// `members` has them all.
///
/// https://jsonapi.org/format/1.1/#document-resource-object-relationships
public struct Relationships: MemberLens {
    /// All members, in order, as they are written.
    public var members: JSONObject

    /// The view of those members, unchecked.
    public init(members: JSONObject) {
        self.members = members
    }

    /// Creates relationships with the given names, in order.
    public init(_ relationships: some Sequence<(name: String, relationship: RelationshipObject)>) {
        self.init(
            members: JSONObject(members: relationships.lazy.map { .init(name: $0.name, value: $0.relationship.json) }))
    }

    /// Creates a view of an object; nil for any other value. An empty array is read as an empty object, because PHP writes empty maps that
    /// way.
    public init?(json: JSON) {
        guard let members = JSONObject(json: json) else { return nil }
        self.init(members: members)
    }

    /// The relationship with the given name; nil when there is no such member, or when its value is not a relationship object.
    ///
    /// Setting replaces the relationship in place, or adds it at the end. Setting nil removes it.
    public subscript(name: String) -> RelationshipObject? {
        get { members[value: name] }
        set { members[value: name] = newValue }
        _modify { yield &members[value: name] }
    }
}

extension Relationships: ExpressibleByDictionaryLiteral {
    /// Creates relationships with the given names, in order.
    public init(dictionaryLiteral elements: (String, RelationshipObject)...) {
        self.init(members: JSONObject(members: elements.lazy.map { .init(name: $0.0, value: $0.1.json) }))
    }
}

// MARK: - Sequence

extension Relationships: Sequence {
    /// Iterates over the relationships in order.
    public struct Iterator: IteratorProtocol, Sendable {
        fileprivate let members: JSONObject
        fileprivate var position = 0

        /// Returns the next relationship and its name; nil at the end.
        public mutating func next() -> (name: String, relationship: RelationshipObject)? {
            members.nextPlain(RelationshipObject.self, &position).map { (name: $0.name, relationship: $0.value) }
        }
    }

    /// Returns an iterator over the relationships, in order.
    public func makeIterator() -> Iterator { Iterator(members: members) }

    /// The names of all relationships, in order.
    ///
    /// - Complexity: O(n), n = members.
    public var names: [String] { map(\.name) }
}
