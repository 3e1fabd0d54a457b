import Foundation
import JSONText

/// Chooses the plan for a type. The one place where types are asked what they conform to; it runs once per type and session.
enum PlanFactory {
    static func plan<Value: Decodable>(for type: Value.Type, _ session: DecodingSession) -> PropertyPlan<Value> {
        if let plan = own(type, session) as? PropertyPlan<Value> { return plan }
        if let resource = type as? any ResourceRepresentable.Type, let plan = embedded(resource, session) as? PropertyPlan<Value> {
            return plan
        }
        return CodablePlan<Value>()
    }

    /// The plan of a type that is not read by its own `init(from:)`.
    private static func own(_ type: Any.Type, _ session: DecodingSession) -> AnyObject? {
        switch type {
        case is Date.Type: DatePlan(session.options.dateDecodingStrategy)
        case is Data.Type: DataPlan()
        case is URL.Type: URLPlan()
        case is Decimal.Type: DecimalPlan()
        case is UUID.Type: UUIDPlan()
        case is [String].Type: StringArrayPlan()
        case is JSON.Type: JSONPlan()
        case is JSONObject.Type: JSONObjectPlan()
        case is JSONNumber.Type: JSONNumberPlan()
        case is RelationshipObject.Type: RelationshipObjectPlan()
        case is ResourceIdentifier.Type: IdentifierPlan()
        case is [ResourceIdentifier].Type: IdentifiersPlan()
        case let scalar as any Scalar.Type: scalarPlan(scalar)
        case let marker as any ResourceMarker.Type: markerPlan(marker)
        case let wrapper as any PlannedWrapper.Type: wrapper.makePlan(session)
        default: nil
        }
    }

    private static func scalarPlan<Value: Scalar>(_: Value.Type) -> AnyObject { ScalarPlan<Value>() }
    private static func markerPlan<Marker: ResourceMarker>(_: Marker.Type) -> AnyObject { MarkerPlan<Marker>() }

    private static func embedded<Element: ResourceRepresentable>(_ type: Element.Type, _ session: DecodingSession) -> AnyObject {
        EmbeddedOnePlan(session.elementPlan(for: type))
    }

    static func elementPlan<Element: ResourceRepresentable>(
        for type: Element.Type, _ session: DecodingSession
    ) -> ElementPlan<Element> {
        let plan: AnyObject? =
            switch type {
            case is ResourceObject.Type: RawResourcePlan(session)
            case let direct as any DirectResource.Type: directPlan(direct, session)
            case let resource as any Resource.Type: resourcePlan(resource, session)
            case let union as any ResourceUnion.Type: unionPlan(union, session)
            default: nil
            }
        return plan as? ElementPlan<Element> ?? ElementPlan<Element>(session)
    }

    private static func directPlan<Model: DirectResource>(_: Model.Type, _ session: DecodingSession) -> AnyObject {
        DirectResourcePlan<Model>(session)
    }
    private static func resourcePlan<Model: Resource>(_: Model.Type, _ session: DecodingSession) -> AnyObject {
        ResourcePlan<Model>(session)
    }
    private static func unionPlan<Union: ResourceUnion>(_: Union.Type, _ session: DecodingSession) -> AnyObject {
        UnionPlan<Union>(session)
    }
}

/// A generic type whose plan depends on what is inside.
protocol PlannedWrapper {
    /// Its plan, nil when it is read by its own `init(from:)` like any other type.
    static func makePlan(_ session: DecodingSession) -> AnyObject?
}

extension Optional: PlannedWrapper {
    static func makePlan(_ session: DecodingSession) -> AnyObject? {
        guard let wrapped = Wrapped.self as? any Decodable.Type else { return nil }
        func make<Value: Decodable>(_ type: Value.Type) -> AnyObject? {
            // A type that reads null itself, as Optional's own init(from:) lets it, must be asked through Codable.
            let plan = session.plan(for: type)
            return plan is CodablePlan<Value> ? nil : OptionalPlan(plan)
        }
        return make(wrapped)
    }
}

extension Array: PlannedWrapper {
    static func makePlan(_ session: DecodingSession) -> AnyObject? {
        guard let element = Element.self as? any ResourceRepresentable.Type else { return nil }
        func make<Value: ResourceRepresentable>(_ type: Value.Type) -> AnyObject { EmbeddedManyPlan(session.elementPlan(for: type)) }
        return make(element)
    }
}

extension ToOne: PlannedWrapper {
    static func makePlan(_ session: DecodingSession) -> AnyObject? { ToOnePlan(session.elementPlan(for: Target.self)) }
}

extension ToMany: PlannedWrapper {
    static func makePlan(_ session: DecodingSession) -> AnyObject? { ToManyPlan(session.elementPlan(for: Target.self)) }
}
