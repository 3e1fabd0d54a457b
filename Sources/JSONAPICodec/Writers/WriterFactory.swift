import Foundation
import JSONMapping
import JSONText

/// Chooses the writer for a type. The one place where types are asked what they conform to; it runs once per type and session.
enum WriterFactory {
    static func writer<Value: Encodable>(for type: Value.Type, _ session: EncodingSession) -> PropertyWriter<Value> {
        if let writer = own(type, session) as? PropertyWriter<Value> { return writer }
        if let resource = type as? any ResourceRepresentable.Type,
            let writer = embedded(resource, session) as? PropertyWriter<Value>
        {
            return writer
        }
        if let lens = type as? any MemberLens.Type, let writer = tree(lens) as? PropertyWriter<Value> { return writer }
        return CodableWriter<Value>()
    }

    private static func tree<Lens: MemberLens>(_: Lens.Type) -> AnyObject { JSONTreeWriter<Lens> { $0.json } }

    /// The writer of a type that is not written by its own `encode(to:)`.
    private static func own(_ type: Any.Type, _ session: EncodingSession) -> AnyObject? {
        switch type {
        case is Date.Type: DateWriter()
        case is Data.Type: DataWriter()
        case is URL.Type: URLWriter()
        case is Decimal.Type: DecimalWriter()
        case is UUID.Type: UUIDWriter()
        case is JSON.Type: JSONTreeWriter<JSON> { $0 }
        case is JSONObject.Type: JSONTreeWriter<JSONObject> { .object($0) }
        case is JSONNumber.Type: JSONTreeWriter<JSONNumber> { .number($0) }
        case is RelationshipObject.Type: RelationshipObjectWriter()
        case is ResourceIdentifier.Type: LinkageWriter<ResourceIdentifier> { .one($0) }
        case is [ResourceIdentifier].Type: LinkageWriter<[ResourceIdentifier]> { .many($0) }
        case is JSONArray.Type: JSONTreeWriter<JSONArray> { .array($0) }
        case is ResourceLinks.Type: LinksWriter()
        case is LocalID.Type: LocalIDWriter()
        case let scalar as any WritableScalar.Type: scalarWriter(scalar)
        case let wrapper as any WrittenWrapper.Type: wrapper.makeWriter(session)
        default: nil
        }
    }

    private static func scalarWriter<Value: WritableScalar>(_: Value.Type) -> AnyObject { ScalarWriter<Value>() }

    private static func embedded<Element: ResourceRepresentable>(_ type: Element.Type, _ session: EncodingSession) -> AnyObject {
        EmbeddedOneWriter(session.elementWriter(for: type))
    }

    static func elementWriter<Element: ResourceRepresentable>(for type: Element.Type) -> ElementWriter<Element> {
        let writer: AnyObject? =
            switch type {
            case is ResourceObject.Type: RawElementWriter()
            case let direct as any DirectResource.Type: directWriter(direct)
            case let union as any ResourceUnion.Type: unionWriter(union)
            default: nil
            }
        return writer as? ElementWriter<Element> ?? ElementWriter<Element>()
    }

    private static func directWriter<Model: DirectResource>(_: Model.Type) -> AnyObject { DirectElementWriter<Model>() }
    private static func unionWriter<Union: ResourceUnion>(_: Union.Type) -> AnyObject { UnionWriter<Union>() }
}

/// A generic type whose writer depends on what is inside.
protocol WrittenWrapper {
    /// Its writer, nil when it is written by its own `encode(to:)` like any other type.
    static func makeWriter(_ session: EncodingSession) -> AnyObject?
}

extension Optional: WrittenWrapper {
    static func makeWriter(_ session: EncodingSession) -> AnyObject? {
        guard let wrapped = Wrapped.self as? any Encodable.Type else { return nil }
        func make<Value: Encodable>(_ type: Value.Type) -> AnyObject { OptionalWriter(session.writer(for: type)) }
        return make(wrapped)
    }
}

extension Array: WrittenWrapper {
    static func makeWriter(_ session: EncodingSession) -> AnyObject? {
        func resources<Value: ResourceRepresentable>(_ type: Value.Type) -> AnyObject {
            EmbeddedManyWriter(session.elementWriter(for: type))
        }
        func scalars<Value: WritableScalar>(_ type: Value.Type) -> AnyObject { ScalarArrayWriter<Value>() }
        return switch Element.self {
        case let element as any ResourceRepresentable.Type: resources(element)
        case let element as any WritableScalar.Type: scalars(element)
        default: nil
        }
    }
}

extension ToOne: WrittenWrapper {
    static func makeWriter(_ session: EncodingSession) -> AnyObject? { ToOneWriter(session.elementWriter(for: Target.self)) }
}

extension ToMany: WrittenWrapper {
    static func makeWriter(_ session: EncodingSession) -> AnyObject? { ToManyWriter(session.elementWriter(for: Target.self)) }
}

extension ResourceMeta: WrittenWrapper {
    static func makeWriter(_ session: EncodingSession) -> AnyObject? { MetaWriter<Value>() }
}

extension StatedNull: WrittenWrapper {
    static func makeWriter(_ session: EncodingSession) -> AnyObject? { StatedNullWriter<Value>() }
}
