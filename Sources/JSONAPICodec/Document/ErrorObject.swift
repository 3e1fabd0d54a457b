import JSONText

/// One thing that went wrong.
///
/// ```
/// {"status": "422", "title": "Invalid Attribute", "source": {"pointer": "/data/attributes/title"}}
/// ```
///
/// Two habits of real servers are understood. `id`, `status` and `code` may be numbers, which read as their text. And
/// an error may be a plain string, which reads as an error with that `detail`.
///
/// https://jsonapi.org/format/1.1/#error-objects
public struct ErrorObject: MemberLens {
    /// All members, in order, as they are written.
    public var members: JSONObject

    /// The view of those members, unchecked.
    public init(members: JSONObject) {
        self.members = members
    }

    /// An error of those members; nil leaves a member out. The specification asks for one of them at least.
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

    /// The view of an object, or an error with that `detail` for a string; nil for any other value.
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
    /// The errors that the value of `errors` holds, whatever its shape: an error for each element, those of an array within the array
    /// too. Nothing that the server says is lost.
    ///
    /// ```
    /// ["no", 404, null, {"title": "x"}]                  four errors, with the details "no" and "404", empty, and with a title
    /// {"title": "x", "status": 422}                      one error
    /// {"name": ["is too short", "is taken"], "age": "?"} three errors, with the titles "name", "name" and "age"
    /// ```
    ///
    /// Null and an empty object are no error at all. In the errors, numbers and arrays of texts in the place of `title` and `detail` are
    /// texts, and a JSON Pointer in the place of `source` is one with that pointer. Recursion-free.
    /// - Complexity: O(size of the value).
    static func list(in json: JSON) -> [ErrorObject] {
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

    /// What is wrong with one field, as a map from fields to texts says it.
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

    /// Whether an object is an error: it has a member of one that can be read. An empty one is.
    private static func isError(_ members: JSONObject) -> Bool {
        let error = ErrorObject(readable: members)
        let texts = [error.id, error.status, error.code, error.title, error.detail]
        let isText = texts.contains { $0 != nil } && members.contains { $0.value.string != nil || $0.value.number != nil }
        return members.isEmpty || isText || ["source", "links", "meta"].contains { members[$0]?.object != nil }
    }

    /// An error of those members, where texts can be read in spite of their shape.
    private init(readable members: JSONObject) {
        self.init(members: members)
        for name in ["title", "detail"] {
            if let json = members[name], json.string == nil, let text = String(readable: json) { self.members[name] = .string(text) }
        }
        if let pointer = members["source"]?.string, pointer.utf8.first == UInt8(ascii: "/") {
            self.members["source"] = ["pointer": .string(pointer)]
        }
    }

    /// A text as it is, anything else as JSON.
    private static func text(of json: JSON) -> String? { json == .null ? nil : json.string ?? json.description }
}

// MARK: - Members

extension ErrorObject {
    /// The name of this occurrence of the problem. A number reads as its text.
    ///
    /// https://jsonapi.org/format/1.1/#error-objects
    public var id: String? {
        get { members[value: "id", reading: String.init(textOrNumber:)] }
        set { members[value: "id", reading: String.init(textOrNumber:)] = newValue }
        _modify { yield &members[value: "id", reading: String.init(textOrNumber:)] }
    }

    /// Links to more about this occurrence (`about`) and about problems of its kind (`type`).
    ///
    /// https://jsonapi.org/format/1.1/#error-objects
    public var links: Links? {
        get { members[value: "links"] }
        set { members[value: "links"] = newValue }
        _modify { yield &members[value: "links"] }
    }

    /// The HTTP status code, as text. A number reads as its text.
    ///
    /// https://jsonapi.org/format/1.1/#error-objects
    public var status: String? {
        get { members[value: "status", reading: String.init(textOrNumber:)] }
        set { members[value: "status", reading: String.init(textOrNumber:)] = newValue }
        _modify { yield &members[value: "status", reading: String.init(textOrNumber:)] }
    }

    /// The code that the application gives to problems of this kind. A number reads as its text.
    ///
    /// https://jsonapi.org/format/1.1/#error-objects
    public var code: String? {
        get { members[value: "code", reading: String.init(textOrNumber:)] }
        set { members[value: "code", reading: String.init(textOrNumber:)] = newValue }
        _modify { yield &members[value: "code", reading: String.init(textOrNumber:)] }
    }

    /// What kind of problem it is, for people: the same each time it occurs.
    ///
    /// https://jsonapi.org/format/1.1/#error-objects
    public var title: String? {
        get { members[value: "title"] }
        set { members[value: "title"] = newValue }
        _modify { yield &members[value: "title"] }
    }

    /// What happened this time, for people.
    ///
    /// https://jsonapi.org/format/1.1/#error-objects
    public var detail: String? {
        get { members[value: "detail"] }
        set { members[value: "detail"] = newValue }
        _modify { yield &members[value: "detail"] }
    }

    /// Where in the request the error lies.
    ///
    /// https://jsonapi.org/format/1.1/#error-objects
    public var source: ErrorSource? {
        get { members[value: "source"] }
        set { members[value: "source"] = newValue }
        _modify { yield &members[value: "source"] }
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
        "id", "links", "status", "code", "title", "detail", "source", "meta",
    ]
}

// MARK: - Reports

extension ErrorObject {
    /// In place of errors that a report leaves out.
    package static func omitted(_ count: Int, status: String = "422") -> ErrorObject {
        ErrorObject(status: status, title: "More problems", detail: "\(count) more \(count == 1 ? "problem is" : "problems are") left out.")
    }
}
