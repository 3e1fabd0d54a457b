// The plans of the types that a session reads. A plan belongs to the static type: a variable of the type `Shape.Type` can contain a subclass.

extension DecodingSession {
    /// Returns the plan for a type. It is determined once for each type and session.
    @inline(__always)
    package func plan<Value: Decodable>(for type: Value.Type) -> PropertyPlan<Value> {
        // Only `makePlan` fills the table, with a plan of exactly the type that is its key.
        tables.plans.object(for: ObjectIdentifier(Value.self), as: PropertyPlan<Value>.self) ?? makePlan(for: Value.self)
    }

    @inline(never)
    private func makePlan<Value: Decodable>(for type: Value.Type) -> PropertyPlan<Value> {
        let plan = PlanFactory.plan(for: type, self)
        tables.plans.insert(plan, for: ObjectIdentifier(Value.self))
        return plan
    }

    /// Returns the plan for resources of a type, with the values that were already read.
    @inline(__always)
    func elementPlan<Element: ResourceRepresentable>(for type: Element.Type) -> ElementPlan<Element> {
        guard let plan = tables.elementPlans.object(for: ObjectIdentifier(Element.self), as: ElementPlan<Element>.self) else {
            return makeElementPlan(for: Element.self)
        }
        if !plan.isPrepared { plan.prepare(self) }
        return plan
    }

    @inline(never)
    private func makeElementPlan<Element: ResourceRepresentable>(for type: Element.Type) -> ElementPlan<Element> {
        let plan = PlanFactory.elementPlan(for: type, self)
        tables.elementPlans.insert(plan, for: ObjectIdentifier(Element.self))
        return plan
    }

    /// Reads a value of a type that the program has chosen at run time. A subclass of the static type is created by its own `init(from:)`.
    @inline(__always)
    func value<Value: Decodable>(of type: Value.Type, at place: ValuePlace) throws -> Value {
        guard ObjectIdentifier(type) != ObjectIdentifier(Value.self) else { return try plan(for: Value.self).decode(self, at: place) }
        func chosen<Chosen: Decodable>(_: Chosen.Type) throws -> Value? { try plan(for: Chosen.self).decode(self, at: place) as? Value }
        let opened: any Decodable.Type = type
        return try chosen(opened) ?? plan(for: Value.self).decode(self, at: place)
    }
}
