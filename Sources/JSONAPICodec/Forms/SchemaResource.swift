import JSONMapping
import JSONText

/// A resource whose properties a `MappingSchema` declares: every problem at once, conversions, constraints.
///
/// ```swift
/// struct Profile: SchemaResource {
///     static let type = "profiles"
///     static let relationshipNames: Set<String> = ["avatar"]
///     static let schema = MappingSchema<Profile>(creating: Profile()) {
///         MappingField(\.id, .required, .string)
///         MappingField(\.userName, from: "user_name", .required, .string)
///         MappingField(\.avatarID, from: "avatar.data.id", .omit, .string)
///     }
///     var id = ""
///     var userName = ""
///     var avatarID: String?
/// }
/// ```
///
/// The `schemas` of a decoder or an encoder may have another schema for the type. The schema sees one flat object: `id`, then the
/// attributes, and the relationship objects by their names. Decoding throws the schema's `ValidationError`, its pointers leading
/// into the document.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-resource-object-fields>
public protocol SchemaResource: Resource, Mapped {
    /// The members of the flat object that are relationships: none by default. Only writing asks for it.
    static var relationshipNames: Set<String> { get }
}

extension SchemaResource {
    /// None.
    public static var relationshipNames: Set<String> { [] }

    /// Reads the flat object of a resource, or with another decoder than `JSONAPIDecoder` the object as it is.
    public init(from decoder: any Decoder) throws {
        let schema = SchemaSet(in: decoder.userInfo)?.schema(for: Self.self) ?? Self.schema
        guard let resource = decoder as? ResourceDecoder else {
            self = try schema.decode(JSON(from: decoder))
            return
        }
        let (flat, relationships) = try resource.flatObject
        do {
            self = try schema.decode(.object(flat))
        } catch let error as ValidationError {
            let place = resource.session.pointer(ofResource: resource.ordinal).tokens
            throw error.moved { pointer in
                guard let first = pointer.tokens.first, first != "id" else { return JSONPointer(tokens: place + pointer.tokens) }
                let group = relationships.contains(name: first) ? "relationships" : "attributes"
                return JSONPointer(tokens: place + [group] + pointer.tokens)
            }
        }
    }

    /// Writes the members of the flat object where they belong.
    public func encode(to encoder: any Encoder) throws {
        let flat = try (SchemaSet(in: encoder.userInfo)?.schema(for: Self.self) ?? Self.schema).encode(self)
        guard encoder is ResourceEncoder else { return try flat.encode(to: encoder) }
        var map = encoder.container(keyedBy: Key.self)
        let names = Self.relationshipNames
        for member in flat where !UTF8Bytes.areEqual(member.name, "id") {
            if names.contains(where: { UTF8Bytes.areEqual($0, member.name) }), let members = member.value.object {
                try map.encode(RelationshipObject(members: members), forKey: .relationships(member.name))
            } else {
                try map.encode(member.value, forKey: .attributes(member.name))
            }
        }
    }
}

extension ResourceDecoder {
    /// Identity, attributes and relationship objects as members of one object, and the relationship objects alone. Of one name an
    /// attribute counts.
    fileprivate var flatObject: (flat: JSONObject, relationships: JSONObject) {
        get throws {
            let entry = session.entries[ordinal]
            let relationships = try object(at: Int(entry.relationships), .relationships())
            var flat = try object(at: Int(entry.attributes), .attributes())
            for member in relationships where !flat.contains(name: member.name) { flat.append(name: member.name, value: member.value) }
            if !flat.contains(name: "id"), let id = try container(keyedBy: Key.self).decodeIfPresent(String.self, forKey: .id) {
                flat.append(name: "id", value: .string(id))
            }
            return (flat, relationships)
        }
    }

    /// The object at a word of the tape, an empty one for none and for null. The container has the error for everything else.
    private func object(at word: Int, _ key: Key) throws -> JSONObject {
        if word == 0 || session.view.isNull(word) { return JSONObject() }
        if session.view.isObject(word) { return session.view.object(at: word) }
        return try container(keyedBy: Key.self).decode(JSONObject.self, forKey: key)
    }
}

extension ErrorObject {
    /// A problem that a schema or a rewriter found, as an error object with status 422.
    ///
    /// The pointer of an error object has to lead to a value that exists. For a member that is missing it is that of the object
    /// around it, or, with the document at hand, that of the nearest value around it that the document has:
    ///
    /// ```swift
    /// ErrorObject(issue, in: document).source?.pointer    // /data, where there are no attributes
    /// ```
    ///
    /// `document` is what the pointer of the issue leads into; nil, the default, when it is not at hand.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#error-objects>
    public init(_ issue: MappingIssue, in document: JSON? = nil) {
        var pointer = issue.pointer
        if issue.kind == .required, let parent = pointer.parent { pointer = parent }
        if let document {
            while document[pointer: pointer] == nil, let parent = pointer.parent { pointer = parent }
        }
        self.init(
            status: "422", code: issue.kind.description, title: "The document does not fit",
            detail: "Expected \(issue.expected), found \(issue.found).", source: ErrorSource(pointer: pointer))
    }
}
