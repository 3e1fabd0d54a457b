/// What a look at a part of a document found, as a value: whoever asked decides what follows from it.
package struct RuleFinding: Sendable {
    package enum Content: Sendable {
        /// A value breaks a rule.
        case broken(Rule, Break)
        /// A member that the specification does not define in that object: of an extension, an @-member, or one too many.
        case other(DefinedObject)
        /// What should be a meta object, to be looked into.
        case meta(MetaPlace)
        /// The URI of an extension.
        case extensionURI
        /// A member of an extension among attributes or relationships.
        case extensionField
        /// An identifier that names a resource by `lid` alone, in a request.
        case localIdentifier
        /// An identifier that stands in its relationship before.
        case repeatedIdentifier
    }

    /// How a rule is broken.
    package enum Break: Sendable {
        /// A value of another JSON type. In place of an object, null and an empty array have cases of their own, and so has null in an
        /// error object.
        case kind, null, nullInError, emptyArray
        /// An element of another JSON type.
        case element
        /// A member that has to be there is not.
        case missing
        /// A string that does not say what it has to, or says nothing.
        case text, empty
        /// What may stand once only stands again; in a document without `included`, where the standard does not speak of it.
        case repeated, repeatedAlone
        /// The name of an attribute, a relationship, a member of `meta`.
        case attribute, relationship, metaName

        // Of identities.

        /// `type`, `id` or `lid` of another JSON type; an `id` that is null, or an integer.
        case type, id, lid, nullID, integerID
        /// No `id`; neither `id` nor `lid`, where either serves; neither `type` nor `id`.
        case missingID, missingIdentity, missingBoth
        /// `lid` alone, where `id` is needed.
        case lidInstead
        /// `lid` beside `id`: what a client sends, and in a response.
        case lidBesideID, lidBesideIDInResponse
        /// `lid` alone, in a response.
        case lidInResponse
        /// An update that `lid` identifies, inside atomic operations.
        case updateByLid

        // Of relationships.

        /// Linkage of another shape than that of a to-one, or of a to-many relationship.
        case notOne, notMany
        /// An identifier in place of the relationship object that should hold it.
        case unwrapped
        /// Links without `self` and `related` beside other members.
        case beside
        /// An included resource that a sparse fieldset may have unlinked, or of a document that is no response.
        case excused
    }

    package let content: Content
    /// The value that it is about; for a missing member, the object that should have it.
    package let word: Int
    /// The name of the value, where it matters; else 0.
    package let name: Int
    /// The innermost part around it that stands by itself: a reader that tolerates the first finding in a part skips the others there.
    package let part: Int
}

/// What a meta object is about, which a profile may care for.
package enum MetaPlace: Sendable {
    /// The document or a relationship: what may be a page of a collection.
    case collection
    /// A resource object or identifier.
    case item
    case error
    case other
}

/// An object that the specification defines, with the members that it may have.
///
/// <https://jsonapi.org/format/1.1/#document-structure>
package enum DefinedObject: Sendable {
    case document, jsonapi, resource, identifier, relationship, link, error, errorSource
    /// An identifier in place of a relationship object.
    case unwrappedIdentifier
    case links(LinksPlace)

    /// The names of its members.
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
