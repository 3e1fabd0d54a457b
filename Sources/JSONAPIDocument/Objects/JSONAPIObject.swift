import JSONAPIRules
import JSONText

/// What the server says about its implementation: the `jsonapi` member of a document.
///
/// ```
/// {"version": "1.1", "ext": ["https://jsonapi.org/ext/atomic"]}
/// ```
///
/// The object is informative only. The media type decides which extensions and profiles are applied.
///
/// https://jsonapi.org/format/1.1/#document-jsonapi-object
public struct JSONAPIObject: MemberLens {
    /// All members, in order, as they are written.
    public var members: JSONObject

    /// The view of those members, unchecked.
    public init(members: JSONObject) {
        self.members = members
    }

    /// Creates an object. Arguments that are nil leave their members out.
    public init(version: String? = nil, ext: [String]? = nil, profile: [String]? = nil, meta: JSONObject? = nil) {
        members = JSONObject()
        self.version = version
        self.ext = ext
        self.profile = profile
        self.meta = meta
    }
}

// MARK: - Members

extension JSONAPIObject {
    /// The highest version that the server supports, as text. Nil means at least 1.0.
    ///
    /// https://jsonapi.org/format/1.1/#document-jsonapi-object
    public var version: String? {
        get { members[value: "version"] }
        set { members[value: "version"] = newValue }
        _modify { yield &members[value: "version"] }
    }

    /// The URIs of the applied extensions. Nil when there is no `ext`, and when an element is not a string.
    ///
    /// https://jsonapi.org/format/1.1/#document-jsonapi-object
    public var ext: [String]? {
        get { members[value: "ext"] }
        set { members[value: "ext"] = newValue }
        _modify { yield &members[value: "ext"] }
    }

    /// The URIs of the applied profiles. Nil when there is no `profile`, and when an element is not a string.
    ///
    /// https://jsonapi.org/format/1.1/#document-jsonapi-object
    public var profile: [String]? {
        get { members[value: "profile"] }
        set { members[value: "profile"] = newValue }
        _modify { yield &members[value: "profile"] }
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
    public var unknownMembers: JSONObject { members.unknownMembers(besides: DefinedMembers.jsonapi) }
}
