import JSONMapping

extension JSONAPIDecoder {
    /// Schemas that replace those of `SchemaResource` types and of types inside them; none by default.
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
    /// Schemas that replace those of `SchemaResource` types and of types inside them; none by default.
    public var schemas: SchemaSet? {
        get { SchemaSet(in: userInfo) }
        set { SchemaSet.put(newValue, into: &userInfo) }
    }
}
