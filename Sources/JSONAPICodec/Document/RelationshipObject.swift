import JSONText

/// How a resource relates to others: linkage, links and meta.
///
/// ```
/// {"links": {"related": "/articles/1/author"}, "data": {"type": "people", "id": "9"}}
/// ```
///
/// https://jsonapi.org/format/1.1/#document-resource-object-relationships-relationship-object
public struct RelationshipObject: MemberLens {
    /// All members, in order, as they are written.
    public var members: JSONObject

    /// The view of those members, unchecked.
    public init(members: JSONObject) {
        self.members = members
    }

    /// A relationship of those members; nil and `.absent` leave a member out. The specification asks for one at least.
    public init(data: Linkage = .absent, links: Links? = nil, meta: JSONObject? = nil) {
        members = JSONObject()
        self.links = links
        self.data = data
        self.meta = meta
    }

    /// The view of an object; nil for any other value. An empty array is an empty object: PHP writes an empty map so.
    public init?(json: JSON) {
        guard let members = JSONObject(json: json) else { return nil }
        self.init(members: members)
    }
}

// MARK: - Members

extension RelationshipObject {
    /// What the relationship leads to. `.absent` means not loaded, and also a `data` that is no linkage.
    ///
    /// Setting writes the member, `.null` as null; `.absent` removes it.
    ///
    /// https://jsonapi.org/format/1.1/#document-resource-object-linkage
    /// - Complexity: O(n), n = identifiers.
    public var data: Linkage {
        get { Linkage(json: members["data"]) ?? .absent }
        set { members["data"] = newValue.json }
    }

    /// Where the relationship itself (`self`) and the related resources (`related`) are, and the pages of the linkage.
    ///
    /// https://jsonapi.org/format/1.1/#document-resource-object-relationships-relationship-object
    public var links: Links? {
        get { members[value: "links"] }
        set { members[value: "links"] = newValue }
        _modify { yield &members[value: "links"] }
    }

    /// What the specification does not define.
    ///
    /// https://jsonapi.org/format/1.1/#document-meta
    public var meta: JSONObject? {
        get { members[value: "meta"] }
        set { members[value: "meta"] = newValue }
        _modify { yield &members[value: "meta"] }
    }

    /// The members that the specification does not define here, in order, without @-members and members of extensions.
    /// The specification tells readers to ignore them.
    ///
    /// https://jsonapi.org/format/1.1/#document-structure
    /// - Complexity: O(n), n = members.
    public var unknownMembers: JSONObject { members.unknownMembers(besides: Self.definedNames) }

    private static let definedNames: [StaticString] = ["data", "links", "meta"]
}
