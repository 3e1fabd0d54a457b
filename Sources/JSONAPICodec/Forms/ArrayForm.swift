import Foundation
import JSONMapping
import JSONText

// Arrays of scalars, and sets.

final class StringArrayPlan: PropertyPlan<[String]> {
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> [String] {
        // The standard library's way has the error, with its place, for everything that is not all strings.
        try session.plainStrings(at: place.word) ?? [String](from: ValueDecoder(session, place))
    }
}

extension Array: PlannedWrapper {
    static func planMaker() -> PlanFactory.Maker? {
        guard let element = Element.self as? any ResourceRepresentable.Type else { return nil }
        func make<Value: ResourceRepresentable>(_ type: Value.Type) -> PlanFactory.Maker {
            { EmbeddedManyPlan($0.elementPlan(for: type)) }
        }
        return make(element)
    }
}

/// An array of scalars, without a container for it.
final class ScalarArrayWriter<Element: Scalar>: PropertyWriter<[Element]> {
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

extension Array: WrittenWrapper {
    static var writerMaker: WriterFactory.Maker? {
        func resources<Value: ResourceRepresentable>(_: Value.Type) -> WriterFactory.Maker {
            { EmbeddedManyWriter<Value>($0.elementWriter(for: Value.self)) }
        }
        func scalars<Value: Scalar>(_: Value.Type) -> WriterFactory.Maker { { _ in ScalarArrayWriter<Value>() } }
        return switch Element.self {
        case let element as any ResourceRepresentable.Type: resources(element)
        case let element as any Scalar.Type: scalars(element)
        default: nil
        }
    }
}

extension Set: WrittenWrapper {
    static var writerMaker: WriterFactory.Maker? {
        func elements<Value: Encodable & Hashable>(_: Value.Type) -> WriterFactory.Maker { { _ in SetWriter<Value>() } }
        return (Element.self as? any (Encodable & Hashable).Type).map { elements($0) }
    }
}
