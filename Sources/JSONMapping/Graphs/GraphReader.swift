/// Creates the instances of classes in an archive, each once.
///
/// If the schema of a class creates instances without values, an instance is created first, and gets its properties later. Such instances
/// can refer to each other in cycles. Otherwise, everything to which an instance refers is created before it.
final class GraphReader {
    private enum State {
        case unread
        case underway
        case created(AnyObject)
    }

    private let decoders: [any Decoder]
    private var states: [State]
    /// The steps that set the properties of instances. They do not keep the reader alive.
    private var waiting: [(GraphReader, MappingContext) throws -> Void] = []
    /// The index of the next step.
    private var next = 0
    /// The instances without properties so far.
    private var empty: Set<ObjectIdentifier> = []
    /// The instances that were returned while a conversion reads its values; nil outside of conversions.
    private var returned: [AnyObject]?
    /// The last steps of the schemas.
    private var finishing: [() throws -> Void] = []
    private var created: Set<ObjectIdentifier> = []

    init(_ instances: any UnkeyedDecodingContainer) throws {
        var (instances, decoders) = (instances, [any Decoder]())
        while !instances.isAtEnd { decoders.append(try instances.superDecoder()) }
        self.decoders = decoders
        states = Array(repeating: .unread, count: decoders.count)
    }

    /// Returns the instance with a number.
    ///
    /// Throws a `MappingIssue` if there is none, if it has another type, or if it can only be created after itself.
    func instance<Root>(_ number: Int, _ schema: MappingSchema<Root>, _ context: MappingContext) throws -> Root {
        guard states.indices.contains(number) else {
            throw MappingIssue(.unresolvedReference, expected: "the number of an instance in the archive", found: "another number")
        }
        switch states[number] {
        case .created(let object):
            guard let root = object as? Root else {
                throw MappingIssue(.typeMismatch, expected: "an instance of \(Root.self)", found: "an instance of \(type(of: object))")
            }
            returned?.append(object)
            return root
        case .underway:
            throw MappingIssue(
                .initializationFailed, expected: "an instance of \(Root.self) that exists before its properties",
                found: "a cycle through its initializer", advice: "declare the schema with `creating:`")
        case .unread:
            return try create(number, schema, context)
        }
    }

    private func create<Root>(_ number: Int, _ schema: MappingSchema<Root>, _ context: MappingContext) throws -> Root {
        states[number] = .underway
        let decoder = decoders[number]
        guard schema.codec == nil, let prototype = schema.prototype else {
            do {
                let root = try context.nested().inside(schema) { try schema.unarchive(from: decoder, $0) }
                states[number] = .created(root as AnyObject)
                return root
            } catch {
                states[number] = .unread
                throw error
            }
        }
        let root = prototype()
        let object = root as AnyObject
        guard created.insert(ObjectIdentifier(object)).inserted else {
            throw MappingIssue(
                .initializationFailed, expected: "a new instance of \(Root.self)", found: "the same instance again",
                advice: "create a new instance in each call of `creating:`")
        }
        states[number] = .created(object)
        empty.insert(ObjectIdentifier(object))
        returned?.append(object)
        let schemas = context.schemas(inside: schema)
        waiting.append { reader, context in
            let last = try context.run.looking(in: schemas) {
                try schema.fill(root, from: decoder, context) { reader.empty.remove(ObjectIdentifier(object)) }
            }
            reader.finishing.append(last)
        }
        return root
    }

    /// Sets the properties of all instances, and then performs the last steps of their schemas.
    func finish(_ context: MappingContext) throws {
        try setProperties(context)
        for step in finishing.reversed() { try step() }
        finishing = []
    }

    private func setProperties(_ context: MappingContext) throws {
        while next < waiting.count {
            next += 1
            try waiting[next - 1](self, context)
        }
        (waiting, next) = ([], 0)
    }

    /// Returns the value that `read` returns, whose instances have their properties then, for a conversion that looks at them. Throws a
    /// `MappingIssue` if an instance can only get its properties after the conversion.
    func withProperties<Value>(_ context: MappingContext, _ read: (MappingContext) throws -> Value) throws -> Value {
        let outer = returned
        defer { returned = outer }
        returned = []
        let value = try read(context)
        let instances = returned ?? []
        returned = nil
        try setProperties(context)
        guard !instances.contains(where: { empty.contains(ObjectIdentifier($0)) }) else {
            throw MappingIssue(
                .initializationFailed, expected: "an instance with its properties", found: "a cycle through a conversion that needs them",
                advice: "refer to the instance without a further conversion such as `keyed`")
        }
        return value
    }
}

extension MappingSchema {
    /// Sets the properties of an instance from an archive, those behind further conversions last. Calls `haveBeenSet` before these. Returns the
    /// last step, which needs all other instances.
    fileprivate func fill(
        _ root: Root, from decoder: any Decoder, _ context: MappingContext, haveBeenSet: () -> Void
    ) throws -> () throws -> Void {
        if let issue = conflict ?? constantIssue { throw issue }
        let members = try ArchivedMembers(of: self, in: decoder)
        var root = root
        try assign(fields.map { $0.steps.isConverted ? .leave : try $0.steps.unarchive(members, context) }, to: &root, context)
        haveBeenSet()
        try assign(fields.map { $0.steps.isConverted ? try $0.steps.unarchive(members, context) : .leave }, to: &root, context)
        try assignUnknownMembers(of: members.container, to: &root)
        return {
            var root = root
            try finish(&root, nil)
        }
    }
}
