import JSONAPICodec
import JSONText

/// A resource whose fields change many times before it is needed as a whole. A change costs as much as what it changes, however large the
/// resource is.
package struct EditedResource {
    /// The resource before the changes; nil if there is none.
    private let original: ResourceObject?
    /// The changed fields, in the order of the first change; nil for an absent field.
    private var fields: [(place: JSONPointer, value: JSON?)] = []
    /// The places in `fields`.
    private var slots: [JSONPointer: Int] = [:]
    /// The linkage of relationships whose members have changed. It takes the place of their `data`.
    private var linkages: [JSONPointer: LinkageOrder] = [:]

    package init(_ object: ResourceObject?) { original = object }

    /// Whether there is a resource.
    package var exists: Bool { original != nil }

    /// The resource with all changes; nil if there is none.
    ///
    /// - Complexity: O(n), n = number of members and fields.
    package var object: ResourceObject? {
        guard var members = original?.members else { return nil }
        guard !fields.isEmpty || !linkages.isEmpty else { return original }
        var whole = self
        for field in linkages.keys { whole.putLinkageBack(field) }
        for (place, value) in whole.fields where place.tokens.count == 1 { members[place.tokens[0]] = value }
        for name in ["attributes", "relationships"] {
            let changed = whole.fields.filter { $0.place.tokens.count == 2 && $0.place.tokens[0] == name }
            guard !changed.isEmpty else { continue }
            let group = Self.setting(changed, in: members[name]?.object ?? JSONObject())
            // Removes a group that the resource did not have before.
            if group.isEmpty { members[name] = nil } else { members[name] = .object(group) }
        }
        return ResourceObject(members: members)
    }

    private static func setting(_ fields: [(place: JSONPointer, value: JSON?)], in group: JSONObject) -> JSONObject {
        var group = group
        for case (let place, let value?) in fields { group[place.tokens[1]] = value }
        let absent = Set(fields.filter { $0.value == nil }.map { ByteText($0.place.tokens[1]) })
        return absent.isEmpty ? group : JSONObject(members: group.filter { !absent.contains(ByteText($0.name)) })
    }
}

// MARK: - Fields

extension EditedResource {
    /// Returns the value of a field, of `links` or `meta`, or of a member of a relationship; nil if it is absent.
    package mutating func value(at place: JSONPointer) -> JSON? {
        putLinkageBack(place.field)
        let value = value(of: place.field)
        return place.tokens.count == 3 ? value?[place.tokens[2]] : value
    }

    /// Sets values. Returns those that have changed, as they were before.
    mutating func set(_ values: [(place: JSONPointer, value: JSON?)]) -> [(place: JSONPointer, value: JSON?)] {
        var earlier: [(place: JSONPointer, value: JSON?)] = []
        for (place, value) in values {
            let before = self.value(at: place)
            guard before != value else { continue }
            earlier.append((place, before))
            set(value, at: place)
        }
        return earlier
    }

    package mutating func apply(_ edit: ResourceEdit) {
        for (place, value) in edit.values { set(value, at: place) }
    }

    /// A relationship without members is removed.
    private mutating func set(_ value: JSON?, at place: JSONPointer) {
        let field = place.field
        putLinkageBack(field)
        guard place.tokens.count == 3 else { return put(value, at: field) }
        var members = self.value(of: field)?.object ?? JSONObject()
        members[place.tokens[2]] = value
        put(members.isEmpty ? nil : .object(members), at: field)
    }

    private func value(of field: JSONPointer) -> JSON? {
        if let slot = slots[field] { return fields[slot].value }
        return original.flatMap { JSON.object($0.members)[pointer: field] }
    }

    private mutating func put(_ value: JSON?, at field: JSONPointer) {
        if let slot = slots[field] {
            fields[slot].value = value
        } else {
            slots[field] = fields.count
            fields.append((field, value))
        }
    }
}

// MARK: - Linkage

extension EditedResource {
    /// Changes the members of a to-many relationship. Returns nil if its linkage is not loaded, or contains a resource twice.
    package mutating func changeLinkage<Result>(of relationship: String, _ change: (inout LinkageOrder) -> Result) -> Result? {
        let field = JSONPointer("relationships", relationship)
        if linkages[field] == nil { linkages[field] = LinkageOrder(value(of: field)?["data"]) }
        guard let place = linkages.index(forKey: field) else { return nil }
        return change(&linkages.values[place])
    }

    private mutating func putLinkageBack(_ field: JSONPointer) {
        guard let linkage = linkages.removeValue(forKey: field), var members = value(of: field)?.object else { return }
        members["data"] = linkage.json
        put(.object(members), at: field)
    }
}

extension JSONPointer {
    /// The place of the field that contains a place; `links` and `meta` are themselves.
    var field: JSONPointer { tokens.count > 2 ? JSONPointer(tokens: Array(tokens.prefix(2))) : self }
}
