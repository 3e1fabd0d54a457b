import JSONAPICodec
import JSONText

/// New values for some fields of a resource. Applying it undoes a patch of a `ResourceStore`.
///
/// ```swift
/// let undo = try store.apply(patch)                            // the store changes now
/// do { try await send(patch) } catch { try store.apply(undo) } // the server has refused it
/// ```
///
/// Unlike a `Patch`, an edit can make a field absent. It contains only the fields that the patch changed, so changes to other fields stay. Of a
/// relationship, it contains only the members that the patch changed, so links and meta that arrive later stay.
public struct ResourceEdit: Sendable, CustomStringConvertible {
    /// The resource.
    public let identifier: ResourceIdentifier

    /// The fields with their values; nil for an absent field. A relationship can be there by its members, each with its own value.
    package let values: [(place: JSONPointer, value: JSON?)]

    /// Whether the ids of the model are UUIDs, so that the server may give the resource another spelling of the id.
    package var hasUUID = false

    package init(identifier: ResourceIdentifier, values: [(place: JSONPointer, value: JSON?)]) {
        self.identifier = identifier
        self.values = values
    }

    /// The fields that the edit sets, as pointers into the resource object.
    public var fields: [JSONPointer] {
        var known: Set<JSONPointer> = []
        return values.map(\.place.field).filter { known.insert($0).inserted }
    }

    /// The resource and the fields.
    public var description: String { "\(identifier): \(fields.map(\.description).joined(separator: ", "))" }
}

extension ResourceEdit {
    /// Creates the edit that turns one state of a resource into another. It contains only the fields that differ, and only those members of
    /// relationships.
    package init(_ identifier: ResourceIdentifier, from before: ResourceObject, to after: ResourceObject) {
        self.identifier = identifier
        let (old, new) = (JSON.object(before.members), JSON.object(after.members))
        values = ResourceFields.differences(before, after).flatMap { Self.values($0, old[pointer: $0], new[pointer: $0]) }
    }

    /// Returns nil if no values are given.
    package init?(_ identifier: ResourceIdentifier, _ values: [(place: JSONPointer, value: JSON?)]) {
        if values.isEmpty { return nil }
        self.init(identifier: identifier, values: values)
    }

    private static func values(_ place: JSONPointer, _ old: JSON?, _ new: JSON?) -> [(place: JSONPointer, value: JSON?)] {
        guard place.tokens.first == "relationships", let before = (old ?? [:]).object, let after = (new ?? [:]).object else {
            return [(place, new)]
        }
        let changed = after.filter { before[$0.name] != $0.value }.map { (place: place.appending($0.name), value: Optional($0.value)) }
        return changed + before.filter { !after.contains(name: $0.name) }.map { (place.appending($0.name), nil) }
    }

    /// Returns the resource with the fields set to the values of the edit.
    ///
    /// - Complexity: O(n), n = number of members and fields.
    package func applied(to object: ResourceObject) -> ResourceObject {
        var edited = EditedResource(object)
        edited.apply(self)
        return edited.object ?? object
    }
}
