import JSONMapping
import JSONText

/// What is known of the resource of a patch, apart from the two values that are compared.
struct PatchGround {
    /// The resource object as it was read; nil when only the values are known.
    var base: ResourceObject?
    /// Whether the old value is what a model reads of the base. Otherwise, it may have been edited since it was read.
    var isUnedited = false
    /// Returns what a store has of a resource now. It completes attributes and meta that a model knows in part.
    var stored: ((ResourceIdentifier) -> ResourceObject?)?
    /// The attributes and relationships that the patch sets by name, whatever the values contain.
    var replaced: [String] = []

    /// Returns the attributes of the resource as they were read, or as a store has them.
    func known(_ resource: ResourceIdentifier) -> JSONObject? { base?.attributes ?? stored?(resource)?.attributes }

    /// Returns the meta as it was read, or as a store has it, which may be none; nil when that is not known.
    func knownMeta(_ resource: ResourceIdentifier) -> JSONObject? { (base ?? stored?(resource)).map { $0.meta ?? JSONObject() } }

    private func isReplaced(_ name: String) -> Bool { replaced.contains { UTF8Bytes.areEqual($0, name) } }

    // MARK: - Attributes

    /// Returns the attributes to send for the given changes: new values, and null for removed ones.
    func attributes(
        _ changes: [MemberChange], from old: WrittenState, to new: WrittenState, of resource: ResourceIdentifier
    ) throws -> JSONObject {
        var result = JSONObject()
        let difference = AttributeDifference(self, old, new, of: resource)
        for change in changes where change.new != nil || change.old != .null {
            result[change.name] = isReplaced(change.name) ? change.new ?? .null : try difference.value(of: change)
        }
        return result
    }

    // MARK: - Relationships

    /// The name of the only member that is written for a relationship that is nil, so that it can be compared.
    static let nilMark: StaticString = "@nil"
    /// The value of the member `@page` for an array that a program has assigned to a relationship that was not available.
    static let assignedMark: JSON = false

    /// Returns the relationships to send for the given changes: those with other linkage. Relationships that are not loaded stay as they
    /// are on the server.
    func relationships(
        _ changes: [MemberChange], from old: WrittenState, to new: WrittenState, of resource: ResourceIdentifier
    ) throws -> JSONObject {
        var result = JSONObject()
        for change in changes where !isReplaced(change.name) {
            let linked = change.old?.object?["data"]
            let pointer = JSONPointer("data", "relationships", change.name)
            if change.new == ["@nil": nil] {
                guard let linked, linked != .null else { continue }
                guard linked.array == nil else {
                    throw EncodingFailure(
                        .missingLinkage, at: pointer, resource: resource, expected: "linkage that a patch can contain",
                        found: "nil for a to-many relationship, which cannot be null",
                        advice: "set an empty array or ToMany.empty to remove all related resources, or leave it unchanged")
                }
                result[change.name] = ["data": nil]
            } else if let data = change.new?.object?["data"], linked != data || Self.isWholeInPlaceOfPage(change) {
                try checkWhole(change, data, of: resource, new.keyStrategy)
                result[change.name] = ["data": completed(data, change)]
            } else if let linked, let page = change.new?.object?["@page"], !Self.identities(page).isSubset(of: Self.identities(linked)) {
                throw EncodingFailure.editedUnloaded(at: pointer, resource: resource)
            } else if let object = change.new?.object, object.contains(name: "id") || object.contains(name: "lid") {
                throw EncodingFailure(
                    .missingLinkage, at: pointer, resource: resource, expected: "a relationship object with `data`",
                    found: "a resource or an identifier in its place",
                    advice: "write the relationship by its name in the container of the resource, or by Key.relationships")
            } else if let linked, linked != .null, linked.array?.isEmpty != true, Self.isLost(change, from: old, to: new) {
                throw EncodingFailure(
                    .missingLinkage, at: pointer, resource: resource,
                    expected: "a relationship that encode(to:) also writes when it is empty", found: "one that it leaves out now",
                    advice:
                        "write it with encodeIfPresent in the container of the resource, and a to-many relationship also without resources")
            }
        }
        return result
    }

    /// Whether a model no longer writes the linkage of a relationship, although it did not say that the relationship is not loaded. A raw
    /// resource gives nothing to a container, so it says nothing.
    private static func isLost(_ change: MemberChange, from old: WrittenState, to new: WrittenState) -> Bool {
        let name = ByteText(change.name)
        guard let object = change.new else { return old.given.contains(name) && !new.given.contains(name) }
        return new.given.contains(name) && !["data", "@page", "@unloaded"].contains { object.object?.contains(name: $0) == true }
    }

    /// Returns linkage whose identifiers also have the meta that only the base has, because the values do not keep it.
    private func completed(_ data: JSON, _ change: MemberChange) -> JSON {
        // Raw linkage has all members that were read.
        guard let linkage = Linkage(json: data)?.withoutUnknownMembers else { return data }
        let linked = base?[relationship: change.name]?.data.withoutUnknownMembers.identifiers ?? []
        var hidden = Dictionary(linked.lazy.filter(\.hasOtherMembers).map { (Self.identity($0), $0) }) { first, _ in first }
        for seen in Linkage(json: change.old?.object?["data"])?.identifiers ?? [] where seen.hasOtherMembers {
            hidden[Self.identity(seen)] = nil
        }
        if hidden.isEmpty { return linkage.json ?? data }
        return linkage.mapped { $0.hasOtherMembers ? $0 : hidden[Self.identity($0)] ?? $0 }.json ?? data
    }

    /// Throws when a patch would send an array that never had all resources of the relationship.
    private func checkWhole(_ change: MemberChange, _ data: JSON, of resource: ResourceIdentifier, _ keys: KeyStrategy) throws {
        guard data.array != nil, let new = change.new?.object, !Self.isWholeInPlaceOfPage(change) else { return }
        let pointer = JSONPointer("data", "relationships", change.name)
        if new["@page"] == Self.assignedMark { throw EncodingFailure.assigned(at: pointer, resource: resource, keys) }
        if RelationshipObject(members: new).isPage || base?[relationship: change.name]?.isPage == true {
            throw EncodingFailure.editedUnloaded(at: pointer, resource: resource, "link(\"\(change.name)\", to:) with")
        }
        guard let base else { return }
        guard let linked = base[relationship: change.name]?.members["data"] else {
            if change.old?.object?["data"] == nil { return }
            throw EncodingFailure.editedUnloaded(at: pointer, resource: resource)
        }
        let known = Self.identities(change.old?.object?["data"])
        let missing = Self.identities(linked).subtracting(known).subtracting(Self.identities(data))
        guard !missing.isEmpty else { return }
        throw EncodingFailure(
            .missingLinkage, at: pointer, resource: resource, expected: "a relationship that was read as a whole",
            found: "one without \(missing.count) of its linked resources",
            advice: """
                declare `\(change.name)` as ToMany, of a ResourceUnion when types are mixed; or send Linkage(adding:) or \
                Linkage(removing:) to the address of the relationship; or set the whole relationship by link("\(change.name)", to:)
                """)
    }

    /// Whether the whole list was set in place of a page, maybe with the same identifiers.
    private static func isWholeInPlaceOfPage(_ change: MemberChange) -> Bool {
        guard let old = change.old?.object, let new = change.new?.object else { return false }
        return new["data"]?.array != nil && RelationshipObject(members: old).isPage && !RelationshipObject(members: new).isPage
    }

    private static func identities(_ data: JSON?) -> Set<ResourceIdentifier> {
        guard let data, let linkage = Linkage(json: data) else { return [] }
        return Set(linkage.identifiers.map(identity))
    }

    /// A key under which UUIDs are equal in upper and lower case, because values have upper case and most servers send lower case.
    private static func identity(_ identifier: ResourceIdentifier) -> ResourceIdentifier { identifier.lowercasedUUID ?? identifier.bare }

    // MARK: - Meta

    /// Returns the meta to send for a change; nil for nothing. Throws when it was removed, because a request can only replace it, and when
    /// the rest of it is not known.
    func meta(
        _ change: MemberChange, from old: WrittenState, to new: WrittenState, of resource: ResourceIdentifier
    ) throws -> JSONObject? {
        var change = change
        change.new = AttributeParts.keeping(new.absent, of: change.name, from: change.old, in: change.new)
        guard let value = change.new else {
            throw EncodingFailure(
                .wrongPlace, at: JSONPointer("data"), resource: resource, expected: "meta that a patch can contain",
                found: "nil for the resource's meta, which cannot be null", advice: "keep the meta, or give it other members")
        }
        if value == change.old { return nil }
        let path = new.parts.metaPaths.first ?? old.parts.metaPaths.first
        guard let known = path == nil ? base?.meta : knownMeta(resource) else {
            if let path { throw AttributeParts.unknownRestOfMeta(path, resource) }
            return value.object
        }
        let merge = JSONMerge(
            resource: resource, name: nil, nested: old.nested + new.nested, isOfBase: base != nil, sameDates: DateText.areEqual)
        let reading = EarlierReading(base, old, isKnown: isUnedited || base == nil)
        let absent = (old.absent, new.absent)
        return try reading.applying(change, to: .object(known), merge, keeping: absent) { $0.meta.map { .object($0) } }.object
    }
}
