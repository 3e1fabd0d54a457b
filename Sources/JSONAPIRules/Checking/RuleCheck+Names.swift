import JSONText

// Names: <https://jsonapi.org/format/1.1/#document-member-names>

extension RuleCheck {
    /// Checks the name of an attribute or relationship. Returns false for an @-member and for a member of an extension.
    ///
    /// <https://jsonapi.org/format/1.1/#document-resource-object-fields>
    package mutating func isField(_ name: Int, _ value: Int, as how: RuleFinding.Break) -> Bool {
        switch owner(ofName: name) {
        case .at: return false
        case .ofExtension:
            if caller == .validator { add(.extensionField, value, name: name) }
            return false
        case .illegalOfExtension:
            broken(.extensionRemainder, .text, at: value, name: name)
            return false
        case .illegal:
            let mayBeOfExtension = hasUnknownExtension && MemberName(view, name) == .ofExtension
            broken(rule(brokenByName: name), mayBeOfExtension ? .unknownExtension : how, at: value, name: name)
        case .legal: if view.isReservedFieldName(name) { broken(.reservedFieldName, how, at: value, name: name) }
        }
        return true
    }

    /// Checks the names of the direct members of a meta object.
    package mutating func checkMetaNames(_ meta: Int) {
        for (name, value) in Members(view, of: meta) {
            switch owner(ofName: name) {
            case .at, .legal: break
            case .ofExtension: add(.extensionField, value, name: name)
            case .illegalOfExtension: broken(.extensionRemainder, .text, at: value, name: name)
            case .illegal: broken(rule(brokenByName: name), .metaName, at: value, name: name)
            }
        }
    }

    private func rule(brokenByName name: Int) -> Rule {
        let bytes = view.textBytes(at: name)
        return bytes.isEmpty ? .nonEmptyName : bytes.contains(where: MemberName.isReserved) ? .reservedCharacters : .startAndEnd
    }

    /// Checks that a type follows the rules for member names.
    ///
    /// <https://jsonapi.org/format/1.1/#document-resource-object-identification>
    package mutating func checkTypeName(_ type: Int) {
        if known.isKnownType(type, view) { return }
        if case .legal = MemberName(view, type) { return known.rememberType(type, view) }
        broken(.typeName, view.length(at: type) == 0 ? .empty : .text, at: type)
    }

    /// Checks the names of attributes. Returns the word of attributes with the same names that are known to be legal, or 0.
    mutating func checkFieldNames(_ attributes: Int) -> Int {
        let like = known.attributes(like: attributes, view)
        if like != 0 { return like }
        let count = findings.count
        var areFields = true
        for (name, value) in Members(view, of: attributes) {
            let isField = isField(name, value, as: .attribute)
            areFields = areFields && isField
        }
        guard areFields, findings.count == count else { return 0 }
        known.rememberAttributes(attributes, view)
        return known.attributes(like: attributes, view)
    }

    /// Checks that no attribute and relationship have the same name.
    ///
    /// - Complexity: O(n), n = number of names.
    mutating func checkNamespace(of parts: ResourceParts) {
        let (attributes, relationships) = (parts.knownAttributes, parts.knownRelationships)
        let areKnown = attributes != 0 && relationships != 0
        if areKnown, known.isPair(attributes, relationships) { return }
        let count = findings.count
        checkNamespace(parts.attributes, parts.relationships)
        if areKnown, findings.count == count { known.rememberPair(attributes, relationships) }
    }

    private mutating func checkNamespace(_ attributes: Int, _ relationships: Int) {
        let attributeCount = view.count(at: attributes)
        let relationshipCount = view.count(at: relationships)
        guard attributeCount > 0, relationshipCount > 0 else { return }
        // Which of repeated names count is found out in each walk over the attributes.
        let isQuick = attributeCount <= 16 && !view.hasDuplicates(attributes) || relationshipCount == 1
        guard isQuick else { return checkLargeNamespace(attributes, relationships) }
        for (name, value) in Members(view, of: relationships) {
            let attribute = self.name(equalTo: name, in: attributes)
            if attribute != 0 { checkClash(name, value, attribute) }
        }
    }

    private func name(equalTo name: Int, in object: Int) -> Int {
        for (other, _) in Members(view, of: object) where view.string(at: other, equalsStringAt: name) { return other }
        return 0
    }

    private mutating func checkLargeNamespace(_ attributes: Int, _ relationships: Int) {
        var table = WordTable(capacity: view.count(at: attributes))
        var names: [Int] = []
        for (name, _) in Members(view, of: attributes) where table.insert(name, 0, view) { names.append(name) }
        for (name, value) in Members(view, of: relationships) {
            if let number = table.number(of: name, 0, view) { checkClash(name, value, names[number]) }
        }
    }

    /// Reports a relationship with the name of an attribute. `attribute` is the index of the attribute's name.
    private mutating func checkClash(_ name: Int, _ value: Int, _ attribute: Int) {
        switch owner(ofName: name) {
        case .legal, .illegal: broken(.commonNamespace, .repeated, at: value, name: attribute)
        case .at, .ofExtension, .illegalOfExtension: break
        }
    }
}
