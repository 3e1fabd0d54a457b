import JSONText

/// The models of plain JSON objects.
package struct PlainModels {
    private var shape = ObjectShape()
    private let reading: ValueShape.Reading

    package init(_ reading: ValueShape.Reading) { self.reading = reading }

    /// Takes in one more sample.
    package mutating func add(_ object: JSONObject) { shape.add(object, reading, level: 0) }

    /// A struct for the samples, called `root`, and one for every object in them.
    package func models(root: String, prefix: String) -> SwiftModels {
        var types = ValueTypes(prefix: prefix, isPlain: true)
        let name = prefix + root
        var scope = ValueTypes.Scope(in: [name])
        let properties = types.properties(of: shape, &scope)
        var models = SwiftModels(isPlain: true)
        models.types = [TypeDeclaration(name: name, kind: .value, properties: properties)] + scope.declarations
        return models
    }
}
