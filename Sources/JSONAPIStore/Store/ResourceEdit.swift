import JSONAPICodec
import JSONText

/// Fields of one resource as they are to be: what takes a patch of a store back.
///
/// ```swift
/// let undo = try store.apply(patch)                            // shown at once
/// do { try await send(patch) } catch { try store.apply(undo) } // the server has refused it
/// ```
///
/// Unlike a `Patch` it can say that a field is absent. It holds the fields that the patch changed, and no others: what arrives for those
/// meanwhile stays.
public struct ResourceEdit: Sendable, CustomStringConvertible {
    /// Which resource.
    public let identifier: ResourceIdentifier

    /// Each field with its value; nil for none.
    let values: [(place: JSONPointer, value: JSON?)]

    /// The fields that it sets, as pointers into the resource object.
    public var fields: [JSONPointer] { values.map(\.place) }

    /// The resource and the fields.
    public var description: String { "\(identifier): \(fields.map(\.description).joined(separator: ", "))" }
}

extension ResourceEdit {
    /// The edit that leads from one state of a resource to another: at the places where they differ.
    init(_ identifier: ResourceIdentifier, from before: ResourceObject, to after: ResourceObject) {
        self.identifier = identifier
        let target = JSON.object(after.members)
        values = ResourceMerge.differences(before, after).map { ($0, target[pointer: $0]) }
    }

    /// A resource with the fields of the edit.
    func applied(to object: ResourceObject) -> ResourceObject {
        var members = object.members
        for (place, value) in values {
            if place.tokens.count == 1 {
                members[place.tokens[0]] = value
                continue
            }
            var group = members[place.tokens[0]]?.object ?? JSONObject()
            group[place.tokens[1]] = value
            // A group that the resource did not have before is absent again.
            members[place.tokens[0]] = group.isEmpty && value == nil ? nil : .object(group)
        }
        return ResourceObject(members: members)
    }
}

extension ResourceMerge {
    /// The places of fields, links and meta at which two states of a resource differ.
    ///
    /// - Complexity: O(members).
    static func differences(_ before: ResourceObject, _ after: ResourceObject) -> [JSONPointer] {
        let (old, new) = (JSON.object(before.members), JSON.object(after.members))
        let inNew = places(of: after)
        let gone = places(of: before).filter { new[pointer: $0] == nil }
        return inNew.filter { old[pointer: $0] != new[pointer: $0] } + gone
    }
}
