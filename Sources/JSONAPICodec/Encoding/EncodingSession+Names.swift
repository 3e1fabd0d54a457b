import JSONText

// Names of members: made from coding keys, checked, chosen by fieldsets.

extension EncodingSession {
    /// The name of the member that a coding key stands for.
    @inline(__always)
    func memberName(_ key: some CodingKey) -> String {
        renamesKeys ? renamed(key.stringValue) : key.stringValue
    }

    @inline(never)
    func renamed(_ name: String) -> String {
        if let known = memberNames[name] { return known }
        let isKept = DecodingSession.isIdentityName(name) || name.utf8.contains(UInt8(ascii: "."))
        let converted = isKept ? name : options.keyStrategy.memberName(name)
        memberNames[name] = converted
        return converted
    }

    /// Writes the name of an attribute or relationship, unless the specification forbids it.
    @inline(__always)
    func writeName(_ name: String, of group: StaticString, into output: JSONOutput) throws {
        if let piece = names.known(name)?.pointee.member { output.name(piece) } else { try writeUnusualName(name, of: group, into: output) }
    }

    @inline(never)
    private func writeUnusualName(_ name: String, of group: StaticString, into output: JSONOutput) throws {
        if !UTF8Bytes.with(name, { MemberName.isLegal($0) }) { try checkName(name, at: [group.description, name]) }
        output.name(name)
    }

    /// Throws for a name that no attribute, relationship or type may have.
    func checkName(_ name: String, at tokens: [String] = []) throws {
        guard checksNames else { return }
        switch MemberName(Array(name.utf8)) {
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
        resource.filter?.contains(name) ?? true
    }

    /// Which fields of a resource are written.
    @inline(__always)
    func filter(for resource: UnsafePointer<KnownResource>) -> FieldFilter? {
        fieldsets.isEmpty && omitted.isEmpty ? nil : makeFilter(for: resource.pointee.type.pointee.name)
    }

    private func makeFilter(for type: String) -> FieldFilter? {
        let fieldset = fieldsets.isEmpty ? nil : fieldsets[type]
        return fieldset == nil && omitted.isEmpty ? nil : FieldFilter(fieldset: fieldset, omitted: omitted)
    }
}
