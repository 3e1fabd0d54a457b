import JSONText

// Relationships: <https://jsonapi.org/format/1.1/#document-resource-object-relationships>

extension RuleCheck {
    /// Checks relationships. Returns the word of relationships with the same names that are known to be legal, or 0.
    mutating func checkRelationships(_ relationships: Int, _ role: ResourceRole) -> Int {
        let like = known.relationships(like: relationships, view)
        var areLegal = true
        for (name, value) in Members(view, of: relationships) {
            part = value
            let count = findings.count
            guard like != 0 || isField(name, value, as: .relationship) else {
                areLegal = false
                continue
            }
            areLegal = areLegal && findings.count == count
            if isObject(value, .relationshipObject) { checkRelationship(value, role) }
        }
        part = relationships
        if like == 0, areLegal { known.rememberRelationships(relationships, view) }
        return like != 0 ? like : known.relationships(like: relationships, view)
    }

    /// <https://jsonapi.org/format/1.1/#document-resource-object-relationships-relationship-object>
    private mutating func checkRelationship(_ relationship: Int, _ role: ResourceRole) {
        var (data, links, meta) = (0, 0, 0)
        var (hasExtension, hasOthers) = (false, false)
        for (name, value) in Members(view, of: relationship) {
            if view.string(at: name, equals: "data") {
                data = value
            } else if view.string(at: name, equals: "links") {
                links = value
            } else if view.string(at: name, equals: "meta") {
                meta = value
                checkMeta(value, of: .collection)
            } else {
                hasOthers = true
                hasExtension = hasExtension || isOfExtension(name)
            }
        }
        let isUnwrapped = hasOthers && data == 0 && links == 0 && meta == 0 && !hasExtension && hasIdentity(relationship)
        let saysMore = hasExtension || (meta != 0 && (caller == .validator || view.isObject(meta)))
        // Report missing members before additional ones.
        if data == 0 { checkWithoutData(relationship, links, saysMore, isUnwrapped ? .unwrapped : .missing, role) }
        if hasOthers { checkOthers(of: relationship, isUnwrapped ? .unwrappedIdentifier : .relationship) }
        if links != 0 {
            let isUseful = checkLinksObject(links, of: .relationship(data: data))
            let standsBeside = data != 0 || (saysMore && role.relationshipRule == nil)
            if caller == .validator, standsBeside, !isUseful, view.isObject(links) { broken(.relationshipLinks, .beside, at: links) }
        }
        part = relationship
        if data != 0 { checkLinkage(data, allowsLocal: role.isOfRequest) }
    }

    private func hasIdentity(_ object: Int) -> Bool {
        Members(view, of: object).contains { view.string(at: $0.name, isOneOf: DefinedMembers.identity) }
    }

    private mutating func checkOthers(of object: Int, _ kind: DefinedObject) {
        for (name, value) in Members(view, of: object) where !view.string(at: name, isOneOf: kind.names) { other(name, value, in: kind) }
    }

    /// Checks a relationship without `data`. It needs `meta`, or `links` with `self` or `related`. In a request that creates or updates a
    /// resource, `data` is required.
    ///
    /// <https://jsonapi.org/format/1.1/#crud-creating>
    private mutating func checkWithoutData(
        _ relationship: Int, _ links: Int, _ saysMore: Bool, _ how: RuleFinding.Break, _ role: ResourceRole
    ) {
        if let rule = role.relationshipRule { return broken(rule, how, at: relationship) }
        if saysMore { return }
        if links == 0 { return broken(.relationshipMember, how, at: relationship) }
        // `links` of the wrong type is reported elsewhere.
        if view.isObject(links), !hasUsefulLink(links) { broken(.relationshipLinks, .missing, at: links) }
    }

    private func hasUsefulLink(_ links: Int) -> Bool {
        view.member("self", of: links) != nil || view.member("related", of: links) != nil || hasExtensionMember(links)
    }
}

// MARK: - Linkage

extension RuleCheck {
    /// The number of resources that linkage can contain.
    package enum LinkageCount: Sendable { case any, one, many }

    /// Checks linkage, or primary data that is linkage. Returns whether it has the right form.
    ///
    /// <https://jsonapi.org/format/1.1/#document-resource-object-linkage>
    @discardableResult package mutating func checkLinkage(
        _ data: Int, _ count: LinkageCount = .any, _ rule: Rule = .linkageShape, allowsLocal: Bool
    ) -> Bool {
        switch view.kind(at: data) {
        case .null where count != .many: break
        case .object where count != .many: checkIdentifier(data, allowsLocal: allowsLocal)
        case .array where count != .one: return checkIdentifiers(data, rule, allowsLocal: allowsLocal)
        default:
            broken(rule, count == .any ? .kind : count == .one ? .notOne : .notMany, at: data)
            return false
        }
        return true
    }

    private mutating func checkIdentifiers(_ array: Int, _ rule: Rule, allowsLocal: Bool) -> Bool {
        var isRight = true
        isInElement = true
        defer { isInElement = false }
        for element in Elements(view, of: array) {
            if view.isObject(element) {
                checkIdentifier(element, allowsLocal: allowsLocal)
            } else {
                broken(rule, .element, at: element)
                isRight = false
            }
        }
        if caller == .decoder, isRight, view.count(at: array) > 1 { noteRepeated(array) }
        return isRight
    }

    /// Reports identifiers that linkage repeats, which is allowed.
    ///
    /// - Complexity: O(n), n = number of identifiers.
    private mutating func noteRepeated(_ array: Int) {
        if view.count(at: array) <= 6, haveDifferentIDs(array) { return }
        var identities = WordTable(capacity: view.count(at: array))
        for element in Elements(view, of: array) {
            var (type, id) = (element + 3, element + 5)
            if !view.isPlainIdentifier(element) {
                let identifier = IdentifierEntry(view, at: element)
                guard identifier.type != 0, identifier.id != 0, view.isString(identifier.type), isReadableID(identifier.id) else {
                    continue
                }
                (type, id) = (identifier.type, identifier.id)
            }
            if !identities.insert(type, id, view) { add(.repeatedIdentifier, element) }
        }
    }

    /// Returns whether all identifiers are plain and have different ids. For a few identifiers this is faster than a table.
    private func haveDifferentIDs(_ array: Int) -> Bool {
        for element in Elements(view, of: array) {
            guard view.isPlainIdentifier(element) else { return false }
            for earlier in Elements(view, of: array) {
                if earlier == element { break }
                if view.string(at: earlier + 5, equalsStringAt: element + 5) { return false }
            }
        }
        return true
    }

    /// Checks an identifier in linkage. With `allowsLocal`, it can have `lid` instead of `id`, as in requests.
    ///
    /// <https://jsonapi.org/format/1.1/#document-resource-identifier-objects>
    package mutating func checkIdentifier(_ word: Int, allowsLocal: Bool) {
        // In nearly all identifiers, only the type can be invalid.
        if caller != .writer, view.isPlainIdentifier(word) { return checkTypeName(word + 3) }
        let identifier = IdentifierEntry(view, at: word)
        let isMissing = identifier.id == 0 && (identifier.lid == 0 || !allowsLocal)
        if identifier.type == 0 {
            broken(.identifierType, isMissing ? .missingBoth : .missing, at: word)
        } else if isString(identifier.type, .identifierIdentityString, .type) {
            checkTypeName(identifier.type)
        }
        if identifier.lid != 0 { _ = isString(identifier.lid, .identifierIdentityString, .lid) }
        checkID(identifier, isMissing, allowsLocal: allowsLocal)
        // The other members of a whole resource object are checked as those of any resource object.
        if isEmbedded(word) { return }
        if identifier.meta != 0 { checkMeta(identifier.meta, of: .item) }
        if identifier.hasOthers { checkOthers(of: word, .identifier) }
    }

    private mutating func checkID(_ identifier: IdentifierEntry, _ isMissing: Bool, allowsLocal: Bool) {
        if isMissing {
            guard identifier.type != 0, !isEmbedded(identifier.word) else { return }
            broken(.identifierID, identifier.lid != 0 ? .lidInstead : allowsLocal ? .missingIdentity : .missingID, at: identifier.word)
        } else if caller == .writer, isEmpty(identifier.id) || isEmpty(identifier.lid) {
            // The standard allows an empty id. In a document that is being written, it is a mistake.
            broken(.identifierID, .empty, at: identifier.word)
        } else if identifier.id == 0 {
            add(.localIdentifier, identifier.word)
        } else if view.isNull(identifier.id), isEmbedded(identifier.word) {
            // It is checked as the id of a resource object.
            return
        } else {
            if !view.isString(identifier.id) { broken(.identifierIdentityString, idBreak(identifier.id), at: identifier.id) }
            // The encoder writes an identifier with both as it was read.
            guard caller != .writer, identifier.lid != 0, view.isString(identifier.lid), isReadableID(identifier.id) else { return }
            broken(.additionalMember, allowsLocal ? .lidBesideID : .lidBesideIDInResponse, at: identifier.lid)
        }
    }
    private func isEmpty(_ text: Int) -> Bool { text != 0 && view.isString(text) && view.length(at: text) == 0 }
}
