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
    /// A schema that contains itself nests as deep as the input does, and no count of levels is right for every stack, so the stack is
    /// asked. Throws `nestingLimit` when little is left of it.
    func nested() throws -> MappingContext {
        var context = self
        context.depth += 1
        if context.depth % Self.interval == 0, !Self.hasRoom {
            throw Issue(
                .nestingLimit, expected: "objects nested no deeper than the thread's stack carries", found: "\(context.depth) levels",
                advice: "read it on a thread with a larger stack")
        }
        return context
    }

    /// How many levels may pass between two looks.
    private static let interval = 8
    /// What has to be left, in bytes: more than that many levels take, and what a conversion of the program may need.
    private static let reserve: UInt = 192 * 1024

    private static var hasRoom: Bool {
        let lowest = UInt(jsonapi_stack_floor())
        guard lowest != 0 else { return true }
        var here: UInt8 = 0
        let address = withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
        return address > lowest &+ reserve
    }
}
