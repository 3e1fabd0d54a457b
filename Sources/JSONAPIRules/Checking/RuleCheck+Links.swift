import JSONText

// Links: <https://jsonapi.org/format/1.1/#document-links>

extension RuleCheck {
    /// Checks the value of `links`. Returns whether it has a defined link other than a pagination link, or a link of an extension.
    @discardableResult package mutating func checkLinksObject(_ links: Int, of place: LinksPlace) -> Bool {
        isObject(links, .linksObject, isInError: place.isOfError) && checkLinks(links, of: place)
    }

    /// Checks the links in a links object. Returns the same result as `checkLinksObject(_:of:)`.
    @discardableResult package mutating func checkLinks(_ links: Int, of place: LinksPlace) -> Bool {
        var isUseful = false
        for (name, value) in Members(view, of: links) {
            part = value
            guard view.string(at: name, isOneOf: place.names) else {
                other(name, value, in: .links(place))
                isUseful = isUseful || isOfExtension(name)
                continue
            }
            checkLink(value)
            if !view.string(at: name, isOneOf: DefinedMembers.paginationLinks) {
                isUseful = true
            } else if !view.isNull(value), place.data != 0 {
                checkPagination(value, place.data)
            }
        }
        return isUseful
    }

    /// Reports a pagination link for a single resource. For null data, it reports another break, because null may stand for an empty page.
    private mutating func checkPagination(_ link: Int, _ data: Int) {
        if view.isObject(data) { broken(.paginationPlace, .kind, at: link) }
        if view.isNull(data) { broken(.paginationPlace, .missing, at: link) }
    }

    /// Checks a link: a URI reference, a link object, or null. It loops, because `describedby` of a link object is a link, too.
    ///
    /// <https://jsonapi.org/format/1.1/#document-links-link>
    private mutating func checkLink(_ link: Int) {
        var (next, rule) = (link, Rule.linkRepresentation)
        while next != 0 {
            let value = next
            next = 0
            switch view.kind(at: value) {
            case .null: break
            case .string: checkReference(value, rule)
            case .object: next = checkLinkObject(value)
            default: broken(rule, .kind, at: value)
            }
            rule = .describingLink
        }
    }

    private mutating func checkReference(_ text: Int, _ rule: Rule) {
        if !URIText(view, text).isReference { broken(rule, .text, at: text) }
    }

    /// Checks a link object. Returns the index of `describedby`, or 0 if there is none.
    ///
    /// <https://jsonapi.org/format/1.1/#document-links-link-object>
    private mutating func checkLinkObject(_ link: Int) -> Int {
        var describedBy = 0
        var hasReference = false
        for (name, value) in Members(view, of: link) {
            if view.string(at: name, equals: "href") {
                hasReference = true
                if isString(value, .linkReference) { checkReference(value, .linkReference) }
            } else if view.string(at: name, equals: "describedby") {
                describedBy = value
            } else if view.string(at: name, equals: "meta") {
                checkMeta(value, of: .other)
            } else if view.string(at: name, equals: "title") {
                _ = isString(value, .linkTitle)
            } else if view.string(at: name, equals: "type") {
                _ = isString(value, .linkType)
            } else if view.string(at: name, equals: "rel") {
                if isString(value, .relationType), !URIText(view, value).isRelationType { broken(.relationType, .text, at: value) }
            } else if view.string(at: name, equals: "hreflang") {
                checkLanguages(value)
            } else {
                other(name, value, in: .link)
            }
        }
        if !hasReference { broken(.linkReference, .missing, at: link) }
        return describedBy
    }

    /// Checks `hreflang`: a language tag, or an array of language tags, which may be empty.
    private mutating func checkLanguages(_ value: Int) {
        guard view.isArray(value) else {
            if isString(value, .languageString) { checkLanguage(value) }
            return
        }
        for element in Elements(view, of: value) where isString(element, .languageString, .element) { checkLanguage(element) }
    }

    private mutating func checkLanguage(_ text: Int) {
        if !URIText(view, text).isLanguageTag { broken(.languageTag, .text, at: text) }
    }
}

// MARK: - The JSON:API object

extension RuleCheck {
    /// Checks the value of `jsonapi`.
    ///
    /// <https://jsonapi.org/format/1.1/#document-jsonapi-object>
    package mutating func checkJSONAPIObject(_ object: Int) {
        guard isObject(object, .jsonapiObject) else { return }
        for (name, value) in Members(view, of: object) {
            if view.string(at: name, equals: "version") {
                _ = isString(value, .versionString)
            } else if view.string(at: name, equals: "ext") {
                checkURIs(value, .extensionURIs)
            } else if view.string(at: name, equals: "profile") {
                checkURIs(value, .profileURIs)
            } else if view.string(at: name, equals: "meta") {
                checkMeta(value, of: .other)
            } else {
                other(name, value, in: .jsonapi)
            }
        }
    }

    private mutating func checkURIs(_ array: Int, _ rule: Rule) {
        guard view.isArray(array) else { return broken(rule, .kind, at: array) }
        for element in Elements(view, of: array) where isString(element, rule, .element) {
            if !URIText(view, element).isURI {
                broken(rule, .text, at: element)
            } else if rule == .extensionURIs {
                add(.extensionURI, element)
            }
        }
    }
}
