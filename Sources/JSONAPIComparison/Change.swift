import JSONAPICodec
import JSONText

/// One thing in which two documents differ.
package struct Change: Sendable {
    package enum Kind: Sendable {
        /// It is in the second document only.
        case added(JSON)
        /// It is in the first document only.
        case removed(JSON)
        case changed(from: JSON, to: JSON)
        /// A to-many relationship leads elsewhere.
        case relinked(added: [ResourceIdentifier], removed: [ResourceIdentifier])
        /// The same things stand in another order.
        case reordered
        /// Resources, which are told one by one, stand in another form.
        case reshaped(from: Shape, to: Shape)
    }

    /// In what form resources stand in a document.
    package enum Shape: String, Sendable {
        case absent, null, one, many
    }

    /// The way to it from the document or the resource, as the tokens of a JSON Pointer.
    package let path: [String]
    package let kind: Kind
}

/// What differs about one resource.
package struct ChangedResource: Sendable {
    package enum Kind: Sendable {
        case added, removed, changed
    }

    /// Where a document has the resource.
    package enum Place: String, Sendable {
        case data, included
    }

    package let kind: Kind
    /// The resource of the second document; of the first, when it was removed.
    package let resource: ResourceObject
    package let place: Place
    /// Where the first document had it, if elsewhere.
    package var formerPlace: Place?
    /// What changed about a resource that both documents have.
    package var changes: [Change] = []
}
