import JSONAPIRules
import JSONText

// Creating and updating resources and relationships: https://jsonapi.org/format/1.1/#crud

extension ValidationRule {
    static let creationData = ValidationRule(
        "crud/creating/single-resource", .must, "crud-creating", "The primary data of a creation must be a single resource object.")
    static let clientID = ValidationRule(
        "crud/creating/client-id-uuid", .should, "crud-creating-client-ids", "A client-generated id should be a UUID.")
    static let selfMatchesLocation = ValidationRule(
        "crud/creating/self-matches-location", .must, "crud-creating-responses-201",
        "The `self` link of a created resource must match the `Location` header.")
    static let updateData = ValidationRule(
        "crud/updating/single-resource", .must, "crud-updating", "The primary data of an update must be a single resource object.")

    static let writing = [creationData, clientID, selfMatchesLocation, updateData]
}

extension DocumentCheck {
    /// Reports a request without `data`, or a response to operations without results. Returns false for kinds of documents that require
    /// neither.
    mutating func refuseMissingData() -> Bool {
        switch context.kind {
        case _ where appliesAtomic: return refuseMissingResults()
        case .create:
            report(.creationData, at: view.root, "a creation without `data`", "add the resource object as `data`")
        case .update:
            report(.updateData, at: view.root, "an update without `data`", "add the resource object with the changes as `data`")
        case .relationship:
            let rule: Rule = context.requestCardinality == .toMany ? .toManyData : .toOneData
            report(ValidationRule(rule), at: view.root, "a change of a relationship without `data`", "add the linkage as `data`")
        case .response, .error, .atomicRequest, .atomicResponse: return false
        }
        return true
    }

    mutating func checkSingleResource(_ role: ResourceRole, _ rule: ValidationRule) {
        guard view.isObject(top.data) else {
            locals.isBroken = true
            return reportKind(rule, at: top.data, "the `data` of the request", "a single resource object")
        }
        hasUsableData = true
        checkResource(top.data, role)
    }

    mutating func checkRelationshipRequest() {
        let data = top.data
        switch context.requestCardinality {
        case .toOne: check { $0.checkLinkage(data, .one, .toOneData, allowsLocal: true) }
        case .toMany: check { $0.checkLinkage(data, .many, .toManyData, allowsLocal: true) }
        case nil: check { $0.checkLinkage(data, allowsLocal: true) }
        }
    }

    /// <https://www.rfc-editor.org/rfc/rfc4122#section-3>
    mutating func checkClientID(_ id: Int) {
        let bytes = view.textBytes(at: id)
        let isUUID =
            bytes.count == 36
            && bytes.enumerated().allSatisfy { position, byte in
                [8, 13, 18, 23].contains(position)
                    ? byte == UInt8(ascii: "-") : byte.isASCIIDigit || (byte | 0x20) &- UInt8(ascii: "a") < 6
            }
        guard !isUUID else { return }
        report(.clientID, at: id, "a client-generated id that is not a UUID", "use a UUID")
    }
}

// MARK: - The location of a created resource

extension DocumentCheck {
    /// <https://jsonapi.org/format/1.1/#crud-creating-responses-201>
    mutating func checkLocation() {
        guard context.kind == .response, let location = context.location, (context.status ?? 201) == 201 else { return }
        guard top.data != 0, view.isObject(top.data), let links = view.member("links", of: top.data), view.isObject(links) else { return }
        let link = member("self", of: links)
        guard link != 0 else { return }
        let target = view.isObject(link) ? member("href", of: link) : link
        guard target != 0, view.isString(target), URIReference(view.string(at: target)).isSurelyOther(than: URIReference(location))
        else { return }
        report(.selfMatchesLocation, at: link, "a `self` link that differs from the `Location` header", "send the same URL in both")
    }
}
