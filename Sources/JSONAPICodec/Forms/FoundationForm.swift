import Foundation
import JSONMapping
import JSONText

// URLs, decimals and UUIDs.

final class URLPlan: PropertyPlan<URL> {
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> URL {
        let text = try session.text(at: place.word)
        if let url = URL(string: text) { return UTF8Bytes.contains(UInt8(ascii: "%"), in: text) ? Self.sameAddress(url, text) : url }
        throw session.otherText(at: place.word, "a URL", text.isEmpty ? DecodingSession.emptyAdvice : "declare the property as String")
    }

    /// Returns the URL of a text with percent signs. If Foundation has encoded any character of it, it has also encoded these signs.
    @inline(never)
    private static func sameAddress(_ url: URL, _ text: String) -> URL {
        UTF8Bytes.areEqual(url.absoluteString, text) ? url : URLText.url(text) ?? url
    }
}

final class URLWriter: PropertyWriter<URL> {
    override func write(_ value: URL, _ session: EncodingSession, _ sink: ValueSink) throws { sink.output.string(value.absoluteString) }
}

extension URL: LeafType {
    static func placeholder(_ number: Int) -> URL? { URL(string: "https://example.com/\(number)") }
}

final class DecimalPlan: PropertyPlan<Decimal> {
    /// Returns the exact decimal. A number with more digits than a decimal can hold is an error.
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> Decimal {
        // A string that represents infinity is not a decimal, whatever the strategy for floats is.
        guard session.view.kind(at: place.word) == .number else {
            if let text = try session.numberInText(at: place.word, "a number that fits Decimal", as: Decimal.self, { $0.text }) {
                return try decimal(text, session, place)
            }
            throw session.mismatch(at: place.word, expected: "a number that fits Decimal")
        }
        let short = session.view.withBytes(at: place.word) { NumberParsing.shortDecimal($0) }
        if let short { return Self.decimal(short.digits, short.exponent, short.isNegative) }
        return try decimal(session.view.numberText(at: place.word), session, place)
    }

    /// Returns a decimal of few digits, which is exact.
    private static func decimal(_ digits: UInt64, _ exponent: Int, _ isNegative: Bool) -> Decimal {
        guard digits != 0 else { return 0 }
        var (digits, exponent) = (digits, exponent)
        while exponent < 0, digits % 10 == 0 {
            digits /= 10
            exponent += 1
        }
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: Decimal(digits))
    }

    private func decimal(_ text: String, _ session: DecodingSession, _ place: ValuePlace) throws -> Decimal {
        if let value = JSONNumber(text: text).flatMap({ Decimal(representing: $0) }) { return value }
        let digits = text.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber).drop { $0 == "0" }
        throw session.failure(
            .numberOutOfRange, at: place.word, expected: "a number that fits Decimal exactly",
            found: digits.reversed().drop { $0 == "0" }.count > 38 ? "more digits" : "a number that is too large or too close to zero",
            advice: "declare the property as JSONNumber, which keeps the number as it is written")
    }
}

final class DecimalWriter: PropertyWriter<Decimal> {
    override func write(_ value: Decimal, _ session: EncodingSession, _ sink: ValueSink) throws {
        guard value.isFinite, let number = JSONNumber(text: value.description) else {
            throw session.failure(.notRepresentable, in: sink, expected: "a finite number", found: "NaN")
        }
        sink.output.number(number)
    }
}

extension Decimal: LeafType {
    static func placeholder(_ number: Int) -> Decimal? { Decimal(number) }
}

final class UUIDPlan: PropertyPlan<UUID> {
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> UUID {
        if let value = try session.uuid(at: place.word) ?? UUID(text: session.text(at: place.word)) { return value }
        throw session.otherText(at: place.word, "a UUID", "declare the property as String")
    }

    override func decodeIdentity(_ session: DecodingSession, at word: Int) throws -> UUID {
        guard let value = session.uuid(at: word) ?? UUID(text: session.view.string(at: word)) else {
            throw session.otherID(UUID.self, at: word)
        }
        return value
    }
}

extension UUID: LeafType {
    static func placeholder(_ number: Int) -> UUID? { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number))) }
}

extension DecodingSession {
    /// Returns the UUID of a text in the usual form, 8-4-4-4-12 hexadecimal digits; nil for any other value.
    fileprivate func uuid(at word: Int) -> UUID? {
        guard view.isString(word) else { return nil }
        return view.withBytes(at: word) { UUID(text: $0) }
    }
}

final class UUIDWriter: PropertyWriter<UUID> {
    override func write(_ value: UUID, _ session: EncodingSession, _ sink: ValueSink) throws { sink.output.string(value.uuidString) }
}
