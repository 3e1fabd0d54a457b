import JSONAPIRules
import JSONText

// Names of members: made from coding keys, checked, chosen by fieldsets.

extension EncodingSession {
    /// The name of the member that a coding key stands for.
    @inline(__always)
    func memberName(_ key: some CodingKey) -> String {
        guard let memberNames else { return key.stringValue }
        return memberNames.member(key.stringValue)
    }

    /// A name, looked up.
    @inline(__always)
    func known(_ name: String) -> KnownName { KnownName(text: name, number: names.number(of: name)) }

    /// The piece of an attribute's name that may be written as it is, and is noted now; nil for one that has to be looked at.
    @inline(__always)
    func attributePiece(_ number: Int) -> Int? {
        guard number >= 0, names[number].isField, names[number].member >= 0, names.note(number, in: serial) else { return nil }
        return Int(names[number].member)
    }

    /// Writes the name of an attribute or relationship for which there is no piece, unless it must not be written.
    @inline(never)
    func writeUnusualField(_ name: KnownName, isRelationship: Bool, into output: JSONOutput) throws {
        let (name, number) = (name.text, name.number)
        let group = isRelationship ? "relationships" : "attributes"
        try checkField(name, in: group)
        if number < 0 {
            // Not in the table: the finished text is checked.
            resource.needsCheck = true
        } else if names[number].object == serial || !names.note(number, in: serial, isRelationship: isRelationship) {
            throw repeated(name, names[number].isRelationship == isRelationship, in: group)
        }
        output.name(name)
    }

    private func repeated(_ name: String, _ isSameGroup: Bool, in group: String) -> EncodingFailure {
        if !isSameGroup {
            return failure(
                .duplicateName, at: ["relationships", name], expected: "a name that no attribute has",
                found: "`\(name)`, which is an attribute, too", advice: "attributes and relationships share one namespace")
        }
        return failure(
            .duplicateName, at: [group], expected: "each name once in an object", found: "`\(name)` twice",
            advice: renamesKeys ? "two properties have this name by the key strategy: give one of them another coding key" : nil)
    }

    /// Throws for a name that no attribute or relationship may have.
    func checkField(_ name: String, in group: String) throws {
        guard checksNames else { return }
        try checkName(name, at: [group, name])
        if DecodingSession.isIdentityName(name) {
            throw failure(
                .illegalName, at: [group, name], expected: "a field that is not called `id` or `type`", found: "`\(name)`",
                advice: "set checksNames to false for a server that asks for it")
        }
    }

    /// Throws for a name that no attribute, relationship or type may have.
    func checkName(_ name: String, at tokens: [String] = []) throws {
        guard checksNames else { return }
        switch MemberName(name) {
        case .legal, .at, .ofExtension: return
        case .illegal, .illegalOfExtension:
            throw failure(
                .illegalName, at: tokens, expected: "a member name: letters, digits, and inside it hyphens, underscores, spaces",
                found: "`\(name)`", advice: "name it by a coding key, or set checksNames to false for a server that asks for it")
        }
    }

    /// Whether the fieldset asks for the field.
    @inline(__always)
    func wants(_ name: String) -> Bool {
        guard let filter = resource.filter else { return true }
        if let nameCheck { nameCheck.note(name, self) }
        return filter.contains(name)
    }

    /// Which fields of a resource are written; nil for all.
    func makeFilter(for type: String) -> FieldFilter? {
        let fieldset = fieldsets.isEmpty ? nil : fieldsets[type]
        return fieldset == nil && omitted.isEmpty ? nil : FieldFilter(fieldset: fieldset, omitted: omitted)
    }
}
