import JSONText

/// The attributes that a resource writes only in part, by the paths of its coding keys.
///
/// ```
/// case city = "attributes.place.city"      // the resource knows only `city` of `place`
/// ```
package struct AttributeParts: Sendable {
    /// The paths, each beginning with the name of the attribute. Each has at least two names.
    package private(set) var paths: [[String]] = []

    package init() {}

    init(_ paths: [[String]]) { self.paths = paths }

    package var isEmpty: Bool { paths.isEmpty }

    func union(_ other: AttributeParts) -> AttributeParts {
        if other.paths == paths || other.isEmpty { return self }
        return AttributeParts(paths + other.paths.filter { !paths.contains($0) })
    }

    /// Returns a path into the attribute; nil when the attribute is written as a whole.
    func path(into name: String) -> [String]? { paths.first { UTF8Bytes.areEqual($0[0], name) } }

    /// Returns the attributes, completed with the members that only the source has.
    ///
    /// - Parameter known: The attributes of the source.
    package func completed(_ attributes: JSONObject, from known: JSONObject) -> JSONObject {
        var result = attributes
        for name in Set(paths.map { ByteText($0[0]) }).map(\.text) {
            guard var whole = known[name], whole.object != nil, let part = attributes[name] else { continue }
            for path in paths where UTF8Bytes.areEqual(path[0], name) {
                guard let value = Self.value(at: path[1...], in: part) else { continue }
                whole = Self.replacing(whole, at: path[1...], with: value)
            }
            result[name] = whole
        }
        return result
    }

    private static func value(at path: ArraySlice<String>, in json: JSON) -> JSON? {
        path.reduce(json) { (json: JSON?, name) in json?.object?[name] }
    }

    private static func replacing(_ json: JSON, at path: ArraySlice<String>, with value: JSON) -> JSON {
        guard let name = path.first else { return value }
        var object = json.object ?? JSONObject()
        object[name] = replacing(object[name] ?? .object(JSONObject()), at: path.dropFirst(), with: value)
        return .object(object)
    }

    /// The error for an attribute that is known only in part.
    static func unknownRest(of path: [String], _ resource: ResourceIdentifier, isInBase: Bool) -> EncodingFailure {
        let name = path[0]
        return EncodingFailure(
            .wrongPlace, at: JSONPointer(tokens: ["data", "attributes"] + path), resource: resource,
            expected: "the whole of the attribute `\(name)`, which a server replaces as a whole",
            found: isInBase ? "a base that does not have it" : "only `\(path.joined(separator: "."))`",
            advice: """
                give the model a property of type RemainingMembers with the key `attributes.\(name)`, or use Patch(from:to:base:) with the \
                resource object that was read, or a draft of a store; or set the whole attribute by set("\(name)", …)
                """)
    }
}

/// What is known of the resource of a patch, apart from the two values that are compared.
struct PatchGround {
    /// The resource object as it was read; nil when only the values are known.
    var base: ResourceObject?
    /// Returns the attributes that a store has of a resource now. They complete attributes that a model knows in part.
    var stored: ((ResourceIdentifier) -> JSONObject?)?
    /// The attributes and relationships that the patch sets by name, whatever the values contain.
    var replaced: [String] = []

    /// Returns the attributes of the resource as they were read, or as a store has them.
    func known(_ resource: ResourceIdentifier) -> JSONObject? { base?.attributes ?? stored?(resource) }

    /// Returns the attributes to send for the given changes: new values, and null for removed ones.
    func attributes(_ changes: [MemberChange], of resource: ResourceIdentifier, _ parts: AttributeParts) throws -> JSONObject {
        let known = known(resource)
        var result = JSONObject()
        for change in changes where change.new != nil || change.old != .null {
            result[change.name] = try value(change, known?[change.name], of: resource, parts)
        }
        return result
    }

    private func value(
        _ change: MemberChange, _ known: JSON?, of resource: ResourceIdentifier, _ parts: AttributeParts
    ) throws -> JSON {
        if let path = parts.path(into: change.name), !replaced.contains(where: { UTF8Bytes.areEqual($0, change.name) }) {
            guard let known else { throw AttributeParts.unknownRest(of: path, resource, isInBase: base != nil) }
            return Self.merged(known, from: change.old, to: change.new ?? .object(JSONObject())) ?? known
        }
        guard base != nil, let known, let new = change.new else { return change.new ?? .null }
        return Self.merged(known, from: change.old, to: new) ?? new
    }

    /// Returns `base` with the changes from one value to another. Members that neither of the two values has stay, and a member that is
    /// equal in both stays as it is in `base`, absent or present.
    ///
    /// Recurses into objects of the new value, whose depth the encoder limits.
    private static func merged(_ base: JSON?, from old: JSON?, to new: JSON) -> JSON? {
        if old == new { return base }
        guard case .object(var result)? = base, case .object(let newMembers) = new else { return new }
        let oldMembers = old?.object ?? JSONObject()
        for member in newMembers {
            result[member.name] = merged(result[member.name], from: oldMembers[member.name], to: member.value)
        }
        for member in oldMembers where !newMembers.contains(name: member.name) { result[member.name] = nil }
        return .object(result)
    }

    /// The name of the only member that is written for a reference that is nil, so that it can be compared.
    static let nilMark: StaticString = "@nil"

    /// Returns the relationships to send for the given changes: those with other linkage. Relationships that are not loaded stay as they
    /// are on the server.
    func relationships(_ changes: [MemberChange], of resource: ResourceIdentifier) throws -> JSONObject {
        var result = JSONObject()
        for change in changes {
            let old = change.old?.object?["data"]
            let isCleared = old != nil && change.new == ["@nil": nil]
            guard let data = isCleared ? .null : change.new?.object?["data"], old != data else { continue }
            try checkWhole(change, data, of: resource)
            result[change.name] = ["data": data]
        }
        return result
    }

    /// Throws when a patch would send an array that never had all resources of the relationship.
    private func checkWhole(_ change: MemberChange, _ data: JSON, of resource: ResourceIdentifier) throws {
        guard data.array != nil, !replaced.contains(where: { UTF8Bytes.areEqual($0, change.name) }),
            let linked = base?[relationship: change.name]?.members["data"]
        else { return }
        let known = Self.identities(change.old?.object?["data"])
        let missing = Self.identities(linked).subtracting(known).subtracting(Self.identities(data))
        guard !missing.isEmpty else { return }
        throw EncodingFailure(
            .missingLinkage, at: JSONPointer("data", "relationships", change.name), resource: resource,
            expected: "a relationship that was read as a whole", found: "one without \(missing.count) of its linked resources",
            advice: """
                declare `\(change.name)` as ToMany, of a ResourceUnion when types are mixed; or send Linkage(adding:) or \
                Linkage(removing:) to the address of the relationship; or set the whole relationship by link("\(change.name)", to:)
                """)
    }

    private static func identities(_ data: JSON?) -> Set<ResourceIdentifier> {
        guard let data, let linkage = Linkage(json: data) else { return [] }
        return Set(linkage.identifiers.map(\.bare))
    }
}
