import JSONText

/// A typed view of a JSON object that keeps every member.
///
/// ```swift
/// var error = ErrorObject(members: ["@trace": "a1", "status": "422", "x": true])
/// error.status = "409"
/// error.description  // {"@trace":"a1","status":"409","x":true}
/// ```
///
/// The objects of a document are lenses: they store `members` and nothing else, and their properties read and write it.
/// So order, unknown members, @-members and extension members survive any change of another member.
///
/// - A property answers nil when its member is absent or has a shape it cannot read. `members` tells which.
/// - Setting a property replaces the member in place or adds it at the end; setting nil removes it.
/// - An optional chain that finds nil, as in `error.meta?["x"] = 1`, changes nothing.
/// - Nothing is checked: what is written is what is there.
///
/// Two lenses are equal when their members are: by bytes of names and strings, by exact value of numbers, whatever the
/// order of members. A lens is one reference; a copy shares its members until one of the two changes.
public protocol MemberLens: Hashable, Sendable, Codable, CustomStringConvertible {
    /// All members, in order, as they are written.
    var members: JSONObject { get set }

    /// The view of those members, unchecked.
    init(members: JSONObject)

    /// The view of that value; nil when the value has another shape, which for most types means that it is no object.
    init?(json: JSON)
}

extension MemberLens {
    /// The view of that object; nil when the value is no object.
    public init?(json: JSON) {
        guard case .object(let members) = json else { return nil }
        self.init(members: members)
    }

    /// The members as a JSON value.
    public var json: JSON { .object(members) }

    /// The value of the member of that name as it is written, nil when it is absent.
    ///
    /// Setting replaces it in place or adds it at the end; nil removes it.
    public subscript(member name: String) -> JSON? {
        get { members[name] }
        set { members[name] = newValue }
        _modify { yield &members[name] }
    }

    /// The object as compact JSON text.
    public var description: String { members.description }
}

// MARK: - Members that everybody may add

extension MemberLens {
    /// The members whose names begin with `@`, in order. They mean nothing to JSON:API.
    ///
    /// https://jsonapi.org/format/1.1/#document-member-names-at-members
    /// - Complexity: O(n), n = members.
    public var atMembers: JSONObject {
        members.filtered { $0 == .at }
    }

    /// The members that the extension of that namespace adds, in order, with their whole names.
    ///
    /// ```swift
    /// document.extensionMembers(namespace: "atomic")["atomic:operations"]
    /// ```
    ///
    /// https://jsonapi.org/format/1.1/#extension-members
    /// - Complexity: O(n), n = members.
    public func extensionMembers(namespace: String) -> JSONObject {
        JSONObject(
            members: members.filter { member in
                MemberKind(of: member.name) == .extensionMember
                    && member.name.utf8.prefix { $0 != UInt8(ascii: ":") }.elementsEqual(namespace.utf8)
            })
    }
}

// MARK: - Codable

extension MemberLens {
    /// Reads the object with any decoder.
    ///
    /// Throws `DecodingError.typeMismatch` when the value has another shape, else what the decoder throws. A foreign
    /// decoder may lose the order of members and the text of numbers.
    public init(from decoder: any Decoder) throws {
        let json = try JSON(from: decoder)
        guard let lens = Self(json: json) else {
            throw DecodingError.typeMismatch(
                Self.self,
                .init(codingPath: decoder.codingPath, debugDescription: "Expected an object, found \(json.kindName)."))
        }
        self = lens
    }

    /// Writes all members with any encoder, in order.
    public func encode(to encoder: any Encoder) throws {
        try members.encode(to: encoder)
    }
}

extension JSON {
    /// The kind of the value, for messages.
    package var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
