import JSONText

/// The data that the steps of one run share. An instance is used for one run and on one thread.
final class MappingRun {
    /// The set in which nested objects look up their schemas.
    let schemas: SchemaSet?

    /// The set in which they look next: the one from which the schema of the nearest object around them was taken.
    private(set) var nearestSchemas: SchemaSet?

    /// Whether a value that cannot be encoded becomes null instead of an issue.
    let isRepresenting: Bool

    /// Whether schemas also write the fields that they do not represent.
    let writesAll: Bool

    /// Where fields are that schemas do not represent, if a client has sent what is read.
    let shadow: Shadow?
    /// The paths at which clients have sent something for such fields, and how many they were in all objects.
    var refusals: Set<JSONPointer> = []
    var refusalCount = 0
    /// Whether a schema that was written has fields that it does not represent.
    var leavesFieldsOut = false
    /// The names of the id and the relationships, if the outermost object is a resource.
    let namesOfResource: [String]?

    /// The instances of classes that are archived; nil if each reference archives a copy.
    var graphWriter: GraphWriter?
    /// The instances of classes in an archive, if it was written by a `GraphWriter`.
    var graphReader: GraphReader?

    /// How often a value was nested too deeply for the stack.
    var nestingFailures = 0

    /// Whether every further nested value is written as null, because so many were too deep. In a cycle of instances, their number doubles
    /// on each level.
    var isExhausted: Bool { isRepresenting && nestingFailures >= ValidationError.issueLimit }

    private var undoing: [() -> Void] = []

    /// The paths at which properties say that there is no member, from the outermost object; nil if nobody asks for them.
    var absent: [[String]]?
    /// The path of the object that is written; nil inside an array, whose elements have no paths.
    private var place: [String]? = []

    init(schemas: SchemaSet?, isRepresenting: Bool, writesAll: Bool, shadow: Shadow?, namesOfResource: [String]?) {
        self.schemas = schemas
        self.isRepresenting = isRepresenting
        self.writesAll = writesAll
        self.shadow = shadow
        self.namesOfResource = namesOfResource
    }

    /// Runs a step in which nested objects also look up their schemas in the given set, after that of the run.
    func looking<Result>(in schemas: SchemaSet?, _ step: () throws -> Result) rethrows -> Result {
        let outer = nearestSchemas
        nearestSchemas = schemas
        defer { nearestSchemas = outer }
        return try step()
    }

    /// Runs a step that writes a value at a path below the present one; with nil, an element of an array.
    @inline(__always)
    func writing<Result>(at path: [String]?, _ step: () throws -> Result) rethrows -> Result {
        guard absent != nil else { return try step() }
        let outer = place
        defer { place = outer }
        place = path.flatMap { path in outer.map { $0 + path } }
        return try step()
    }

    /// Notes that there is no member at a path below the present one, which is not the same as nil.
    func noteAbsent(_ path: [String]) {
        if let place { absent?.append(place + path) }
    }

    /// Tells the reader of a request what the client must not send.
    func noteRefusals() { shadow?.refusals.note(refusals) }

    /// Registers a closure that undoes a change to an existing instance. It is called if the run fails.
    func onFailure(_ undo: @escaping () -> Void) { undoing.append(undo) }

    /// The number of changes that can be undone.
    var changeCount: Int { undoing.count }

    /// Undoes all changes after the first `count`, the last one first.
    func rollBack(to count: Int = 0) {
        while undoing.count > count, let undo = undoing.popLast() { undo() }
    }
}
