import JSONAPIRules
import JSONText

/// One problem that occurred.
///
/// ```
/// {"status": "422", "title": "Invalid Attribute", "source": {"pointer": "/data/attributes/title"}}
/// ```
///
/// Two habits of real servers are accepted. `id`, `status` and `code` may be numbers, which are read as text. An error may be a plain
/// string, which is read as an error with that `detail`.
///
/// https://jsonapi.org/format/1.1/#error-objects
public struct ErrorObject: MemberLens {
    /// All members, in order, as they are written.
    public var members: JSONObject

    /// The view of those members, unchecked.
    public init(members: JSONObject) {
        self.members = members
    }

    /// Creates an error. Arguments that are nil leave their members out. The specification requires at least one member.
    public init(
        id: String? = nil, links: Links? = nil, status: String? = nil, code: String? = nil, title: String? = nil,
        detail: String? = nil, source: ErrorSource? = nil, meta: JSONObject? = nil
    ) {
        members = JSONObject()
        self.id = id
        self.links = links
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.source = source
        self.meta = meta
    }

    /// Whether the error has a member that the specification defines for it, as it must. @-members and members of extensions do not count.
    package var hasDefinedMember: Bool {
        members.contains { member in DefinedMembers.error.contains { UTF8Bytes.areEqual("\($0)", member.name) } }
    }

    /// Creates a view of an object, or an error with that `detail` for a string; nil for any other value.
    public init?(json: JSON) {
        switch json {
        case .object(let members): self.init(members: members)
        case .string(let detail): self.init(detail: detail)
        default: return nil
        }
    }
}

// MARK: - What servers write in place of errors

extension ErrorObject {
    /// Returns the errors in the value of `errors`, whatever its shape: one error for each element, also for the elements of an array
    /// inside the array. Nothing that the server says is lost.
    ///
    /// ```
    /// ["no", 404, null, {"title": "x"}]                  four errors: with the detail "no", with the detail "404", empty, with a title
    /// {"title": "x", "status": 422}                      one error
    /// {"name": ["is too short", "is taken"], "age": "?"} three errors, with the titles "name", "name" and "age"
    /// ```
    ///
    /// Null and an empty object contain no error. Numbers and arrays of strings in `title` and `detail` become text. A `source` that is a
    /// JSON Pointer becomes an object with that pointer. Does not recurse.
    ///
    /// - Complexity: O(size of the value).
    package static func list(in json: JSON) -> [ErrorObject] {
        switch json {
        case .null: return []
        case .array(let array): return array.flatMap { elements(in: $0) }
        case .object(let members) where members.isEmpty: return []
        case .object(let members) where !isError(members): return members.flatMap { fieldErrors($0.name, $0.value) }
        default: return elements(in: json)
        }
    }

    private static func elements(in json: JSON) -> [ErrorObject] {
        switch json {
        case .object(let members): [ErrorObject(readable: members)]
        case .array(let array): array.map { $0.object.map { ErrorObject(readable: $0) } ?? ErrorObject(detail: text(of: $0)) }
        case .null: [ErrorObject()]
        default: [ErrorObject(json: json) ?? ErrorObject(detail: text(of: json))]
        }
    }

    /// Returns the errors of one field, from a map of field names to texts.
    private static func fieldErrors(_ name: String, _ json: JSON) -> [ErrorObject] {
        switch json {
        case .object(let members) where isError(members): [ErrorObject(readable: members)]
        case .array(let array) where !array.isEmpty:
            array.map { element in
                if case .object(let members) = element, isError(members) { return ErrorObject(readable: members) }
                return ErrorObject(title: name, detail: text(of: element))
            }
        default: [ErrorObject(title: name, detail: text(of: json))]
        }
    }

    /// Whether an object is an error: it is empty, or has a readable member of an error object.
    private static func isError(_ members: JSONObject) -> Bool {
        let error = ErrorObject(readable: members)
        let texts = [error.id, error.status, error.code, error.title, error.detail]
        let isText = texts.contains { $0 != nil } && members.contains { $0.value.string != nil || $0.value.number != nil }
        return members.isEmpty || isText || ["source", "links", "meta"].contains { members[$0]?.object != nil }
    }

    /// Creates an error from members, and turns values of another shape into text where possible.
    private init(readable members: JSONObject) {
        self.init(members: members)
        for name in ["title", "detail"] {
            if let json = members[name], json.string == nil, let text = String(readable: json) { self.members[name] = .string(text) }
        }
        if let pointer = members["source"]?.string, pointer.utf8.first == UInt8(ascii: "/") {
            self.members["source"] = ["pointer": .string(pointer)]
        }
    }

    /// A string as it is, any other value as JSON text.
    private static func text(of json: JSON) -> String? { json == .null ? nil : json.string ?? json.description }
}

// MARK: - Members

extension ErrorObject {
    /// The identifier of this occurrence of the problem. A number is read as text.
    ///
    /// https://jsonapi.org/format/1.1/#error-objects
    public var id: String? {
        get { members[value: "id", reading: String.init(textOrNumber:)] }
        set { members[value: "id", reading: String.init(textOrNumber:)] = newValue }
        _modify { yield &members[value: "id", reading: String.init(textOrNumber:)] }
    }

    /// Links to more information about this occurrence (`about`) and about problems of this kind (`type`).
    ///
    /// https://jsonapi.org/format/1.1/#error-objects
    public var links: Links? {
        get { members[value: "links"] }
        set { members[value: "links"] = newValue }
        _modify { yield &members[value: "links"] }
    }

    /// The HTTP status code as text. A number is read as text.
    ///
    /// https://jsonapi.org/format/1.1/#error-objects
    public var status: String? {
        get { members[value: "status", reading: String.init(textOrNumber:)] }
        set { members[value: "status", reading: String.init(textOrNumber:)] = newValue }
        _modify { yield &members[value: "status", reading: String.init(textOrNumber:)] }
    }

    /// The application's code for problems of this kind. A number is read as text.
    ///
    /// https://jsonapi.org/format/1.1/#error-objects
    public var code: String? {
        get { members[value: "code", reading: String.init(textOrNumber:)] }
        set { members[value: "code", reading: String.init(textOrNumber:)] = newValue }
        _modify { yield &members[value: "code", reading: String.init(textOrNumber:)] }
    }

    /// A summary of this kind of problem, for people. It is the same for every occurrence.
    ///
    /// https://jsonapi.org/format/1.1/#error-objects
    public var title: String? {
        get { members[value: "title"] }
        set { members[value: "title"] = newValue }
        _modify { yield &members[value: "title"] }
    }

    /// An explanation of this occurrence, for people.
    ///
    /// https://jsonapi.org/format/1.1/#error-objects
    public var detail: String? {
        get { members[value: "detail"] }
        set { members[value: "detail"] = newValue }
        _modify { yield &members[value: "detail"] }
    }

    /// The place in the request that caused the error.
    ///
    /// https://jsonapi.org/format/1.1/#error-objects
    public var source: ErrorSource? {
        get { members[value: "source"] }
        set { members[value: "source"] = newValue }
        _modify { yield &members[value: "source"] }
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
    public var unknownMembers: JSONObject { members.unknownMembers(besides: DefinedMembers.error) }
}

// MARK: - Reports

extension ErrorObject {
    /// An error that stands for the errors that a report leaves out.
    package static func omitted(_ count: Int) -> ErrorObject {
        ErrorObject(status: "422", title: "More problems", detail: "\(count) more \(count == 1 ? "problem is" : "problems are") left out.")
    }
}
