import JSONText

/// Which resource is meant: its type and its id, or its local id while it has none.
///
/// ```swift
/// let author = ResourceIdentifier(type: "people", id: "9")
/// author.description  // {"type":"people","id":"9"}
/// ```
///
/// - Ids are opaque: `"7"` and `"007"` differ, and so do composed and decomposed é. Bytes are compared, nothing else.
/// - `==` compares everything, `meta` and other members included. `isSameResource(as:)` asks for the identity alone.
/// - Unlike the objects around it this is no lens, because a document may hold a million of them: type and id are
///   stored apart, everything else only where there is something. It is written as type, id, then the other members in
///   their order.
///
/// 40 bytes, without memory of its own beside long strings unless there is a lid, meta or another member.
///
/// https://jsonapi.org/format/1.1/#document-resource-identifier-objects
public struct ResourceIdentifier: Sendable {
    /// The type of the resource.
    public var type: String
    @usableFromInline private(set) var storedID: String?
    /// Everything beside type and id, in order. It holds a member `id` only while `storedID` is nil: one that is no id.
    @usableFromInline private(set) var rest: JSONObject

    /// The resource of that type and id.
    public init(type: String, id: String) {
        self.type = type
        storedID = id
        rest = JSONObject()
    }

    /// The resource of that type which this document calls `lid`, because the server has not given it an id yet.
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

    /// The identifier of those members; nil when `type` is absent or no string.
    ///
    /// A number written as an integer counts as an id, and its digits are kept. Any other `id` reads as nil and is kept
    /// as it is. Members that no identifier should have, even whole attributes, are kept too.
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

    /// The identifier of that object; nil when it is no object, or its `type` is absent or no string.
    public init?(json: JSON) {
        guard case .object(let members) = json else { return nil }
        self.init(members: members)
    }
}

// MARK: - Members

extension ResourceIdentifier {
    /// The id of the resource, nil when the server has not given it one.
    public var id: String? {
        get { storedID }
        set {
            storedID = newValue
            if !rest.isEmpty { rest["id"] = nil }
        }
        _modify {
            defer { if storedID != nil, !rest.isEmpty { rest["id"] = nil } }
            yield &storedID
        }
    }

    /// The name of the resource within this document, for resources that have no id yet.
    ///
    /// https://jsonapi.org/format/1.1/#document-resource-object-identification
    public var lid: String? {
        get { rest.isEmpty ? nil : rest[value: "lid"] }
        set { rest[value: "lid"] = newValue }
        _modify { yield &rest[value: "lid"] }
    }

    /// What the sender says about this link between two resources, not about the resource itself.
    public var meta: JSONObject? {
        get { rest.isEmpty ? nil : rest[value: "meta"] }
        set { rest[value: "meta"] = newValue }
        _modify { yield &rest[value: "meta"] }
    }

    /// Whether there is anything beside type and id.
    var hasOtherMembers: Bool { !rest.isEmpty }

    /// The members that the specification does not define here: unknown ones, @-members and those of extensions.
    ///
    /// Setting replaces them all. `type`, `id`, `lid` and `meta` are not set this way: they are left out.
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

    private static func defines(_ name: String) -> Bool {
        ["type", "id", "lid", "meta"].contains { UTF8Bytes.areEqual($0, name) }
    }

    /// All members: type, id, then the others in their order.
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
    /// Whether both mean the same resource: the same type and the same id, or the same lid when neither has an id.
    ///
    /// Bytes are compared; `meta` and other members do not count. An identifier with neither id nor lid means no
    /// resource that can be named, so it is never the same, not even as itself.
    public func isSameResource(as other: ResourceIdentifier) -> Bool { hasIdentity(of: other) }

    /// The same without the members of a whole resource, which some servers send where an identifier is asked for.
    var withoutFields: ResourceIdentifier {
        guard !rest.isEmpty, ["attributes", "relationships", "links"].contains(where: { rest.contains(name: $0) }) else { return self }
        var copy = self
        for name in ["attributes", "relationships", "links"] { copy.rest[name] = nil }
        return copy
    }

    /// Type and id, or without an id type and lid; nothing else.
    var bare: ResourceIdentifier {
        if rest.isEmpty { return self }
        return ResourceIdentifier(type: type, id: storedID, lid: storedID == nil ? lid : nil, meta: nil)
    }

    @inline(__always)
    func hasIdentity(of other: ResourceIdentifier) -> Bool {
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
}

extension ResourceIdentifier: Hashable {
    /// Whether all members are equal: strings by bytes, whatever the order.
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
    /// Throws `DecodingError.dataCorrupted` when it is no object with a `type`, else what the decoder throws.
    public init(from decoder: any Decoder) throws {
        guard let identifier = ResourceIdentifier(json: try JSON(from: decoder)) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "Expected a resource identifier object: an object with a string \"type\"."))
        }
        self = identifier
    }

    /// Writes all members with any encoder: type, id, then the others in their order.
    public func encode(to encoder: any Encoder) throws {
        try members.encode(to: encoder)
    }
}
