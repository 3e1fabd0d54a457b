/// What a look at a part of a document found, as a value: whoever asked decides what follows from it.
package struct RuleFinding: Sendable {
    package enum Content: Sendable {
        /// A value breaks a rule.
        case broken(Rule, Break)
        /// A member that the specification does not define in that object: of an extension, an @-member, or one too many.
        case other(name: Int, DefinedObject)
        /// A links object that belongs to an error, to be looked into.
        case links
        /// What should be a meta object, of an error or of another object.
        case errorMeta, meta
        /// The URI of an extension.
        case extensionURI
    }

    /// How a rule is broken.
    package enum Break: Sendable {
        /// A value of another JSON type.
        case kind
        /// An element of another JSON type.
        case element
        /// A member that has to be there is not.
        case missing
        /// A string that does not say what it has to.
        case text
        /// What may stand once only stands again.
        case repeated
    }

    package let content: Content
    /// The value that it is about; for a missing member, the object that should have it.
    package let word: Int
    /// The innermost part around it that stands by itself: a reader that tolerates the first finding in a part skips the others there.
    package let part: Int
}

/// An object that the specification defines, with the members that it may have.
///
/// <https://jsonapi.org/format/1.1/#document-structure>
package enum DefinedObject: Sendable {
    case document, jsonapi, resource, identifier, relationship, link, error, errorSource
    case links(LinksPlace)

    /// The names of its members.
    package var names: [StaticString] {
        switch self {
        case .document: DefinedMembers.document
        case .jsonapi: DefinedMembers.jsonapi
        case .resource: DefinedMembers.resource
        case .identifier: DefinedMembers.identifier
        case .relationship: DefinedMembers.relationship
        case .link: DefinedMembers.link
        case .error: DefinedMembers.error
        case .errorSource: DefinedMembers.errorSource
        case .links(let place): place.names
        }
    }
}
