import JSONAPICodec
import JSONText

/// Resource objects as the store keeps them: compact JSON text.
enum StoredText {
    /// The text of a resource; its id is written as a string, whatever it was. Throws `JSONWriteError` for one that nests deeper
    /// than text is read again.
    static func text(_ object: ResourceObject) throws -> [UInt8] {
        var members = object.members
        if let id = object.id, members["id"]?.string == nil { members["id"] = .string(id) }
        return try JSONWriter().write(.object(members))
    }

    /// The resource that was written. Nil for no text of the store's.
    static func object(_ text: [UInt8]) -> ResourceObject? {
        (try? JSON(parsing: text))?.object.map { ResourceObject(members: $0) }
    }
}
