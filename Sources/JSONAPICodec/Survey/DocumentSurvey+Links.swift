import JSONAPIRules
import JSONText

// Links: <https://jsonapi.org/format/1.1/#document-links>

extension DocumentSurvey {
    mutating func checkLinks(_ links: Int, of place: LinksPlace, null: Leniencies.Name = .nullContainers) throws {
        guard try isObject(links, "a links object", null: null) else { return }
        var member = view.first(in: links)
        let end = view.end(of: links)
        while member < end {
            let value = view.next(after: member)
            try attempt { try $0.checkNamedLink(member, value, place) }
            member = view.next(after: value)
        }
    }

    private mutating func checkNamedLink(_ name: Int, _ value: Int, _ place: LinksPlace) throws {
        guard view.string(at: name, isOneOf: place.names) else { return try checkUnknownLink(name, value) }
        try checkLink(value)
        if !view.isNull(value), view.string(at: name, isOneOf: DefinedMembers.paginationLinks), isSingle(place) {
            try refusePagination(value)
        }
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

    /// Whether the links belong to one resource, or to a relationship to one.
    private func isSingle(_ place: LinksPlace) -> Bool {
        switch place {
        case .document: document.layout.data != 0 && view.isObject(document.layout.data)
        case .relationship(let data): data != 0 && view.isObject(data)
        case .resource, .error: false
        }
    }

    /// Pagination links belong to a collection.
    ///
    /// <https://jsonapi.org/format/1.1/#fetching-pagination>
    private mutating func refusePagination(_ value: Int) throws {
        try refuseInStrict(
            .documentStructure, at: value, expected: "pagination links with a collection only", found: "one with a single resource",
            else: .documentStructure, "a pagination link with a single resource; it is kept")
    }
}

// MARK: - One link

extension DocumentSurvey {
    /// A URI reference, a link object, or null; a link object's `describedby` is a link again, so this is a loop.
    ///
    /// <https://jsonapi.org/format/1.1/#document-links-link>
    private mutating func checkLink(_ link: Int) throws {
        var next = link
        while next != 0 {
            let value = next
            next = 0
            switch view.kind(at: value) {
            case .null: break
            case .string: try checkReference(value)
            case .object: next = try checkLinkObject(value)
            default: throw failure(.wrongType, at: value, expected: "a link: a string, a link object or null")
            }
        }
    }

    /// Text that is no reference stays readable as text; it is parsed when somebody asks for a URL.
    private mutating func checkReference(_ text: Int) throws {
        guard !URIText(view, text).isReference else { return }
        try refuseInStrict(
            .invalidValue, at: text, expected: "a URI reference", found: "another text", else: .invalidLink,
            "a link that is no URI reference; its text is kept")
    }

    /// Answers the word of `describedby`, 0 for none.
    ///
    /// <https://jsonapi.org/format/1.1/#document-links-link-object>
    private mutating func checkLinkObject(_ link: Int) throws -> Int {
        var describedBy = 0
        var hasReference = false
        var member = view.first(in: link)
        let end = view.end(of: link)
        while member < end {
            let value = view.next(after: member)
            if view.string(at: member, equals: "href") {
                hasReference = true
                guard view.isString(value) else { throw failure(.wrongType, at: value, expected: "a string: the link's target") }
                try checkReference(value)
            } else if view.string(at: member, equals: "describedby") {
                describedBy = value
            } else if view.string(at: member, equals: "rel") {
                try checkText(value, "a string: the relation type", isValid: { $0.isRelationType }, "a relation type (RFC 8288)")
            } else if view.string(at: member, equals: "title") || view.string(at: member, equals: "type") {
                guard view.isString(value) else { throw failure(.wrongType, at: value, expected: "a string") }
            } else if view.string(at: member, equals: "hreflang") {
                try checkLanguages(value)
            } else if view.string(at: member, equals: "meta") {
                try checkMeta(value)
            } else {
                try checkAdditional(member, value, in: "a link object")
            }
            member = view.next(after: value)
        }
        guard hasReference else {
            throw failure(.missingMember, at: link, expected: "the member `href`", found: "a link object without it")
        }
        return describedBy
    }

    /// One tag, or an array of them, be it empty.
    private mutating func checkLanguages(_ value: Int) throws {
        guard view.isArray(value) else {
            return try checkText(
                value, "a language tag, or an array of them", isValid: { $0.isLanguageTag }, "a language tag (RFC 5646)")
        }
        var element = view.first(in: value)
        let end = view.end(of: value)
        while element < end {
            try checkText(element, "a string: a language tag", isValid: { $0.isLanguageTag }, "a language tag (RFC 5646)")
            element = view.next(after: element)
        }
    }

    private mutating func checkText(_ value: Int, _ expected: String, isValid: (URIText) -> Bool, _ what: String) throws {
        guard view.isString(value) else { throw failure(.wrongType, at: value, expected: expected) }
        guard !isValid(URIText(view, value)) else { return }
        try refuseInStrict(
            .invalidValue, at: value, expected: what, found: "another text", else: .invalidLink, "no valid \(what); its text is kept")
    }
}
