import JSONText

/// The members that the specification defines for each kind of object. Any other is banned, @-members and those of extensions aside.
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
    /// What names a resource.
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

/// Whose links they are: it decides which names are defined.
///
/// <https://jsonapi.org/format/1.1/#document-links>
package enum LinksPlace: Sendable {
    /// `data`: the word of the primary data, 0 for none.
    case document(data: Int)
    case resource
    /// `data`: the word of its linkage, 0 for none.
    case relationship(data: Int)
    case error

    /// The names of links that are defined there.
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

    /// The word of the data that the links stand beside, 0 for none.
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
    /// Whether an attribute or relationship of that name would be taken for the resource's own type or id. Asked for every field, so
    /// without a list.
    ///
    /// <https://jsonapi.org/format/1.1/#document-resource-object-fields>
    @inlinable package func isReservedFieldName(_ name: Int) -> Bool { string(at: name, equals: "type") || string(at: name, equals: "id") }
}
