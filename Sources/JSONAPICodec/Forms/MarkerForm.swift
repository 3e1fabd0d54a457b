import JSONAPIRules
import JSONText

// `ResourceMeta`, `ResourceLinks`, `LocalID`: members of the resource object, whatever the name of the property is.

/// Reads `ResourceMeta`, `ResourceLinks` and `LocalID`.
final class MarkerPlan<Marker: ResourceMarker>: PropertyPlan<Marker> {
    override var readsAttributes: Bool { false }

    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> Marker { try Marker.read(session, at: place.word) }

    override func decode(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Marker {
        if let value = try decodeIfPresent(session, ordinal, name) { return value }
        if let empty = Marker.absent { return empty }
        throw session.failure(
            .missingMember, at: Int(session.entries[ordinal].word), expected: "the resource's `\(Marker.memberName)`",
            found: "a resource without it", advice: "make `\(name.text)` optional")
    }

    override func decodeIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Marker? {
        let word = Marker.word(session.entries[ordinal], session.view)
        guard word != 0, !session.view.isNull(word), !session.isEmptyArrayContainer(word) else { return nil }
        if Marker.self == ResourceLinks.self, session.options.ignoresResponseMembers { return nil }
        return try decode(session, at: ValuePlace(field: word))
    }
}

/// A type that selects a member of the resource object.
protocol ResourceMarker: Decodable {
    static var memberName: String { get }
    /// The word of the member; 0 when it is absent.
    static func word(_ entry: ResourceEntry, _ view: TapeView) -> Int
    static func read(_ session: DecodingSession, at word: Int) throws -> Self
    /// The value for a resource without the member; nil when that is an error.
    static var absent: Self? { get }
}

extension ResourceMeta: ResourceMarker {
    static var memberName: String { "meta" }
    static func word(_ entry: ResourceEntry, _ view: TapeView) -> Int { entry.word(of: .meta, view) }
    static var absent: ResourceMeta? { nil }
    static func read(_ session: DecodingSession, at word: Int) throws -> ResourceMeta {
        ResourceMeta(try session.plan(for: Value.self).decode(session, at: ValuePlace(field: word)))
    }
}

extension ResourceLinks: ResourceMarker {
    static var memberName: String { "links" }
    static func word(_ entry: ResourceEntry, _ view: TapeView) -> Int { entry.word(of: .links, view) }
    static var absent: ResourceLinks? { ResourceLinks() }
    static func read(_ session: DecodingSession, at word: Int) throws -> ResourceLinks {
        guard session.view.isObject(word) else {
            if session.isEmptyArrayContainer(word) { return ResourceLinks() }
            throw session.document.failure(Fault(notObject: .linksObject, at: word, session.view))
        }
        return ResourceLinks(Links(members: session.object(at: word)))
    }
}

extension LocalID: ResourceMarker {
    static var memberName: String { "lid" }
    static func word(_ entry: ResourceEntry, _ view: TapeView) -> Int { Int(entry.lid) }
    static var absent: LocalID? { nil }
    static func read(_ session: DecodingSession, at word: Int) throws -> LocalID { LocalID(try session.scalar(at: word)) }
}

/// Writes a part of the resource object, whatever the key of the property is.
class MarkerWriter<Value>: PropertyWriter<Value> {
    override final var writesAttributes: Bool { false }

    override final func write(_ value: Value, _ session: EncodingSession, at segments: [String]) throws {
        guard segments.count == 1 else { return try super.write(value, session, at: segments) }
        try write(value, session)
    }

    override final func write(_ value: Value, _ session: EncodingSession, as name: KnownName) throws {
        session.nameCheck?.notePart(name.text)
        try write(value, session)
    }

    func write(_ value: Value, _ session: EncodingSession) throws {}
}

/// Writes `ResourceMeta`. Several properties have the members of one object.
final class MetaWriter<Value: Codable & Sendable>: MarkerWriter<ResourceMeta<Value>> {
    override func write(_ value: ResourceMeta<Value>, _ session: EncodingSession) throws {
        let sink = session.memberSink("meta")
        try session.writer(for: Value.self).write(value.value, session, sink, inside: .same)
        let meta = try session.json(sink.output.bytes)
        guard meta.object != nil else {
            throw session.failure(
                .wrongPlace, at: ["meta"], expected: "meta as an object", found: meta.kindName,
                advice: "give ResourceMeta a type with members")
        }
        session.extras.meta = try session.extras.meta.map { try joined($0, meta, ["meta"], session) } ?? meta
    }

    /// Returns the members of both values. Throws if they have different values at one place.
    private func joined(_ first: JSON, _ second: JSON, _ place: [String], _ session: EncodingSession) throws -> JSON {
        guard var members = first.object, let others = second.object else {
            if first == second { return first }
            throw session.failure(
                .duplicateName, at: place, expected: "one value for each member of meta", found: "two properties with different values")
        }
        for other in others {
            members[other.name] = try members[other.name].map { try joined($0, other.value, place + [other.name], session) } ?? other.value
        }
        return .object(members)
    }
}

final class LinksWriter: MarkerWriter<ResourceLinks> {
    override func write(_ value: ResourceLinks, _ session: EncodingSession) throws {
        if !value.links.members.isEmpty { session.extras.links = value.links.json }
    }
}

final class LocalIDWriter: MarkerWriter<LocalID> {
    override func write(_ value: LocalID, _ session: EncodingSession) throws {
        guard !value.value.isEmpty else {
            throw session.failure(.missingIdentity, at: ["lid"], expected: "a lid with at least one character", found: "an empty string")
        }
        session.extras.lid = value.value
    }
}

extension ResourceMeta: WrittenWrapper {
    static var writerMaker: WriterFactory.Maker? { { _ in MetaWriter<Value>() } }
}
