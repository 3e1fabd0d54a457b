import JSONAPIRules
import JSONText

// Resource identifier objects: https://jsonapi.org/format/1.1/#document-resource-identifier-objects

extension ValidationRule {
    static let identifierType = ValidationRule(
        "document-structure/resource-identifier-objects/type-required", .must, "document-resource-identifier-objects",
        "A resource identifier object has `type`.")
    static let identifierID = ValidationRule(
        "document-structure/resource-identifier-objects/id-required", .must, "document-resource-identifier-objects",
        "A resource identifier object has `id`, unless it stands for a resource yet to be created.")
    static let identifierLocalID = ValidationRule(
        "document-structure/resource-identifier-objects/lid-for-new-resource", .must, "document-resource-identifier-objects",
        "The `lid` of a resource identifier object is that of a new resource.")
    static let identifierIdentityString = ValidationRule(
        "document-structure/resource-identifier-objects/identity-members-are-strings", .must, "document-resource-identifier-objects",
        "`type`, `id` and `lid` of a resource identifier object are strings.")

    static let resourceIdentifiers = [identifierType, identifierID, identifierLocalID, identifierIdentityString]
}

extension DocumentCheck {
    /// An identifier in linkage. Of a request it may have `lid` in place of `id`.
    mutating func checkIdentifier(_ identifier: Int, allowsLocal: Bool) {
        var (type, id, lid) = (0, 0, 0)
        for (name, value) in members(of: identifier) {
            if view.string(at: name, equals: "type") {
                type = value
            } else if view.string(at: name, equals: "id") {
                id = value
            } else if view.string(at: name, equals: "meta") {
                checkMeta(value, of: .item)
            } else if view.string(at: name, equals: "lid") {
                lid = value
            } else {
                let isResource = view.string(at: name, isOneOf: ["attributes", "relationships", "links"])
                _ = checkOther(
                    name, value, in: "a resource identifier object", defined: DefinedMembers.identifier,
                    advice: isResource ? "put the resource into `included`" : "put it into `meta`")
            }
        }
        let isMissing = id == 0 && (lid == 0 || !allowsLocal)
        let hasType = checkIdentifierType(identifier, type, isIDMissing: isMissing)
        let hasID = !isMissing && id != 0 && checkString(id, .identifierIdentityString, "the `id` of a resource identifier object")
        let hasLocalID = lid != 0 && checkString(lid, .identifierIdentityString, "the `lid` of a resource identifier object")
        if isMissing, type != 0 {
            report(
                .identifierID, at: identifier, "a resource identifier object without `id`",
                allowsLocal ? "give it `id`, or the `lid` of a resource in this request" : "give it one, a string")
        }
        if hasID, hasLocalID { refuseLocalIDBesideID(lid, isOfRequest: allowsLocal) }
        if !hasType || !hasID { hasBrokenLinkage = true }
        if allowsLocal, id == 0, hasType, hasLocalID { locals.mentioned.append(.init(type: type, lid: lid)) }
    }

    private mutating func checkIdentifierType(_ identifier: Int, _ type: Int, isIDMissing: Bool) -> Bool {
        guard type != 0 else {
            let what = "a resource identifier object without `type`\(isIDMissing ? " and `id`" : "")"
            report(.identifierType, at: identifier, what, "give it one, a string")
            return false
        }
        guard checkString(type, .identifierIdentityString, "the `type` of a resource identifier object") else { return false }
        checkTypeName(type)
        return true
    }

    private mutating func refuseLocalIDBesideID(_ lid: Int, isOfRequest: Bool) {
        let (message, cure) = ("`lid` in a resource identifier object that has `id`", "remove one of them")
        if isOfRequest {
            report(.additionalMember, at: lid, message, cure)
        } else {
            reportContested(.additionalMember, at: lid, message, cure)
        }
    }

    // MARK: - Local ids

    /// In a request one local id stands for one new resource, and every mention of one has such a resource.
    ///
    /// - Complexity: O(resources + identifiers).
    mutating func checkLocalIdentities() {
        guard !locals.declared.isEmpty || !locals.mentioned.isEmpty else { return }
        var known = WordTable(capacity: locals.declared.count)
        for local in locals.declared where !known.insert(local.type, local.lid, view) {
            report(.uniqueLocalID, at: local.lid, "a `lid` that a resource of this type before it has", "give each new resource its own")
        }
        guard !locals.isBroken else { return }
        for local in locals.mentioned where !known.contains(local.type, local.lid, view) {
            report(
                .identifierLocalID, at: local.lid, "a `lid` that no new resource of this type in the request has",
                "use the `lid` of a resource of this request, or an `id`")
        }
    }
}
