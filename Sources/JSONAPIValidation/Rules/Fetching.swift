import JSONAPIRules
import JSONText

// Responses to requests that fetch: https://jsonapi.org/format/1.1/#fetching

extension ValidationRule {
    static let singlePrimaryData = ValidationRule(
        "fetching/resources/single-primary-data", .must, "fetching-resources-responses-200",
        "The primary data of one resource is a resource object or null.")
    static let includedPresent = ValidationRule(
        "fetching/includes/response-has-included", .must, "fetching-includes",
        "With `include` in the request, the response has `included`, if need be an empty array.")
    static let nothingUnrequested = ValidationRule(
        "fetching/includes/no-unrequested", .mustNot, "fetching-includes",
        "With `include` in the request, nothing is included that was not asked for.")
    static let fieldset = ValidationRule(
        "fetching/sparse-fieldsets/no-additional-fields", .mustNot, "fetching-sparse-fieldsets",
        "With a sparse fieldset for a type, its resources have no other fields.")

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

    /// Included resources that are linked, but by no path of `include`.
    mutating func checkRequested(_ walk: LinkageWalk, _ identities: IdentityIndex) {
        guard let query, let include = query.include, let paths = RequestedPaths(include) else { return }
        var requests = IncludeWalk(view, resources, identities, paths, query)
        requests.run(from: requestedIdentifiers)
        guard !requests.isUncertain else { return }
        for (number, entry) in resources.entries.enumerated()
        where entry.isIncluded && entry.isSound && !entry.isTwin && !requests.requested[number]
            && (walk.isReached(number) || include.isEmpty)
        {
            report(.nothingUnrequested, at: entry.word, "an included resource that `include` did not ask for", "leave it out")
        }
    }

    /// Primary identifiers, when a path of `include` begins with the relationship they are of.
    private var requestedIdentifiers: [Int] {
        guard context.targetsRelationship || (context.target == nil && hasBareData), query?.include?.isEmpty == false else { return [] }
        if view.isObject(top.data) { return [top.data] }
        return view.isArray(top.data) ? Array(elements(of: top.data)) : []
    }
}

// MARK: - Sparse fieldsets

extension DocumentCheck {
    /// The fields of a resource in a response.
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
                report(.fieldset, at: value, "a field that the request's `fields` for this type does not list", "leave it out")
            }
        }
    }
}
