import JSONAPIRules
import JSONText

// What a report says of the findings of the shared rules.

extension DocumentCheck {
    /// Reports what was found. Returns whether there is a member of an applied extension.
    @discardableResult mutating func settle(_ look: RuleLook) -> Bool {
        var hasExtensionMember = false
        for finding in look.findings {
            let word = finding.word
            switch finding.content {
            case .broken(let rule, let how): settle(rule, how, word)
            case .other(let name, let object): if checkOther(name, word, in: object) { hasExtensionMember = true }
            case .links: _ = checkLinks(word, of: .error)
            case .errorMeta: checkMeta(word, of: .error)
            case .meta: checkMeta(word, of: .other)
            // Which extensions apply says the context.
            case .extensionURI: break
            }
        }
        return hasExtensionMember
    }

    private mutating func settle(_ rule: Rule, _ how: RuleFinding.Break, _ word: Int) {
        switch rule {
        case .linkRepresentation, .describingLink, .linkReference, .relationType, .linkTitle, .linkType, .languageString, .languageTag:
            settleLink(rule, how, word)
        case .paginationPlace: refusePagination(word)
        case .versionString: reportKind(.versionString, at: word, "`version`", "a string")
        case .extensionURIs: settleURIs(.extensionURIs, how, word, "`ext`")
        case .profileURIs: settleURIs(.profileURIs, how, word, "`profile`")
        case .errorSource, .errorSourceMember, .errorPointer, .errorParameter, .errorHeader: settleSource(rule, how, word)
        case .errorsArray, .errorMember, .errorID, .errorStatus, .errorStatusPresent, .errorCode, .errorTitle, .errorDetail:
            settleError(rule, how, word)
        }
    }
}

extension DocumentCheck {
    /// Checks a member that is none of those that the object is defined with. Returns whether it is a member of an applied extension.
    mutating func checkOther(_ name: Int, _ value: Int, in object: DefinedObject) -> Bool {
        checkOther(name, value, in: object.words, defined: object.names, advice: object.advice)
    }
}

extension DefinedObject {
    fileprivate var words: String {
        switch self {
        case .document: "a document"
        case .jsonapi: "the `jsonapi` object"
        case .resource: "a resource object"
        case .identifier: "a resource identifier object"
        case .relationship: "a relationship object"
        case .link: "a link object"
        case .error: "an error object"
        case .errorSource: "the `source` of an error"
        case .links(.document): "the `links` object of a document"
        case .links(.resource): "the `links` object of a resource"
        case .links(.relationship): "the `links` object of a relationship"
        case .links(.error): "the `links` object of an error"
        }
    }

    /// What may be done with a member but remove it.
    fileprivate var advice: String {
        switch self {
        case .resource: "put it into `attributes`"
        case .errorSource: "put it into `meta` of the error"
        default: "put it into `meta`"
        }
    }
}
