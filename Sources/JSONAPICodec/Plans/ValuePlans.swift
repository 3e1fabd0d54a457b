import Foundation
import JSONMapping
import JSONText

// Types of Foundation and of ours that do not go through their own `init(from:)`.

final class DatePlan: PropertyPlan<Date> {
    private let strategy: JSONAPIDecoder.DateDecodingStrategy

    init(_ strategy: JSONAPIDecoder.DateDecodingStrategy) { self.strategy = strategy }

    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> Date {
        switch strategy {
        case .iso8601:
            guard session.view.isString(place.word) else { throw mismatch(session, place.word, "a date, as text") }
            if let date = session.isoDate(at: place.word) { return date }
            throw session.failure(
                .invalidValue, at: place.word, expected: "a date such as 2026-11-21T09:30:00Z", found: "another text",
                advice: "choose a dateDecodingStrategy for dates of another form")
        case .deferredToDate: return try Date(from: ValueDecoder(session, place))
        case .secondsSince1970: return Date(timeIntervalSince1970: try session.number(at: place.word))
        case .millisecondsSince1970: return Date(timeIntervalSince1970: try session.number(at: place.word) / 1000)
        case .formatted(let formatter):
            if let date = formatter.date(from: try session.text(at: place.word)) { return date }
            throw session.failure(.invalidValue, at: place.word, expected: "a date in the formatter's form", found: "another text")
        case .custom(let decode): return try decode(ValueDecoder(session, place))
        }
    }

    private func mismatch(_ session: DecodingSession, _ word: Int, _ expected: String) -> DecodingFailure {
        let failure =
            session.view.isNull(word)
            ? session.failure(.unexpectedNull, at: word, expected: expected, advice: "make the property optional if null is meant")
            : session.failure(.wrongType, at: word, expected: expected)
        return failure.kind == .unexpectedNull ? failure : failure.requesting(String.self)
    }
}

extension DecodingSession {
    /// The date at `word` when dates are those of ISO 8601 and it is one; nil for everything that needs the plan.
    @inline(__always)
    func plainDate(at word: Int) -> Date? {
        guard readsISODates, view.isString(word) else { return nil }
        return isoDate(at: word)
    }

    @inline(__always)
    func isoDate(at word: Int) -> Date? {
        view.isEscaped(word) ? escapedDate(at: word) : view.withBytes(at: word) { DateText.date($0) }
    }

    @inline(never)
    private func escapedDate(at word: Int) -> Date? {
        UTF8Bytes.withBytes(of: view.string(at: word)) { DateText.date($0) }
    }

    /// The strings of an array; nil for everything that needs the plan.
    func plainStrings(at word: Int) -> [String]? {
        let view = view
        guard view.isArray(word) else { return nil }
        var strings: [String] = []
        strings.reserveCapacity(view.count(at: word))
        var element = view.first(in: word)
        let end = view.end(of: word)
        while element < end {
            guard view.isString(element) else { return nil }
            strings.append(view.string(at: element))
            element = view.next(after: element)
        }
        return strings
    }
}

final class DataPlan: PropertyPlan<Data> {
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> Data {
        switch session.options.dataDecodingStrategy {
        case .base64:
            if let data = Data(base64Encoded: try session.text(at: place.word)) { return data }
            throw session.failure(.invalidValue, at: place.word, expected: "Base64 text", found: "another text")
        case .deferredToData: return try Data(from: ValueDecoder(session, place))
        case .custom(let decode): return try decode(ValueDecoder(session, place))
        }
    }
}

final class URLPlan: PropertyPlan<URL> {
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> URL {
        if let url = URL(string: try session.text(at: place.word)) { return url }
        throw session.failure(.invalidValue, at: place.word, expected: "a URL", found: "another text")
    }
}

final class DecimalPlan: PropertyPlan<Decimal> {
    /// Exact or not at all: a number with more digits than a decimal holds is an error.
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> Decimal {
        // A text that stands for infinity is no decimal, whatever the strategy for floats.
        guard session.view.kind(at: place.word) == .number else {
            throw session.failure(
                session.view.isNull(place.word) ? .unexpectedNull : .wrongType, at: place.word, expected: "a number that Decimal holds")
        }
        let text = session.view.numberText(at: place.word)
        if let value = Decimal(string: text, locale: nil), value.isFinite,
            let back = JSONNumber(text: value.description), let number = JSONNumber(text: text), back == number
        {
            return value
        }
        throw session.failure(.numberOutOfRange, at: place.word, expected: "a number that Decimal holds exactly", found: "more digits")
    }
}

final class UUIDPlan: PropertyPlan<UUID> {
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> UUID {
        if let value = UUID(uuidString: try session.text(at: place.word)) { return value }
        throw session.failure(.invalidValue, at: place.word, expected: "a UUID", found: "another text")
    }
}

final class StringArrayPlan: PropertyPlan<[String]> {
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> [String] {
        // The standard library's way has the error, with its place, for everything that is not all strings.
        try session.plainStrings(at: place.word) ?? [String](from: ValueDecoder(session, place))
    }
}

/// JSON of any shape, straight from the tape.
final class JSONPlan: PropertyPlan<JSON> {
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> JSON { session.view.json(at: place.word) }

    /// A null is a value here: only a missing member is none.
    override func decodeIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> JSON? {
        guard case .value(let place) = session.place(of: name, in: ordinal), !session.view.isNull(place.word) else { return nil }
        return try decode(session, at: place)
    }
}

final class JSONObjectPlan: PropertyPlan<JSONObject> {
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> JSONObject {
        guard session.view.isObject(place.word) else { throw session.failure(.wrongType, at: place.word, expected: "an object") }
        return session.view.object(at: place.word)
    }
}

final class JSONNumberPlan: PropertyPlan<JSONNumber> {
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> JSONNumber {
        guard session.view.kind(at: place.word) == .number, case .number(let number) = session.view.json(at: place.word) else {
            throw session.failure(.wrongType, at: place.word, expected: "a number")
        }
        return number
    }
}

// MARK: - Markers

/// `ResourceMeta`, `ResourceLinks`, `LocalID`: members of the resource object, whatever the property is called.
final class MarkerPlan<Marker: ResourceMarker>: PropertyPlan<Marker> {
    override var readsAttributes: Bool { false }

    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> Marker {
        try Marker.read(session, at: place.word)
    }

    override func decode(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Marker {
        if let value = try decodeIfPresent(session, ordinal, name) { return value }
        if let empty = Marker.absent { return empty }
        throw session.failure(
            .missingMember, at: Int(session.entries[ordinal].word), expected: "the resource's `\(Marker.memberName)`",
            found: "a resource without it", advice: "make `\(name.text)` optional")
    }

    override func decodeIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Marker? {
        let word = Int(Marker.word(session.entries[ordinal]))
        guard word != 0, !session.view.isNull(word) else { return nil }
        return try decode(session, at: ValuePlace(field: word))
    }
}

/// A type that claims a member of the resource object.
protocol ResourceMarker: Decodable {
    static var memberName: String { get }
    static func word(_ entry: ResourceEntry) -> UInt32
    static func read(_ session: DecodingSession, at word: Int) throws -> Self
    /// The value for a resource without the member, where there is one.
    static var absent: Self? { get }
}

extension ResourceMeta: ResourceMarker {
    static var memberName: String { "meta" }
    static func word(_ entry: ResourceEntry) -> UInt32 { entry.meta }
    static var absent: ResourceMeta? { nil }
    static func read(_ session: DecodingSession, at word: Int) throws -> ResourceMeta {
        ResourceMeta(try session.plan(for: Value.self).decode(session, at: ValuePlace(field: word)))
    }
}

extension ResourceLinks: ResourceMarker {
    static var memberName: String { "links" }
    static func word(_ entry: ResourceEntry) -> UInt32 { entry.links }
    static var absent: ResourceLinks? { ResourceLinks() }
    static func read(_ session: DecodingSession, at word: Int) throws -> ResourceLinks {
        guard session.view.isObject(word) else {
            if session.view.isArray(word), session.view.count(at: word) == 0, session.options.leniencies.contains(.emptyArrayContainers) {
                return ResourceLinks()
            }
            throw session.failure(.wrongType, at: word, expected: "a links object")
        }
        return ResourceLinks(Links(members: session.view.object(at: word)))
    }
}

extension LocalID: ResourceMarker {
    static var memberName: String { "lid" }
    static func word(_ entry: ResourceEntry) -> UInt32 { entry.lid }
    static var absent: LocalID? { nil }
    static func read(_ session: DecodingSession, at word: Int) throws -> LocalID {
        LocalID(try session.scalar(at: word))
    }
}
