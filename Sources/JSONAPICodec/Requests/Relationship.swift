import JSONText

/// A relationship given by name, for bodies that are built without models.
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
    /// What it leads to.
    public var data: Linkage

    /// A relationship of that name and linkage.
    public init(_ name: String, _ data: Linkage) {
        self.name = name
        self.data = data
    }

    /// A to-one relationship; nil links to nothing.
    public static func toOne(_ name: String, _ identifier: ResourceIdentifier?) -> Relationship {
        Relationship(name, identifier.map(Linkage.one) ?? .null)
    }

    /// A to-many relationship, maybe to nothing.
    public static func toMany(_ name: String, _ identifiers: [ResourceIdentifier]) -> Relationship {
        Relationship(name, .many(identifiers))
    }

    /// The relationship of a model; nil while it is not loaded.
    public init?<Target>(_ name: String, _ reference: ToOne<Target>) {
        guard reference.data != .absent else { return nil }
        self.init(name, reference.data)
    }

    /// The relationship of a model; nil while it is not loaded. One that was edited all the same has no linkage: encoding throws.
    public init?<Target>(_ name: String, _ references: ToMany<Target>) {
        guard references.isLoaded || references.isEditedUnloaded else { return nil }
        self.init(name, references.data)
    }

    /// The relationship as a JSON object with its name as the one member; nil when its linkage is absent.
    public var json: JSON? { data.json.map { [name: ["data": $0]] } }
}

extension Relationships {
    /// All of them in one object, in order; of two with one name the later wins.
    public init(_ relationships: [Relationship]) {
        self.init(members: JSONObject())
        for relationship in relationships { self[relationship.name] = RelationshipObject(data: relationship.data.withoutFields) }
    }
}
