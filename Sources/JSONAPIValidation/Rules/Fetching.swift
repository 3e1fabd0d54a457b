import JSONAPIRules
import JSONText

// Fetching data: https://jsonapi.org/format/1.1/#fetching

extension ValidationRule {
    static let singlePrimaryData = ValidationRule(
        "fetching/resources/single-primary-data", .must, "fetching-resources-responses-200",
        "The primary data for a single resource must be a resource object or null.")
    static let includedPresent = ValidationRule(
        "fetching/includes/response-has-included", .must, "fetching-includes",
        "A response to a request with `include` must have `included`, which can be an empty array.")
    static let nothingUnrequested = ValidationRule(
        "fetching/includes/no-unrequested", .mustNot, "fetching-includes",
        "A response to a request with `include` must not include resources that were not requested.")
    static let fieldset = ValidationRule(
        "fetching/sparse-fieldsets/no-additional-fields", .mustNot, "fetching-sparse-fieldsets",
        "With a sparse fieldset for a type, its resources must not have other fields.")

    static let fetching = [singlePrimaryData, includedPresent, nothingUnrequested, fieldset]
}

// MARK: - Inclusion

extension DocumentCheck {
    /// <https://jsonapi.org/format/1.1/#fetching-includes>
    mutating func checkIncludes() {
        guard context.kind == .response, query?.include != nil, top.data != 0, top.errors == 0, top.included == 0, !appliesAtomic else {
            return
        }
        report(
            .includedPresent, at: view.root, "a document without `included`, although the request has `include`", "add `\"included\": []`")
    }

    /// Follows the paths of `include`. Returns nil if there are none, or too many.
    func includeWalk(_ identities: IdentityIndex) -> IncludeWalk? {
        guard let query, let include = query.include, let paths = RequestedPaths(include) else { return nil }
        var requests = IncludeWalk(view, resources, identities, paths, query)
        requests.run(from: requestedIdentifiers)
        return requests
    }

    /// Reports included resources that are linked, but not on a path of `include`.
    mutating func checkRequested(_ walk: LinkageWalk, _ requests: IncludeWalk) {
        guard let include = query?.include, !requests.isUncertain else { return }
        for (number, entry) in resources.entries.enumerated()
        where entry.isIncluded && entry.isSound && !entry.isTwin && !requests.requested[number]
            && (walk.isReached(number) || include.isEmpty)
        {
            report(.nothingUnrequested, at: entry.word, "an included resource that `include` does not request", "remove it")
        }
    }

    /// The identifiers in the primary data, if paths of `include` begin with their relationship.
    private var requestedIdentifiers: [Int] {
        guard context.targetsRelationship || (context.target == nil && hasBareData), query?.include?.isEmpty == false else { return [] }
        if view.isObject(top.data) { return [top.data] }
        return view.isArray(top.data) ? Array(elements(of: top.data)) : []
    }
}

// MARK: - Sparse fieldsets

extension DocumentCheck {
    /// Checks the fields of a resource in a response against the requested fieldset.
    ///
    /// <https://jsonapi.org/format/1.1/#fetching-sparse-fieldsets>
    mutating func checkFieldset(_ parts: ResourceParts) {
        guard let query, !query.fields.isEmpty, context.kind == .response, parts.type != 0, view.isString(parts.type) else { return }
        guard let fields = query.fields[view.textBytes(at: parts.type)] else { return }
        for object in [parts.attributes, parts.relationships] where object != 0 && view.isObject(object) {
            for (name, value) in members(of: object) {
                guard !fields.contains(view.textBytes(at: name)), case .legal = MemberName(view, name), !view.isReservedFieldName(name)
                else {
                    continue
                }
                report(.fieldset, at: value, "a field that the `fields` parameter for this type does not list", "remove it")
            }
        }
    }
}
