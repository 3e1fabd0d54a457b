import JSONMapping

extension JSONAPIDecoder {
    /// Schemas that stand in for those of `SchemaResource` types, and of types inside of them; none by default.
    ///
    /// ```swift
    /// var schemas = SchemaSet()
    /// schemas[Profile.self] = Profile.schema.keys(.snakeCase)
    /// decoder.schemas = schemas
    /// ```
    public var schemas: SchemaSet? {
        get { SchemaSet(in: userInfo) }
        set { SchemaSet.put(newValue, into: &userInfo) }
    }
}

extension JSONAPIEncoder {
    /// Schemas that stand in for those of `SchemaResource` types, and of types inside of them; none by default.
    public var schemas: SchemaSet? {
        get { SchemaSet(in: userInfo) }
        set { SchemaSet.put(newValue, into: &userInfo) }
    }
}
