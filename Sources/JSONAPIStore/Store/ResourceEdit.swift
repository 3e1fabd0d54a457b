import JSONAPICodec
import JSONText

/// New values for some fields of a resource. Applying it undoes a patch of a store.
///
/// ```swift
/// let undo = try store.apply(patch)                            // the store changes now
/// do { try await send(patch) } catch { try store.apply(undo) } // the server has refused it
/// ```
///
/// Unlike a `Patch`, an edit can make a field absent. It contains only the fields that the patch changed, so changes to other fields stay.
public struct ResourceEdit: Sendable, CustomStringConvertible {
    /// The resource.
    public let identifier: ResourceIdentifier

    /// The fields with their values; nil for an absent field.
    let values: [(place: JSONPointer, value: JSON?)]

    /// The fields that the edit sets, as pointers into the resource object.
    public var fields: [JSONPointer] { values.map(\.place) }

    /// The resource and the fields.
    public var description: String { "\(identifier): \(fields.map(\.description).joined(separator: ", "))" }
}

extension ResourceEdit {
    /// Creates the edit that turns one state of a resource into another. It contains only the fields that differ.
    init(_ identifier: ResourceIdentifier, from before: ResourceObject, to after: ResourceObject) {
        self.identifier = identifier
        let target = JSON.object(after.members)
        values = ResourceMerge.differences(before, after).map { ($0, target[pointer: $0]) }
    }

    /// Returns the edit without some fields; nil if nothing is left.
    func without(_ fields: Set<JSONPointer>) -> ResourceEdit? {
        let rest = values.filter { !fields.contains($0.place) }
        return rest.isEmpty ? nil : ResourceEdit(identifier: identifier, values: rest)
    }

    /// Returns the resource with the fields set to the values of the edit.
    ///
    /// - Complexity: O(n), n = number of members and fields.
    func applied(to object: ResourceObject) -> ResourceObject {
        var members = object.members
        for (place, value) in values where place.tokens.count == 1 { members[place.tokens[0]] = value }
        for name in ["attributes", "relationships"] {
            let fields = values.filter { $0.place.tokens.count == 2 && $0.place.tokens[0] == name }
            guard !fields.isEmpty else { continue }
            let group = Self.setting(fields, in: members[name]?.object ?? JSONObject())
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

extension ResourceMerge {
    /// Returns the fields, links and meta in which two states of a resource differ.
    ///
    /// - Complexity: O(n), n = number of members.
    static func differences(_ before: ResourceObject, _ after: ResourceObject) -> [JSONPointer] {
        let (old, new) = (JSON.object(before.members), JSON.object(after.members))
        let inNew = places(of: after)
        let gone = places(of: before).filter { new[pointer: $0] == nil }
        return inNew.filter { old[pointer: $0] != new[pointer: $0] } + gone
    }
}
