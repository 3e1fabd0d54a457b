import JSONText

// `var place: RemainingMembers`: the members of an attribute, or of all attributes, that other properties do not name.

/// Reads `var place: RemainingMembers`.
final class RemainingMembersPlan: PropertyPlan<RemainingMembers> {
    override var valueOfNothing: RemainingMembers? { RemainingMembers() }

    override func decode(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> RemainingMembers {
        guard RemainingMembers.areOfResource(name.text) else { return try super.decode(session, ordinal, name) }
        let word = Int(session.entries[ordinal].attributes)
        return word == 0 ? RemainingMembers() : try decode(session, at: ValuePlace(field: word))
    }

    override func decodeIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> RemainingMembers? {
        guard RemainingMembers.areOfResource(name.text) else { return try super.decodeIfPresent(session, ordinal, name) }
        return try decode(session, ordinal, name)
    }

    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> RemainingMembers {
        if session.view.isNull(place.word) { return RemainingMembers() }
        try session.checkObject(at: place.word)
        return RemainingMembers(read: session.object(at: place.word))
    }
}

/// Writes `var place: RemainingMembers`.
final class RemainingMembersWriter: PropertyWriter<RemainingMembers> {
    /// A nil has no members and clears nothing.
    override var writesAttributes: Bool { false }

    override func write(_ value: RemainingMembers, _ session: EncodingSession, _ sink: ValueSink) throws {
        try session.writeTree(.object(value.members), into: sink)
    }

    override func write(_ value: RemainingMembers, _ session: EncodingSession, as name: KnownName) throws {
        try write(value, session, at: RemainingMembers.areOfResource(name.text) ? ["attributes"] : ["attributes", name.text])
    }

    override func write(_ value: RemainingMembers, _ session: EncodingSession, at segments: [String]) throws {
        guard session.checkPath(segments) else { return }
        session.resource.needsCheck = true
        if segments == ["attributes"] { session.nameCheck?.openFields() }
        session.extras.remaining.append((segments, value.members, value.isObject))
    }
}

extension RemainingMembers {
    /// Whether a property with this key has the members of all attributes.
    package static func areOfResource(_ key: String) -> Bool { key == "attributes" }
}
