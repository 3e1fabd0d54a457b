/// Where a resource object stands, which decides what it needs.
package enum ResourceRole: Sendable {
    case response
    case included
    /// The resource that a request creates.
    case create
    /// The resource that a request updates.
    case update
    /// A resource in `included` of a request.
    case includedInRequest
    /// The resource of an operation.
    case added, updated

    package var isIncluded: Bool { self == .included || self == .includedInRequest }

    /// Whether it is sent by a client.
    package var isOfRequest: Bool { self != .response && self != .included }

    /// The rule that is broken without `type`.
    var typeRule: Rule {
        switch self {
        case .create: .creationType
        case .update, .updated: .updateIdentity
        case .added: .operationType
        case .response, .included, .includedInRequest: .resourceType
        }
    }

    /// The rule that is broken without `id`; nil when it may be missing.
    var idRule: Rule? {
        switch self {
        case .response, .included: .resourceID
        case .update, .updated: .updateIdentity
        case .create, .includedInRequest, .added: nil
        }
    }

    /// The rule that is broken by a relationship without `data`; nil when it may be missing.
    var relationshipRule: Rule? {
        switch self {
        case .create, .added: .creationRelationship
        case .update, .updated: .updateRelationship
        case .response, .included, .includedInRequest: nil
        }
    }
}
