import JSONText

/// A resource some of whose fields clients do not write, declared once.
///
/// ```swift
/// struct Article: Resource, RestrictedFields {
///     static let type = "articles"
///     static let readOnlyFields = ["createdAt"]       // the server computes it
///     static let createOnlyFields = ["slug"]          // it never changes
///     var id: String
///     var title: String
///     var slug: String
///     var createdAt: Date
/// }
/// ```
///
/// `Create` leaves the read-only fields out, `Patch` those of both kinds, however they came into it. A server refuses them: `Changes` and
/// `ReceivedOperation` of the module JSONAPIHTTP throw an error with status 403. Responses have all fields.
///
/// Specification: <https://jsonapi.org/format/1.1/#crud-updating-responses-403>
public protocol RestrictedFields: Resource {
    /// Attributes and relationships that only the server writes, by their names in the document: none by default.
    static var readOnlyFields: [String] { get }
    /// Attributes and relationships that a client writes when it creates the resource, and never again: none by default.
    static var createOnlyFields: [String] { get }
}

extension RestrictedFields {
    /// None.
    public static var readOnlyFields: [String] { [] }
    /// None.
    public static var createOnlyFields: [String] { [] }
}

/// The fields that a request must not have, by the model.
package enum FieldRestriction {
    /// Those that `Create` leaves out.
    package static func whenCreating<Model>(_ model: Model.Type) -> [String] {
        (model as? any RestrictedFields.Type)?.readOnlyFields ?? []
    }

    /// Those that `Patch` leaves out.
    package static func whenUpdating<Model>(_ model: Model.Type) -> [String] {
        guard let model = model as? any RestrictedFields.Type else { return [] }
        return model.readOnlyFields + model.createOnlyFields
    }
}

extension Patch {
    public var _restrictedFields: [String] { FieldRestriction.whenUpdating(Model.self) }
}
