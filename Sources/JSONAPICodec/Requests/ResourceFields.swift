/// The attributes and relationships of a resource without an id: one that is to be created, or the changes to one.
///
/// ```swift
/// struct NewArticle: ResourceFields {
///     static let type = "articles"
///     var title: String
///     var author: ToOne<Person>
/// }
/// let body = try JSONAPIEncoder().encode(Create(NewArticle(title: "New", author: ToOne(id: "9"))))
/// ```
///
/// Properties are written to the same places as those of a `Resource`. A property of type `LocalID` is the resource's lid. Encoding throws
/// for a property `id` that is not the id of the request.
///
/// Specification: <https://jsonapi.org/format/1.1/#crud-creating>
public protocol ResourceFields: Encodable, Sendable {
    /// The `type` of the resource.
    static var type: String { get }
}
