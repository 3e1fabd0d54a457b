import JSONMapping
import JSONText

// Arrays, dictionaries with string keys, and sets.

/// Reads an array of strings, numbers or booleans directly from the text.
final class ScalarArrayPlan<Element: Scalar>: PropertyPlan<[Element]> {
    private let elements = ElementsPlan<Element>()
    private let plain: (DecodingSession, Int) -> [Element]?

    /// - Parameter plain: `plainScalars`. Code that names the type passes a function that is compiled for it, which takes half the time.
    init(_ plain: @escaping (DecodingSession, Int) -> [Element]? = { $0.plainScalars(at: $1) }) { self.plain = plain }

    override var usesCodable: Bool { true }

    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> [Element] {
        // For everything else, the slow path has the error, its place and the leniencies.
        try plain(session, place.word) ?? elements.decode(session, at: place)
    }
}

extension DecodingSession {
    /// Returns the scalars of an array; nil for everything that needs a closer look.
    @inline(__always)
    func plainScalars<Value: Scalar>(at word: Int) -> [Value]? {
        let view = view
        guard view.isArray(word) else { return nil }
        var values: [Value] = []
        values.reserveCapacity(view.count(at: word))
        var element = view.first(in: word)
        let end = view.end(of: word)
        while element < end {
            guard let value = Value.read(view, element) else { return nil }
            values.append(value)
            element = view.next(after: element)
        }
        return values
    }
}

extension DecodingSession {
    /// Returns the scalars of an object by their names; nil for everything that needs a closer look. Code that names the type gets a
    /// function that is compiled for it, which takes a third of the time.
    @inline(__always)
    func plainNamedScalars<Value: Scalar>(at word: Int) -> [String: Value]? {
        let view = view
        guard view.isObject(word), !view.hasDuplicates(word) else { return nil }
        let count = view.count(at: word)
        var values = [String: Value](minimumCapacity: count)
        var name = view.first(in: word)
        let end = view.end(of: word)
        while name < end {
            let member = view.next(after: name)
            guard let value = Value.read(view, member) else { return nil }
            values[view.string(at: name)] = value
            name = view.next(after: member)
        }
        // Two names can be equal in Swift.
        return values.count == count ? values : nil
    }
}

/// Reads an array of any decodable values, as the standard library's `init(from:)` does but without a container.
final class ElementsPlan<Element: Decodable>: PropertyPlan<[Element]> {
    override var usesCodable: Bool { true }

    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> [Element] {
        guard session.view.isArray(place.word) else { return try [Element](from: ValueDecoder(session, place)) }
        return try session.nested(at: place, elements)
    }

    private func elements(_ decoder: ValueDecoder) throws -> [Element] {
        let session = decoder.session
        let view = session.view
        let plan = session.plan(for: Element.self)
        var elements: [Element] = []
        var rest = view.count(at: decoder.word)
        var word = view.first(in: decoder.word)
        // In pieces, so that an array that cannot be decoded requests little memory. With `append` for each element, the runtime looks up
        // two types for each.
        while rest > 0 {
            let capacity = min(rest, max(16, elements.count))
            let start = elements.count
            try elements.append(addingCapacity: capacity) { (span: inout OutputSpan<Element>) throws in
                while !span.isFull {
                    let index = start + span.count
                    span.append(
                        try session.edge(decoder.codingPath + [PathKey(index: index)], Element.self) {
                            try plan.decode(session, at: ValuePlace(word, .index(index), in: decoder))
                        })
                    word = view.next(after: word)
                }
            }
            rest -= capacity
        }
        return elements
    }
}

/// Reads a set. Throws for two elements that are equal in Swift although their texts differ, because one of them would be lost.
final class SetPlan<Element: Decodable & Hashable>: PropertyPlan<Set<Element>> {
    private let elements = ElementsPlan<Element>()

    override var usesCodable: Bool { true }

    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> Set<Element> {
        try elements.decode(session, at: place).reduce(into: []) { values, element in
            let (isNew, present) = values.insert(element)
            guard !isNew, !haveEqualText(present, element) else { return }
            throw session.failure(
                .invalidValue, at: place.word, expected: "texts that are different elements of \(Set<Element>.self)",
                found: "two texts for one element, such as composed and decomposed é",
                advice: "declare the property as an array, which keeps both")
        }
    }
}

/// Reads a dictionary whose keys are strings, as the standard library's `init(from:)` does but without a container and without looking up
/// each name.
final class NamedValuesPlan<Value: Decodable>: PropertyPlan<[String: Value]> {
    private let slow = KeyedValuesPlan<String, Value>()
    private let plain: (DecodingSession, Int) -> [String: Value]?

    /// - Parameter plain: Returns the values if none needs a closer look, such as `plainNamedScalars`.
    init(_ plain: @escaping (DecodingSession, Int) -> [String: Value]? = { _, _ in nil }) { self.plain = plain }

    override var usesCodable: Bool { true }

    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> [String: Value] {
        if let values = plain(session, place.word) { return values }
        guard session.view.isObject(place.word), !session.view.hasDuplicates(place.word) else { return try slow.decode(session, at: place) }
        return try session.nested(at: place, values)
    }

    private func values(_ decoder: ValueDecoder) throws -> [String: Value] {
        let session = decoder.session
        let plan = session.plan(for: Value.self)
        var values: [String: Value] = [:]
        try session.view.forEachMember(of: decoder.word) { nameWord, word throws in
            let name = session.view.string(at: nameWord)
            values[name] = try session.edge(decoder.codingPath + [PathKey(name)], Value.self) {
                try plan.decode(session, at: ValuePlace(word, .member, in: decoder))
            }
        }
        return try session.complete(values, session.view.count(at: decoder.word), at: decoder.word)
    }
}

/// Reads a dictionary with keys of another type that are names in JSON, such as `[Int: Price]`.
final class KeyedValuesPlan<Name: Decodable & Hashable, Value: Decodable>: PropertyPlan<[Name: Value]> {
    private let values = CodablePlan<[Name: Value]>()

    override var usesCodable: Bool { true }

    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> [Name: Value] {
        let pairs = try values.decode(session, at: place)
        guard session.view.isObject(place.word) else { return pairs }
        return try session.complete(pairs, ByteText.distinct(session.view.names(of: place.word)).count, at: place.word)
    }
}

extension DecodingSession {
    /// Returns the values if there is one for each of `count` names. Otherwise throws, because two names are the same key in Swift.
    fileprivate func complete<Name, Value>(_ values: [Name: Value], _ count: Int, at word: Int) throws -> [Name: Value] {
        guard values.count == count else {
            throw failure(
                .duplicateName, at: word, expected: "names that are different keys of \([Name: Value].self)",
                found: "two names for one key, such as composed and decomposed é, or `1` and `01`",
                advice: "declare the property as JSONObject, which keeps both")
        }
        return values
    }
}

/// Writes an array of scalars without a container.
final class ScalarArrayWriter<Element: Scalar>: PropertyWriter<[Element]> {
    override func write(_ value: [Element], _ session: EncodingSession, _ sink: ValueSink) throws {
        guard sink.wireDepth < session.options.maximumDepth else { throw session.tooDeep(in: sink) }
        sink.output.beginArray()
        for index in 0..<value.count {
            try value.borrow(index) { element in
                if element.isRepresentable { return try element.write(sink.output) }
                try session.write(copy element, as: .index(index), in: sink)
            }
        }
        sink.output.endArray()
    }
}

/// Writes an array of any encodable values, as the standard library's `encode(to:)` does but without a container.
final class ElementsWriter<Element: Encodable>: PropertyWriter<[Element]> {
    override func write(_ value: [Element], _ session: EncodingSession, _ sink: ValueSink) throws {
        try session.writeContainer(.unkeyed, into: sink) {
            let writer = session.writer(for: Element.self)
            for index in 0..<value.count {
                try value.borrow(index) { try writer.write(copy $0, session, sink, inside: .index(index)) }
            }
        }
    }
}

/// Writes a dictionary whose keys are strings, as the standard library's `encode(to:)` does but without a container. No name is repeated.
final class NamedValuesWriter<Value: Encodable>: PropertyWriter<[String: Value]> {
    override func write(_ value: [String: Value], _ session: EncodingSession, _ sink: ValueSink) throws {
        try session.writeContainer(.keyed, into: sink) {
            let writer = session.writer(for: Value.self)
            if session.sortsDictionaries {
                for name in value.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
                    if let member = value[name] { try write(member, name, writer, session, sink) }
                }
            } else {
                for (name, member) in value { try write(member, name, writer, session, sink) }
            }
        }
    }

    @inline(__always)
    private func write(
        _ member: Value, _ name: String, _ writer: PropertyWriter<Value>, _ session: EncodingSession, _ sink: ValueSink
    ) throws {
        sink.output.name(name)
        try writer.write(member, session, sink, inside: .name(name))
    }
}

/// Writes a dictionary with keys of another type that are names in JSON, such as `[Int: Price]`.
final class KeyedValuesWriter<Key: Encodable & Hashable, Value: Encodable>: CodableWriter<[Key: Value]> {
    override func write(_ value: [Key: Value], _ session: EncodingSession, _ sink: ValueSink) throws {
        guard session.sortsDictionaries else { return try super.write(value, session, sink) }
        let members = value.map { (name: ($0.key as? any CodingKeyRepresentable)?.codingKey.stringValue ?? "", value: $0.value) }
        try session.write(into: sink) { encoder in
            var container = encoder.container(keyedBy: PathKey.self)
            for member in members.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
                try container.encode(member.value, forKey: PathKey(member.name))
            }
        }
    }
}

/// Writes a set. Its elements are sorted by their texts, so that equal sets have the same text.
final class SetWriter<Element: Encodable & Hashable>: PropertyWriter<Set<Element>> {
    override func write(_ value: Set<Element>, _ session: EncodingSession, _ sink: ValueSink) throws {
        let writer = session.writer(for: Element.self)
        try session.writeSorted(value, into: sink) { try writer.write($0, session, sink, inside: .index($1)) }
    }
}

/// Writes a dictionary whose keys are no names. As in the standard library, it is an array of keys and values in turn. The pairs are sorted
/// by their texts, so that equal dictionaries have the same text.
final class PairsWriter<Key: Encodable & Hashable, Value: Encodable>: PropertyWriter<[Key: Value]> {
    override func write(_ value: [Key: Value], _ session: EncodingSession, _ sink: ValueSink) throws {
        let (keys, values) = (session.writer(for: Key.self), session.writer(for: Value.self))
        try session.writeSorted(value, into: sink) { pair, index in
            try keys.write(pair.key, session, sink, inside: .index(2 * index))
            try values.write(pair.value, session, sink, inside: .index(2 * index + 1))
        }
    }
}

extension EncodingSession {
    /// Writes an array of parts that have no order of their own, sorted by their texts.
    fileprivate func writeSorted<Parts: Collection>(
        _ parts: Parts, into sink: ValueSink, _ write: (Parts.Element, _ index: Int) throws -> Void
    ) throws {
        let sorts = sortsDictionaries
        sortsDictionaries = true
        defer { sortsDictionaries = sorts }
        try writeContainer(.unkeyed, into: sink) {
            let start = sink.output.count
            var texts: [[UInt8]] = []
            for (index, part) in parts.enumerated() {
                let mark = sink.output.mark
                try write(part, index)
                texts.append(sink.output.bytes(in: sink.output.range(from: mark)))
            }
            texts.sort { $0.lexicographicallyPrecedes($1) }
            sink.output.replace(from: start, with: Array(texts.joined(separator: [UInt8(ascii: ",")])))
        }
    }

    /// Writes an array or an object, whose elements or members `body` writes.
    @inline(__always)
    fileprivate func writeContainer(_ kind: ValueSink.Kind, into sink: ValueSink, _ body: () throws -> Void) throws {
        try sink.closingAfterError {
            guard begin(kind, sink, sink.open(.same)) else { throw misuse(sink) }
            try body()
        }
        sink.close()
    }
}

extension Array: PlannedWrapper, WrittenWrapper {
    static var planMaker: PlanFactory.Maker? {
        func resources<Value: ResourceRepresentable>(_ type: Value.Type) -> PlanFactory.Maker {
            { EmbeddedManyPlan($0.elementPlan(for: type)) }
        }
        func scalars<Value: Scalar>(_: Value.Type) -> PlanFactory.Maker { { _ in ScalarArrayPlan<Value>() } }
        func values<Value: Decodable>(_: Value.Type) -> PlanFactory.Maker { { _ in ElementsPlan<Value>() } }
        return switch Element.self {
        case let element as any ResourceRepresentable.Type: resources(element)
        case let element as any Scalar.Type: scalars(element)
        case let element as any Decodable.Type: values(element)
        default: nil
        }
    }

    static var writerMaker: WriterFactory.Maker? {
        func resources<Value: ResourceRepresentable>(_: Value.Type) -> WriterFactory.Maker {
            { EmbeddedManyWriter<Value>($0.elementWriter(for: Value.self)) }
        }
        func scalars<Value: Scalar>(_: Value.Type) -> WriterFactory.Maker { { _ in ScalarArrayWriter<Value>() } }
        func values<Value: Encodable>(_: Value.Type) -> WriterFactory.Maker { { _ in ElementsWriter<Value>() } }
        return switch Element.self {
        case let element as any ResourceRepresentable.Type: resources(element)
        case let element as any Scalar.Type: scalars(element)
        case let element as any Encodable.Type: values(element)
        default: nil
        }
    }
}

extension Dictionary: PlannedWrapper, WrittenWrapper {
    static var planMaker: PlanFactory.Maker? {
        func named<Member: Decodable>(_: Member.Type) -> PlanFactory.Maker { { _ in NamedValuesPlan<Member>() } }
        func keyed<Name: Decodable & Hashable, Member: Decodable>(_: Name.Type, _: Member.Type) -> PlanFactory.Maker {
            { _ in KeyedValuesPlan<Name, Member>() }
        }
        guard let value = Value.self as? any Decodable.Type else { return nil }
        if Key.self == String.self { return named(value) }
        // The standard library takes these keys for names in JSON. Pairs with other keys are elements of an array.
        guard Key.self is any CodingKeyRepresentable.Type, let key = Key.self as? any (Decodable & Hashable).Type else { return nil }
        return keyed(key, value)
    }

    static var writerMaker: WriterFactory.Maker? {
        func named<Member: Encodable>(_: Member.Type) -> WriterFactory.Maker { { _ in NamedValuesWriter<Member>() } }
        func pairs<Name: Encodable & Hashable, Member: Encodable>(_: Name.Type, _: Member.Type) -> WriterFactory.Maker {
            { _ in Name.self is any CodingKeyRepresentable.Type ? KeyedValuesWriter<Name, Member>() : PairsWriter<Name, Member>() }
        }
        guard let value = Value.self as? any Encodable.Type else { return nil }
        if Key.self == String.self { return named(value) }
        return (Key.self as? any (Encodable & Hashable).Type).map { pairs($0, value) }
    }
}

extension Set: PlannedWrapper, WrittenWrapper {
    static var planMaker: PlanFactory.Maker? {
        func elements<Value: Decodable & Hashable>(_: Value.Type) -> PlanFactory.Maker { { _ in SetPlan<Value>() } }
        return (Element.self as? any (Decodable & Hashable).Type).map { elements($0) }
    }

    static var writerMaker: WriterFactory.Maker? {
        func elements<Value: Encodable & Hashable>(_: Value.Type) -> WriterFactory.Maker { { _ in SetWriter<Value>() } }
        return (Element.self as? any (Encodable & Hashable).Type).map { elements($0) }
    }
}
