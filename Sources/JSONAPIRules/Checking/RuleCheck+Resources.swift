import JSONText

// Resource objects: <https://jsonapi.org/format/1.1/#document-resource-objects>

/// The indices of the members of a resource object on the tape. 0 stands for a missing member.
package struct ResourceParts: Sendable {
    package let word: Int
    package fileprivate(set) var type = 0
    package fileprivate(set) var id = 0
    package fileprivate(set) var lid = 0
    package fileprivate(set) var attributes = 0
    package fileprivate(set) var relationships = 0
    /// Objects with the same names as `attributes` and `relationships` that are known to be legal; 0 for none.
    fileprivate(set) var knownAttributes = 0
    fileprivate(set) var knownRelationships = 0
    /// Whether the object has neither fields nor links, like a resource identifier object.
    package fileprivate(set) var isBare = true
}

extension RuleCheck {
    /// Checks a resource object: its members, their names and its relationships. Attribute values can be any JSON.
    ///
    /// - Complexity: O(n + m), n = number of members, m = number of identifiers.
    @discardableResult package mutating func checkResource(_ resource: Int, _ role: ResourceRole) -> ResourceParts {
        var parts = ResourceParts(word: resource)
        for (name, value) in Members(view, of: resource) {
            part = value
            checkMember(name, value, role, &parts)
        }
        part = resource
        checkIdentity(parts, role)
        let (attributes, relationships) = (parts.attributes, parts.relationships)
        if attributes != 0, relationships != 0, view.isObject(attributes), view.isObject(relationships) {
            checkNamespace(of: parts)
        }
        return parts
    }

    private mutating func checkMember(_ name: Int, _ value: Int, _ role: ResourceRole, _ parts: inout ResourceParts) {
        if view.string(at: name, equals: "type") {
            parts.type = value
            if isString(value, .resourceIdentityString, .type) { checkTypeName(value) }
        } else if view.string(at: name, equals: "id") {
            parts.id = value
            if !view.isString(value) { broken(.resourceIdentityString, idBreak(value), at: value) }
        } else if view.string(at: name, equals: "attributes") {
            (parts.attributes, parts.isBare) = (value, false)
            if isObject(value, .attributesObject) { parts.knownAttributes = checkFieldNames(value) }
        } else if view.string(at: name, equals: "relationships") {
            (parts.relationships, parts.isBare) = (value, false)
            if isObject(value, .relationshipsObject) { parts.knownRelationships = checkRelationships(value, role) }
        } else if view.string(at: name, equals: "links") {
            parts.isBare = false
            checkLinksObject(value, of: .resource)
        } else if view.string(at: name, equals: "meta") {
            checkMeta(value, of: .item)
        } else if view.string(at: name, equals: "lid") {
            parts.lid = value
            _ = isString(value, .resourceIdentityString, .lid)
        } else {
            other(name, value, in: .resource)
        }
    }

    /// Returns how an id that is not a string breaks the rule.
    func idBreak(_ id: Int) -> RuleFinding.Break { RuleFinding.Break(ofID: id, view) }

    /// Returns whether an id can be read: a string, or an integer if a leniency allows it.
    func isReadableID(_ id: Int) -> Bool { view.isString(id) || view.isInteger(id) }

    /// Checks for missing identity members, and for `lid` where it has no meaning. A `lid` replaces an id that the client does not choose.
    ///
    /// <https://jsonapi.org/format/1.1/#document-resource-object-identification>
    private mutating func checkIdentity(_ parts: ResourceParts, _ role: ResourceRole) {
        let idRule = role == .updated && parts.lid != 0 ? nil : role.idRule
        if parts.type == 0 {
            broken(role.typeRule, parts.id == 0 && idRule != nil ? .missingBoth : .missing, at: parts.word)
        } else if parts.id == 0, let idRule {
            broken(idRule, parts.lid == 0 ? .missingID : .lidInstead, at: parts.word)
        }
        if parts.lid != 0, view.isString(parts.lid) { checkLocalID(parts, role) }
    }

    private mutating func checkLocalID(_ parts: ResourceParts, _ role: ResourceRole) {
        if parts.id != 0, isReadableID(parts.id) {
            broken(.additionalMember, role.isOfRequest ? .lidBesideID : .lidBesideIDInResponse, at: parts.lid)
        } else if !role.isOfRequest {
            broken(.additionalMember, .lidInResponse, at: parts.lid)
        } else if role == .updated {
            broken(.updateIdentity, .updateByLid, at: parts.word)
        }
    }
}
