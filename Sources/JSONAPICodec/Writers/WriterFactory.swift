import Foundation
import JSONMapping
import JSONText

/// Chooses the writer for a type. The one place where types are asked what they conform to; it runs once per type and process.
enum WriterFactory {
    /// Makes the writer of a type for one session.
    typealias Maker = (EncodingSession) -> AnyObject

    private static let writers = TypeMemory<Maker>()
    private static let elementWriters = TypeMemory<Maker>()

    // MARK: - Values

    static func writer<Value: Encodable>(for type: Value.Type, _ session: EncodingSession) -> PropertyWriter<Value> {
        let make = writers.answer(for: type) { maker(for: type) }
        // Each maker makes the writer of its type; the base class, which refuses to write, would stand for a fault of this file.
        return make(session) as? PropertyWriter<Value> ?? PropertyWriter<Value>()
    }

    private static func maker<Value: Encodable>(for type: Value.Type) -> Maker {
        if let maker = own(type) { return maker }
        if let resource = type as? any ResourceRepresentable.Type { return embedded(resource) }
        if let lens = type as? any MemberLens.Type { return tree(lens) }
        return { _ in CodableWriter<Value>() }
    }

    /// The writer of a type that is not written by its own `encode(to:)`.
    private static func own(_ type: Any.Type) -> Maker? {
        switch type {
        case is Date.Type: { _ in DateWriter() }
        case is Data.Type: { _ in DataWriter() }
        case is URL.Type: { _ in URLWriter() }
        case is Decimal.Type: { _ in DecimalWriter() }
        case is UUID.Type: { _ in UUIDWriter() }
        case is JSON.Type: { _ in JSONTreeWriter<JSON> { $0 } }
        case is JSONObject.Type: { _ in JSONTreeWriter<JSONObject> { .object($0) } }
        case is JSONNumber.Type: { _ in JSONTreeWriter<JSONNumber> { .number($0) } }
        case is RelationshipObject.Type: { _ in RelationshipObjectWriter() }
        case is ResourceIdentifier.Type: { _ in LinkageWriter<ResourceIdentifier> { .one($0) } }
        case is [ResourceIdentifier].Type: { _ in LinkageWriter<[ResourceIdentifier]> { .many($0) } }
        case is JSONArray.Type: { _ in JSONTreeWriter<JSONArray> { .array($0) } }
        case is ResourceLinks.Type: { _ in LinksWriter() }
        case is LocalID.Type: { _ in LocalIDWriter() }
        case let scalar as any WritableScalar.Type: ofScalar(scalar)
        case let wrapper as any WrittenWrapper.Type: wrapper.writerMaker
        default: nil
        }
    }

    private static func ofScalar<Value: WritableScalar>(_: Value.Type) -> Maker { { _ in ScalarWriter<Value>() } }
    private static func tree<Lens: MemberLens>(_: Lens.Type) -> Maker { { _ in JSONTreeWriter<Lens> { $0.json } } }
    private static func embedded<Element: ResourceRepresentable>(_: Element.Type) -> Maker {
        { EmbeddedOneWriter<Element>($0.elementWriter(for: Element.self)) }
    }

    // MARK: - Resources

    static func elementWriter<Element: ResourceRepresentable>(
        for type: Element.Type, _ session: EncodingSession
    ) -> ElementWriter<Element> {
        let make = elementWriters.answer(for: type) { elementMaker(for: type) }
        return make(session) as? ElementWriter<Element> ?? ElementWriter<Element>()
    }

    private static func elementMaker<Element: ResourceRepresentable>(for type: Element.Type) -> Maker {
        switch type {
        case is ResourceObject.Type: { _ in RawElementWriter() }
        case let direct as any DirectResource.Type: ofDirect(direct)
        case let union as any ResourceUnion.Type: ofUnion(union)
        default: { _ in ElementWriter<Element>() }
        }
    }

    private static func ofDirect<Model: DirectResource>(_: Model.Type) -> Maker { { _ in DirectElementWriter<Model>() } }
    private static func ofUnion<Union: ResourceUnion>(_: Union.Type) -> Maker { { _ in UnionWriter<Union>() } }
}

/// A generic type whose writer depends on what is inside.
protocol WrittenWrapper {
    /// Makes its writer; nil when it is written by its own `encode(to:)` like any other type.
    static var writerMaker: WriterFactory.Maker? { get }
}

extension Optional: WrittenWrapper {
    static var writerMaker: WriterFactory.Maker? {
        func make<Value: Encodable>(_ type: Value.Type) -> WriterFactory.Maker {
            { OptionalWriter<Value>($0.writer(for: Value.self)) }
        }
        return (Wrapped.self as? any Encodable.Type).map { make($0) }
    }
}

extension Array: WrittenWrapper {
    static var writerMaker: WriterFactory.Maker? {
        func resources<Value: ResourceRepresentable>(_: Value.Type) -> WriterFactory.Maker {
            { EmbeddedManyWriter<Value>($0.elementWriter(for: Value.self)) }
        }
        func scalars<Value: WritableScalar>(_: Value.Type) -> WriterFactory.Maker { { _ in ScalarArrayWriter<Value>() } }
        return switch Element.self {
        case let element as any ResourceRepresentable.Type: resources(element)
        case let element as any WritableScalar.Type: scalars(element)
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

extension ToOne: WrittenWrapper {
    static var writerMaker: WriterFactory.Maker? { { ToOneWriter<Target>($0.elementWriter(for: Target.self)) } }
}

extension ToMany: WrittenWrapper {
    static var writerMaker: WriterFactory.Maker? { { ToManyWriter<Target>($0.elementWriter(for: Target.self)) } }
}

extension ResourceMeta: WrittenWrapper {
    static var writerMaker: WriterFactory.Maker? { { _ in MetaWriter<Value>() } }
}

extension StatedNull: WrittenWrapper {
    static var writerMaker: WriterFactory.Maker? { { _ in StatedNullWriter<Value>() } }
}
