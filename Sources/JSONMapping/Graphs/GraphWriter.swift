/// Numbers the instances of classes that are archived, in the order in which they are found.
final class GraphWriter {
    private struct Instance {
        let object: AnyObject
        let type: any Any.Type
        let members: ArchivedNames
        let write: (any Encoder, MappingContext) throws -> Void
    }

    /// The instances by their numbers. They stay alive, so that no two of them have the same identifier.
    private var instances: [Instance] = []
    private var numbers: [ObjectIdentifier: Int] = [:]
    private var writtenCount = 0

    /// Returns the number of an instance. An instance that is found for the first time is written later.
    ///
    /// Throws a `MappingIssue` if fields name the instance with different types, because each of them would create an instance. Also throws
    /// one if their schemas have different properties, because those of only one are stored, and if the schema creates instances of another
    /// class, because the properties of a subclass would be lost.
    func number<Root>(of value: Root, _ schema: MappingSchema<Root>, _ context: MappingContext) throws -> Int {
        let object = value as AnyObject
        if let number = numbers[ObjectIdentifier(object)] {
            let type = instances[number].type
            guard type == Root.self else {
                throw MappingIssue(
                    .typeMismatch, expected: "the type \(type) for all references to an instance", found: "\(Root.self)",
                    advice: "declare all properties that refer to the instance with the same class")
            }
            guard instances[number].members == ArchivedNames(of: schema) else {
                throw MappingIssue(
                    .typeMismatch, expected: "the same properties in the schemas of all references to an instance of \(Root.self)",
                    found: "a schema with other properties",
                    advice: "use one schema for all properties that refer to the instance: `representing(_:)` writes a part of it as JSON")
            }
            return number
        }
        if let issue = schema.subclassIssue(value) { throw issue }
        numbers[ObjectIdentifier(object)] = instances.count
        let schemas = context.schemas(inside: schema)
        instances.append(
            Instance(object: object, type: Root.self, members: ArchivedNames(of: schema)) { encoder, context in
                try context.run.looking(in: schemas) { try schema.archive(value, to: encoder, context) }
            })
        return instances.count - 1
    }

    /// Returns the function that writes the next instance; nil if all have been written.
    func next() -> ((any Encoder, MappingContext) throws -> Void)? {
        guard writtenCount < instances.count else { return nil }
        writtenCount += 1
        return instances[writtenCount - 1].write
    }
}

/// The names under which an archive has the properties of an instance.
private struct ArchivedNames: Equatable {
    private let fields: [String]
    private let keepsUnknown: Bool

    init<Root>(of schema: MappingSchema<Root>) {
        fields = schema.fields.map(\.name)
        keepsUnknown = schema.unknownMembers.write != nil
    }

    static func == (a: Self, b: Self) -> Bool {
        a.keepsUnknown == b.keepsUnknown && (a.fields == b.fields || Set(a.fields) == Set(b.fields))
    }
}
