import JSONAPICodec
import JSONText

/// Converts resource objects to the text that a store keeps, and back. The text is compact JSON.
package enum StoredText {
    /// Returns the text of a resource. The id is always written as a string. Throws `JSONWriteError` if the resource is nested deeper than
    /// a parser accepts.
    package static func text(_ object: ResourceObject) throws -> [UInt8] {
        var members = object.members
        if let id = object.id, members["id"]?.string == nil { members["id"] = .string(id) }
        return try JSONWriter().write(.object(members))
    }

    /// Returns the text of a resource with another identity.
    package static func text(_ text: [UInt8], as identity: StoredIdentity) throws -> [UInt8] {
        guard let object = object(text), object.identifier.flatMap(StoredIdentity.init) != identity else { return text }
        return try Self.text(ResourceObject(object, as: identity.identifier))
    }

    /// Returns the resource of a stored text; nil if the store has not written the text.
    package static func object(_ text: [UInt8]) -> ResourceObject? {
        (try? JSON(parsing: text, options: .unlimited))?.object.map { ResourceObject(members: $0) }
    }
}

extension StoredText {
    /// A member `lid` in compact JSON.
    static let lidMember = Array(#""lid":"#.utf8)

    /// Returns the lids of all resources that a text mentions, its own one and those in linkage. The text can also be that of a request or of
    /// a kept document.
    ///
    /// - Complexity: O(n), n = number of bytes.
    package static func lids(in text: [UInt8]) -> Set<StoredIdentity> {
        guard text.span.contains(lidMember), let whole = try? JSON(parsing: text, options: .unlimited) else { return [] }
        var lids: Set<StoredIdentity> = []
        var rest = [whole]
        while let json = rest.popLast() {
            if let members = json.object {
                let identity = ResourceIdentifier(members: members).flatMap(StoredIdentity.init)
                if let identity, identity.isLocal { lids.insert(identity) }
                for member in members { rest.append(member.value) }
            } else if let elements = json.array {
                rest.append(contentsOf: elements)
            }
        }
        return lids
    }
}
