import JSONAPIArchive
import JSONAPICodec
import JSONText

/// The resources of a document, one for each identity: of several, the fields of the first one count, as for a decoder, and the others only
/// add fields that it does not have.
struct DocumentIntake {
    struct Element {
        let identity: StoredIdentity
        var members: JSONObject
        /// The place of the first one.
        let pointer: JSONPointer
    }

    private(set) var elements: [Element] = []
    private var positions: [StoredIdentity: Int] = [:]

    /// Adds a resource.
    ///
    /// - Complexity: O(n), n = size of the added resource, whatever the size of the first one.
    mutating func add(_ object: ResourceObject, _ identity: StoredIdentity, at pointer: JSONPointer) {
        guard let position = positions[identity] else {
            positions[identity] = elements.count
            elements.append(Element(identity: identity, members: object.members, pointer: pointer))
            return
        }
        Self.complete(&elements[position].members, with: object.members)
    }

    /// Returns the resource of that identity which has arrived so far.
    func known(_ identity: StoredIdentity) -> ResourceObject? {
        positions[identity].map { ResourceObject(members: elements[$0].members) }
    }

    private static func complete(_ first: inout JSONObject, with later: JSONObject) {
        for member in later.effectiveMembers {
            switch member.name {
            case "attributes": completeFields(&first, member) { _, _ in nil }
            case "relationships": completeFields(&first, member, relationship)
            // A leniency reads other values as absent.
            case "links", "meta":
                if first[member.name]?.object == nil, member.value.object != nil || !first.contains(name: member.name) {
                    first[member.name] = member.value
                }
            default: if !first.contains(name: member.name) { first[member.name] = member.value }
            }
        }
    }

    /// - Parameter completed: returns what a known field becomes; nil if it stays.
    private static func completeFields(_ first: inout JSONObject, _ later: JSONObject.Member, _ completed: (JSON, JSON) -> JSON?) {
        guard case .object(let fields) = later.value else {
            if !first.contains(name: later.name) { first[later.name] = later.value }
            return
        }
        var known = first[later.name]?.object ?? JSONObject()
        var added: [(name: String, value: JSON)] = []
        for field in fields.effectiveMembers {
            if let value = known[field.name] {
                if let value = completed(value, field.value) { added.append((name: field.name, value: value)) }
            } else {
                added.append((name: field.name, value: field.value))
            }
        }
        if added.isEmpty, first[later.name]?.object != nil { return }
        // While the fields are in one place only, adding some does not copy the others.
        first[later.name] = JSON.null
        for field in added { known[field.name] = field.value }
        first[later.name] = JSON.object(known)
    }

    /// A relationship without linkage gets that of a later resource.
    private static func relationship(_ known: JSON, _ later: JSON) -> JSON? {
        guard let members = later.object else { return nil }
        guard case .object(var result) = known else { return later }
        guard let data = members["data"], !result.contains(name: "data") else { return nil }
        result.append(name: "data", value: data)
        return .object(result)
    }
}
