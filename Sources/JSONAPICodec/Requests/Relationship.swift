import JSONText

/// A relationship with a name, for bodies that are built without models.
///
/// ```swift
/// Relationship.toOne("author", ResourceIdentifier(type: "people", id: "9"))   // {"author":{"data":{…}}}
/// Relationship.toOne("author", nil)                                           // {"author":{"data":null}}
/// Relationship.toMany("tags", [])                                             // {"tags":{"data":[]}}
/// ```
///
/// Specification: <https://jsonapi.org/format/1.1/#document-resource-object-relationships>
public struct Relationship: Sendable, Hashable {
    /// The relationship's name in the document.
    public var name: String
    /// The resources that it refers to.
    public var data: Linkage

    /// Creates a relationship with the given name and linkage.
    public init(_ name: String, _ data: Linkage) {
        self.name = name
        self.data = data
    }

    /// Returns a to-one relationship; empty when the identifier is nil.
    public static func toOne(_ name: String, _ identifier: ResourceIdentifier?) -> Relationship {
        Relationship(name, identifier.map(Linkage.one) ?? .null)
    }

    /// Returns a to-many relationship, which may be empty.
    public static func toMany(_ name: String, _ identifiers: [ResourceIdentifier]) -> Relationship {
        Relationship(name, .many(identifiers))
    }

    /// Creates the relationship of a model; nil while it is not loaded. For a resource with neither id nor lid, the linkage is absent and
    /// encoding throws.
    public init?<Target>(_ name: String, _ reference: ToOne<Target>) {
        guard reference.isLoaded else { return nil }
        self.init(name, reference.linkage == .unidentified ? .absent : reference.data)
    }

    /// Creates the relationship of a model; nil while it is not loaded. When it was edited in that state, is only a page of the list, was
    /// assigned as an array that a patch refuses (see `Embedded`), or has a resource with neither id nor lid, the linkage is absent and
    /// encoding throws.
    public init?<Target>(_ name: String, _ references: ToMany<Target>) {
        guard references.isLoaded || references.isEditedUnloaded || references.hasUnidentified else { return nil }
        self.init(name, references.hasUnidentified || references.isPage || references.isAssigned ? .absent : references.data)
    }

    /// The relationship as a JSON object whose only member has its name; nil when its linkage is absent.
    public var json: JSON? { data.json.map { [name: ["data": $0]] } }
}

extension Relationships {
    /// Creates relationships in order. When two have the same name, the last is used.
    public init(_ relationships: [Relationship]) {
        self.init(members: JSONObject())
        for relationship in relationships { self[relationship.name] = RelationshipObject(data: relationship.data.withoutUnknownMembers) }
    }
}
