import JSONText

/// The members that the specification defines for each kind of object. Other members are not allowed, except @-members and extension
/// members.
///
/// <https://jsonapi.org/format/1.1/#document-structure>
package enum DefinedMembers {
    /// <https://jsonapi.org/format/1.1/#document-top-level>
    package static let document: [StaticString] = ["data", "errors", "meta", "links", "jsonapi", "included"]
    /// <https://jsonapi.org/format/1.1/#document-jsonapi-object>
    package static let jsonapi: [StaticString] = ["version", "ext", "profile", "meta"]
    /// <https://jsonapi.org/format/1.1/#document-resource-objects>
    package static let resource: [StaticString] = ["type", "id", "lid", "attributes", "relationships", "links", "meta"]
    /// <https://jsonapi.org/format/1.1/#document-resource-identifier-objects>
    package static let identifier: [StaticString] = ["type", "id", "lid", "meta"]
    /// The members that identify a resource.
    package static let identity: [StaticString] = ["type", "id", "lid"]
    /// <https://jsonapi.org/format/1.1/#document-resource-object-relationships>
    package static let relationship: [StaticString] = ["data", "links", "meta"]
    /// <https://jsonapi.org/format/1.1/#document-links-link-object>
    package static let link: [StaticString] = ["href", "rel", "describedby", "title", "type", "hreflang", "meta"]
    /// <https://jsonapi.org/format/1.1/#error-objects>
    package static let error: [StaticString] = ["id", "links", "status", "code", "title", "detail", "source", "meta"]
    /// <https://jsonapi.org/format/1.1/#error-objects>
    package static let errorSource: [StaticString] = ["pointer", "parameter", "header"]
    /// <https://jsonapi.org/format/1.1/#fetching-pagination>
    package static let paginationLinks: [StaticString] = ["first", "last", "prev", "next"]
}

/// The place of a links object, which determines the defined names.
///
/// <https://jsonapi.org/format/1.1/#document-links>
package enum LinksPlace: Sendable {
    /// The links of a document. `data` is the index of the primary data, or 0 if there is none.
    case document(data: Int)
    case resource
    /// The links of a relationship. `data` is the index of its linkage, or 0 if there is none.
    case relationship(data: Int)
    case error

    /// The names of the links that are defined in this place.
    package var names: [StaticString] {
        switch self {
        case .document: Self.documentNames
        case .resource: Self.resourceNames
        case .relationship: Self.relationshipNames
        case .error: Self.errorNames
        }
    }

    var isOfError: Bool {
        if case .error = self { return true }
        return false
    }

    /// The index of the `data` member next to the links, or 0 if there is none.
    var data: Int {
        switch self {
        case .document(let data), .relationship(let data): data
        case .resource, .error: 0
        }
    }

    private static let documentNames: [StaticString] = ["self", "related", "describedby"] + DefinedMembers.paginationLinks
    private static let resourceNames: [StaticString] = ["self"]
    private static let relationshipNames: [StaticString] = ["self", "related"] + DefinedMembers.paginationLinks
    private static let errorNames: [StaticString] = ["about", "type"]
}

extension TapeView {
    /// Returns whether a field must not have this name, because it is `type` or `id`. It is called for every field, so it does not use
    /// a list.
    ///
    /// <https://jsonapi.org/format/1.1/#document-resource-object-fields>
    @inlinable package func isReservedFieldName(_ name: Int) -> Bool { string(at: name, equals: "type") || string(at: name, equals: "id") }
}
