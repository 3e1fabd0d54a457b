import JSONText

/// The relationships of a resource, by name.
///
/// ```swift
/// var relationships: Relationships = ["author": RelationshipObject(data: .one(.init(type: "people", id: "9")))]
/// relationships["author"]?.data.identifiers  // [{"type":"people","id":"9"}]
/// relationships["tags"] = RelationshipObject(data: .many([]))
/// ```
///
/// Going through it meets every relationship in order. @-members, members of extensions and values that are no
/// relationship objects are passed over; `members` has them.
///
/// https://jsonapi.org/format/1.1/#document-resource-object-relationships
public struct Relationships: MemberLens {
    /// All members, in order, as they are written.
    public var members: JSONObject

    /// The view of those members, unchecked.
    public init(members: JSONObject) {
        self.members = members
    }

    /// Relationships of those names, in order.
    public init(_ relationships: some Sequence<(name: String, relationship: RelationshipObject)>) {
        self.init(
            members: JSONObject(members: relationships.lazy.map { .init(name: $0.name, value: $0.relationship.json) }))
    }

    /// The view of an object; nil for any other value. An empty array is an empty object: PHP writes an empty map so.
    public init?(json: JSON) {
        guard let members = JSONObject(json: json) else { return nil }
        self.init(members: members)
    }

    /// The relationship of that name; nil when there is no such member or it is no relationship object.
    ///
    /// Setting replaces it in place or adds it at the end; nil removes it.
    public subscript(name: String) -> RelationshipObject? {
        get { members[value: name] }
        set { members[value: name] = newValue }
        _modify { yield &members[value: name] }
    }
}

extension Relationships: ExpressibleByDictionaryLiteral {
    /// Relationships of those names, in order.
    public init(dictionaryLiteral elements: (String, RelationshipObject)...) {
        self.init(members: JSONObject(members: elements.lazy.map { .init(name: $0.0, value: $0.1.json) }))
    }
}

// MARK: - Sequence

extension Relationships: Sequence {
    /// Goes through the relationships in order.
    public struct Iterator: IteratorProtocol, Sendable {
        private let members: JSONObject
        private var position = 0

        init(_ members: JSONObject) {
            self.members = members
        }

        /// The next relationship and its name, nil at the end.
        public mutating func next() -> (name: String, relationship: RelationshipObject)? {
            while position < members.count {
                let member = members[position]
                position += 1
                if MemberKind(of: member.name) == .plain, let object = RelationshipObject(json: member.value) {
                    return (member.name, object)
                }
            }
            return nil
        }
    }

    /// Goes through the relationships in order.
    public func makeIterator() -> Iterator { Iterator(members) }

    /// The names of all relationships, in order.
    ///
    /// - Complexity: O(n), n = members.
    public var names: [String] { map(\.name) }
}
