import JSONAPIRules
import JSONText

// Relationships: <https://jsonapi.org/format/1.1/#document-resource-object-relationships>

extension DocumentSurvey {
    mutating func checkRelationships(_ relationships: Int, isPrimary: Bool) throws {
        var member = view.first(in: relationships)
        let end = view.end(of: relationships)
        while member < end {
            let value = view.next(after: member)
            try attempt {
                if try $0.isField(member, value, "relationship"), try $0.isObject(value, "a relationship object") {
                    try $0.checkRelationship(value, isPrimary: isPrimary)
                }
            }
            member = view.next(after: value)
        }
    }

    /// <https://jsonapi.org/format/1.1/#document-resource-object-relationships-relationship-object>
    private mutating func checkRelationship(_ relationship: Int, isPrimary: Bool) throws {
        var data = 0
        var links = 0
        var saysMore = false
        var hasOthers = false
        var member = view.first(in: relationship)
        let end = view.end(of: relationship)
        while member < end {
            let value = view.next(after: member)
            if view.string(at: member, equals: "data") {
                data = value
            } else if view.string(at: member, equals: "links") {
                links = value
            } else if view.string(at: member, equals: "meta") {
                saysMore = saysMore || view.isObject(value)
                try checkMeta(value)
            } else {
                hasOthers = true
                saysMore = saysMore || hasExtensionName(member)
            }
            member = view.next(after: value)
        }
        // What is missing comes before what is too much.
        if data == 0 { try checkWithoutData(relationship, links, saysMore: saysMore, isPrimary: isPrimary) }
        if hasOthers { try checkOtherMembers(of: relationship) }
        if links != 0 { try checkLinks(links, of: .relationship(data: data)) }
        if data != 0 { try checkLinkage(data) }
    }

    private mutating func checkOtherMembers(of relationship: Int) throws {
        var member = view.first(in: relationship)
        let end = view.end(of: relationship)
        while member < end {
            let value = view.next(after: member)
            if !view.string(at: member, isOneOf: DefinedMembers.relationship) {
                try checkAdditional(member, value, in: "a relationship object")
            }
            member = view.next(after: value)
        }
    }

    private func hasExtensionName(_ name: Int) -> Bool {
        switch MemberName(view, name) {
        case .ofExtension, .illegalOfExtension: true
        default: false
        }
    }

    /// At least one of `links` (with `self` or `related`), `data`, `meta`; in a client's request, `data`.
    ///
    /// <https://jsonapi.org/format/1.1/#crud-creating>
    private mutating func checkWithoutData(_ relationship: Int, _ links: Int, saysMore: Bool, isPrimary: Bool) throws {
        if options.source == .request, isPrimary {
            return try refuse(
                .missingMember, at: relationship, unless: .emptyRelationships, expected: "the member `data`",
                found: "a relationship without it, in a request", "a relationship without data in a request; it says nothing")
        }
        if saysMore { return }
        guard links != 0, view.isObject(links) else {
            // A `links` of another kind is a fault of its own, or taken as absent or empty and reported.
            if links != 0 { return }
            return try refuse(
                .missingMember, at: relationship, unless: .emptyRelationships, expected: "one of the members `data`, `links` and `meta`",
                found: "a relationship without any", "a relationship without `data`, `links` and `meta`; it says nothing")
        }
        if view.member("self", of: links) == nil, view.member("related", of: links) == nil, !hasExtensionMember(links) {
            try refuse(
                .missingMember, at: links, unless: .emptyRelationships, expected: "one of the links `self` and `related`",
                found: "neither, in a relationship without data", "a relationship that neither has data nor tells where it is")
        }
    }
}

// MARK: - Linkage

extension DocumentSurvey {
    /// <https://jsonapi.org/format/1.1/#document-resource-object-linkage>
    private mutating func checkLinkage(_ data: Int) throws {
        switch view.kind(at: data) {
        case .null: return
        case .object: try checkIdentifier(data)
        case .array: try checkIdentifiers(data)
        default: throw failure(.wrongType, at: data, expected: "linkage: null, an identifier, or an array of identifiers")
        }
    }

    private mutating func checkIdentifiers(_ array: Int) throws {
        var element = view.first(in: array)
        let end = view.end(of: array)
        while element < end {
            guard view.isObject(element) else {
                throw failure(.wrongType, at: element, expected: "a resource identifier object")
            }
            try checkIdentifier(element)
            element = view.next(after: element)
        }
        if view.count(at: array) > 1 { reportRepeated(array) }
    }

    /// <https://jsonapi.org/format/1.1/#document-resource-identifier-objects>
    private mutating func checkIdentifier(_ word: Int) throws {
        let identifier = IdentifierEntry(view, at: word)
        guard identifier.type != 0 else {
            throw failure(.missingMember, at: word, expected: "the member `type`", found: "an identifier without it")
        }
        guard view.isString(identifier.type) else { throw failure(.wrongType, at: identifier.type, expected: "a string: the type") }
        guard view.length(at: identifier.type) > 0 else {
            throw failure(.wrongType, at: identifier.type, expected: "a resource's type", found: "an empty string")
        }
        try checkType(identifier.type)
        try checkIdentity(identifier)
        // Of an embedded resource, everything is checked as of any resource.
        if document.index.embedded[UInt32(truncatingIfNeeded: word)] != nil { return }
        if identifier.meta != 0 { try checkMeta(identifier.meta) }
        if identifier.hasOthers { try checkOthers(word) }
    }

    private mutating func checkIdentity(_ identifier: IdentifierEntry) throws {
        if identifier.lid != 0, !view.isString(identifier.lid) {
            throw failure(.wrongType, at: identifier.lid, expected: "a string: the local id")
        }
        guard identifier.id != 0 else { return try checkWithoutID(identifier) }
        if !view.isString(identifier.id) {
            guard view.kind(at: identifier.id) == .number, view.isInteger(identifier.id) else {
                throw failure(.wrongType, at: identifier.id, expected: "a string: the id")
            }
            try refuse(
                .wrongType, at: identifier.id, unless: .integerIDs, expected: "a string: the id",
                "an integer in place of the id; its digits are the id")
        }
        if identifier.lid != 0 { reportNeedlessLocalID(identifier.lid) }
    }

    /// In a request a `lid` stands for the id, if it is that of a resource in the document.
    private mutating func checkWithoutID(_ identifier: IdentifierEntry) throws {
        guard identifier.lid != 0, options.source == .request else {
            // Embedded resources are reported as such.
            if document.index.embedded[UInt32(truncatingIfNeeded: identifier.word)] != nil { return }
            return try refuse(
                .missingMember, at: identifier.word, unless: .identifiersWithoutID, expected: "the member `id`",
                found: identifier.lid == 0 ? "an identifier without it" : "a `lid` alone, in a response",
                "an identifier without `id`")
        }
        guard document.index.ordinal(of: identifier, view) == nil else { return }
        try refuseInStrict(
            .notIncluded, at: identifier.lid, expected: "the `lid` of a resource in the document", found: "another one",
            else: .notIncluded, "the `lid` of no resource in the document")
    }

    private mutating func checkOthers(_ identifier: Int) throws {
        var member = view.first(in: identifier)
        let end = view.end(of: identifier)
        while member < end {
            let value = view.next(after: member)
            if !view.string(at: member, isOneOf: DefinedMembers.identifier) { try checkAdditional(member, value, in: "an identifier") }
            member = view.next(after: value)
        }
    }

    /// Linkage may repeat an identifier; order and count are kept.
    ///
    /// - Complexity: O(identifiers).
    private mutating func reportRepeated(_ array: Int) {
        var identities = WordTable(capacity: view.count(at: array))
        var element = view.first(in: array)
        let end = view.end(of: array)
        while element < end {
            let identifier = IdentifierEntry(view, at: element)
            if identifier.id != 0, !identities.insert(identifier.type, identifier.id, view) {
                reportRepetition(element)
            }
            element = view.next(after: element)
        }
    }

    private mutating func reportRepetition(_ element: Int) {
        report(.repeatedIdentifier, at: element, "an identifier that stands in this relationship before; both are kept")
    }
}
