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
/// loaded. An array is nil when any of its resources is not available, unless the decoder's `missingResources` is `omit`. The projected
/// value, `$author`, is the `ToOne` or `ToMany`. It tells these states apart, and encoding writes it. Therefore a document that is decoded
/// and encoded keeps its links, and models may refer to each other in cycles.
///
/// Setting a resource links to it. Setting nil removes the link of a to-one relationship, and makes a to-many relationship not loaded; set
/// an empty array to remove all links. The links and meta of the relationship stay. A model that is created with nil has a relationship
/// that is not loaded. Editing one element of an array sets all of them: each is then encoded from its value, without the members that
/// the model does not have.
///
/// A new array in place of one that reads as nil, as in `article.comments = (article.comments ?? []) + [new]`, lacks the links that the
/// server has. If the model was decoded, a patch with such an array therefore throws, also if the document did not mention the relationship.
/// Everything else encodes it. To say that it is the whole list, assign `article.$comments = ToMany(comments)`; to add to the links that
/// are known, use `article.$comments.append(new)`. An empty array in place of nil is sent: it removes all links. The property knows this
/// until the model is encoded, and is a usual one when it is decoded again.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-resource-object-relationships>
@propertyWrapper public struct Embedded<Reference: EmbeddableReference>: Sendable, Hashable, Codable {
    /// The relationship.
    public var projectedValue: Reference

    /// The related resources; nil when they are not available.
    public var wrappedValue: Reference.Embedded {
        get { projectedValue.embedded }
        set { projectedValue.embedded = newValue }
        _modify { yield &projectedValue.embedded }
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

/// A relationship whose resources `@Embedded` can show as values: `ToOne` and `ToMany`.
///
/// Reading throws `DecodingError` for a relationship that the reference cannot read, and with any decoder except `JSONAPIDecoder`. Types of
/// your own have no reason to conform.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-resource-object-relationships>
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

    /// The resource; nil when it is not available. Setting nil removes the link. The links and meta of the relationship stay, and so does
    /// the meta of the identifier while the resource is the same.
    public var embedded: Target? {
        get { value }
        set {
            guard let newValue else {
                parts = ToOneParts(.empty, details: details)
                return
            }
            let linked = newValue.identifier.map { new in
                identifier.flatMap { $0.isSameResource(as: new, for: Target.self) ? $0 : nil } ?? new
            }
            parts = ToOneParts(linked.map(ToOneState.identifier) ?? .unidentified, details: details, target: ValueCell(given: newValue))
        }
        _modify {
            var resource = embedded
            let wasAvailable = resource != nil
            // An optional chain over a resource that is not available must not remove the link.
            defer { if wasAvailable || resource != nil { embedded = resource } }
            yield &resource
        }
    }
}

extension ToMany: EmbeddableReference {
    /// Creates a relationship to the given resources; not loaded for nil.
    public init(embedding resources: [Target]?) { self = resources.map { ToMany($0) } ?? .notLoaded }

    /// The resources; nil unless all of them are available. Setting nil makes the relationship not loaded, and an empty array removes all
    /// links. The links and meta of the relationship stay, except links to other pages, and so do the identifiers of resources that were
    /// linked before. The links to resources that the decoder left out stay when you edit the array in place or set another one, except
    /// when you set an empty array in place of one with resources. `Embedded` says when a patch refuses an array that was set.
    ///
    /// - Complexity: O(n) for each change of an element. To change many elements, edit a copy of the array and set it once.
    public var embedded: [Target]? {
        get { allValues }
        // An empty array in place of an empty one is no change.
        set {
            embed(newValue, keepsOmitted: newValue?.isEmpty == false || identifiers?.isEmpty == true, wereAvailable: allValues != nil)
        }
        _modify {
            var resources = embedded
            let wereAvailable = resources != nil
            // An optional chain over resources that are not available must not drop the identifiers.
            defer { if wereAvailable || resources != nil { embed(resources, keepsOmitted: true, wereAvailable: wereAvailable) } }
            yield &resources
        }
    }

    /// Links to the given resources. Identifiers of resources that were linked before stay as they are.
    ///
    /// - Parameters:
    ///   - keepsOmitted: Whether the links that the decoder left out stay.
    ///   - wereAvailable: Whether the program could see the resources that were linked before.
    private mutating func embed(_ resources: [Target]?, keepsOmitted: Bool, wereAvailable: Bool) {
        let old = parts
        self = ToMany(embedding: resources)
        parts.details = old.isPage ? old.details?.withoutPages : old.details
        parts.isRead = old.isRead || old.identifiers != nil
        guard let resources else { return }
        // An array without what was not available would delete it.
        parts.isAssigned = old.isAssigned || !wereAvailable && parts.isRead && !resources.isEmpty
        if keepsOmitted { parts.omitted = old.omitted }
        let known = Dictionary((old.identifiers ?? []).map { ($0.key(for: Target.self), $0) }) { first, _ in first }
        parts.identifiers = parts.identifiers?.map { known[$0.key(for: Target.self)] ?? $0 }
    }
}
