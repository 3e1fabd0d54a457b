import JSONAPIRules
import JSONText

/// The place in the request that caused an error.
///
/// ```
/// {"pointer": "/data/attributes/title"}
/// ```
///
/// https://jsonapi.org/format/1.1/#error-objects
public struct ErrorSource: MemberLens {
    /// All members, in order, as they are written.
    public var members: JSONObject

    /// The view of those members, unchecked.
    public init(members: JSONObject) {
        self.members = members
    }

    /// Creates a source. Arguments that are nil leave their members out.
    public init(pointer: JSONPointer? = nil, parameter: String? = nil, header: String? = nil) {
        members = JSONObject()
        self.pointer = pointer
        self.parameter = parameter
        self.header = header
    }

    /// Creates the source for an attribute of the primary resource: the pointer `/data/attributes/…`.
    public init(attribute name: String) { self.init(pointer: JSONPointer("data", "attributes", name)) }

    /// Creates the source for a relationship of the primary resource: the pointer `/data/relationships/…`.
    public init(relationship name: String) { self.init(pointer: JSONPointer("data", "relationships", name)) }
}

// MARK: - Members

extension ErrorSource {
    /// The place in the request document. The root pointer means the whole document.
    ///
    /// Nil when there is no `pointer`, and when its text is not a JSON Pointer. `pointerText` has the text in both cases.
    ///
    /// https://jsonapi.org/format/1.1/#error-objects
    public var pointer: JSONPointer? {
        get { members[value: "pointer"] }
        set { members[value: "pointer"] = newValue }
        _modify { yield &members[value: "pointer"] }
    }

    /// The text of `pointer` exactly as it was written, even when it is not a JSON Pointer.
    ///
    /// https://jsonapi.org/format/1.1/#error-objects
    public var pointerText: String? {
        get { members[value: "pointer"] }
        set { members[value: "pointer"] = newValue }
        _modify { yield &members[value: "pointer"] }
    }

    /// The name of the query parameter that caused the error.
    ///
    /// https://jsonapi.org/format/1.1/#error-objects
    public var parameter: String? {
        get { members[value: "parameter"] }
        set { members[value: "parameter"] = newValue }
        _modify { yield &members[value: "parameter"] }
    }

    /// The name of the request header that caused the error.
    ///
    /// https://jsonapi.org/format/1.1/#error-objects
    public var header: String? {
        get { members[value: "header"] }
        set { members[value: "header"] = newValue }
        _modify { yield &members[value: "header"] }
    }

    /// The members that the specification does not define here, in order, without @-members and members of extensions.
    /// The specification tells readers to ignore them.
    ///
    /// https://jsonapi.org/format/1.1/#document-structure
    /// - Complexity: O(n), n = members.
    public var unknownMembers: JSONObject { members.unknownMembers(besides: DefinedMembers.errorSource) }
}
