import JSONAPIRules
import JSONText

/// The identity of a resource: its type and its id, or its local id while it has no id.
///
/// ```swift
/// let author = ResourceIdentifier(type: "people", id: "9")
/// author.description  // {"type":"people","id":"9"}
/// ```
///
/// - Ids are opaque and compared byte by byte: `"7"` and `"007"` are different, and so are composed and decomposed é.
/// - `==` compares all members, including `meta`. `isSameResource(as:)` compares only the identity.
/// - Unlike the other objects of a document this is not a lens, because a document may contain a million of them. Type and id are stored
///   directly, and everything else only when it exists. An identifier is written as type, id, then the other members in order.
///
/// An identifier takes 40 bytes. Long strings, and a lid, meta or any other member, need further memory.
///
/// https://jsonapi.org/format/1.1/#document-resource-identifier-objects
public struct ResourceIdentifier: Sendable {
    /// The type of the resource.
    public var type: String
    @usableFromInline package private(set) var storedID: String?
    /// Everything but the type and the id, in order. It has a member `id` only while `storedID` is nil: a value that is not an id.
    @usableFromInline private(set) var rest: JSONObject

    /// Creates the identifier of the resource with the given type and id.
    public init(type: String, id: String) {
        self.type = type
        storedID = id
        rest = JSONObject()
    }

    /// Creates the identifier of a resource that has no id yet. The document calls it `lid`.
    ///
    /// https://jsonapi.org/format/1.1/#document-resource-object-identification
    public init(type: String, lid: String) {
        self.type = type
        storedID = nil
        rest = ["lid": .string(lid)]
    }

    package init(type: String, id: String?, lid: String?, meta: JSONObject?, additional: JSONObject = JSONObject()) {
        self.type = type
        storedID = id
        rest = JSONObject()
        if let lid { rest.append(name: "lid", value: .string(lid)) }
        if let meta { rest.append(name: "meta", value: .object(meta)) }
        if !additional.isEmpty { additionalMembers = additional }
    }

    /// Creates an identifier from the given members; nil when `type` is absent or not a string.
    ///
    /// An integer is accepted as an id, and all its digits are kept. Any other `id` is read as nil and stays as it is. Members that an
    /// identifier should not have, such as `attributes`, are kept as well.
    ///
    /// - Complexity: O(n), n = members.
    public init?(members: JSONObject) {
        guard case .string(let type)? = members["type"] else { return nil }
        self.type = type
        let idJSON = members["id"]
        storedID = idJSON.flatMap(String.init(textOrInteger:))
        let keepsID = storedID == nil && idJSON != nil
        guard members.count > (storedID == nil ? 1 : 2) else {
            rest = JSONObject()
            return
        }
        rest = JSONObject(
            members: members.filter { member in
                !UTF8Bytes.areEqual(member.name, "type") && (keepsID || !UTF8Bytes.areEqual(member.name, "id"))
            })
    }

    /// Creates an identifier from the given value; nil when it is not an object, or when its `type` is absent or not a string.
    public init?(json: JSON) {
        guard case .object(let members) = json else { return nil }
        self.init(members: members)
    }
}

// MARK: - Members

extension ResourceIdentifier {
    /// The id of the resource; nil when the server has not assigned one.
    public var id: String? {
        @inlinable get { storedID }
        set {
            storedID = newValue
            if !rest.isEmpty { rest["id"] = nil }
        }
        _modify {
            defer { if storedID != nil, !rest.isEmpty { rest["id"] = nil } }
            yield &storedID
        }
    }

    /// The local id of the resource in this document, for resources that have no id yet.
    ///
    /// https://jsonapi.org/format/1.1/#document-resource-object-identification
    public var lid: String? {
        get { rest.isEmpty ? nil : rest[value: "lid"] }
        set { rest[value: "lid"] = newValue }
        _modify { yield &rest[value: "lid"] }
    }

    /// Information about this reference, not about the resource.
    public var meta: JSONObject? {
        get { rest.isEmpty ? nil : rest[value: "meta"] }
        set { rest[value: "meta"] = newValue }
        _modify { yield &rest[value: "meta"] }
    }

    /// Whether there are members other than type and id.
    @inlinable package var hasOtherMembers: Bool { !rest.isEmpty }

    /// The members that the specification does not define here: unknown ones, @-members and those of extensions.
    ///
    /// Setting replaces them all. `type`, `id`, `lid` and `meta` cannot be set here; they are ignored.
    ///
    /// Request bodies leave out the unknown ones, such as `method`, also if the program has set them: those that the server sent would be
    /// sent back to it. They contain @-members and those of extensions. Use `meta` for what a server expects beside an identity.
    ///
    /// - Complexity: O(n), n = members.
    public var additionalMembers: JSONObject {
        get {
            guard !rest.isEmpty else { return rest }
            return JSONObject(members: rest.filter { !ResourceIdentifier.defines($0.name) })
        }
        set {
            var members = JSONObject(members: rest.filter { ResourceIdentifier.defines($0.name) })
            for member in newValue where !ResourceIdentifier.defines(member.name) {
                members.append(name: member.name, value: member.value)
            }
            rest = members
        }
    }

    /// Whether the specification defines the member of an identifier.
    package static func defines(_ name: String) -> Bool {
        ["type", "id", "lid", "meta"].contains { UTF8Bytes.areEqual($0, name) }
    }

    /// Whether the member describes the resource, and not the reference to it. Some servers send whole resources in place of identifiers.
    package static func isField(_ name: String) -> Bool {
        ["attributes", "relationships", "links"].contains { UTF8Bytes.areEqual($0, name) }
    }

    /// All members: type, id, then the others in order.
    ///
    /// - Complexity: O(n), n = members.
    public var members: JSONObject {
        var members = JSONObject()
        members.reserveCapacity(rest.count + 2)
        members.append(name: "type", value: .string(type))
        if let storedID { members.append(name: "id", value: .string(storedID)) }
        for member in rest { members.append(name: member.name, value: member.value) }
        return members
    }

    /// The identifier as a JSON value.
    public var json: JSON { .object(members) }
}

// MARK: - Identity

extension ResourceIdentifier {
    /// Whether both identify the same resource: the same type and the same id, or the same lid when neither has an id.
    ///
    /// The comparison is byte by byte and ignores `meta` and other members. An identifier with neither id nor lid identifies no resource.
    /// It is never the same resource as another, not even as itself.
    public func isSameResource(as other: ResourceIdentifier) -> Bool {
        guard UTF8Bytes.areEqual(type, other.type) else { return false }
        switch (storedID, other.storedID) {
        case (let id?, let otherID?):
            return UTF8Bytes.areEqual(id, otherID)
        case (nil, nil):
            guard let lid, let otherLID = other.lid else { return false }
            return UTF8Bytes.areEqual(lid, otherLID)
        default:
            return false
        }
    }

    /// The identifier without the members of a whole resource.
    package var withoutFields: ResourceIdentifier {
        guard rest.contains(where: { ResourceIdentifier.isField($0.name) }) else { return self }
        var copy = self
        copy.rest = JSONObject(members: rest.filter { !ResourceIdentifier.isField($0.name) })
        return copy
    }

    /// The identifier as it is sent in a request, with the members that the specification defines, @-members, and members of extensions.
    package var withoutUnknownMembers: ResourceIdentifier {
        if rest.isEmpty { return self }
        var copy = self
        copy.rest = JSONObject(members: rest.filter { ResourceIdentifier.defines($0.name) || !MemberName($0.name).isPlain })
        return copy
    }

    /// The identifier as it is kept of a received request, with only the members that the specification defines.
    package var withoutAdditionalMembers: ResourceIdentifier {
        var copy = self
        if hasOtherMembers { copy.additionalMembers = JSONObject() }
        return copy
    }

    /// Only the type and the id, or the type and the lid when there is no id.
    package var bare: ResourceIdentifier {
        if rest.isEmpty { return self }
        return ResourceIdentifier(type: type, id: storedID, lid: storedID == nil ? lid : nil, meta: nil)
    }
}

extension ResourceIdentifier: Hashable {
    /// Whether all members are equal, in any order. Strings are compared byte by byte.
    public static func == (lhs: ResourceIdentifier, rhs: ResourceIdentifier) -> Bool {
        guard UTF8Bytes.areEqual(lhs.type, rhs.type) else { return false }
        switch (lhs.storedID, rhs.storedID) {
        case (let left?, let right?): guard UTF8Bytes.areEqual(left, right) else { return false }
        case (nil, nil): break
        default: return false
        }
        return lhs.rest == rhs.rest
    }

    /// Feeds all members to `hasher`.
    public func hash(into hasher: inout Hasher) {
        UTF8Bytes.hash(type, into: &hasher)
        if let storedID { UTF8Bytes.hash(storedID, into: &hasher) }
        if !rest.isEmpty { hasher.combine(rest) }
    }
}

// MARK: - Text and Codable

extension ResourceIdentifier: CustomStringConvertible {
    /// The identifier as compact JSON text.
    public var description: String { members.description }
}

extension ResourceIdentifier: Codable {
    /// Reads an identifier with any decoder.
    ///
    /// Throws `DecodingError.dataCorrupted` when the value is not an object with a `type`. Otherwise throws what the decoder throws.
    public init(from decoder: any Decoder) throws {
        self = try decoder.made(of: #"a resource identifier object: an object with a string "type""#) { ResourceIdentifier(json: $0) }
    }

    /// Writes all members with any encoder: type, id, then the others in order.
    public func encode(to encoder: any Encoder) throws {
        try members.encode(to: encoder)
    }
}
