import JSONAPIRules
import JSONText

/// A whole JSON:API document.
///
/// ```swift
/// let document = DocumentObject(
///     data: .one(ResourceObject(type: "articles", id: "1")), links: ["self": "/articles/1"])
/// document.description  // {"data":{"type":"articles","id":"1"},"links":{"self":"/articles/1"}}
/// ```
///
/// Properties that return arrays build them on each access. In a loop, keep the array in a variable.
///
/// https://jsonapi.org/format/1.1/#document-top-level
public struct DocumentObject: MemberLens {
    /// All members in order, exactly as they were written.
    public var members: JSONObject

    /// The view of those members, unchecked.
    public init(members: JSONObject) {
        self.members = members
    }

    /// Creates a document from the given members, without checking them; empty by default.
    public init(_ members: JSONObject = JSONObject()) {
        self.members = members
    }

    /// Creates a document with primary data. Arguments that are nil leave their members out.
    public init(
        data: PrimaryData, included: [ResourceObject]? = nil, links: Links? = nil, meta: JSONObject? = nil,
        jsonapi: JSONAPIObject? = nil
    ) {
        self.init("data", data.json, included, links, meta, jsonapi)
    }

    /// Creates the document of a relationship, whose primary data is the linkage. Arguments that are nil leave their members out.
    ///
    /// https://jsonapi.org/format/1.1/#fetching-relationships
    public init(
        linkage: Linkage, included: [ResourceObject]? = nil, links: Links? = nil, meta: JSONObject? = nil,
        jsonapi: JSONAPIObject? = nil
    ) {
        self.init("data", linkage.json, included, links, meta, jsonapi)
    }

    /// Creates a document of errors. Arguments that are nil leave their members out.
    public init(errors: [ErrorObject], links: Links? = nil, meta: JSONObject? = nil, jsonapi: JSONAPIObject? = nil) {
        self.init("errors", errors.json, nil, links, meta, jsonapi)
    }

    /// Creates a document with only meta information. Arguments that are nil leave their members out.
    public init(meta: JSONObject, links: Links? = nil, jsonapi: JSONAPIObject? = nil) {
        self.init(data: .absent, links: links, meta: meta, jsonapi: jsonapi)
    }

    private init(
        _ name: String, _ value: JSON?, _ included: [ResourceObject]?, _ links: Links?, _ meta: JSONObject?, _ jsonapi: JSONAPIObject?
    ) {
        members = JSONObject()
        self.jsonapi = jsonapi
        members[name] = value
        self.included = included
        self.links = links
        self.meta = meta
    }
}

// MARK: - Members

extension DocumentObject {
    /// The primary data. It is `.absent` when there is no `data`, and when `data` is not null, an object or an array of objects.
    ///
    /// Setting writes the member, with `.null` as null. Setting `.absent` removes it.
    ///
    /// https://jsonapi.org/format/1.1/#document-top-level
    /// - Complexity: O(n), n = resources.
    public var data: PrimaryData {
        get { PrimaryData(json: members["data"]) ?? .absent }
        set { members["data"] = newValue.json }
    }

    /// The primary data of a relationship's document: identifiers. It is `.absent` when there is no `data`, and when `data` is not linkage.
    ///
    /// This is the same member as `data`. Setting writes the member, with `.null` as null. Setting `.absent` removes it.
    ///
    /// https://jsonapi.org/format/1.1/#fetching-relationships
    /// - Complexity: O(n), n = identifiers.
    public var linkage: Linkage {
        get { Linkage(json: members["data"]) ?? .absent }
        set { members["data"] = newValue.json }
    }

    /// The errors. An element that is a string is read as an error with that `detail`. Nil when there is no `errors`, and when an element
    /// is neither a string nor an object.
    ///
    /// https://jsonapi.org/format/1.1/#errors
    /// - Complexity: O(n), n = errors.
    public var errors: [ErrorObject]? {
        get { members[value: "errors"] }
        set { members[value: "errors"] = newValue }
        _modify { yield &members[value: "errors"] }
    }

    /// The resources that are included with the primary data. Nil when there is no `included`, and when an element is not an object.
    ///
    /// https://jsonapi.org/format/1.1/#document-compound-documents
    /// - Complexity: O(n), n = resources.
    public var included: [ResourceObject]? {
        get { members[value: "included"] }
        set { members[value: "included"] = newValue }
        _modify { yield &members[value: "included"] }
    }

    /// The links of the document as a whole.
    ///
    /// https://jsonapi.org/format/1.1/#document-top-level
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

    /// What the server says about its implementation.
    ///
    /// https://jsonapi.org/format/1.1/#document-jsonapi-object
    public var jsonapi: JSONAPIObject? {
        get { members[value: "jsonapi"] }
        set { members[value: "jsonapi"] = newValue }
        _modify { yield &members[value: "jsonapi"] }
    }

    /// The members that the specification does not define here, in order, without @-members and members of extensions.
    /// The specification tells readers to ignore them.
    ///
    /// https://jsonapi.org/format/1.1/#document-structure
    /// - Complexity: O(n), n = members.
    public var unknownMembers: JSONObject { members.unknownMembers(besides: DefinedMembers.document) }
}
