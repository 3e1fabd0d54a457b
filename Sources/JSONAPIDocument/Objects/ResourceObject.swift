import JSONAPIRules
import JSONText

/// A resource: its identity, its attributes and its relationships.
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

    /// Creates a resource. Arguments that are nil leave their members out. A resource to be created may have no id.
    public init(
        type: String, id: String? = nil, lid: String? = nil, attributes: JSONObject? = nil,
        relationships: Relationships? = nil, links: Links? = nil, meta: JSONObject? = nil
    ) {
        members = ["type": .string(type)]
        // Not an assignment of nil, which looks for the member.
        if let id { self.id = id }
        if let lid { self.lid = lid }
        if let attributes { self.attributes = attributes }
        if let relationships { self.relationships = relationships }
        if let links { self.links = links }
        if let meta { self.meta = meta }
    }

    /// Creates a resource with the members of the given identifier and no fields.
    public init(_ identifier: ResourceIdentifier) {
        members = identifier.members
    }
}

// MARK: - Identity

extension ResourceObject {
    /// The type of the resource. Empty when the member is absent or not a string; `members` says which.
    ///
    /// https://jsonapi.org/format/1.1/#document-resource-object-identification
    public var type: String {
        get { members[value: "type"] ?? "" }
        set { members[value: "type"] = newValue }
    }

    /// The id of the resource. Nil for a resource that a client sends to be created.
    ///
    /// An integer is read as its digits, all of them.
    ///
    /// https://jsonapi.org/format/1.1/#document-resource-object-identification
    public var id: String? {
        get { members[value: "id", reading: String.init(textOrInteger:)] }
        set { members[value: "id", reading: String.init(textOrInteger:)] = newValue }
        _modify { yield &members[value: "id", reading: String.init(textOrInteger:)] }
    }

    /// The local id of the resource in this document, for a resource that has no id yet.
    ///
    /// https://jsonapi.org/format/1.1/#document-resource-object-identification
    public var lid: String? {
        get { members[value: "lid"] }
        set { members[value: "lid"] = newValue }
        _modify { yield &members[value: "lid"] }
    }

    /// The resource's identity: its type, its id and its lid. Nil when there is no type, or neither id nor lid.
    ///
    /// `meta` is left out. In an identifier it describes the reference; here it describes the resource.
    public var identifier: ResourceIdentifier? {
        guard let type: String = members[value: "type"] else { return nil }
        let id = id
        let lid = lid
        guard id != nil || lid != nil else { return nil }
        return ResourceIdentifier(type: type, id: id, lid: lid, meta: nil)
    }

    /// Whether this could be a resource identifier object: it has a type with an id or a lid, and no attributes, relationships or links.
    ///
    /// Only the request shows whether it is an identifier or a resource without fields.
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
    /// The attributes by name, including @-members and members of extensions.
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

    /// The links of the resource. `self` is its address.
    ///
    /// https://jsonapi.org/format/1.1/#document-resource-object-links
    public var links: Links? {
        get { members[value: "links"] }
        set { members[value: "links"] = newValue }
        _modify { yield &members[value: "links"] }
    }

    /// Meta information: members that the specification does not define.
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
    public var unknownMembers: JSONObject { members.unknownMembers(besides: DefinedMembers.resource) }
}

// MARK: - Fields

extension ResourceObject {
    /// The attribute with the given name; nil when there is none. A null attribute is `JSON.null`.
    ///
    /// Setting replaces the attribute in place, or adds it at the end; the member `attributes` is added when it is missing. Setting nil
    /// removes the attribute, and keeps `attributes` even when it becomes empty.
    ///
    /// - Complexity: O(1).
    public subscript(attribute name: String) -> JSON? {
        get { members["attributes"]?[name] }
        set { members[fields: "attributes"][name] = newValue }
        _modify { yield &members[fields: "attributes"][name] }
    }

    /// The relationship with the given name; nil when there is none, or when it is not a relationship object.
    ///
    /// Setting replaces the relationship in place, or adds it at the end; the member `relationships` is added when it is missing. Setting
    /// nil removes the relationship, and keeps `relationships` even when it becomes empty.
    ///
    /// - Complexity: O(1).
    public subscript(relationship name: String) -> RelationshipObject? {
        get { members["relationships"]?[name].flatMap(RelationshipObject.init(json:)) }
        set { members[fields: "relationships"][value: name] = newValue }
        _modify { yield &members[fields: "relationships"][value: name] }
    }

    /// The names of all attributes, then of all relationships, in order. @-members and members of extensions are not fields.
    ///
    /// https://jsonapi.org/format/1.1/#document-resource-object-fields
    /// - Complexity: O(n), n = members of both.
    public var fieldNames: [String] {
        let attributes = attributes ?? [:]
        return attributes.map(\.name).filter { MemberName($0).isPlain } + (relationships?.names ?? [])
    }
}
