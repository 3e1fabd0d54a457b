// The plans of the types that a session reads. A plan belongs to the static type: a variable of the type `Shape.Type` can contain a subclass.

extension DecodingSession {
    /// Returns the plan for a type. It is determined once for each type and session.
    @inline(__always)
    package func plan<Value: Decodable>(for type: Value.Type) -> PropertyPlan<Value> {
        tables.plans.object(for: Value.self) { PlanFactory.plan(for: Value.self, self) }
    }

    /// Returns the plan for resources of a type, with the values that were already read.
    @inline(__always)
    func elementPlan<Element: ResourceRepresentable>(for type: Element.Type) -> ElementPlan<Element> {
        let plan = tables.elementPlans.object(for: Element.self) { PlanFactory.elementPlan(for: type, self) }
        if !plan.isPrepared { plan.prepare(self) }
        return plan
    }

    /// Reads a value of a type that the program has chosen at run time. A subclass of the static type is created by its own `init(from:)`.
    @inline(__always)
    func value<Value: Decodable>(of type: Value.Type, at place: ValuePlace) throws -> Value {
        guard ObjectIdentifier(type) != ObjectIdentifier(Value.self) else { return try plan(for: Value.self).decode(self, at: place) }
        func chosen<Chosen: Decodable>(_: Chosen.Type) throws -> Value? { try plan(for: Chosen.self).decode(self, at: place) as? Value }
        let value = try (typeAtRunTime(type) as? any Decodable.Type).flatMap { try chosen($0) }
        return try value ?? plan(for: Value.self).decode(self, at: place)
    }
}

/// Returns the subclass that the program has chosen at run time for a variable of a type such as `Shape.Type`; nil for the static type.
/// A function that goes on with the static type calls itself with the subclass.
package func subclass<Model>(in type: Model.Type) -> Any.Type? {
    ObjectIdentifier(type) == ObjectIdentifier(Model.self) ? nil : typeAtRunTime(type)
}

/// Returns a type as it is, for passing it to a generic function.
///
/// The optimizer does not see it here. Where it sees that a variable of the type `Shape.Type` is passed on, it calls the generic function for
/// `Shape`, and not for the subclass that the variable contains.
@inline(never)
func typeAtRunTime(_ type: Any.Type) -> Any.Type { type }
