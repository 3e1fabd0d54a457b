import JSONAPIRules
import JSONText

// Compound documents: https://jsonapi.org/format/1.1/#document-compound-documents

extension ValidationRule {
    static let includedArray = ValidationRule(
        "document-structure/compound-documents/included-array-of-resources", .must, "document-compound-documents",
        "`included` must be an array of resource objects.")
}

extension DocumentCheck {
    mutating func checkIncluded(_ included: Int) {
        guard view.isArray(included) else {
            hasBrokenLinkage = true
            return reportKind(.includedArray, at: included, "`included`", "an array of resource objects")
        }
        let role: ResourceRole = context.isRequest ? .includedInRequest : .included
        for element in elements(of: included) {
            if view.isObject(element) {
                checkResource(element, role)
            } else {
                reportKind(.includedArray, at: element, "an element of `included`", "a resource object")
            }
        }
    }

    /// Checks all resource objects together: unique identities and full linkage.
    mutating func checkCompoundDocument() {
        guard !resources.entries.isEmpty, !appliesAtomic else { return }
        var identities = IdentityIndex(capacity: resources.entries.count)
        var twins: [Int: [Int]] = [:]
        for (number, entry) in resources.entries.enumerated() where entry.isSound && !isLinkage(entry) {
            guard let first = identities.insert(entry, number: number, view) else { continue }
            twins[first, default: []].append(number)
            resources.markTwin(number)
            refuseTwin(entry)
        }
        guard !context.isRequest, canCheckLinkage else { return }
        var walk = LinkageWalk(view, count: resources.entries.count, twins: twins)
        // The walk also starts at resource objects with an unreadable identity, because resources that they link to are linked.
        for (number, entry) in resources.entries.enumerated() where !entry.isIncluded || !entry.isSound { walk.reach(number) }
        let reachIdentified: (inout LinkageWalk, Int) -> Void = { [view] walk, identifier in
            if let number = identities.number(identifiedBy: identifier, view) { walk.reach(number) }
        }
        for identifier in primaryIdentifiers { reachIdentified(&walk, identifier) }
        walk.run(relationships: { [resources] in resources.entries[$0].relationships }, reachIdentified: reachIdentified)
        let requests = includeWalk(identities)
        checkFullLinkage(walk, isHidden: requests?.isHidden ?? false)
        if let requests { checkRequested(walk, requests) }
    }

    /// Returns whether an object in the primary data may be linkage. It is then not a resource object, and its target may be included.
    private func isLinkage(_ entry: ResourceList.Entry) -> Bool {
        !entry.isIncluded && hasBareData && context.target == nil && !context.isRequest
    }

    private mutating func refuseTwin(_ entry: ResourceList.Entry) {
        // The rule only applies to compound documents.
        let how: RuleFinding.Break = top.included != 0 ? .repeated : .repeatedAlone
        report(Fault(.uniqueResource, how, at: entry.word))
    }

    /// Whether it can be determined which resources are linked.
    private var canCheckLinkage: Bool {
        top.included != 0 && top.data != 0 && hasUsableData && !hasBrokenLinkage && view.isArray(top.included)
    }

    /// The identifiers in the primary data, if it is or may be linkage.
    private var primaryIdentifiers: [Int] {
        guard context.targetsRelationship || (context.target == nil && hasBareData) else { return [] }
        if view.isObject(top.data) { return [top.data] }
        return view.isArray(top.data) ? Array(elements(of: top.data)) : []
    }

    /// Reports included resources that no linkage reaches, unless the request may have excluded the linkage.
    private mutating func checkFullLinkage(_ walk: LinkageWalk, isHidden: Bool) {
        // With `include=`, nothing may be included. `checkRequested` reports that instead.
        if let include = query?.include, include.isEmpty { return }
        guard !isHidden, !mayHideLinkage(walk) else { return }
        for (number, entry) in resources.entries.enumerated()
        where entry.isIncluded && entry.isSound && !entry.isTwin && !walk.isReached(number) {
            report(Fault(.fullLinkage, .missing, at: entry.word))
        }
    }

    /// Returns whether a fieldset may have removed a relationship from a resource that was reached. With `include`, only relationships on
    /// its paths matter.
    ///
    /// - Complexity: O(resources + names in the query).
    private func mayHideLinkage(_ walk: LinkageWalk) -> Bool {
        guard let query, !query.fields.isEmpty else { return false }
        let first = query.include.map { Set($0.compactMap(\.first)) }
        let further = query.include.map { Set($0.flatMap { $0.dropFirst() }) }
        // Whether the fieldset of a type hides a name. Each is compared once, and takes O(fields), because a larger set is no subset.
        let hides = query.fields.mapValues { fields in
            (first: first?.isSubset(of: fields) != true, further: further?.isSubset(of: fields) != true)
        }
        return resources.entries.enumerated().contains { number, entry in
            guard walk.isReached(number), entry.type != 0, let hides = hides[view.textBytes(at: entry.type)] else { return false }
            return entry.isIncluded ? hides.further : hides.first
        }
    }
}
