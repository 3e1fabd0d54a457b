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
        /// Whether it may be the identifier of an included resource.
        var isReference = false
    }

    private(set) var elements: [Element] = []
    private var positions: [StoredIdentity: Int] = [:]

    /// Adds a resource. Returns pointers to the fields, links and meta in which it differs from the first one of its identity; nil if it is
    /// the first one.
    ///
    /// - Complexity: O(n), n = size of the added resource, whatever the size of the first one.
    mutating func add(_ object: ResourceObject, _ identity: StoredIdentity, at pointer: JSONPointer) -> [JSONPointer]? {
        let element = Element(identity: identity, members: object.members, pointer: pointer)
        guard let position = positions[identity] else {
            positions[identity] = elements.count
            elements.append(element)
            return nil
        }
        if elements[position].isReference {
            elements[position] = element
            return []
        }
        let conflicts = Self.conflicts(of: object, with: elements[position].members)
        Self.complete(&elements[position].members, with: object.members)
        return conflicts
    }

    /// If all resources so far may be identifiers, the primary data may be the linkage of a relationship. A resource that is added later
    /// then takes the place of its identifier, whose meta is about the link.
    mutating func markReferences() {
        guard elements.allSatisfy({ ResourceObject(members: $0.members).isIdentifier }) else { return }
        for position in elements.indices { elements[position].isReference = true }
    }

    private static func conflicts(of later: ResourceObject, with first: JSONObject) -> [JSONPointer] {
        let (old, new) = (JSON.object(first), JSON.object(later.members))
        return ResourceFields.places(of: later).filter { place in
            guard let known = old[pointer: place], let value = new[pointer: place] else { return false }
            guard place.tokens[0] == "relationships" else { return known != value }
            // One of the two can lack the linkage, or the links.
            return value.object?.contains { member in known[member.name].map { $0 != member.value } ?? false } ?? false
        }
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
