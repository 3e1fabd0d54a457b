import JSONAPICodec
import JSONText

/// One difference between two documents.
package struct Change: Sendable {
    package enum Kind: Sendable {
        /// Only the second document has the value.
        case added(JSON)
        /// Only the first document has the value.
        case removed(JSON)
        case changed(from: JSON, to: JSON)
        /// The linkage of a to-many relationship changed.
        case relinked(added: [ResourceIdentifier], removed: [ResourceIdentifier])
        /// The same elements are in a different order.
        case reordered
        /// Resources are in a different form. They are compared separately.
        case reshaped(from: Shape, to: Shape)
    }

    /// The form of the resources in a document.
    package enum Shape: String, Sendable {
        case absent, null, one, many
    }

    /// The path from the document or the resource, as the tokens of a JSON Pointer.
    package let path: [String]
    package let kind: Kind
}

/// The differences of one resource.
package struct ChangedResource: Sendable {
    package enum Kind: Sendable {
        case added, removed, changed
    }

    /// The part of a document that contains the resource.
    package enum Place: String, Sendable {
        case data, included
    }

    package let kind: Kind
    /// The resource of the second document; of the first, when it was removed.
    package let resource: ResourceObject
    package let place: Place
    /// The place in the first document, if it differs.
    package var formerPlace: Place?
    /// The changes of a resource that both documents contain.
    package var changes: [Change] = []
}
