import Foundation
import JSONText

/// Chooses the plan for a type. The one place where types are asked what they conform to.
///
/// Asking costs some ten thousand instructions per type, more than decoding a small document, so what was found is remembered
/// for all sessions: a function that makes the plan for one.
enum PlanFactory {
    typealias Maker = (DecodingSession) -> AnyObject

    private static let plans = TypeMemory<Maker>()
    private static let elementPlans = TypeMemory<Maker>()

    static func plan<Value: Decodable>(for type: Value.Type, _ session: DecodingSession) -> PropertyPlan<Value> {
        let make = plans.answer(for: type) {
            // Looked at before it is remembered: a plan of another type would be a fault of this file.
            if let make = own(type), make(session) is PropertyPlan<Value> { return make }
            if let resource = type as? any ResourceRepresentable.Type { return embedded(resource) }
            return { _ in CodablePlan<Value>() }
        }
        return KnownObject.of(make(session), as: PropertyPlan<Value>.self)
    }

    /// Makes the plan of a type that is not read by its own `init(from:)`.
    private static func own(_ type: Any.Type) -> Maker? {
        switch type {
        case is Date.Type: return { DatePlan($0.options.dateDecodingStrategy) }
        case is Data.Type: return { _ in DataPlan() }
        case is URL.Type: return { _ in URLPlan() }
        case is Decimal.Type: return { _ in DecimalPlan() }
        case is UUID.Type: return { _ in UUIDPlan() }
        case is [String].Type: return { _ in StringArrayPlan() }
        case is JSON.Type: return { _ in JSONPlan() }
        case is JSONObject.Type: return { _ in JSONObjectPlan() }
        case is JSONNumber.Type: return { _ in JSONNumberPlan() }
        case is RelationshipObject.Type: return { _ in RelationshipObjectPlan() }
        case is ResourceIdentifier.Type: return { _ in IdentifierPlan() }
        case is [ResourceIdentifier].Type: return { _ in IdentifiersPlan() }
        case let scalar as any Scalar.Type: return scalarPlan(scalar)
        case let marker as any ResourceMarker.Type: return markerPlan(marker)
        case let wrapper as any PlannedWrapper.Type: return wrapper.planMaker()
        default: return nil
        }
    }

    private static func scalarPlan<Value: Scalar>(_: Value.Type) -> Maker { { _ in ScalarPlan<Value>() } }
    private static func markerPlan<Marker: ResourceMarker>(_: Marker.Type) -> Maker { { _ in MarkerPlan<Marker>() } }

    private static func embedded<Element: ResourceRepresentable>(_ type: Element.Type) -> Maker {
        { EmbeddedOnePlan($0.elementPlan(for: type)) }
    }

    static func elementPlan<Element: ResourceRepresentable>(
        for type: Element.Type, _ session: DecodingSession
    ) -> ElementPlan<Element> {
        let make = elementPlans.answer(for: type) {
            if let make = elementMaker(type), make(session) is ElementPlan<Element> { return make }
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

    /// The type of the class is looked up here once: in each session it took as long as making the plan.
    private static func maker<Value>(_ plan: ElementPlan<Value>.Type) -> Maker { { plan.init($0) } }
}

/// A generic type whose plan depends on what is inside.
protocol PlannedWrapper {
    /// Makes its plan; nil when it is read by its own `init(from:)` like any other type.
    static func planMaker() -> PlanFactory.Maker?
}

extension Optional: PlannedWrapper {
    static func planMaker() -> PlanFactory.Maker? {
        guard let wrapped = Wrapped.self as? any Decodable.Type else { return nil }
        func make<Value: Decodable>(_ type: Value.Type) -> PlanFactory.Maker {
            { session in
                // A type that reads null itself, as Optional's own init(from:) lets it, must be asked through Codable.
                let plan = session.plan(for: type)
                return plan is CodablePlan<Value> ? CodablePlan<Value?>() : OptionalPlan(plan)
            }
        }
        return make(wrapped)
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

extension ToOne: PlannedWrapper {
    static func planMaker() -> PlanFactory.Maker? { { ToOnePlan($0.elementPlan(for: Target.self)) } }
}

extension ToMany: PlannedWrapper {
    static func planMaker() -> PlanFactory.Maker? { { ToManyPlan($0.elementPlan(for: Target.self)) } }
}
