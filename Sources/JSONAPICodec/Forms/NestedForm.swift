import JSONMapping

// `@Nested<Latitude> var location: Double`: a value inside an attribute of which the model does not know the rest.

/// Writes a property as a coding key with the whole path would, and nil as null. A patch then knows that the value is only a part of its
/// attribute.
final class NestedWriter<Wrapper: Encodable, Value: Encodable>: PropertyWriter<Wrapper> {
    private let path: [String]
    private let value: (Wrapper) -> Value?
    override var empty: Wrapper? { emptyWrapper }
    private let emptyWrapper: Wrapper?

    /// - Parameters:
    ///   - path: The names from the attribute to the value.
    ///   - empty: The wrapper without a value; nil if it always has one.
    ///   - value: Returns the wrapped value; nil if there is none.
    init(_ path: [String], empty: Wrapper? = nil, _ value: @escaping (Wrapper) -> Value?) {
        self.path = path
        self.value = value
        emptyWrapper = empty
    }

    override func noteOmitted(_ name: String, _ session: EncodingSession, _ sink: ValueSink) { noteNil(session, sink, [name]) }

    private func noteNil(_ session: EncodingSession, _ sink: ValueSink, _ name: [String] = []) {
        guard session.clearsRelationships, !path.isEmpty else { return }
        session.extras.nested.append(NestedPart(sink.group + sink.path.compactMap(\.token) + name, path))
    }

    override func write(_ wrapper: Wrapper, _ session: EncodingSession, _ sink: ValueSink) throws {
        if value(wrapper) == nil { noteNil(session, sink) }
        try CodableWriter<Wrapper>().write(wrapper, session, sink)
    }

    override func write(_ wrapper: Wrapper, _ session: EncodingSession, as name: KnownName) throws {
        guard value(wrapper) != nil || session.writesNulls else { return }
        try write(wrapper, session, at: ["attributes", name.text])
    }

    override func write(_ wrapper: Wrapper, _ session: EncodingSession, at segments: [String]) throws {
        guard let value = value(wrapper) else { return session.sink(at: segments + path).output.null() }
        try session.writer(for: Value.self).write(value, session, at: segments + path)
    }
}

extension PropertyRole {
    /// Returns the names from an attribute to the value that a type reads there; none for a type that reads the whole attribute.
    static func nestedPath(_ type: Any.Type) -> [String] {
        switch type {
        case let wrapper as any TransparentWrapper.Type: nestedPath(wrapper.wrappedType)
        case let nested as any NestedType.Type: nested.path
        default: []
        }
    }
}

private protocol NestedType {
    static var path: [String] { get }
}

extension Nested: NestedType {
    fileprivate static var path: [String] { Source.path.segments }
}

extension NestedIfPresent: NestedType {
    fileprivate static var path: [String] { Source.path.segments }
}

extension Nested: WrittenWrapper where Source.Value: Encodable {
    static var writerMaker: WriterFactory.Maker? { { _ in NestedWriter<Nested, Source.Value>(path) { $0.wrappedValue } } }
}

extension NestedIfPresent: WrittenWrapper where Source.Value: Encodable {
    static var writerMaker: WriterFactory.Maker? {
        { _ in NestedWriter<NestedIfPresent, Source.Value>(path, empty: NestedIfPresent(wrappedValue: nil)) { $0.wrappedValue } }
    }
}

extension NestedIfPresent: PlannedWrapper where Source.Value: Decodable {
    static var planMaker: PlanFactory.Maker? { { _ in CodablePlan(ofNothing: NestedIfPresent(wrappedValue: nil)) } }
}
