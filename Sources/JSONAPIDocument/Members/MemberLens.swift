import JSONAPIRules
import JSONText

/// A typed view of a JSON object that keeps every member.
///
/// ```swift
/// var error = ErrorObject(members: ["@trace": "a1", "status": "422", "x": true])
/// error.status = "409"
/// error.description  // {"@trace":"a1","status":"409","x":true}
/// ```
///
/// The objects of a document are lenses. They store only `members`, and their properties read and write it. Order, unknown members,
/// @-members and extension members therefore stay when another member changes.
///
/// - A property is nil when its member is absent, and when the member has a shape that the property cannot read. `members` says which.
/// - Setting a property replaces the member in place, or adds it at the end. Setting nil removes the member.
/// - An optional chain that ends in nil, as in `error.meta?["x"] = 1`, changes nothing.
/// - Nothing is checked. A lens accepts every member.
///
/// Two lenses are equal when their members are equal, in any order. Names and strings are compared byte by byte, and numbers by their exact
/// value. A lens is a single reference; a copy shares its members until one of the two changes.
public protocol MemberLens: Hashable, Sendable, Codable, CustomStringConvertible {
    /// All members in order, exactly as they were written.
    var members: JSONObject { get set }

    /// Creates a view of the given members, without checking them.
    init(members: JSONObject)

    /// Creates a view of the given value; nil when the value has another shape, which for most types means that it is not an object.
    init?(json: JSON)
}

extension MemberLens {
    /// Creates a view of the given object; nil when the value is not an object.
    public init?(json: JSON) {
        guard case .object(let members) = json else { return nil }
        self.init(members: members)
    }

    /// The members as a JSON value.
    public var json: JSON { .object(members) }

    /// The value of the member with the given name, exactly as it was written; nil when it is absent.
    ///
    /// Setting replaces the value in place, or adds it at the end. Setting nil removes it.
    public subscript(member name: String) -> JSON? {
        get { members[name] }
        set { members[name] = newValue }
        _modify { yield &members[name] }
    }

    /// The object as compact JSON text.
    public var description: String { members.description }
}

// MARK: - Members that anyone may add

extension MemberLens {
    /// The members whose names begin with `@`, in order. JSON:API gives them no meaning.
    ///
    /// https://jsonapi.org/format/1.1/#document-member-names-at-members
    /// - Complexity: O(n), n = members.
    public var atMembers: JSONObject {
        JSONObject(members: members.filter { MemberName($0.name) == .at })
    }

    /// Returns the members of the extension with the given namespace, in order, with their full names.
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
                let kind = MemberName(member.name)
                return !kind.isPlain && kind != .at
                    && member.name.utf8.prefix { $0 != UInt8(ascii: ":") }.elementsEqual(namespace.utf8)
            })
    }
}

extension JSONObject {
    /// Returns the plain members whose names are not in `names`, in order.
    package func unknownMembers(besides names: [StaticString]) -> JSONObject {
        JSONObject(
            members: filter { member in
                MemberName(member.name).isPlain && !names.contains { UTF8Bytes.areEqual($0.description, member.name) }
            })
    }
}

// MARK: - Codable

extension MemberLens {
    /// Reads the object with any decoder.
    ///
    /// Throws `DecodingError.typeMismatch` when the value has another shape. Otherwise throws what the decoder throws. Other decoders may
    /// lose the order of members and the digits of numbers.
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
