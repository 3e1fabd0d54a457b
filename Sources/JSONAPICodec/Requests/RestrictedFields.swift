import JSONMapping
import JSONText

/// A resource with fields that clients must not write.
///
/// ```swift
/// struct Article: Resource, RestrictedFields {
///     static let type = "articles"
///     static let readOnlyFields = ["createdAt"]       // only the server sets it
///     static let createOnlyFields = ["slug"]          // it never changes
///     var id: String
///     var title: String
///     var slug: String
///     var createdAt: Date
/// }
/// ```
///
/// `Create` leaves out the read-only fields, and `Patch` those of both kinds, even when a request sets them by name. A server rejects them:
/// `Changes` and `ReceivedOperation` of the module JSONAPIReceiving, which JSONAPIHTTP exports, throw an error with status 403. Responses
/// contain all fields.
///
/// A field is a whole attribute or relationship. For a property at a path, such as `attributes.address.city`, name the attribute `address`: it
/// is then restricted with all its members. The names `city` and `address.city` restrict nothing, so a server that uses one of them throws
/// `EncodingError`, which is status 500, for every request that it decodes with `decodeNew` or applies with `Changes`. Meta is not a field:
/// the names `meta`, `revision`, and `meta.revision` for the key `meta.revision` are such errors, too, if the model has a value there.
///
/// The other places from which a property with `@Alternatives` is read are restricted with it, also in meta. So are the attributes from which
/// a schema reads the property, by other paths or by another field. This is so even if another property has one of these names. Names that
/// only a hand-written `init(from:)` knows are not restricted: name them here as well. Nor is the attribute of a field that has the restricted
/// property as a part, such as that of `\.part` beside `\.part.role`.
///
/// Specification: <https://jsonapi.org/format/1.1/#crud-updating-responses-403>
public protocol RestrictedFields: Resource {
    /// The attributes and relationships that only the server writes, by their names in the document, or as Swift properties: with the key
    /// strategies for kebab-case and snake_case, `createdAt` also names `created-at` and `created_at`. For a property with a coding key of
    /// its own, the name in the document. A name that the model does not have restricts nothing. Empty by default.
    static var readOnlyFields: [String] { get }
    /// The attributes and relationships that a client writes only when it creates the resource, by the same names. Empty by default.
    static var createOnlyFields: [String] { get }
}

extension RestrictedFields {
    /// Empty by default.
    public static var readOnlyFields: [String] { [] }
    /// Empty by default.
    public static var createOnlyFields: [String] { [] }
}

/// The fields that a request for a model must not contain.
package enum FieldRestriction {
    /// Returns the fields that `Create` leaves out.
    package static func whenCreating<Model>(_ model: Model.Type) -> [String] {
        (model as? any RestrictedFields.Type).map { inDocument($0.readOnlyFields) } ?? []
    }

    /// Returns the fields that `Patch` leaves out.
    package static func whenUpdating<Model>(_ model: Model.Type) -> [String] {
        guard let model = model as? any RestrictedFields.Type else { return [] }
        return inDocument(model.readOnlyFields + model.createOnlyFields)
    }

    /// Returns the names, and those that the key strategies make of them. Whoever compares them with a document need not know its strategy.
    package static func inDocument(_ names: [String]) -> [String] {
        let made = [KeyStrategy.kebabCase, .snakeCase].flatMap { strategy in names.map { strategy.memberName($0) } }
        return names + made.filter { name in !names.contains { UTF8Bytes.areEqual($0, name) } }
    }
}

extension ResourceObject {
    /// Removes the attributes and relationships with the given names. Also removes their object if nothing is left of it.
    package mutating func removeFields(_ names: [String]) {
        if names.isEmpty { return }
        for name in names {
            if self[attribute: name] != nil { self[attribute: name] = nil }
            if self[relationship: name] != nil { self[relationship: name] = nil }
        }
        if attributes?.isEmpty == true { attributes = nil }
        if relationships?.members.isEmpty == true { relationships = nil }
    }
}
