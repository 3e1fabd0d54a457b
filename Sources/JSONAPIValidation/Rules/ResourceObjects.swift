import JSONAPIRules
import JSONText

// Resource objects: https://jsonapi.org/format/1.1/#document-resource-objects

extension ValidationRule {
    static let resourceType = ValidationRule(
        "document-structure/resource-objects/type-required", .must, "document-resource-objects", "A resource object has `type`.")
    static let resourceID = ValidationRule(
        "document-structure/resource-objects/id-required", .must, "document-resource-objects",
        "A resource object has `id`, unless a client sends it to be created.")
    static let uniqueLocalID = ValidationRule(
        "document-structure/resource-objects/lid-unique-in-document", .must, "document-resource-object-identification",
        "A `type` and `lid` stand for one resource in a document.")
    static let resourceIdentityString = ValidationRule(
        "document-structure/resource-objects/identity-members-are-strings", .must, "document-resource-object-identification",
        "`type`, `id` and `lid` of a resource object are strings.")
    static let typeName = ValidationRule(
        "document-structure/resource-objects/type-is-member-name", .must, "document-resource-object-identification",
        "A type obeys the rules for member names.")
    static let commonNamespace = ValidationRule(
        "document-structure/fields/common-namespace", .must, "document-resource-object-fields",
        "An attribute and a relationship of one resource have different names.")
    static let reservedFieldName = ValidationRule(
        "document-structure/fields/type-and-id-reserved", .must, "document-resource-object-fields",
        "No attribute and no relationship is called `type` or `id`.")
    static let attributesObject = ValidationRule(
        "document-structure/attributes/object", .must, "document-resource-object-attributes", "`attributes` is an object.")

    static let resourceObjects = [
        resourceType, resourceID, uniqueLocalID, resourceIdentityString, typeName, commonNamespace, reservedFieldName, attributesObject,
        ValidationRule(
            "document-structure/resource-links/self", .may, "document-resource-object-links",
            "The link of a resource object is `self`.", reportedAs: [additionalMember]),
    ]
}

/// Where a resource object stands, which decides what it needs.
enum ResourceRole {
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

    var isIncluded: Bool { self == .included || self == .includedInRequest }

    /// Whether it is sent by a client.
    var isOfRequest: Bool { self != .response && self != .included }

    /// The rule that is broken without `type`.
    var typeRule: ValidationRule {
        switch self {
        case .create: .creationType
        case .update, .updated: .updateIdentity
        case .added: .operationResourceType
        case .response, .included, .includedInRequest: .resourceType
        }
    }

    /// The rule that is broken without `id`; nil when it may be missing.
    var idRule: ValidationRule? {
        switch self {
        case .response, .included: .resourceID
        case .update, .updated: .updateIdentity
        case .create, .includedInRequest, .added: nil
        }
    }

    /// The rule that is broken by a relationship without `data`; nil when it may be missing.
    var relationshipRule: ValidationRule? {
        switch self {
        case .create, .added: .creationRelationship
        case .update, .updated: .updateRelationship
        case .response, .included, .includedInRequest: nil
        }
    }
}

// MARK: - A resource object

extension DocumentCheck {
    private struct Parts {
        var type = 0
        var id = 0
        var lid = 0
        var attributes = 0
        var relationships = 0
        var isBare = true
    }

    mutating func checkResource(_ resource: Int, _ role: ResourceRole) {
        var parts = Parts()
        for (name, value) in members(of: resource) { checkResourceMember(name, value, &parts) }
        if !role.isIncluded, !parts.isBare { top.isBare = false }
        var entry = ResourceList.Entry(word: resource, isIncluded: role.isIncluded)
        checkIdentity(resource, parts, role, &entry)
        if parts.attributes != 0, view.isObject(parts.attributes) { checkFieldNames(parts.attributes) }
        if parts.relationships != 0, view.isObject(parts.relationships) {
            entry.relationships = parts.relationships
            checkRelationships(parts.relationships, role)
            if parts.attributes != 0, view.isObject(parts.attributes) { checkNamespace(parts.attributes, parts.relationships) }
        }
        checkFieldset(parts.type, parts.attributes, parts.relationships)
        resources.append(entry)
    }

    private mutating func checkResourceMember(_ name: Int, _ value: Int, _ parts: inout Parts) {
        if view.string(at: name, equals: "type") {
            parts.type = value
        } else if view.string(at: name, equals: "id") {
            parts.id = value
        } else if view.string(at: name, equals: "attributes") {
            (parts.attributes, parts.isBare) = (value, false)
            if !view.isObject(value) { reportKind(.attributesObject, at: value, "`attributes`", "an object") }
        } else if view.string(at: name, equals: "relationships") {
            (parts.relationships, parts.isBare) = (value, false)
            if !view.isObject(value) {
                reportKind(.relationshipsObject, at: value, "`relationships`", "an object")
                hasBrokenLinkage = true
            }
        } else if view.string(at: name, equals: "links") {
            parts.isBare = false
            _ = checkLinks(value, of: .resource)
        } else if view.string(at: name, equals: "meta") {
            checkMeta(value, of: .item)
        } else if view.string(at: name, equals: "lid") {
            parts.lid = value
        } else {
            _ = checkOther(name, value, in: .resource)
        }
    }
}

// MARK: - Identity

extension DocumentCheck {
    private mutating func checkIdentity(_ resource: Int, _ parts: Parts, _ role: ResourceRole, _ entry: inout ResourceList.Entry) {
        let isIDMissing = parts.id == 0 && role.idRule != nil && !(role == .updated && parts.lid != 0)
        if parts.type == 0 {
            report(
                role.typeRule, at: resource, "a resource object without `type`\(isIDMissing ? " and `id`" : "")", "give it one, a string")
        } else if checkString(parts.type, .resourceIdentityString, "the `type` of a resource object") {
            checkTypeName(parts.type)
            entry.type = parts.type
        }
        if isIDMissing, parts.type != 0, let rule = role.idRule {
            let isLocal = parts.lid != 0 ? ", which `lid` does not replace here" : ""
            report(rule, at: resource, "a resource object without `id`\(isLocal)", "give it an `id`, a string")
        } else if parts.id != 0, checkString(parts.id, .resourceIdentityString, "the `id` of a resource object") {
            entry.id = parts.id
            if role == .create || role == .added { checkClientID(parts.id) }
        }
        if parts.lid != 0 { checkLocalID(parts, role, &entry) }
        if role.isOfRequest, role != .update, role != .updated { declare(entry, parts) }
    }

    mutating func checkTypeName(_ type: Int) {
        guard !isLegalName(type) else { return }
        report(
            .typeName, at: type, "a type that is no legal member name",
            "write it with letters and digits, with hyphens, underscores and spaces inside only")
    }

    private mutating func checkLocalID(_ parts: Parts, _ role: ResourceRole, _ entry: inout ResourceList.Entry) {
        guard checkString(parts.lid, .resourceIdentityString, "the `lid` of a resource object") else { return }
        entry.lid = parts.lid
        if role == .updated, parts.id == 0 {
            guard context.isStrict else { return }
            return reportContested(
                .updateIdentity, at: entry.word, "an update of a resource that is identified by `lid`", "identify it by `id`")
        }
        guard entry.id != 0 else { return }
        let (message, cure) = ("`lid` in a resource object that has `id`", "remove one of them")
        if role.isOfRequest {
            report(.additionalMember, at: parts.lid, message, cure)
        } else {
            reportContested(.additionalMember, at: parts.lid, message, cure)
        }
    }

    private mutating func declare(_ entry: ResourceList.Entry, _ parts: Parts) {
        if entry.type != 0, entry.lid != 0 {
            locals.declared.append(.init(type: entry.type, lid: entry.lid))
        } else if entry.type == 0 || parts.lid != 0 {
            locals.isBroken = true
        }
    }
}

// MARK: - Fields

extension DocumentCheck {
    /// Names of attributes. Their values are any JSON, and nobody's business.
    private mutating func checkFieldNames(_ attributes: Int) {
        for (name, value) in members(of: attributes) { _ = checkFieldName(name, value) }
    }

    /// Checks the name of an attribute or relationship. Answers whether it is one.
    mutating func checkFieldName(_ name: Int, _ value: Int) -> Bool {
        guard !view.isReservedFieldName(name) else {
            let text = view.string(at: name)
            report(
                .reservedFieldName, at: value, "a field called `\(text)`",
                "rename it: `type` and `id` of a resource stand beside its fields")
            return true
        }
        return checkChosenName(name, value)
    }

    /// Reports names that both objects have, at the later of the two.
    ///
    /// - Complexity: O(members).
    private mutating func checkNamespace(_ attributes: Int, _ relationships: Int) {
        guard view.count(at: attributes) > 0, view.count(at: relationships) > 0 else { return }
        var names = WordTable(capacity: view.count(at: attributes))
        var values: [Int] = []
        for (name, value) in members(of: attributes) where names.insert(name, 0, view) { values.append(value) }
        for (name, value) in members(of: relationships) {
            guard let number = names.number(of: name, 0, view), !view.isReservedFieldName(name), isField(name) else { continue }
            report(
                .commonNamespace, at: max(value, values[number]), "a name that both an attribute and a relationship have",
                "rename one of them")
        }
    }

    /// Whether a name is that of a field: no @-member, no member of an extension.
    func isField(_ name: Int) -> Bool {
        switch owner(ofName: name) {
        case .legal, .illegal: true
        case .nobody, .ofExtension, .ofExtensionIllegally: false
        }
    }
}
