import JSONAPIRules
import JSONText

// Resource objects: <https://jsonapi.org/format/1.1/#document-resource-objects>

extension DocumentSurvey {
    mutating func checkResources(_ ordinals: Range<Int>) throws {
        for ordinal in ordinals { try checkResource(ordinal) }
    }

    private mutating func checkResource(_ ordinal: Int) throws {
        let entry = document.index.entries[ordinal]
        if entry.type == 0 {
            report(.leniency(.missingTypes), at: Int(entry.word), "a resource without `type`; the type that is asked for counts")
        }
        if entry.id == 0 { reportMissingID(entry) }
        try checkMembers(of: entry, isPrimary: ordinal < document.index.primaryCount)
    }

    private mutating func reportMissingID(_ entry: ResourceEntry) {
        if let null = view.member("id", of: Int(entry.word)) {
            report(.leniency(.missingIDs), at: null, "null in place of the id; the resource has no identity")
        } else if options.source == .response {
            report(.leniency(.missingIDs), at: Int(entry.word), "a resource without `id`; it has no identity")
        }
    }

    private mutating func checkMembers(of entry: ResourceEntry, isPrimary: Bool) throws {
        let resource = Int(entry.word)
        var member = view.first(in: resource)
        let end = view.end(of: resource)
        while member < end {
            let value = view.next(after: member)
            try attempt { try $0.checkMember(member, value, of: entry, isPrimary: isPrimary) }
            member = view.next(after: value)
        }
        try attempt { try $0.checkFieldNames(entry) }
    }

    private mutating func checkMember(_ name: Int, _ value: Int, of entry: ResourceEntry, isPrimary: Bool) throws {
        if view.string(at: name, equals: "type") {
            try checkType(value)
        } else if view.string(at: name, equals: "id") {
            if view.kind(at: value) == .number { reportIntegerID(value) }
        } else if view.string(at: name, equals: "attributes") {
            if try isObject(value, "an object: the attributes") { try checkAttributes(value) }
        } else if view.string(at: name, equals: "relationships") {
            if try isObject(value, "an object: the relationships") { try checkRelationships(value, isPrimary: isPrimary) }
        } else if view.string(at: name, equals: "links") {
            try checkLinks(value, of: .resource)
        } else if view.string(at: name, equals: "meta") {
            try checkMeta(value)
        } else if view.string(at: name, equals: "lid") {
            if options.source == .response || entry.id != 0 { reportNeedlessLocalID(value) }
        } else {
            try checkAdditional(name, value, in: "a resource object")
        }
    }

    /// A type obeys the rules for member names.
    ///
    /// <https://jsonapi.org/format/1.1/#document-resource-object-identification>
    mutating func checkType(_ type: Int) throws {
        guard view.isString(type) else { return }
        if case .legal = MemberName(view, type) { return }
        try refuseInStrict(
            .illegalName, at: type, expected: "a type that is a legal member name", found: "one with reserved characters",
            else: .illegalName, "a type with characters that the specification reserves")
    }

    mutating func reportIntegerID(_ id: Int) {
        report(.leniency(.integerIDs), at: id, "an integer in place of the id; its digits are the id")
    }

    /// A lid stands for an id that the client does not choose; beside an id, or in a response, it has no meaning.
    ///
    /// <https://jsonapi.org/format/1.1/#document-resource-object-identification>
    mutating func reportNeedlessLocalID(_ lid: Int) {
        let isResponse = options.source == .response
        report(.unknownMember, at: lid, isResponse ? "a `lid` in a response; it is kept" : "a `lid` beside an `id`; both are kept")
    }
}

// MARK: - Fields

extension DocumentSurvey {
    /// The names only; any JSON is an attribute value.
    ///
    /// <https://jsonapi.org/format/1.1/#document-resource-object-attributes>
    private mutating func checkAttributes(_ attributes: Int) throws {
        var member = view.first(in: attributes)
        let end = view.end(of: attributes)
        while member < end {
            let value = view.next(after: member)
            _ = try isField(member, value, "attribute")
            member = view.next(after: value)
        }
    }

    /// Whether the member is an attribute or relationship, and no @-member or one of an extension; checks its name.
    ///
    /// <https://jsonapi.org/format/1.1/#document-resource-object-fields>
    mutating func isField(_ name: Int, _ value: Int, _ what: String) throws -> Bool {
        switch MemberName(view, name) {
        case .at, .ofExtension: return false
        case .illegalOfExtension:
            try refuseExtensionName(value)
            return false
        case .illegal:
            let isEmpty = view.length(at: name) == 0
            try refuseInStrict(
                .illegalName, at: value, expected: "a legal member name",
                found: isEmpty ? "an empty name" : "a name with reserved characters, or with `-`, `_` or a space at an end",
                else: .illegalName, isEmpty ? "an empty name" : "a name that the specification does not allow")
        case .legal:
            guard view.isReservedFieldName(name) else { break }
            let text = view.string(at: name)
            try refuseInStrict(
                .illegalName, at: value, expected: "no \(what) called `\(text)`", found: "one", else: .reservedFieldName,
                "an \(what) called `\(text)`, which is not the resource's \(text); `\(what)s.\(text)` reads it")
        }
        return true
    }

    /// Attributes and relationships share one namespace.
    ///
    /// - Complexity: O(names).
    private mutating func checkFieldNames(_ entry: ResourceEntry) throws {
        guard entry.attributes != 0, entry.relationships != 0 else { return }
        let attributes = Int(entry.attributes)
        let relationships = Int(entry.relationships)
        let attributeCount = view.count(at: attributes)
        let relationshipCount = view.count(at: relationships)
        guard attributeCount > 0, relationshipCount > 0 else { return }
        if attributeCount <= 16 || relationshipCount == 1 {
            var name = view.first(in: relationships)
            while name < view.end(of: relationships) {
                if hasMember(named: name, attributes) { try refuseClash(name) }
                name = view.next(after: view.next(after: name))
            }
        } else {
            try checkManyFieldNames(attributes, relationships)
        }
    }

    private mutating func checkManyFieldNames(_ attributes: Int, _ relationships: Int) throws {
        var names = WordTable(capacity: view.count(at: attributes))
        var name = view.first(in: attributes)
        while name < view.end(of: attributes) {
            _ = names.insert(name, 0, view)
            name = view.next(after: view.next(after: name))
        }
        name = view.first(in: relationships)
        while name < view.end(of: relationships) {
            if names.contains(name, 0, view) { try refuseClash(name) }
            name = view.next(after: view.next(after: name))
        }
    }

    private func hasMember(named name: Int, _ object: Int) -> Bool {
        var member = view.first(in: object)
        while member < view.end(of: object) {
            if view.string(at: member, equalsStringAt: name) { return true }
            member = view.next(after: view.next(after: member))
        }
        return false
    }

    private mutating func refuseClash(_ name: Int) throws {
        switch MemberName(view, name) {
        case .legal, .illegal: break
        case .at, .ofExtension, .illegalOfExtension: return
        }
        let text = view.shown(name)
        try refuseInStrict(
            .duplicateName, at: view.next(after: name), expected: "a name that no attribute of the resource has",
            found: "one of an attribute",
            else: .fieldNameClash, "`\(text)` is an attribute too; `attributes.\(text)` and `relationships.\(text)` read both")
    }
}

// MARK: - Resources inside relationships

extension DocumentSurvey {
    /// Reports whole resources in place of identifiers, which the leniencies took in.
    mutating func checkEmbeddedResources() {
        for ordinal in document.index.embeddedOrdinals {
            let entry = document.index.entries[ordinal]
            let word = Int(entry.word)
            if entry.id == 0, entry.lid == 0, view.member("id", of: word) == nil {
                report(.leniency(.identifiersWithoutID), at: word, "an identifier without `id`; a resource without identity")
            }
            if let fields = view.member("attributes", of: word) ?? view.member("relationships", of: word) {
                report(.leniency(.embeddedResources), at: fields, "a whole resource in place of an identifier; taken as included")
            }
        }
    }

    /// Other modes ignore these members, so none of them is a reason to refuse the document.
    mutating func checkEmbeddedMembers() throws {
        for ordinal in document.index.embeddedOrdinals {
            try tolerating(.documentStructure) { try $0.checkMembers(of: $0.document.index.entries[ordinal], isPrimary: false) }
        }
    }
}
