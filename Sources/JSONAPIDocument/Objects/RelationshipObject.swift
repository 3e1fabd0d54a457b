import JSONAPIRules
import JSONText

/// The relationship between a resource and others: linkage, links and meta.
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

    /// Creates a relationship. Arguments that are nil or `.absent` leave their members out. The specification requires at least one member.
    public init(data: Linkage = .absent, links: Links? = nil, meta: JSONObject? = nil) {
        members = JSONObject()
        self.links = links
        self.data = data
        self.meta = meta
    }

    /// Creates a view of an object; nil for any other value. An empty array is read as an empty object, because PHP writes empty maps that
    /// way.
    public init?(json: JSON) {
        guard let members = JSONObject(json: json) else { return nil }
        self.init(members: members)
    }
}

// MARK: - Members

extension RelationshipObject {
    /// The resources that the relationship refers to. It is `.absent` when the relationship is not loaded, and when `data` is not linkage.
    ///
    /// Setting writes the member, with `.null` as null. Setting `.absent` removes it.
    ///
    /// https://jsonapi.org/format/1.1/#document-resource-object-linkage
    /// - Complexity: O(n), n = identifiers.
    public var data: Linkage {
        get { Linkage(json: members["data"]) ?? .absent }
        set { members["data"] = newValue.json }
    }

    /// The addresses of the relationship itself (`self`) and of the related resources (`related`), and the pages of the linkage.
    ///
    /// https://jsonapi.org/format/1.1/#document-resource-object-relationships-relationship-object
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

    /// The name of the member that marks linkage as only a part of it. A decoder adds it if it has left out elements.
    package static let partMark: StaticString = "@page"

    /// Whether the linkage is only a part: it is marked, or the links lead to another page.
    package var isPage: Bool { members.contains(name: "@page") || links?.hasFurtherPages == true }

    /// The object without the mark, and without links to pages.
    package var withoutPages: RelationshipObject {
        var whole = self
        whole.members["@page"] = nil
        if let links { whole.links = links.withoutPages }
        return whole
    }

    /// The members that the specification does not define here, in order, without @-members and members of extensions.
    /// The specification tells readers to ignore them.
    ///
    /// https://jsonapi.org/format/1.1/#document-structure
    /// - Complexity: O(n), n = members.
    public var unknownMembers: JSONObject { members.unknownMembers(besides: DefinedMembers.relationship) }

    /// Whether the relationship needs no `data`, because it has a `self` or `related` link, a link of an extension, meta, or a member of an
    /// extension.
    package var isEnoughWithoutData: Bool {
        members.contains { member in
            switch member.name {
            case "links":
                member.value.object?.contains { ["self", "related"].contains($0.name) || MemberName($0.name) == .ofExtension } ?? false
            case "meta": member.value.object != nil
            default: MemberName(member.name) == .ofExtension
            }
        }
    }

    /// Adds the mark and the links to pages of another object, whose linkage this one has.
    package mutating func keepPages(of other: RelationshipObject) {
        if let mark = other.members["@page"] { members["@page"] = mark }
        guard other.isPage, let pages = other.links else { return }
        var links = self.links ?? Links(members: JSONObject())
        for name in Links.pageNames { links.members[name] = pages.members[name] }
        if !links.members.isEmpty { self.links = links }
    }

    /// Replaces the whole linkage. Links to other pages of the old one would be wrong.
    package mutating func replaceLinkage(by data: JSON?) {
        members["data"] = data
        if isPage { self = withoutPages }
    }
}
