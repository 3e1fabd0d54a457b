import Foundation
import JSONMapping
import JSONText

// The form of each Swift type.

/// Chooses the plan for a type. Conformances are checked only here.
///
/// A check costs about ten thousand instructions for each type, more than decoding a small document. The result is therefore kept for all
/// sessions: a function that creates the plan for one.
enum PlanFactory {
    typealias Maker = (DecodingSession) -> AnyObject

    private static let plans = TypeMemory<Maker>()
    private static let elementPlans = TypeMemory<Maker>()

    static func plan<Value: Decodable>(for type: Value.Type, _ session: DecodingSession) -> PropertyPlan<Value> {
        let make = plans.value(for: Value.self) {
            // Checked before it is kept: a plan for another type would be an error in this file.
            if let make = own(Value.self), make(session) is PropertyPlan<Value> { return make }
            if let resource = Value.self as? any ResourceRepresentable.Type { return embedded(resource) }
            return { _ in CodablePlan<Value>() }
        }
        return KnownObject.of(make(session), as: PropertyPlan<Value>.self)
    }

    /// Returns the maker for a type that is not read by its own `init(from:)`; nil for any other type.
    private static func own(_ type: Any.Type) -> Maker? {
        switch type {
        case is Date.Type: return { DatePlan($0.options.dateDecodingStrategy) }
        case is Data.Type: return { _ in DataPlan() }
        case is URL.Type: return { _ in URLPlan() }
        case is Decimal.Type: return { _ in DecimalPlan() }
        case is UUID.Type: return { _ in UUIDPlan() }
        // These types are named, so that the compiler specializes the functions for them. Other types are found through their conformances.
        case is [String].Type: return { _ in ScalarArrayPlan<String> { $0.plainScalars(at: $1) } }
        case is [Double].Type: return { _ in ScalarArrayPlan<Double> { $0.plainScalars(at: $1) } }
        case is [Int].Type: return { _ in ScalarArrayPlan<Int> { $0.plainScalars(at: $1) } }
        case is [Bool].Type: return { _ in ScalarArrayPlan<Bool> { $0.plainScalars(at: $1) } }
        case is [Float].Type: return { _ in ScalarArrayPlan<Float> { $0.plainScalars(at: $1) } }
        case is [String: String].Type: return { _ in NamedValuesPlan<String> { $0.plainNamedScalars(at: $1) } }
        case is [String: Double].Type: return { _ in NamedValuesPlan<Double> { $0.plainNamedScalars(at: $1) } }
        case is [String: Int].Type: return { _ in NamedValuesPlan<Int> { $0.plainNamedScalars(at: $1) } }
        case is [String: Bool].Type: return { _ in NamedValuesPlan<Bool> { $0.plainNamedScalars(at: $1) } }
        case is JSON.Type: return { _ in JSONPlan() }
        case is JSONObject.Type: return { _ in JSONObjectPlan() }
        case is JSONNumber.Type: return { _ in JSONNumberPlan() }
        case is RemainingMembers.Type: return { _ in RemainingMembersPlan() }
        case is RelationshipObject.Type: return { _ in RelationshipObjectPlan() }
        case is ResourceIdentifier.Type: return { _ in IdentifierPlan() }
        case is [ResourceIdentifier].Type: return { _ in IdentifiersPlan() }
        case let scalar as any Scalar.Type: return scalarPlan(scalar)
        case let marker as any ResourceMarker.Type: return markerPlan(marker)
        case let wrapper as any PlannedWrapper.Type: return wrapper.planMaker
        default: return nil
        }
    }

    private static func scalarPlan<Value: Scalar>(_: Value.Type) -> Maker { { _ in ScalarPlan<Value>() } }
    private static func markerPlan<Marker: ResourceMarker>(_: Marker.Type) -> Maker { { _ in MarkerPlan<Marker>() } }

    private static func embedded<Element: ResourceRepresentable>(_ type: Element.Type) -> Maker {
        { EmbeddedOnePlan($0.elementPlan(for: type)) }
    }

    static func elementPlan<Element: ResourceRepresentable>(for type: Element.Type, _ session: DecodingSession) -> ElementPlan<Element> {
        let make = elementPlans.value(for: Element.self) {
            if let make = elementMaker(Element.self), make(session) is ElementPlan<Element> { return make }
            return { ElementPlan<Element>($0) }
        }
        return KnownObject.of(make(session), as: ElementPlan<Element>.self)
    }

    private static func elementMaker(_ type: Any.Type) -> Maker? {
        switch type {
        case is ResourceObject.Type: return { RawResourcePlan($0) }
        case let direct as any DirectResource.Type: return directPlan(direct)
        case let resource as any Resource.Type: return resourcePlan(resource)
        case let union as any ResourceUnion.Type: return unionPlan(union)
        default: return nil
        }
    }

    private static func directPlan<Model: DirectResource>(_: Model.Type) -> Maker { maker(DirectResourcePlan<Model>.self) }
    private static func resourcePlan<Model: Resource>(_: Model.Type) -> Maker { maker(ResourcePlan<Model>.self) }
    private static func unionPlan<Union: ResourceUnion>(_: Union.Type) -> Maker { maker(UnionPlan<Union>.self) }

    /// The class type is looked up here once. In each session that took as long as creating the plan.
    private static func maker<Value>(_ plan: ElementPlan<Value>.Type) -> Maker { { plan.init($0) } }
}

/// A generic type whose plan depends on its argument.
protocol PlannedWrapper {
    /// The maker of its plan; nil when its own `init(from:)` reads it, like any other type.
    static var planMaker: PlanFactory.Maker? { get }
}

/// Chooses the writer for a type. Conformances are checked only here, once for each type and process.
enum WriterFactory {
    /// Creates the writer of a type for one session.
    typealias Maker = (EncodingSession) -> AnyObject

    private static let writers = TypeMemory<Maker>()
    private static let elementWriters = TypeMemory<Maker>()

    // MARK: - Values

    static func writer<Value: Encodable>(for type: Value.Type, _ session: EncodingSession) -> PropertyWriter<Value> {
        let make = writers.value(for: Value.self) { maker(for: Value.self) }
        // Each maker creates the writer of its type. The base class, which throws when it writes, would reveal an error in this file.
        return make(session) as? PropertyWriter<Value> ?? PropertyWriter<Value>()
    }

    private static func maker<Value: Encodable>(for type: Value.Type) -> Maker {
        if let maker = own(type) { return maker }
        if let resource = type as? any ResourceRepresentable.Type { return embedded(resource) }
        if let lens = type as? any MemberLens.Type { return tree(lens) }
        return RegistrarWriter<Value>.isNeeded ? { _ in RegistrarWriter<Value>() } : { _ in CodableWriter<Value>() }
    }

    /// Returns the maker for a type that is not written by its own `encode(to:)`; nil for any other type.
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
        case is ResourceIdentifier.Type: { _ in LinkageWriter<ResourceIdentifier>(.toOne) { .one($0) } }
        case is [ResourceIdentifier].Type: { _ in LinkageWriter<[ResourceIdentifier]>(.toMany) { .many($0) } }
        case is JSONArray.Type: { _ in JSONTreeWriter<JSONArray> { .array($0) } }
        case is RemainingMembers.Type: { _ in RemainingMembersWriter() }
        case is UnreadValue.Type: { _ in UnreadValueWriter() }
        case is ResourceLinks.Type: { _ in LinksWriter() }
        case is LocalID.Type: { _ in LocalIDWriter() }
        case let scalar as any Scalar.Type: ofScalar(scalar)
        case let wrapper as any WrittenWrapper.Type: wrapper.writerMaker
        default: nil
        }
    }

    private static func ofScalar<Value: Scalar>(_: Value.Type) -> Maker { { _ in ScalarWriter<Value>() } }
    private static func tree<Lens: MemberLens>(_: Lens.Type) -> Maker { { _ in JSONTreeWriter<Lens> { $0.json } } }
    private static func embedded<Element: ResourceRepresentable>(_: Element.Type) -> Maker {
        { EmbeddedOneWriter<Element>($0.elementWriter(for: Element.self)) }
    }

    // MARK: - Resources

    static func elementWriter<Element: ResourceRepresentable>(
        for type: Element.Type, _ session: EncodingSession
    ) -> ElementWriter<Element> {
        let make = elementWriters.value(for: Element.self) { elementMaker(for: Element.self) }
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

/// A generic type whose writer depends on its argument.
protocol WrittenWrapper {
    /// The maker of its writer; nil when its own `encode(to:)` writes it, like any other type.
    static var writerMaker: WriterFactory.Maker? { get }
}
