import JSONText

/// Values of a `Mapped` type with every instance of a class to which they refer, each once.
///
/// ```json
/// {"root": 0, "instances": [{"name": "A", "next": 1}, {"name": "B", "next": 0}]}
/// ```
///
/// Where a schema names a class, the archive has the number of an instance. Values of other types are nested. Instances are written and read
/// one after the other, so a long chain of references does not need a deep stack.
package struct MappedGraph<Root: Mapped>: Codable {
    package let roots: [Root]
    /// Whether the roots were archived as an array.
    private let isMany: Bool

    package init(_ root: Root) {
        roots = [root]
        isMany = false
    }

    package init(_ roots: [Root]) {
        self.roots = roots
        isMany = true
    }

    private static var one: NameKey { NameKey("root") }
    private static var many: NameKey { NameKey("roots") }
    private static var instances: NameKey { NameKey("instances") }
    private static var archive: Archiving<Root> { Conversion<JSON, Root>.object(Root.schema).archive }

    package func encode(to encoder: any Encoder) throws {
        let graph = GraphWriter()
        let context = MappingContext(schemas: SchemaSet(in: encoder.userInfo))
        context.run.graphWriter = graph
        var container = encoder.container(keyedBy: NameKey.self)
        if isMany {
            var list = container.nestedUnkeyedContainer(forKey: Self.many)
            for root in roots { try Self.archive.encode(root, list.superEncoder(), context) }
        } else {
            for root in roots { try Self.archive.encode(root, container.superEncoder(forKey: Self.one), context) }
        }
        var instances = container.nestedUnkeyedContainer(forKey: Self.instances)
        while let write = graph.next() { try write(instances.superEncoder(), context) }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: NameKey.self)
        let context = MappingContext(schemas: SchemaSet(in: decoder.userInfo))
        let graph = try GraphReader(try container.nestedUnkeyedContainer(forKey: Self.instances))
        context.run.graphReader = graph
        let isMany = container.contains(Self.many)
        self.isMany = isMany
        // Initializers can return existing instances. Their properties are restored if another instance cannot be read.
        roots = try context.undoingFailure {
            var roots: [Root] = []
            if isMany {
                var list = try container.nestedUnkeyedContainer(forKey: Self.many)
                while !list.isAtEnd { roots.append(try Self.archive.decode(list.superDecoder(), context)) }
            } else {
                roots.append(try Self.archive.decode(container.superDecoder(forKey: Self.one), context))
            }
            try graph.finish(context)
            return roots
        }
    }

    /// The only root of a graph that was not archived as an array; otherwise nil.
    package var root: Root? { isMany ? nil : roots.first }

    /// The roots of a graph that was archived as an array; otherwise nil.
    package var list: [Root]? { isMany ? roots : nil }
}
