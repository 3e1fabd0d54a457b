import JSONAPIRules
import JSONText

// Names of members: derived from coding keys, checked, and selected by fieldsets.

extension EncodingSession {
    /// Returns a name with its index in the table of names.
    @inline(__always)
    func known(_ name: String) -> KnownName { KnownName(text: name, number: names.number(of: name)) }

    /// Returns the prepared text of the name of an attribute or a relationship, and notes the name; nil for a name that has to be checked
    /// first.
    @inline(__always)
    func fieldPiece(_ number: Int, isRelationship: Bool = false) -> Int? {
        guard number >= 0, names[number].isField, names[number].member >= 0,
            names.note(number, in: serial, isRelationship: isRelationship)
        else { return nil }
        return Int(names[number].member)
    }

    /// Writes the name of an attribute or a relationship. Throws when the name is not allowed.
    @inline(__always)
    func writeFieldName(_ name: KnownName, isRelationship: Bool, into output: JSONOutput) throws {
        if let piece = fieldPiece(name.number, isRelationship: isRelationship) {
            output.name(piece, of: pieces)
        } else {
            try writeUnusualField(name, isRelationship: isRelationship, into: output)
        }
    }

    /// Writes a name that has no prepared text.
    @inline(never)
    private func writeUnusualField(_ name: KnownName, isRelationship: Bool, into output: JSONOutput) throws {
        let (name, number) = (name.text, name.number)
        let group = isRelationship ? "relationships" : "attributes"
        try checkField(name, in: group)
        if number < 0 {
            // Not in the table, so the finished text is checked.
            resource.needsCheck = true
        } else if names[number].object == serial || !names.note(number, in: serial, isRelationship: isRelationship) {
            throw repeated(name, names[number].isRelationship == isRelationship, in: group)
        }
        output.name(name)
    }

    func repeated(_ name: String, _ isSameGroup: Bool, in group: String) -> EncodingFailure {
        if !isSameGroup {
            return failure(
                .duplicateName, at: ["relationships", name], expected: "a name that no attribute has",
                found: "`\(name)`, which is also an attribute", advice: "attributes and relationships share one namespace")
        }
        return failure(
            .duplicateName, at: [group], expected: "each name once in an object", found: "`\(name)` twice",
            advice: memberNames != nil
                ? "the key strategy gives two properties this name: change the coding key of one of them"
                : EncodingFailure.adviceOnRepeatedName)
    }

    /// Throws for a name that an attribute or a relationship must not have.
    func checkField(_ name: String, in group: String) throws { try checkField(name, at: [group, name]) }

    /// Does the same for a name that stands at the given tokens.
    func checkField(_ name: String, at tokens: [String]) throws {
        try checkName(name, at: tokens)
        guard options.checksNames, ResourcePart.isIdentity(name) else { return }
        throw failure(
            .illegalName, at: tokens, expected: "a field that is not called `id` or `type`", found: "`\(name)`",
            advice: "set checksNames to false if the server requires this name")
    }

    /// Throws for a name that an attribute, a relationship or a type must not have. Unlike members, types have no names such as `@a` and
    /// `ns:a`.
    func checkName(_ name: String, at tokens: [String], isType: Bool = false) throws {
        guard options.checksNames else { return }
        switch MemberName(name) {
        case .legal: return
        case .at where !isType, .ofExtension where !isType: return
        case .at, .ofExtension, .illegal, .illegalOfExtension:
            throw failure(
                .illegalName, at: tokens, expected: "a member name: letters, digits, and inside it hyphens, underscores, spaces",
                found: "`\(name)`",
                advice: "rename it with a coding key, or set checksNames to false if the server requires this name"
                    + (name.hasPrefix("_") ? "; in an @Observable class, all properties need a coding key" : ""))
        }
    }

    /// Whether the fieldset includes the field.
    @inline(__always)
    func wants(_ name: String) -> Bool {
        guard let filter = resource.filter else { return true }
        if let nameCheck { nameCheck.note(name) }
        return filter.contains(name)
    }

    /// Returns the filter for the fields of a resource; nil when all are written.
    func makeFilter(for type: String) -> FieldFilter? {
        let fieldset = fieldsets.isEmpty ? nil : fieldsets[ByteText(type)]
        guard omitted.isEmpty else { return FieldFilter(fieldset: fieldset, omitted: omitted) }
        guard let fieldset else { return nil }
        if let filter = filters[ByteText(type)] { return filter }
        let filter = FieldFilter(fieldset: fieldset, omitted: [])
        filters[ByteText(type)] = filter
        return filter
    }
}
