/// The role of a resource object in a document, which determines the members that it requires.
package enum ResourceRole: Sendable {
    case response
    case included
    /// The resource that a request creates.
    case create
    /// The resource that a request updates.
    case update
    /// A resource in the `included` member of a request.
    case includedInRequest
    /// The resource of an operation.
    case added, updated

    package var isIncluded: Bool { self == .included || self == .includedInRequest }

    /// Whether a client sends the resource object.
    package var isOfRequest: Bool { self != .response && self != .included }

    /// The rule that a resource object without `type` breaks.
    var typeRule: Rule {
        switch self {
        case .create: .creationType
        case .update, .updated: .updateIdentity
        case .added: .operationType
        case .response, .included, .includedInRequest: .resourceType
        }
    }

    /// The rule that a resource object without `id` breaks, or nil if `id` is optional.
    var idRule: Rule? {
        switch self {
        case .response, .included: .resourceID
        case .update, .updated: .updateIdentity
        case .create, .includedInRequest, .added: nil
        }
    }

    /// The rule that a relationship without `data` breaks, or nil if `data` is optional.
    var relationshipRule: Rule? {
        switch self {
        case .create, .added: .creationRelationship
        case .update, .updated: .updateRelationship
        case .response, .included, .includedInRequest: nil
        }
    }
}
