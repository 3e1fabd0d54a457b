import Foundation
import JSONMapping
import JSONText

// URLs, decimals and UUIDs.

final class URLPlan: PropertyPlan<URL> {
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> URL {
        if let url = URL(string: try session.text(at: place.word)) { return url }
        throw session.failure(.invalidValue, at: place.word, expected: "a URL", found: "another text")
    }
}

final class URLWriter: PropertyWriter<URL> {
    override func write(_ value: URL, _ session: EncodingSession, _ sink: ValueSink) throws {
        sink.output.string(value.absoluteString)
    }
}

final class DecimalPlan: PropertyPlan<Decimal> {
    /// Returns the exact decimal. A number with more digits than a decimal can hold is an error.
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> Decimal {
        // A string that represents infinity is not a decimal, whatever the strategy for floats is.
        guard session.view.kind(at: place.word) == .number else {
            if let text = try session.numberInText(at: place.word, "a number that fits Decimal", as: Decimal.self, { $0.text }) {
                return try decimal(text, session, place)
            }
            throw session.failure(
                session.view.isNull(place.word) ? .unexpectedNull : .wrongType, at: place.word, expected: "a number that fits Decimal")
        }
        return try decimal(session.view.numberText(at: place.word), session, place)
    }

    private func decimal(_ text: String, _ session: DecodingSession, _ place: ValuePlace) throws -> Decimal {
        if let value = Decimal(string: text, locale: nil), value.isFinite,
            let back = JSONNumber(text: value.description), let number = JSONNumber(text: text), back == number
        {
            return value
        }
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

final class UUIDPlan: PropertyPlan<UUID> {
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> UUID {
        if let value = UUID(uuidString: try session.text(at: place.word)) { return value }
        throw session.failure(
            .invalidValue, at: place.word, expected: "a UUID", found: "another text", advice: "declare the property as String")
    }

    override func decodeIdentity(_ session: DecodingSession, at word: Int) throws -> UUID {
        guard let value = UUID(uuidString: session.view.string(at: word)) else { throw session.otherID(UUID.self, at: word) }
        return value
    }
}

final class UUIDWriter: PropertyWriter<UUID> {
    override func write(_ value: UUID, _ session: EncodingSession, _ sink: ValueSink) throws {
        sink.output.string(value.uuidString)
    }
}
