extension Fieldsets {
    /// The fields of a model's type; nil when the type is not restricted.
    public subscript(_ model: (some Resource).Type) -> [String]? {
        get { self[model.type] }
        set { self[model.type] = newValue }
    }
}
