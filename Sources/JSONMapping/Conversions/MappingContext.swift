import JSONText

/// The state of a step: the data that the whole run shares, and the nesting depth.
struct MappingContext {
    let run: MappingRun

    private var depth = 0

    init(
        schemas: SchemaSet? = nil, isRepresenting: Bool = false, writesAll: Bool = false, shadow: Shadow? = nil,
        namesOfResource: [String]? = nil
    ) {
        run = MappingRun(
            schemas: schemas, isRepresenting: isRepresenting, writesAll: writesAll, shadow: shadow, namesOfResource: namesOfResource)
    }

    /// Whether the value is inside an object of the run.
    var isNested: Bool { depth > 0 }

    /// Returns the schema that replaces a type's own schema in nested objects; nil if there is none.
    func registered<Root>(_ type: Root.Type) throws -> MappingSchema<Root>? {
        try run.schemas?.registered(type) ?? run.nearestSchemas?.registered(type)
    }

    /// Does the same for a class that is known only at run time.
    func registered(class type: any Any.Type) throws -> (any ClassSchema)? {
        try run.schemas?.registered(class: type) ?? run.nearestSchemas?.registered(class: type)
    }

    /// Returns the set in which objects inside an object with the given schema look up their schemas, after that of the run.
    func schemas<Root>(inside schema: MappingSchema<Root>) -> SchemaSet? { schema.schemas ?? run.nearestSchemas }

    /// Runs a step for an object with the given schema.
    func inside<Root, Result>(_ schema: MappingSchema<Root>, _ step: (MappingContext) throws -> Result) rethrows -> Result {
        try run.looking(in: schemas(inside: schema)) { try step(self) }
    }

    /// Whether a value that cannot be encoded becomes null instead of an issue.
    var isRepresenting: Bool { run.isRepresenting }

    /// Returns the context for one more level of nesting.
    ///
    /// A recursive schema nests as deeply as its input. No fixed limit suits every stack size, so each level checks the remaining stack.
    /// Throws `nestingLimit` when less than `reserve` bytes are left.
    func nested(advice: String = "use a thread with a larger stack") throws -> MappingContext {
        var context = self
        context.depth += 1
        guard !run.isExhausted, StackRoom.isLeft(Self.reserve) else {
            run.nestingFailures += 1
            throw MappingIssue(
                .nestingLimit, expected: "objects that are not nested too deeply for the thread's stack", found: "\(context.depth) levels",
                advice: advice)
        }
        return context
    }

    /// Runs a step and returns its result. If the step throws, its changes to existing instances are undone before the error is rethrown,
    /// and what it has noted is forgotten. What clients must not send is only forgotten if the step fails for other reasons as well.
    ///
    /// Use it for every step whose failure can be ignored: by `lossy`, by an alternative path, or by a list that skips elements.
    func undoingFailure<Result>(_ step: () throws -> Result) throws -> Result {
        let (start, absent, refusals, count) = (run.changeCount, run.absent, run.refusals, run.refusalCount)
        do { return try step() } catch {
            run.rollBack(to: start)
            run.absent = absent
            if !MappingIssue.isHidden(error) { (run.refusals, run.refusalCount) = (refusals, count) }
            throw error
        }
    }

    /// The number of bytes that must be left on the stack, for one level and for a conversion in the caller's code.
    private static let reserve: UInt = 192 * 1024
}
