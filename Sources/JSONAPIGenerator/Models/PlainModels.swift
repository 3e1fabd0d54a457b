import JSONText

/// The models of plain JSON objects.
package struct PlainModels {
    private var shape = ObjectShape()
    private var reading: ValueShape.Reading
    private let rules: SampleRules

    package init(_ reading: ValueShape.Reading, rules: SampleRules) {
        self.reading = reading
        self.rules = rules
    }

    /// Adds one sample.
    package mutating func add(_ object: JSONObject) {
        shape.add(object, reading, level: 0)
        reading.document += 1
    }

    /// Returns a struct for the samples, named `root`, and one for each object in them.
    package func models(root: String, prefix: String) -> SwiftModels {
        var types = ValueTypes(prefix: prefix, isPlain: true, rules: rules)
        let name = prefix + root
        var scope = ValueTypes.Scope(in: [name])
        let properties = types.properties(of: shape, &scope)
        var models = SwiftModels(isPlain: true)
        models.types = [TypeDeclaration(name: name, kind: .value, properties: properties)] + scope.declarations
        models.guesses = types.guesses
        return models
    }
}
