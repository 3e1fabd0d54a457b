import JSONAPIRules
import JSONText

/// A link with further information beside its address.
///
/// ```
/// {"href": "/articles/1/comments", "title": "Comments", "hreflang": "en", "meta": {"count": 10}}
/// ```
///
/// A link may be described by another link, which may itself be described by a link, and so on. `describedby` reads one step of that chain.
///
/// https://jsonapi.org/format/1.1/#document-links-link-object
public struct LinkObject: MemberLens {
    /// All members, in order, as they are written.
    public var members: JSONObject

    /// The view of those members, unchecked.
    public init(members: JSONObject) {
        self.members = members
    }

    /// Creates a link to `href`. Arguments that are nil leave their members out.
    public init(
        href: String, rel: String? = nil, describedby: DocumentLink? = nil, title: String? = nil, type: String? = nil,
        hreflang: [String]? = nil, meta: JSONObject? = nil
    ) {
        members = ["href": .string(href)]
        self.rel = rel
        self.describedby = describedby
        self.title = title
        self.type = type
        self.hreflang = hreflang
        self.meta = meta
    }
}

// MARK: - Members

extension LinkObject {
    /// The URI reference of the target, exactly as it was written. The specification requires it, but some servers omit it.
    ///
    /// https://jsonapi.org/format/1.1/#document-links-link-object
    public var href: String? {
        get { members[value: "href"] }
        set { members[value: "href"] = newValue }
        _modify { yield &members[value: "href"] }
    }

    /// The relation type of the link: a registered name or a URI.
    ///
    /// https://jsonapi.org/format/1.1/#document-links-link-object
    public var rel: String? {
        get { members[value: "rel"] }
        set { members[value: "rel"] = newValue }
        _modify { yield &members[value: "rel"] }
    }

    /// A link to a description of the target, such as a schema. A null member is read as `DocumentLink.null`.
    ///
    /// https://jsonapi.org/format/1.1/#document-links-link-object
    public var describedby: DocumentLink? {
        get { members[value: "describedby"] }
        set { members[value: "describedby"] = newValue }
        _modify { yield &members[value: "describedby"] }
    }

    /// The name of the target, for people.
    ///
    /// https://jsonapi.org/format/1.1/#document-links-link-object
    public var title: String? {
        get { members[value: "title"] }
        set { members[value: "title"] = newValue }
        _modify { yield &members[value: "title"] }
    }

    /// The media type of the target.
    ///
    /// https://jsonapi.org/format/1.1/#document-links-link-object
    public var type: String? {
        get { members[value: "type"] }
        set { members[value: "type"] = newValue }
        _modify { yield &members[value: "type"] }
    }

    /// The languages of the target, as RFC 5646 tags.
    ///
    /// The member may be a string or an array. One language is written as a string; none or several are written as an array.
    ///
    /// https://jsonapi.org/format/1.1/#document-links-link-object
    public var hreflang: [String]? {
        get { members[value: "hreflang", reading: Languages.read, writing: Languages.write] }
        set { members[value: "hreflang", reading: Languages.read, writing: Languages.write] = newValue }
        _modify { yield &members[value: "hreflang", reading: Languages.read, writing: Languages.write] }
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
    public var unknownMembers: JSONObject { members.unknownMembers(besides: DefinedMembers.link) }
}

/// The two forms of `hreflang`.
private enum Languages {
    static func read(_ json: JSON) -> [String]? {
        if case .string(let tag) = json { [tag] } else { [String](json: json) }
    }

    static func write(_ tags: [String]) -> JSON {
        if let tag = tags.first, tags.count == 1 { tag.json } else { tags.json }
    }
}
