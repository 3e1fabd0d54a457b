/// A relationship whose resources are used like values, and which keeps everything that the document says about it.
///
/// ```swift
/// struct Article: Resource {
///     static let type = "articles"
///     var id: String
///     @Embedded<ToOne<Person>> var author: Person? = nil
///     @Embedded<ToMany<Comment>> var comments: [Comment]? = nil
/// }
/// article.author?.firstName       // nil when the document does not include the author
/// article.$author.identifier      // the author's identifier, also when the author is not included
/// article.$author.links           // the links of the relationship
/// ```
///
/// The property is nil when a resource is not available: when the document does not include it, and when the relationship is empty or not
/// loaded. An array is nil when any of its resources is not available. The projected value, `$author`, is the `ToOne` or `ToMany`. It tells
/// these states apart, and encoding writes it. Therefore nothing is lost when a document is decoded and encoded, and models may refer to
/// each other in cycles.
///
/// Setting a resource links to it. Setting nil removes the link of a to-one relationship, and makes a to-many relationship not loaded; set
/// an empty array to remove all links. The links and meta of the relationship stay. A model that is created with nil has a relationship
/// that is not loaded.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-resource-object-relationships>
@propertyWrapper public struct Embedded<Reference: EmbeddableReference>: Sendable, Hashable, Codable {
    /// The relationship.
    public var projectedValue: Reference

    /// The related resources; nil when they are not available.
    public var wrappedValue: Reference.Embedded {
        get { projectedValue.embedded }
        set { projectedValue.embedded = newValue }
    }

    /// Creates a relationship to the given resources; not loaded for nil.
    public init(wrappedValue: Reference.Embedded) { projectedValue = Reference(embedding: wrappedValue) }

    /// Creates a property from a relationship.
    public init(projectedValue: Reference) { self.projectedValue = projectedValue }

    /// Throws `DecodingError`, because only `JSONAPIDecoder` reads references.
    public init(from decoder: any Decoder) throws { self.init(projectedValue: try Reference(from: decoder)) }

    /// Writes the relationship object.
    public func encode(to encoder: any Encoder) throws { try projectedValue.encode(to: encoder) }
}

/// `ToOne` and `ToMany`, for `Embedded`.
public protocol EmbeddableReference: Codable, Sendable, Hashable {
    /// The related resources: `Person?`, or `[Person]?`.
    associatedtype Embedded
    /// Creates a relationship to the given resources; not loaded for nil.
    init(embedding resources: Embedded)
    /// The related resources; nil when they are not available.
    var embedded: Embedded { get set }
}

extension ToOne: EmbeddableReference {
    /// Creates a relationship to the given resource; not loaded for nil.
    public init(embedding resource: Target?) { self = resource.map { ToOne($0) } ?? .notLoaded }

    /// The resource; nil when it is not available. Setting nil removes the link, and keeps the links and meta of the relationship.
    public var embedded: Target? {
        get { value }
        set {
            let details = details
            self = newValue.map { ToOne($0) } ?? .empty
            if let details { parts = parts.with(details) }
        }
    }
}

extension ToMany: EmbeddableReference {
    /// Creates a relationship to the given resources; not loaded for nil.
    public init(embedding resources: [Target]?) { self = resources.map { ToMany($0) } ?? .notLoaded }

    /// The resources; nil unless all of them are available. Setting nil makes the relationship not loaded. The links and meta of the
    /// relationship stay.
    public var embedded: [Target]? {
        get { allValues }
        set {
            let details = details
            self = ToMany(embedding: newValue)
            if let details { parts.details = details }
        }
    }
}
