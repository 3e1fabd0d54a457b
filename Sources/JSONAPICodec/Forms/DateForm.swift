import Foundation
import JSONMapping
import JSONText

// Dates and data, with the strategies of the decoder and the encoder.

final class DatePlan: PropertyPlan<Date> {
    private let strategy: JSONAPIDecoder.DateDecodingStrategy

    init(_ strategy: JSONAPIDecoder.DateDecodingStrategy) { self.strategy = strategy }

    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> Date {
        let advice = "choose a dateDecodingStrategy for dates of another form"
        switch strategy {
        case .iso8601:
            guard session.view.isString(place.word) else { throw session.notText(at: place.word) }
            if let date = session.isoDate(at: place.word) { return date }
            let expected = "a date such as 2026-11-21T09:30:00Z"
            guard DateLayout.iso8601.date(session.view.string(at: place.word)) != nil else {
                throw session.otherText(at: place.word, expected, advice)
            }
            throw session.otherText(
                at: place.word, expected, found: "a date without a time or time zone",
                "set dateDecodingStrategy to .layout(.iso8601), which reads it as UTC")
        case .custom(let decode): return try session.nested(at: place) { try decode($0) }
        case _ where session.view.isNull(place.word): throw session.mismatch(at: place.word, expected: "a date")
        case .layout(let layout):
            if let date = layout.date(try session.text(at: place.word)) { return date }
            throw session.otherText(at: place.word, layout.expected, advice)
        case .secondsSince1970: return Date(timeIntervalSince1970: try session.number(at: place.word))
        case .millisecondsSince1970: return Date(timeIntervalSince1970: try session.number(at: place.word) / 1000)
        case .text(let form):
            if let date = form.read(try session.text(at: place.word)) { return date }
            throw session.otherText(at: place.word, "a date in the form of the dateDecodingStrategy", advice)
        case .deferredToDate: return try Date(from: ValueDecoder(session, place))
        }
    }
}

extension DecodingSession {
    /// Returns the date at `word` when dates are those of ISO 8601 and the value is one; nil for everything that needs the plan.
    @inline(__always)
    func plainDate(at word: Int) -> Date? {
        guard readsISODates, view.isString(word) else { return nil }
        return isoDate(at: word)
    }

    @inline(__always)
    func isoDate(at word: Int) -> Date? {
        guard view.isEscaped(word) else { return view.withBytes(at: word) { DateText.date($0) } }
        return UTF8Bytes.withBytes(of: view.string(at: word)) { DateText.date($0) }
    }

    fileprivate func notText(at word: Int) -> DecodingFailure {
        let expected = "a date, as a string"
        guard view.kind(at: word) == .number else {
            return mismatch(at: word, expected: expected).requesting(view.isNull(word) ? nil : String.self)
        }
        let advice = "set dateDecodingStrategy to .secondsSince1970 or .millisecondsSince1970"
        return failure(.wrongType, at: word, expected: expected, advice: advice).requesting(String.self)
    }
}

final class DateWriter: PropertyWriter<Date> {
    override func write(_ value: Date, _ session: EncodingSession, as name: KnownName) throws {
        guard session.writesISODates, DateText.isWritable(value) else { return try super.write(value, session, as: name) }
        if try session.beginAttribute(name) { session.output.date(value) }
    }

    override func write(_ value: Date, _ session: EncodingSession, _ sink: ValueSink) throws {
        switch session.options.dateEncodingStrategy {
        case .iso8601:
            guard DateText.isWritable(value) else {
                throw session.failure(
                    .notRepresentable, in: sink, expected: "a date of the years 0 to 9999", found: "another date",
                    advice: "choose a dateEncodingStrategy for such dates")
            }
            sink.output.date(value)
        case .layout(let layout):
            guard let text = layout.text(value) else {
                throw session.failure(
                    .notRepresentable, in: sink, expected: layout.expected,
                    found: "a date that the layout cannot write, as all before the year 0 or after 9999",
                    advice: "choose a dateEncodingStrategy for such dates")
            }
            sink.output.string(text)
        case .deferredToDate: try CodableWriter<Date>().write(value, session, sink)
        case .secondsSince1970: try value.timeIntervalSince1970.write(session, sink)
        case .millisecondsSince1970: try (value.timeIntervalSince1970 * 1000).write(session, sink)
        case .text(let form): sink.output.string(form.write(value))
        case .custom(let encode): try session.write(into: sink) { try encode(value, $0) }
        }
    }
}

extension Date: LeafType {
    static func placeholder(_ number: Int) -> Date? { Date(timeIntervalSince1970: Double(number)) }
}

// MARK: - Data

extension Data: LeafType {
    static func placeholder(_ number: Int) -> Data? { Data([UInt8(number)]) }
}

final class DataPlan: PropertyPlan<Data> {
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> Data {
        switch session.options.dataDecodingStrategy {
        case .base64:
            if let data = Data(base64Encoded: try session.text(at: place.word)) { return data }
            throw session.otherText(at: place.word, "Base64 text", "choose a dataDecodingStrategy for data of another form")
        case .deferredToData where session.view.isNull(place.word):
            throw session.mismatch(at: place.word, expected: "data")
        case .deferredToData: return try Data(from: ValueDecoder(session, place))
        case .custom(let decode): return try session.nested(at: place) { try decode($0) }
        }
    }
}

final class DataWriter: PropertyWriter<Data> {
    override func write(_ value: Data, _ session: EncodingSession, _ sink: ValueSink) throws {
        switch session.options.dataEncodingStrategy {
        case .base64: sink.output.string(value.base64EncodedString())
        case .deferredToData: try CodableWriter<Data>().write(value, session, sink)
        case .custom(let encode): try session.write(into: sink) { try encode(value, $0) }
        }
    }
}
