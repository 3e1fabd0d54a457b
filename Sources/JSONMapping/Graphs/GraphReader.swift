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
                let root = try schema.unarchive(from: decoder, context.nested())
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
        waiting.append { reader, context in reader.finishing.append(try schema.fill(root, from: decoder, context)) }
        return root
    }

    /// Sets the properties of all instances, and then performs the last steps of their schemas.
    func finish(_ context: MappingContext) throws {
        var index = 0
        while index < waiting.count {
            try waiting[index](self, context)
            index += 1
        }
        waiting = []
        for step in finishing.reversed() { try step() }
        finishing = []
    }
}

extension MappingSchema {
    /// Sets the properties of an instance from an archive. Returns the last step, which needs all other instances.
    fileprivate func fill(_ root: Root, from decoder: any Decoder, _ context: MappingContext) throws -> () throws -> Void {
        if let conflict { throw conflict }
        let container = try decoder.container(keyedBy: NameKey.self)
        let values = try fields.map { try $0.steps.unarchive(container, context) }
        var root = root
        try assign(values, to: &root, context)
        try assignUnknownMembers(of: container, to: &root)
        return {
            var root = root
            try finish(&root, nil)
        }
    }
}
