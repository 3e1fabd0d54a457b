import JSONAPIRules
import JSONText

// Compound documents: https://jsonapi.org/format/1.1/#document-compound-documents

extension ValidationRule {
    static let includedArray = ValidationRule(
        "document-structure/compound-documents/included-array-of-resources", .must, "document-compound-documents",
        "`included` is an array of resource objects.")
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

    /// What holds for all resource objects together: no identity twice, and full linkage.
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
        guard !context.isRequest, canJudgeLinkage else { return }
        var walk = LinkageWalk(view, count: resources.entries.count, twins: twins)
        // From a resource object whose identity cannot be read as well: what it links to is no island.
        for (number, entry) in resources.entries.enumerated() where !entry.isIncluded || !entry.isSound { walk.reach(number) }
        let reachIdentified: (inout LinkageWalk, Int) -> Void = { [view] walk, identifier in
            if let number = identities.number(identifiedBy: identifier, view) { walk.reach(number) }
        }
        for identifier in primaryIdentifiers { reachIdentified(&walk, identifier) }
        walk.run(relationships: { [resources] in resources.entries[$0].relationships }, reachIdentified: reachIdentified)
        checkFullLinkage(walk)
        checkRequested(walk, identities)
    }

    /// Whether a primary resource object may be linkage: then it is no resource object, and what it names may be included.
    private func isLinkage(_ entry: ResourceList.Entry) -> Bool {
        !entry.isIncluded && hasBareData && context.target == nil && !context.isRequest
    }

    private mutating func refuseTwin(_ entry: ResourceList.Entry) {
        // The ban speaks of compound documents.
        let how: RuleFinding.Break = top.included != 0 ? .repeated : .repeatedAlone
        report(Fault(.uniqueResource, how, at: entry.word))
    }

    /// Whether what is linked and what is not can be told at all.
    private var canJudgeLinkage: Bool {
        top.included != 0 && top.data != 0 && hasUsableData && !hasBrokenLinkage && view.isArray(top.included)
    }

    /// Identifiers in the place of primary data.
    private var primaryIdentifiers: [Int] {
        guard context.targetsRelationship || (context.target == nil && hasBareData) else { return [] }
        if view.isObject(top.data) { return [top.data] }
        return view.isArray(top.data) ? Array(elements(of: top.data)) : []
    }

    /// An included resource that nothing links to, unless the linkage may have been left out by request.
    private mutating func checkFullLinkage(_ walk: LinkageWalk) {
        // With `include=`, nothing at all may be included, and that is what is reported.
        if let include = query?.include, include.isEmpty { return }
        guard !mayHideLinkage(walk) else { return }
        for (number, entry) in resources.entries.enumerated()
        where entry.isIncluded && entry.isSound && !entry.isTwin && !walk.isReached(number) {
            report(Fault(.fullLinkage, .missing, at: entry.word))
        }
    }

    /// Whether a resource that was reached has a type whose fields were restricted, such that a relationship may be missing: any
    /// one without `include`, else one on its paths.
    private func mayHideLinkage(_ walk: LinkageWalk) -> Bool {
        guard let query, !query.fields.isEmpty else { return false }
        let first = query.include.map { Set($0.compactMap(\.first)) }
        let further = query.include.map { Set($0.flatMap { $0.dropFirst() }) }
        for (number, entry) in resources.entries.enumerated() where walk.isReached(number) && entry.type != 0 {
            guard let fields = query.fields[view.textBytes(at: entry.type)] else { continue }
            guard let names = entry.isIncluded ? further : first else { return true }
            if !names.isSubset(of: fields) { return true }
        }
        return false
    }
}
