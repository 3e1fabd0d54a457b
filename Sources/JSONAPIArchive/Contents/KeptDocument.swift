import JSONAPICodec
import JSONText

/// A document without its resources. It has their identifiers in order, the links, the meta and the other top-level members.
package struct KeptDocument: Sendable {
    private let object: DocumentObject

    /// Creates the part of a document that is kept.
    ///
    /// Throws the result of `missingIdentity` for primary data without an identity; the argument is its place.
    package init(_ document: DocumentObject, missingIdentity: (JSONPointer) -> any Error) throws {
        var members = document.members
        members["included"] = nil
        switch members["data"] {
        case .object(let resource)?: members["data"] = try Self.identifier(resource, JSONPointer("data"), missingIdentity)
        case .array(let resources)?:
            let identifiers = try resources.enumerated().map { index, resource in
                try Self.identifier(resource.object ?? JSONObject(), JSONPointer("data").appending(index), missingIdentity)
            }
            members["data"] = .array(JSONArray(identifiers))
        default: break
        }
        object = DocumentObject(members: members)
    }

    private static func identifier(
        _ resource: JSONObject, _ pointer: JSONPointer, _ missingIdentity: (JSONPointer) -> any Error
    ) throws -> JSON {
        guard let identifier = ResourceObject(members: resource).identifier, let id = identifier.id else { throw missingIdentity(pointer) }
        return ResourceIdentifier(type: identifier.type, id: id).json
    }

    /// Reads the text that `text()` has written.
    package init(text: [UInt8]) throws {
        object = DocumentObject(members: try JSON(parsing: text, options: .unlimited).object ?? JSONObject())
    }

    /// Returns a text with other identifiers of primary resources. A text without such identifiers stays.
    static func text(_ text: [UInt8], replacing replacement: (StoredIdentity) -> StoredIdentity) throws -> [UInt8] {
        guard text.span.contains(Array(#""data":"#.utf8)), var members = (try? JSON(parsing: text, options: .unlimited))?.object,
            let data = Linkage(json: members["data"])
        else { return text }
        let changed = data.mapped { identifier in
            guard let key = StoredIdentity(identifier), key.identifier == identifier else { return identifier }
            return replacement(key).identifier
        }
        guard changed != data else { return text }
        members["data"] = changed.json
        return try (isMarked(text) ? [mark] : []) + JSONWriter.unlimited.write(.object(members))
    }

    package func text() throws -> [UInt8] { try JSONWriter.unlimited.write(object.json) }

    /// The text under a key that the program has chosen. Readers of JSON ignore the mark at its start.
    func markedText() throws -> [UInt8] { try [Self.mark] + text() }

    /// A blank. Plain values are compact JSON, so their texts do not begin with it.
    private static let mark = UInt8(ascii: " ")

    /// Returns whether a text is that of a document, and not of a plain value that looks like one.
    static func isMarked(_ text: [UInt8]) -> Bool { text.first == mark }

    /// Whether the text that was read can be that of a document. False for most other plain values of an archive.
    var isDocument: Bool {
        guard let data = Linkage(json: object.members["data"]), data.identifiers.allSatisfy({ $0.id != nil }) else { return false }
        if data != .absent { return true }
        return object.members.names.contains { ["meta", "links", "jsonapi"].contains($0) || $0.utf8.contains(UInt8(ascii: ":")) }
    }

    /// The identifiers of the primary resources, in order.
    package var identifiers: [ResourceIdentifier] { object.linkage.identifiers }

    /// Returns the document with the given primary data.
    ///
    /// - Parameter decoder: reads its meta.
    package func document<Primary: PrimaryValue>(_ data: Primary, _ decoder: JSONAPIDecoder) -> Document<Primary> {
        var document = Document(data, links: object.links ?? Links(), meta: object.meta, jsonapi: object.jsonapi)
        document.decoder = decoder
        return document
    }
}

// MARK: - Linkage

extension KeptDocument {
    /// Whether primary data of a type is linkage, so that it contains no resources.
    package static func isLinkage<Primary: PrimaryValue>(_: Primary.Type) -> Bool { Primary.self is any IdentifierData.Type }
}

private protocol IdentifierData {}
extension ResourceIdentifier: IdentifierData {}
extension Array: IdentifierData where Element: IdentifierData {}
extension Optional: IdentifierData where Wrapped: IdentifierData {}
