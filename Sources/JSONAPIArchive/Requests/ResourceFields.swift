import JSONAPICodec
import JSONText

/// The places of the fields of resources.
package enum ResourceFields {
    /// Returns pointers to all attributes and relationships of a resource, and to its links and meta.
    package static func places(of object: ResourceObject) -> [JSONPointer] {
        let fields = ["attributes", "relationships"].flatMap { group in
            (object.members[group]?.object?.names).map { $0.map { JSONPointer(group, $0) } } ?? []
        }
        return fields + ["links", "meta"].filter { object.members.contains(name: $0) }.map { JSONPointer($0) }
    }

    /// Returns the fields, links and meta in which two states of a resource differ.
    ///
    /// - Complexity: O(n), n = number of members.
    package static func differences(_ before: ResourceObject, _ after: ResourceObject) -> [JSONPointer] {
        let (old, new) = (JSON.object(before.members), JSON.object(after.members))
        let inNew = places(of: after)
        let gone = places(of: before).filter { new[pointer: $0] == nil }
        return inNew.filter { old[pointer: $0] != new[pointer: $0] } + gone
    }
}
