import JSONText

/// A finding of a `RuleCheck` in a part of a document. The caller determines the consequences.
package struct RuleFinding: Sendable {
    package enum Content: Sendable {
        /// A value breaks a rule.
        case broken(Rule, Break)
        /// A member that the specification does not define for the object: an extension member, an @-member, or an unknown member.
        case other(DefinedObject)
        /// A value of `meta`, which the caller checks.
        case meta(MetaPlace)
        /// The URI of an extension.
        case extensionURI
        /// A member of an extension among attributes or relationships.
        case extensionField
        /// An identifier in a request that has `lid` but no `id`.
        case localIdentifier
        /// An identifier that repeats an earlier one in its relationship.
        case repeatedIdentifier
    }

    /// How a rule is broken.
    package enum Break: Sendable {
        /// The value has the wrong JSON type. There are separate cases for null and for an empty array instead of an object, and for null
        /// in an error object.
        case kind, null, nullInError, emptyArray
        /// An element has the wrong JSON type.
        case element
        /// A required member is missing.
        case missing
        /// A string has an invalid value, or is empty.
        case text, empty
        /// A value is repeated. `repeatedAlone` is for a document without `included`, for which the standard has no rule.
        case repeated, repeatedAlone
        /// The name of an attribute, a relationship or a member of `meta` is invalid.
        case attribute, relationship, metaName
        /// An attribute or a relationship may be a member of an extension that the document applies, but whose namespace is unknown.
        case unknownExtension

        // Identities.

        /// `type`, `id` or `lid` has the wrong JSON type. There are separate cases for an `id` that is null or an integer.
        case type, id, lid, nullID, integerID
        /// `id` is missing; both `id` and `lid` are missing where one is required; both `type` and `id` are missing.
        case missingID, missingIdentity, missingBoth
        /// There is only `lid` where `id` is required.
        case lidInstead
        /// There are both `lid` and `id`, in a request or in a response.
        case lidBesideID, lidBesideIDInResponse
        /// There is only `lid`, in a response.
        case lidInResponse
        /// An update in atomic operations identifies the resource by `lid`.
        case updateByLid

        // Relationships.

        /// Linkage does not have the form of a to-one relationship, or of a to-many relationship.
        case notOne, notMany
        /// There is an identifier instead of the relationship object that should contain it.
        case unwrapped
        /// Members are not allowed together, or links without `self` and `related` accompany other members.
        case beside
        /// An included resource is not linked, but a sparse fieldset may have excluded the linkage, or the document is not a response.
        case excused
    }

    package let content: Content
    /// The index of the value, or of the object in which a member is missing.
    package let word: Int
    /// The index of the value's name if it matters, or else 0.
    package let name: Int
    /// The index of the innermost independent part that contains the value. A reader that tolerates the first finding in a part skips the
    /// others in the same part.
    package let part: Int
    /// Whether the value is an element of linkage, or in one.
    package let isInElement: Bool
}

extension RuleFinding.Break {
    /// Creates the case for an id that is not a string.
    package init(ofID id: Int, _ view: TapeView) { self = view.isNull(id) ? .nullID : view.isInteger(id) ? .integerID : .id }
}

/// The place of a meta object. Some profiles have rules for it.
package enum MetaPlace: Sendable {
    /// A document or a relationship, which can be a page of a collection.
    case collection
    /// A resource object or identifier.
    case item
    case error
    case other
}

/// A kind of object that the specification defines.
///
/// <https://jsonapi.org/format/1.1/#document-structure>
package enum DefinedObject: Sendable {
    case document, jsonapi, resource, identifier, relationship, link, error, errorSource
    /// An identifier instead of a relationship object.
    case unwrappedIdentifier
    case links(LinksPlace)

    /// The names of the members that the specification defines for the object.
    package var names: [StaticString] {
        switch self {
        case .document: DefinedMembers.document
        case .jsonapi: DefinedMembers.jsonapi
        case .resource: DefinedMembers.resource
        case .identifier: DefinedMembers.identifier
        case .relationship, .unwrappedIdentifier: DefinedMembers.relationship
        case .link: DefinedMembers.link
        case .error: DefinedMembers.error
        case .errorSource: DefinedMembers.errorSource
        case .links(let place): place.names
        }
    }
}
