import Foundation
import JSONMapping
import JSONText

// Types of Foundation and of ours that do not go through their own `encode(to:)`.

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
        case .deferredToDate: try CodableWriter<Date>().write(value, session, sink)
        case .secondsSince1970: try value.timeIntervalSince1970.write(session, sink)
        case .millisecondsSince1970: try (value.timeIntervalSince1970 * 1000).write(session, sink)
        case .formatted(let formatter): sink.output.string(formatter.string(from: value))
        case .custom(let encode): try session.custom(sink) { try encode(value, $0) }
        }
    }
}

final class DataWriter: PropertyWriter<Data> {
    override func write(_ value: Data, _ session: EncodingSession, _ sink: ValueSink) throws {
        switch session.options.dataEncodingStrategy {
        case .base64: sink.output.string(value.base64EncodedString())
        case .deferredToData: try CodableWriter<Data>().write(value, session, sink)
        case .custom(let encode): try session.custom(sink) { try encode(value, $0) }
        }
    }
}

extension EncodingSession {
    /// A value that a strategy's closure writes.
    fileprivate func custom(_ sink: ValueSink, _ body: (any Encoder) throws -> Void) throws {
        let depth = sink.depth
        let id = sink.open(.same)
        do {
            try body(ValueEncoder(self, sink, id))
        } catch {
            sink.abandon(to: depth)
            throw error
        }
        sink.close()
    }
}

final class URLWriter: PropertyWriter<URL> {
    override func write(_ value: URL, _ session: EncodingSession, _ sink: ValueSink) throws {
        sink.output.string(value.absoluteString)
    }
}

final class UUIDWriter: PropertyWriter<UUID> {
    override func write(_ value: UUID, _ session: EncodingSession, _ sink: ValueSink) throws {
        sink.output.string(value.uuidString)
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

/// An array of scalars, without a container for it.
final class ScalarArrayWriter<Element: WritableScalar>: PropertyWriter<[Element]> {
    override func write(_ value: [Element], _ session: EncodingSession, _ sink: ValueSink) throws {
        sink.output.beginArray()
        for index in 0..<value.count {
            try value.borrow(index) { element in
                if element.isRepresentable { return try element.write(sink.output) }
                _ = sink.open(.index(index))
                try element.write(session, sink)
                sink.closeSilently()
            }
        }
        sink.output.endArray()
    }
}

/// A set. Its elements are written in the order of their texts, so that equal sets give one text.
final class SetWriter<Element: Encodable & Hashable>: PropertyWriter<Set<Element>> {
    override func write(_ value: Set<Element>, _ session: EncodingSession, _ sink: ValueSink) throws {
        let id = sink.open(.same)
        guard session.begin(.unkeyed, sink, id) else { throw session.misuse(sink) }
        let writer = session.writer(for: Element.self)
        let start = sink.output.count
        var texts: [[UInt8]] = []
        for (index, element) in value.enumerated() {
            let mark = sink.output.mark
            _ = sink.open(.index(index))
            try writer.write(element, session, sink)
            sink.closeSilently()
            texts.append(sink.output.bytes(in: sink.output.range(from: mark)))
        }
        texts.sort { $0.lexicographicallyPrecedes($1) }
        sink.output.replace(from: start, with: Array(texts.joined(separator: [UInt8(ascii: ",")])))
        sink.close()
    }
}

extension EncodingSession {
    /// A JSON tree as a value.
    func writeTree(_ json: JSON, into sink: ValueSink) throws {
        try writeTree(json, into: sink.output, below: sink.wireDepth - sink.output.depth, at: sink.group + sink.path.compactMap(\.token))
    }
}

/// JSON of any shape.
final class JSONTreeWriter<Value>: PropertyWriter<Value> {
    private let tree: (Value) -> JSON

    init(_ tree: @escaping (Value) -> JSON) { self.tree = tree }

    override func write(_ value: Value, _ session: EncodingSession, _ sink: ValueSink) throws {
        try session.writeTree(tree(value), into: sink)
    }
}

// MARK: - Markers

/// `ResourceMeta`, `ResourceLinks`, `LocalID`: members of the resource object, whatever the property is called.
final class MetaWriter<Value: Codable & Sendable>: PropertyWriter<ResourceMeta<Value>> {
    override var writesAttributes: Bool { false }

    override func write(_ value: ResourceMeta<Value>, _ session: EncodingSession, as name: KnownName) throws {
        let sink = session.memberSink("meta")
        _ = sink.open(.same)
        try session.writer(for: Value.self).write(value.value, session, sink)
        sink.closeSilently()
        let meta = try session.json(sink.output.bytes)
        guard meta.object != nil else {
            throw session.failure(
                .wrongPlace, at: ["meta"], expected: "meta that is an object", found: meta.kindName,
                advice: "give ResourceMeta a type with members")
        }
        session.extras.meta = meta
    }
}

final class LinksWriter: PropertyWriter<ResourceLinks> {
    override var writesAttributes: Bool { false }

    override func write(_ value: ResourceLinks, _ session: EncodingSession, as name: KnownName) throws {
        if !value.links.members.isEmpty { session.extras.links = value.links.json }
    }
}

final class LocalIDWriter: PropertyWriter<LocalID> {
    override var writesAttributes: Bool { false }

    override func write(_ value: LocalID, _ session: EncodingSession, as name: KnownName) throws {
        guard !value.value.isEmpty else {
            throw session.failure(
                .missingIdentity, at: ["lid"], expected: "a lid with at least one character", found: "an empty text")
        }
        session.extras.lid = value.value
    }
}
