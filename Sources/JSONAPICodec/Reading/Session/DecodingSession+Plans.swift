// The plans of the types that a session reads.

extension DecodingSession {
    /// Returns the plan for a type. It is determined once for each type and session.
    @inline(__always)
    package func plan<Value: Decodable>(for type: Value.Type) -> PropertyPlan<Value> {
        // Only `makePlan` fills the table, with a plan of exactly the type that is its key.
        tables.plans.object(for: ObjectIdentifier(type), as: PropertyPlan<Value>.self) ?? makePlan(for: type)
    }

    @inline(never)
    private func makePlan<Value: Decodable>(for type: Value.Type) -> PropertyPlan<Value> {
        let plan = PlanFactory.plan(for: type, self)
        tables.plans.insert(plan, for: ObjectIdentifier(type))
        return plan
    }

    /// Returns the plan for resources of a type, with the values that were already read.
    @inline(__always)
    func elementPlan<Element: ResourceRepresentable>(for type: Element.Type) -> ElementPlan<Element> {
        guard let plan = tables.elementPlans.object(for: ObjectIdentifier(type), as: ElementPlan<Element>.self) else {
            return makeElementPlan(for: type)
        }
        if !plan.isPrepared { plan.prepare(self) }
        return plan
    }

    @inline(never)
    private func makeElementPlan<Element: ResourceRepresentable>(for type: Element.Type) -> ElementPlan<Element> {
        let plan = PlanFactory.elementPlan(for: type, self)
        tables.elementPlans.insert(plan, for: ObjectIdentifier(type))
        return plan
    }
}
