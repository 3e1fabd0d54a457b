public import JSONMapping

// Values of types that have a schema, and need not be `Codable`.

extension Archive.Writer {
    /// Stores a value of a `Mapped` type under a key, under the names of its properties and without conversions.
    ///
    /// ```swift
    /// final class Node: Mapped {
    ///     var name = ""
    ///     var next: Node?
    ///     static let schema: MappingSchema<Node> = MappingSchema(creating: Node()) {
    ///         MappingField(\.name, "name")
    ///         MappingField(\.next, "next")
    ///     }
    /// }
    /// try writer.encode(node, forKey: "first")
    /// let first = try archive.decode(Node.self, forKey: "first")
    /// ```
    ///
    /// Every instance of a class is stored once, however often it is referred to. Instances can refer to each other in cycles if their
    /// schemas use `creating:`. A type that is also `Encodable` is stored as any other `Encodable` value.
    ///
    /// Throws `MappingIssue`, and the errors of the encoder.
    ///
    /// - Complexity: O(n), n = size of the value and of everything to which it refers.
    @_disfavoredOverload
    public mutating func encode<Value: Mapped>(_ value: Value, forKey key: String) throws {
        try encode(MappedGraph(value), forKey: key)
    }

    /// Stores an array of values of a `Mapped` type under a key. Instances that several elements refer to are stored once. Throws as the
    /// function above does.
    @_disfavoredOverload
    public mutating func encode<Value: Mapped>(_ values: [Value], forKey key: String) throws {
        try encode(MappedGraph(values), forKey: key)
    }
}

extension Archive {
    /// Returns the value of a `Mapped` type under a key. Properties that the archive does not contain keep the value from the initializer.
    ///
    /// All references to an instance lead to the same new instance. Throws as `decode(_:forKey:)` for `Decodable` types does, and
    /// `MappingIssue`.
    @_disfavoredOverload
    public func decode<Value: Mapped>(_ type: Value.Type, forKey key: String) throws -> Value {
        try one(try decode(MappedGraph<Value>.self, forKey: key), key)
    }

    /// Returns an array of values of a `Mapped` type under a key. Elements share the instances to which they refer. Throws as the function
    /// above does.
    @_disfavoredOverload
    public func decode<Value: Mapped>(_ type: [Value].Type, forKey key: String) throws -> [Value] {
        try many(try decode(MappedGraph<Value>.self, forKey: key), key)
    }

    /// Returns the value of a `Mapped` type under a key, or nil if the key does not exist. Throws as `decode(_:forKey:)` does otherwise.
    @_disfavoredOverload
    public func decodeIfPresent<Value: Mapped>(_ type: Value.Type, forKey key: String) throws -> Value? {
        try decodeIfPresent(MappedGraph<Value>.self, forKey: key).map { try one($0, key) }
    }

    /// Returns an array of values of a `Mapped` type under a key, or nil if the key does not exist. Throws as `decode(_:forKey:)` does
    /// otherwise.
    @_disfavoredOverload
    public func decodeIfPresent<Value: Mapped>(_ type: [Value].Type, forKey key: String) throws -> [Value]? {
        try decodeIfPresent(MappedGraph<Value>.self, forKey: key).map { try many($0, key) }
    }

    private func one<Value>(_ graph: MappedGraph<Value>, _ key: String) throws -> Value {
        guard let root = graph.root else { throw otherForm(key, "an array", Value.self) }
        return root
    }

    private func many<Value>(_ graph: MappedGraph<Value>, _ key: String) throws -> [Value] {
        guard let list = graph.list else { throw otherForm(key, "one value", [Value].self) }
        return list
    }

    private func otherForm(_ key: String, _ found: String, _ type: Any.Type) -> ArchiveError {
        ArchiveError(
            .otherForm, "the key `\(key)` names \(found), and \(type) is read from another form", advice: "decode it as \(found)"
        ).of(file)
    }
}
