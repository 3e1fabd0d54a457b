import CStackBounds
import JSONText

/// Where a run is: what it shares, and how deep it is in nested objects.
struct MappingContext {
    let run: MappingRun

    private var depth = 0

    init(schemas: SchemaSet? = nil, isRepresenting: Bool = false) {
        run = MappingRun(schemas: schemas, isRepresenting: isRepresenting)
    }

    /// The schemas that nested objects look for.
    var schemas: SchemaSet? { run.schemas }

    /// Whether a value that cannot be encoded becomes null, instead of an issue.
    var isRepresenting: Bool { run.isRepresenting }

    /// The context inside one more object.
    ///
    /// A schema that contains itself nests as deep as the input does. No count of levels is right for every stack, so every level
    /// looks at the stack. Throws `nestingLimit` when little is left of it.
    func nested() throws -> MappingContext {
        var context = self
        context.depth += 1
        guard Self.hasRoom else {
            throw MappingIssue(
                .nestingLimit, expected: "objects nested no deeper than the thread's stack carries", found: "\(context.depth) levels",
                advice: "read it on a thread with a larger stack")
        }
        return context
    }

    /// What a step returns; when it throws, what it changed in existing instances is taken back before anybody hears of it.
    ///
    /// Around every step whose failure may be swallowed: by `lossy`, by another path, by another element of a list.
    func undoingFailure<Result>(_ step: () throws -> Result) throws -> Result {
        let start = run.changeCount
        do { return try step() } catch {
            run.rollBack(to: start)
            throw error
        }
    }

    /// What has to be left, in bytes: one level and whatever a conversion of the program needs.
    private static let reserve: UInt = 192 * 1024

    /// Whether the reserve is left above the stack's lowest address. True where the platform does not tell.
    private static var hasRoom: Bool {
        let lowest = UInt(jsonapi_stack_floor())
        return lowest == 0 || UInt(jsonapi_stack_address()) > lowest &+ reserve
    }
}
