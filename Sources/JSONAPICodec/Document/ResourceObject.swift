import JSONText

/// A resource: who it is, its attributes and its relationships.
///
/// ```swift
/// var article = ResourceObject(type: "articles", id: "1", attributes: ["title": "JSON:API"])
/// article[attribute: "title"] = "JSON:API 1.1"
/// article[relationship: "author"] = RelationshipObject(data: .one(.init(type: "people", id: "9")))
/// ```
///
/// https://jsonapi.org/format/1.1/#document-resource-objects
public struct ResourceObject: MemberLens {
    /// All members, in order, as they are written.
    public var members: JSONObject

    /// The view of those members, unchecked.
    public init(members: JSONObject) {
        self.members = members
    }

    /// A resource of those members; nil leaves a member out. A resource to be created may lack an id.
    public init(
        type: String, id: String? = nil, lid: String? = nil, attributes: JSONObject? = nil,
        relationships: Relationships? = nil, links: Links? = nil, meta: JSONObject? = nil
    ) {
        members = ["type": .string(type)]
        self.id = id
        self.lid = lid
        self.attributes = attributes
        self.relationships = relationships
        self.links = links
        self.meta = meta
    }

    /// A resource with the members of that identifier and no fields.
    public init(_ identifier: ResourceIdentifier) {
        members = identifier.members
    }
}

// MARK: - Identity

extension ResourceObject {
    /// The type of the resource. Empty when the member is absent or no string; `members` tells which.
    ///
    /// https://jsonapi.org/format/1.1/#document-resource-object-identification
    public var type: String {
        get { members[value: "type"] ?? "" }
        set { members[value: "type"] = newValue }
    }

    /// The id of the resource. Nil for a resource that a client sends to be created.
    ///
    /// A number written as an integer reads as its digits, all of them.
    ///
    /// https://jsonapi.org/format/1.1/#document-resource-object-identification
    public var id: String? {
        get { members[value: "id", reading: String.init(textOrInteger:)] }
        set { members[value: "id", reading: String.init(textOrInteger:)] = newValue }
        _modify { yield &members[value: "id", reading: String.init(textOrInteger:)] }
    }

    /// The name of the resource within this document, for one that has no id yet.
    ///
    /// https://jsonapi.org/format/1.1/#document-resource-object-identification
    public var lid: String? {
        get { members[value: "lid"] }
        set { members[value: "lid"] = newValue }
        _modify { yield &members[value: "lid"] }
    }

    /// Which resource this is: its type with its id and its lid. Nil when there is no type, or neither id nor lid.
    ///
    /// `meta` is not taken along: in an identifier it speaks of a link, here of the resource.
    public var identifier: ResourceIdentifier? {
        guard let type: String = members[value: "type"] else { return nil }
        let id = id
        let lid = lid
        guard id != nil || lid != nil else { return nil }
        return ResourceIdentifier(type: type, id: id, lid: lid, meta: nil)
    }

    /// Whether this could be a resource identifier object: it has a type with an id or a lid, and neither attributes,
    /// nor relationships, nor links.
    ///
    /// Only the request tells whether it is one, or a resource without fields.
    ///
    /// https://jsonapi.org/format/1.1/#document-resource-identifier-objects
    public var isIdentifier: Bool {
        identifier != nil
            && !members.contains(name: "attributes")
            && !members.contains(name: "relationships")
            && !members.contains(name: "links")
    }
}

// MARK: - Members

extension ResourceObject {
    /// The attributes by name, with @-members and members of extensions among them.
    ///
    /// https://jsonapi.org/format/1.1/#document-resource-object-attributes
    public var attributes: JSONObject? {
        get { members[value: "attributes"] }
        set { members[value: "attributes"] = newValue }
        _modify { yield &members[value: "attributes"] }
    }

    /// The relationships by name.
    ///
    /// https://jsonapi.org/format/1.1/#document-resource-object-relationships
    public var relationships: Relationships? {
        get { members[value: "relationships"] }
        set { members[value: "relationships"] = newValue }
        _modify { yield &members[value: "relationships"] }
    }

    /// The links of the resource: `self` is where it is read.
    ///
    /// https://jsonapi.org/format/1.1/#document-resource-object-links
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

    private static let definedNames: [StaticString] = [
        "type", "id", "lid", "attributes", "relationships", "links", "meta",
    ]
}

// MARK: - Fields

extension ResourceObject {
    /// The attribute of that name, nil when there is none. An attribute that is null is `JSON.null`.
    ///
    /// Setting replaces it in place or adds it at the end, with the member `attributes` when there is none; nil removes
    /// the attribute, and leaves `attributes` even when it becomes empty.
    ///
    /// - Complexity: O(1).
    public subscript(attribute name: String) -> JSON? {
        get { members["attributes"]?[name] }
        set { members[fields: "attributes"][name] = newValue }
        _modify { yield &members[fields: "attributes"][name] }
    }

    /// The relationship of that name, nil when there is none or it is no relationship object.
    ///
    /// Setting replaces it in place or adds it at the end, with the member `relationships` when there is none; nil
    /// removes the relationship, and leaves `relationships` even when it becomes empty.
    ///
    /// - Complexity: O(1).
    public subscript(relationship name: String) -> RelationshipObject? {
        get { members["relationships"]?[name].flatMap(RelationshipObject.init(json:)) }
        set { members[fields: "relationships"][value: name] = newValue }
        _modify { yield &members[fields: "relationships"][value: name] }
    }

    /// The names of all attributes, then of all relationships, in order. @-members and members of extensions are no
    /// fields.
    ///
    /// https://jsonapi.org/format/1.1/#document-resource-object-fields
    /// - Complexity: O(n), n = members of both.
    public var fieldNames: [String] {
        let attributes = attributes ?? [:]
        return attributes.map(\.name).filter { MemberKind(of: $0) == .plain } + (relationships?.names ?? [])
    }
}
