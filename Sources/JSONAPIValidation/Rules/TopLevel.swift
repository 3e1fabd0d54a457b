import JSONAPIRules
import JSONText

// The top level: https://jsonapi.org/format/1.1/#document-top-level

extension ValidationRule {
    static let rootObject = ValidationRule(
        "document-structure/top-level/root-object", .must, "document-top-level", "The root of a document must be an object.")
    static let selfLinkType = ValidationRule(
        "document-structure/top-level/self-link-type-with-extensions", .should, "document-top-level",
        "With extensions or profiles, the `self` link should be an object whose `type` is the media type with their URIs.")
    static let primaryDataShape = ValidationRule(
        "document-structure/top-level/primary-data-shape", .must, "document-top-level",
        "Primary data must be a resource object, a resource identifier object, null, or an array of such objects.")
    static let collectionArray = ValidationRule(
        "document-structure/top-level/collection-is-array", .must, "document-top-level",
        "A collection must be an array, even with one element or none.")

    static let topLevel = [rootObject, selfLinkType, primaryDataShape, collectionArray]
}

extension DocumentCheck {
    mutating func refuseRoot() { reportKind(.rootObject, at: view.root, "the document", "an object with `data`, `errors` or `meta`") }

    mutating func checkTopLevel() {
        top = TopLevel(view)
        for (name, value) in members(of: view.root) where !view.string(at: name, isOneOf: DefinedMembers.document) {
            noteOtherMember(name, value)
        }
        checkCombinations()
        checkPrimaryData()
        if top.included != 0, !appliesAtomic { checkIncluded(top.included) }
        if top.errors != 0 { check { [top] in $0.checkErrors(top.errors) } }
        if top.meta != 0 { checkMeta(top.meta, of: .collection) }
        if top.jsonapi != 0 { check { [top] in $0.checkJSONAPIObject(top.jsonapi) } }
        if top.links != 0 {
            check { [top] in $0.checkLinksObject(top.links, of: .document(data: top.data)) }
            checkSelfLinkType()
        }
        if appliesAtomic { checkAtomicTopLevel() }
    }

    private mutating func noteOtherMember(_ name: Int, _ value: Int) {
        if appliesAtomic, view.string(at: name, equals: "atomic:operations") {
            operations = value
        } else if appliesAtomic, view.string(at: name, equals: "atomic:results") {
            results = value
        } else {
            check { $0.checkOther(name, value) }
        }
    }

    private mutating func checkCombinations() {
        let top = top
        if !appliesAtomic { check { $0.checkCombinations(top) } }
        if top.data == 0, !refuseMissingData() { check { $0.checkMinimum(top) } }
    }
}

// MARK: - Primary data

extension DocumentCheck {
    private mutating func checkPrimaryData() {
        guard top.data != 0, !appliesAtomic else { return }
        switch context.kind {
        case .create: checkSingleResource(.create, .creationData)
        case .update: checkSingleResource(.update, .updateData)
        case .relationship: checkRelationshipRequest()
        case .response, .error, .atomicRequest, .atomicResponse: checkResponseData()
        }
    }

    private mutating func checkResponseData() {
        let data = top.data
        switch context.target {
        case nil:
            hasUsableData = checkData(data)
        case .single:
            if view.isArray(data) {
                report(
                    .singlePrimaryData, at: data, "an array, although a single resource was requested",
                    "send the resource object, or null if there is none"
                )
            }
            hasUsableData = checkData(data)
        case .collection:
            if view.isObject(data) || view.isNull(data) {
                reportKind(.collectionArray, at: data, "the data of a collection", "an array, even with one element or none")
            }
            hasUsableData = checkData(data) && !view.isNull(data)
        case .toOneRelationship, .toManyRelationship:
            let count: RuleCheck.LinkageCount = context.target == .toOneRelationship ? .one : .many
            hasUsableData = check { $0.checkLinkage(data, count, .primaryDataLinkage, allowsLocal: false) }
        }
    }

    /// Checks that data is a resource object, null, or an array of resource objects. Returns whether it is.
    mutating func checkData(_ data: Int) -> Bool {
        switch view.kind(at: data) {
        case .null: return true
        case .object:
            checkResource(data, .response)
            return true
        case .array:
            var isRight = true
            for element in elements(of: data) {
                if view.isObject(element) {
                    checkResource(element, .response)
                } else {
                    reportKind(.primaryDataShape, at: element, "an element of `data`", "a resource object")
                    isRight = false
                }
            }
            return isRight
        default:
            reportKind(.primaryDataShape, at: data, "`data`", "a resource object, an array of resource objects, or null")
            return false
        }
    }
}

// MARK: - The self link

extension DocumentCheck {
    private mutating func checkSelfLinkType() {
        let extensions = context.appliedExtensions.map(\.uri)
        guard !context.isRequest, !extensions.isEmpty || !context.profiles.isEmpty, view.isObject(top.links) else { return }
        let link = member("self", of: top.links)
        guard link != 0, view.isString(link) || view.isObject(link) else { return }
        let type = view.isObject(link) ? member("type", of: link) : 0
        guard type == 0 || view.isString(type) else { return }
        if type != 0, Self.isMediaType(view.string(at: type), naming: extensions, context.profiles) { return }
        report(
            .selfLinkType, at: type == 0 ? link : type, "a `self` link without the extensions and profiles of the document",
            "make it a link object whose `type` is the media type with the parameters `ext` and `profile`")
    }

    /// Returns whether a text is the JSON:API media type with all given URIs in its parameters.
    private static func isMediaType(_ text: String, naming extensions: [String], _ profiles: [String]) -> Bool {
        let parts = text.split(separator: ";", maxSplits: 1)
        guard let type = parts.first, type.trimmed.lowercased() == "application/vnd.api+json" else { return false }
        // The values of `ext` and `profile` are quoted, and their URIs can contain the separators of parameters.
        let quoted = (parts.count > 1 ? parts[1] : "").split(separator: "\"", omittingEmptySubsequences: false)
        let words = zip(quoted.indices, quoted).flatMap { index, part in
            part.split { (index % 2 == 0 ? " \t;=" : " \t").contains($0) }
        }
        return extensions.allSatisfy { uri in words.contains { UTF8Bytes.areEqual(String($0), uri) } }
            && profiles.allSatisfy { uri in words.contains { URIText.areSameProfile(String($0), uri) } }
    }
}

extension Substring {
    /// The text without spaces and tabs at both ends.
    fileprivate var trimmed: Substring {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var rest = drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return rest
    }
}
