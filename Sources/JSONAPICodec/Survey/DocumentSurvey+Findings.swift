import JSONAPIRules
import JSONText

// What the modes make of the findings of the shared rules: which are thrown, which reported, and in which words.

extension DocumentSurvey {
    /// Throws or reports what was found, in its order. Where faults are tolerated, the first one of a part is reported and the others in
    /// it are passed over.
    mutating func settle(_ look: RuleLook) throws {
        var skipped = -1
        for finding in look.findings where finding.part != skipped {
            let isSettled = try attempt { try $0.settle(finding) }
            if !isSettled { skipped = finding.part }
        }
    }

    private mutating func settle(_ finding: RuleFinding) throws {
        let word = finding.word
        switch finding.content {
        case .broken(let rule, let how): try settle(rule, how, word)
        case .other(let name, .links): try checkUnknownLink(name, word)
        case .other(let name, let object): try checkAdditional(name, word, in: object.survey)
        case .links: try checkLinks(word, of: .error, null: .nullErrorMembers)
        case .errorMeta: _ = try isObject(word, "an object: the meta information", null: .nullErrorMembers)
        case .meta: try checkMeta(word)
        case .extensionURI: try checkExtension(word)
        }
    }

    private mutating func settle(_ rule: Rule, _ how: RuleFinding.Break, _ word: Int) throws {
        switch rule {
        case .linkRepresentation, .describingLink, .linkReference, .relationType, .linkTitle, .linkType, .languageString, .languageTag:
            try settleLink(rule, how, word)
        case .paginationPlace: try settlePagination(how, word)
        case .versionString, .extensionURIs, .profileURIs: try settleJSONAPI(rule, how, word)
        case .errorsArray, .errorMember, .errorID, .errorStatus: try settleError(rule, how, word)
        case .errorCode: try refuseErrorMember(word, "a string: the error's code")
        case .errorTitle: try refuseErrorMember(word, "a string: the error's title")
        case .errorDetail: try refuseErrorMember(word, "a string: the error's detail")
        case .errorSource, .errorPointer, .errorParameter, .errorHeader: try settleSource(rule, how, word)
        // Recommendations.
        case .errorStatusPresent, .errorSourceMember: break
        }
    }
}

extension DefinedObject {
    /// As failures and diagnostics call it.
    var survey: String {
        switch self {
        case .document: "a document"
        case .jsonapi: "the JSON:API object"
        case .resource: "a resource object"
        case .identifier: "an identifier"
        case .relationship: "a relationship object"
        case .link: "a link object"
        case .error: "an error object"
        case .errorSource: "an error's source"
        case .links: "a links object"
        }
    }
}

// MARK: - Links

extension DocumentSurvey {
    mutating func checkLinks(_ links: Int, of place: LinksPlace, null: Leniencies.Name = .nullContainers) throws {
        guard try isObject(links, "a links object", null: null) else { return }
        var look = RuleLook(view)
        look.checkLinks(links, of: place)
        try settle(look)
    }

    private mutating func checkUnknownLink(_ name: Int, _ value: Int) throws {
        switch MemberName(view, name) {
        case .at, .ofExtension: return
        case .illegalOfExtension: try refuseExtensionName(value)
        case .legal, .illegal:
            let view = view
            let hint = view.string(at: name, equals: "previous") ? "; the specification's name is `prev`" : ""
            try refuseInStrict(
                .unknownMember, at: value, expected: "no link beyond those that the specification defines here\(hint)",
                found: "one called `\(view.shown(name))`", else: .unknownLink,
                "a link that the specification does not define here; it is kept\(hint)")
        }
    }

    /// Text that is no reference, relation type or language tag stays readable as text.
    private mutating func settleLink(_ rule: Rule, _ how: RuleFinding.Break, _ word: Int) throws {
        switch (how, rule) {
        case (.text, .relationType): try refuseText(word, "a relation type (RFC 8288)", "no valid relation type")
        case (.text, .languageTag): try refuseText(word, "a language tag (RFC 5646)", "no valid language tag")
        case (.text, _): try refuseText(word, "a URI reference", "a link that is no URI reference")
        case (.missing, _):
            throw failure(.missingMember, at: word, expected: "the member `href`", found: "a link object without it")
        case (.element, _): throw failure(.wrongType, at: word, expected: "a string: a language tag")
        case (_, .linkRepresentation), (_, .describingLink):
            throw failure(.wrongType, at: word, expected: "a link: a string, a link object or null")
        case (_, .linkReference): throw failure(.wrongType, at: word, expected: "a string: the link's target")
        case (_, .relationType): throw failure(.wrongType, at: word, expected: "a string: the relation type")
        case (_, .languageString): throw failure(.wrongType, at: word, expected: "a language tag, or an array of them")
        default: throw failure(.wrongType, at: word, expected: "a string")
        }
    }

    private mutating func refuseText(_ word: Int, _ expected: String, _ message: String) throws {
        try refuseInStrict(
            .invalidValue, at: word, expected: expected, found: "another text", else: .invalidLink, "\(message); its text is kept")
    }

    /// Pagination links belong to a collection.
    ///
    /// <https://jsonapi.org/format/1.1/#fetching-pagination>
    private mutating func settlePagination(_ how: RuleFinding.Break, _ word: Int) throws {
        guard how == .kind else { return }
        try refuseInStrict(
            .documentStructure, at: word, expected: "pagination links with a collection only", found: "one with a single resource",
            else: .documentStructure, "a pagination link with a single resource; it is kept")
    }
}

// MARK: - The JSON:API object

extension DocumentSurvey {
    /// It is informative: no reader may depend on it, so a fault inside is no reason to refuse the document, but in strict mode.
    ///
    /// <https://jsonapi.org/format/1.1/#document-jsonapi-object>
    mutating func checkJSONAPI(_ word: Int) throws {
        guard try isObject(word, "an object: the JSON:API object") else { return }
        var look = RuleLook(view)
        look.checkJSONAPIObject(word)
        try settle(look)
    }

    /// Any string is a version; newer ones have to be readable.
    private mutating func settleJSONAPI(_ rule: Rule, _ how: RuleFinding.Break, _ word: Int) throws {
        switch (how, rule) {
        case (.text, _):
            try refuseInStrict(
                .invalidValue, at: word, expected: "an absolute URI", found: "another text", else: .documentStructure, "no absolute URI")
        case (.element, _):
            try refuseInStrict(
                .wrongType, at: word, expected: "a string: a URI", else: .documentStructure, "no string, so no URI")
        case (_, .versionString):
            try refuseInStrict(
                .wrongType, at: word, expected: "a string: the highest version supported", else: .documentStructure,
                "the version is no string")
        default:
            try refuseInStrict(.wrongType, at: word, expected: "an array of URIs", else: .documentStructure, "no array of URIs")
        }
    }

    private mutating func checkExtension(_ element: Int) throws {
        let uri = view.string(at: element)
        if let supported = options.supportedExtensions {
            guard !supported.contains(uri) else { return }
            throw failure(
                .unsupportedExtension, at: element, expected: "an extension of `supportedExtensions`", found: "another one",
                advice: "add its URI to supportedExtensions, or set them to nil")
        }
        if uri != "https://jsonapi.org/ext/atomic" {
            report(.unknownExtension, at: element, "an extension that this library does not know; its members are kept in the raw view")
        }
    }
}
