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
        (try? JSON(parsing: text))?.object.map { ResourceObject(members: $0) }
    }
}
