/// Numbers the instances of classes that are archived, in the order in which they are found.
final class GraphWriter {
    private struct Instance {
        let object: AnyObject
        let type: any Any.Type
        let write: (any Encoder, MappingContext) throws -> Void
    }

    /// The instances by their numbers. They stay alive, so that no two of them have the same identifier.
    private var instances: [Instance] = []
    private var numbers: [ObjectIdentifier: Int] = [:]
    private var writtenCount = 0

    /// Returns the number of an instance. An instance that is found for the first time is written later.
    ///
    /// Throws a `MappingIssue` if fields name the instance with different types, because each of them would create an instance. Also throws
    /// one if the schema creates instances of another class, because the properties of a subclass would be lost.
    func number<Root>(of value: Root, _ schema: MappingSchema<Root>, _ context: MappingContext) throws -> Int {
        let object = value as AnyObject
        if let number = numbers[ObjectIdentifier(object)] {
            let type = instances[number].type
            guard type == Root.self else {
                throw MappingIssue(
                    .typeMismatch, expected: "the type \(type) for all references to an instance", found: "\(Root.self)",
                    advice: "declare all properties that refer to the instance with the same class")
            }
            return number
        }
        if let issue = schema.subclassIssue(value) { throw issue }
        numbers[ObjectIdentifier(object)] = instances.count
        let schemas = context.schemas(inside: schema)
        instances.append(
            Instance(object: object, type: Root.self) { encoder, context in
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
