import JSONText

// The members of resources, by name.

extension DecodingSession {
    /// Returns the value of the attribute with exactly the given name; nil when there is none.
    @inline(__always)
    func attribute(_ name: FieldName, of ordinal: Int) -> Int? {
        let attributes = Int(truncatingIfNeeded: entries[ordinal].attributes)
        return attributes == 0 ? nil : finder.member(name, of: attributes, slot: MemberFinder.attributeSlot(resourceDepth), in: view)
    }

    /// Returns the relationship object with exactly the given name; nil when there is none.
    @inline(__always)
    func relationship(_ name: FieldName, of ordinal: Int) -> Int? {
        let relationships = Int(truncatingIfNeeded: entries[ordinal].relationships)
        if relationships == 0 { return nil }
        return finder.member(name, of: relationships, slot: MemberFinder.relationshipSlot(resourceDepth), in: view)
    }

    @inline(__always)
    func attribute(_ name: String, of ordinal: Int) -> Int? { name.withName { attribute($0, of: ordinal) } }

    @inline(__always)
    func relationship(_ name: String, of ordinal: Int) -> Int? { name.withName { relationship($0, of: ordinal) } }
}

// MARK: - Names of keys

extension DecodingSession {
    /// Returns the name of the coding key that asked for a member.
    func codingName(_ memberName: String) -> String { memberNames?.key(memberName) ?? memberName }

    /// Returns the name of a coding key for a member name; nil when the key strategy makes no key into it.
    func keyName(_ memberName: String) -> String? {
        guard let memberNames else { return memberName }
        for candidate in [memberNames.key(memberName), options.keyStrategy.keyName(memberName), memberName] {
            if let candidate, UTF8Bytes.areEqual(memberNames.member(candidate), memberName) { return candidate }
        }
        return nil
    }
}
