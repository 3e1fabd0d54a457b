import JSONMapping
import JSONText

/// A resource whose properties are declared by a `MappingSchema`. It reports every problem at once, and supports conversions and
/// constraints.
///
/// ```swift
/// struct Profile: SchemaResource {
///     static let type = "profiles"
///     static let relationshipNames: Set<String> = ["avatar"]
///     static let schema = MappingSchema<Profile>(creating: Profile()) {
///         MappingField(\.id, "id")
///         MappingField(\.userName, from: "user_name")
///         MappingField(\.avatar, from: "avatar.data", .omit)     // the identifier, with its type
///     }
///     var id = ""
///     var userName = ""
///     var avatar: JSON?
/// }
/// ```
///
/// The `schemas` of a decoder or an encoder can replace the schema of the type. The schema sees one flat object: `id`, then the attributes,
/// and the relationship objects by name. Of the relationships, it sees those that a field reads and those in `relationshipNames`. Unknown
/// members that a schema keeps are therefore attributes. Decoding throws the schema's `ValidationError`, with pointers into the document.
///
/// The names in a schema are those of the document: key strategies of a decoder or an encoder do not change them. A field with a path of
/// several names, such as `location.lat`, knows only a part of the attribute. See <doc:BuildingRequests> for patches of it.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-resource-object-fields>
public protocol SchemaResource: Resource, Mapped {
    /// The names of the members that are relationships: none by default. Encoding uses it, and errors for relationships that are missing.
    ///
    /// A member with one of these names must be a relationship object, such as `{"data": null}`. If it is null itself, the relationship is not
    /// known: it is not written, and a patch empties it if the earlier value had linkage. Encoding throws for every other value.
    static var relationshipNames: Set<String> { get }
}

extension SchemaResource {
    /// Empty by default.
    public static var relationshipNames: Set<String> { [] }

    /// Reads the flat object of a resource. With a decoder other than `JSONAPIDecoder`, reads the object as it is.
    public init(from decoder: any Decoder) throws {
        let schema = Self.activeSchema(in: SchemaSet(in: decoder.userInfo))
        guard let resource = decoder as? ResourceDecoder else {
            self = try schema.decode(JSON(from: decoder))
            return
        }
        let (flat, relationships) = try resource.flatObject { name in
            schema.memberNames.contains(name: name) || Self.relationshipNames.contains { UTF8Bytes.areEqual($0, name) }
        }
        try resource.checkWhole(relationships, schema.fields.flatMap(\.paths.all).map(\.segments))
        let names = ["id"] + Self.relationshipNames
        do {
            var object = flat
            if let shadow = Shadow(in: decoder.userInfo), let sent = shadow.sent, resource.isPrimary {
                object = schema.trusting(flat, unless: sent, shadow, names: names)
            }
            self = try schema.decode(.object(object), for: decoder, names: names)
        } catch let error as ValidationError {
            let place = resource.session.pointer(ofResource: resource.ordinal).tokens
            throw error.moved { pointer in
                guard let first = pointer.tokens.first, first != "id" else { return JSONPointer(tokens: place + pointer.tokens) }
                let isMissing = !flat.contains(name: first)
                let isDeclared = Self.relationshipNames.contains { UTF8Bytes.areEqual($0, first) }
                let group = relationships.contains(name: first) || isMissing && isDeclared ? "relationships" : "attributes"
                return JSONPointer(tokens: place + [group] + pointer.tokens)
            }
        }
    }

    /// Writes the members of the flat object to their places.
    public func encode(to encoder: any Encoder) throws {
        let schema = Self.activeSchema(in: SchemaSet(in: encoder.userInfo))
        let session = (encoder as? ResourceEncoder)?.session
        let (object, absent) = try schema.encode(
            self, for: encoder, notingAbsent: session?.clearsRelationships == true, names: ["id"] + Self.relationshipNames)
        var flat = object
        guard let session else { return try flat.encode(to: encoder) }
        let members = SchemaMembers(Self.self, schema, writesAll: session.writesAll)
        session.nameCheck?.note(members, session)
        if session.absentFields == .named {
            for name in schema.representedFields.compactMap(\.paths.all.first?.segments.first)
            where !flat.contains(name: name) && !members.isRelationship(name) { flat.append(name: name, value: .null) }
            if Self.self is any RestrictedFields.Type {
                session.extras.alternatives += schema.alternativeNames.map { AlternativePlaces(name: $0, fields: $1) }
            }
        }
        try session.write(flat, members, absent: absent)
    }

    /// The names of the relationships of which the schema only reads something. No client knows them.
    package static func hiddenRelationships(_ schemas: SchemaSet?) -> [String] {
        activeSchema(in: schemas).hiddenNames.filter { name in relationshipNames.contains { UTF8Bytes.areEqual($0, name) } }
    }

    /// Returns the schema of the type in a set, or else the type's own.
    static func activeSchema(in schemas: SchemaSet?) -> MappingSchema<Self> { schemas?.schema(for: Self.self) ?? Self.schema }
}

extension EncodingSession {
    /// Writes the flat object of a resource with a schema. The names stay as they are.
    ///
    /// - Parameter absent: The paths of members that a patch leaves as they are.
    func write(_ flat: JSONObject, _ members: SchemaMembers, absent: [[String]] = []) throws {
        var map = ResourceEncodingContainer<Key>(ResourceEncoder(self))
        for member in flat where !UTF8Bytes.areEqual(member.name, "id") {
            if members.isRelationship(member.name) {
                try map.encodeIfPresent(relationship(member.value, member.name), forKey: .exact(["relationships", member.name]))
            } else {
                try map.encode(member.value, forKey: .exact(["attributes", member.name]))
            }
        }
        // When a patch compares values, a relationship that the schema did not write is nil.
        let unset = Set(absent.lazy.compactMap(\.first).map { ByteText($0) })
        for path in absent { noteAbsent(at: [path.first.map(members.isRelationship) == true ? "relationships" : "attributes"] + path) }
        for name in members.relationships where clearsRelationships && !flat.contains(name: name) && !unset.contains(ByteText(name)) {
            try map.encodeIfPresent(RelationshipObject?.none, forKey: .exact(["relationships", name]))
        }
        if !members.parts.isEmpty { extras.partsOfSchema = members.parts }
    }

    /// Returns the relationship object of a schema; nil for null. Throws for every other value, which must not become an attribute.
    private func relationship(_ value: JSON, _ name: String) throws -> RelationshipObject? {
        if value.isNull { return nil }
        if let object = value.object { return RelationshipObject(members: object) }
        return try edge {
            throw failure(
                .wrongPlace, at: ["relationships", name], expected: "a relationship object", found: value.kindName,
                advice: "map the linkage at the path `\(name).data`")
        }
    }
}

extension ResourceDecoder {
    /// Whether the resource is the first of the document.
    fileprivate var isPrimary: Bool { ordinal == 0 && session.document.index.primaryCount > 0 }

    /// Returns the identity, the attributes and the known relationship objects as members of one object, and separately the relationship
    /// objects in it. When names are equal, the attribute is used.
    fileprivate func flatObject(isKnownRelationship: (String) -> Bool) throws -> (flat: JSONObject, relationships: JSONObject) {
        let entry = session.entries[ordinal]
        let all = try object(at: Int(entry.relationships), .relationships())
        let attributes = try object(at: Int(entry.attributes), .attributes())
        let known = all.filter { isKnownRelationship($0.name) && !attributes.contains(name: $0.name) }
        let relationships = JSONObject(
            members: known.compactMap { member in session.received(member.value).map { JSONObject.Member(name: member.name, value: $0) } })
        var flat = attributes
        // Of relationships with the same name, the last one counts.
        for member in relationships { flat[member.name] = member.value }
        // A field called `id` is never the identity.
        flat["id"] = try container(keyedBy: Key.self).decodeIfPresent(String.self, forKey: .id).map { .string($0) }
        return (flat, relationships)
    }

    /// Throws when fields read the linkage of a relationship, but not the links that show that it is one page.
    fileprivate func checkWhole(_ relationships: JSONObject, _ paths: @autoclosure () -> [[String]]) throws {
        for (name, relationship) in Relationships(members: relationships) {
            guard relationship.isPage else { continue }
            let read = paths().filter { UTF8Bytes.areEqual($0.first ?? "", name) }
            /// Whether a field reads a member of the relationship, or what is around it or inside.
            func isRead(_ member: String...) -> Bool { read.contains { zip($0.dropFirst(), member).allSatisfy { $0 == $1 } } }
            var seen = RelationshipObject(members: JSONObject(members: relationship.members.filter { isRead($0.name) }))
            if let links = seen.links { seen.links?.members = JSONObject(members: links.members.filter { isRead("links", $0.name) }) }
            guard isRead("data"), !seen.isPage, let word = session.relationship(name, of: ordinal) else { continue }
            try session.edge(codingPath, JSONObject.self) { try session.checkWhole(RelationshipEntry(session.view, at: word)) }
        }
    }

    /// Returns the object at a word of the tape; an empty one when it is missing or null. The container throws the error for everything
    /// else.
    private func object(at word: Int, _ key: Key) throws -> JSONObject {
        if word == 0 || session.view.isNull(word) { return JSONObject() }
        if session.view.isObject(word) { return session.view.object(at: word) }
        return try container(keyedBy: Key.self).decode(JSONObject.self, forKey: key)
    }
}

extension ErrorObject {
    /// Creates an error object with status 422 for a problem that a schema or a rewriter found.
    ///
    /// The pointer of an error object must refer to a value that exists. For a missing member it refers to the object around it. With
    /// `document`, it refers to the nearest value around it that exists:
    ///
    /// ```swift
    /// ErrorObject(issue, in: document).source?.pointer    // /data, when there are no attributes
    /// ```
    ///
    /// `document` is the value that the pointer of the issue refers to; nil, the default, when it is not available.
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
