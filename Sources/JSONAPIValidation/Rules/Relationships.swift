import JSONAPIRules
import JSONText

// Relationships: https://jsonapi.org/format/1.1/#document-resource-object-relationships

extension ValidationRule {
    static let relationshipsObject = ValidationRule(
        "document-structure/relationships/object", .must, "document-resource-object-relationships", "`relationships` is an object.")
    static let relationshipObject = ValidationRule(
        "document-structure/relationships/value-object", .must, "document-resource-object-relationships", "A relationship is an object.")
    static let relationshipMember = ValidationRule(
        "document-structure/relationships/at-least-one-member", .must,
        "document-resource-object-relationships-relationship-object",
        "A relationship object has `links`, `data`, `meta` or a member of an applied extension.")
    static let relationshipLinks = ValidationRule(
        "document-structure/relationships/links-self-or-related", .must, "document-resource-object-relationships",
        "A relationship object that is nothing but `links` has the link `self`, `related` or one of an applied extension.")
    static let linkageShape = ValidationRule(
        "document-structure/resource-linkage/shape", .must, "document-resource-object-linkage",
        "Linkage is null, a resource identifier object, or an array of such objects.")

    static let relationships = [
        relationshipsObject, relationshipObject, relationshipMember, relationshipLinks, linkageShape,
        ValidationRule(
            "document-structure/relationships/pagination-links-to-many", .may, "document-resource-object-relationships",
            "The links of a to-many relationship may be those of pagination.", reportedAs: [paginationPlace]),
    ]
}

extension DocumentCheck {
    mutating func checkRelationships(_ relationships: Int, _ role: ResourceRole) {
        for (name, value) in members(of: relationships) {
            guard checkFieldName(name, value) else { continue }
            if view.isObject(value) {
                checkRelationship(value, role)
            } else {
                reportKind(.relationshipObject, at: value, "a relationship", "an object with `data`, `links` or `meta`")
                hasBrokenLinkage = true
            }
        }
    }

    private mutating func checkRelationship(_ relationship: Int, _ role: ResourceRole) {
        var data = 0
        var links = 0
        var hasOther = false
        var identity: [(name: Int, value: Int)] = []
        for (name, value) in members(of: relationship) {
            if view.string(at: name, equals: "data") {
                data = value
                checkLinkage(value, allowsLocal: role.isOfRequest)
            } else if view.string(at: name, equals: "links") {
                links = value
            } else if view.string(at: name, equals: "meta") {
                hasOther = true
                checkMeta(value, of: .collection)
            } else if view.string(at: name, isOneOf: ["type", "id", "lid"]) {
                identity.append((name, value))
            } else if checkOther(name, value, in: .relationship) {
                hasOther = true
            }
        }
        let isIdentifier = !identity.isEmpty && data == 0 && links == 0 && !hasOther
        if !isIdentifier { refuseIdentity(identity) }
        let hasUsefulLinks = links != 0 && checkLinks(links, of: .relationship(data: data))
        if isIdentifier { hasBrokenLinkage = true }
        if data == 0, let rule = role.relationshipRule {
            report(
                rule, at: relationship, "a relationship without `data` in a request",
                isIdentifier ? Self.wrapping : "add `data`: linkage, null, or an empty array")
        } else if data == 0, links == 0, !hasOther {
            report(
                .relationshipMember, at: relationship, "a relationship object without `data`, `links` and `meta`",
                isIdentifier ? Self.wrapping : "add one of them, or leave the relationship out")
        } else if links != 0, !hasUsefulLinks, view.isObject(links) {
            checkUselessLinks(links, isAlone: data == 0 && !hasOther)
        }
    }

    private static let wrapping = "put the identifier into `data`"

    /// The members of an identifier beside those of a relationship. Alone they are one fault: that `data` is missing around them.
    private mutating func refuseIdentity(_ members: [(name: Int, value: Int)]) {
        for (name, value) in members { _ = checkOther(name, value, in: .relationship) }
    }

    /// Links with neither `self` nor `related`. Beside data, a strict reading only speaks against them.
    private mutating func checkUselessLinks(_ links: Int, isAlone: Bool) {
        guard isAlone || context.isStrict else { return }
        report(.relationshipLinks, at: links, "links of a relationship without `self` and `related`", "add one of them")
    }

    /// <https://jsonapi.org/format/1.1/#document-resource-object-linkage>
    private mutating func checkLinkage(_ data: Int, allowsLocal: Bool) {
        if !checkLinkageData(data, nil, .linkageShape, allowsLocal: allowsLocal) { hasBrokenLinkage = true }
    }
}
