import JSONText

/// The names of the generated types: the models of resource types, and the unions of models.
struct ModelNaming {
    let prefix: String
    var typeNames = NameScope(typesIn: [])
    /// The names of the models, by type.
    private var modelNames: [ByteText: String] = [:]
    /// The unions, and the index of each by its models.
    private(set) var unions: [TypeDeclaration] = []
    private var unionPositions: [[String]: Int] = [:]

    init(prefix: String) { self.prefix = prefix }

    /// Names the models of the given types. A type that is not a plural keeps its name, and so does a plural whose singular is taken.
    mutating func nameModels(_ types: [String]) {
        for isPlural in [false, true] {
            for type in types {
                let singular = full(SwiftName.singularUpperCamel(type))
                let plural = full(SwiftName.upperCamel(type))
                if (singular == plural) != isPlural { modelNames[ByteText(type)] = typeNames.take(singular, plural) }
            }
        }
    }

    func full(_ name: String) -> String { ReservedNames.type(prefix + (name.isEmpty ? "Model" : name), word: "Model") }

    /// The model of a type; `ResourceObject` if it has none.
    func modelName(of type: String) -> String { modelNames[ByteText(type)] ?? "ResourceObject" }

    /// Returns the union of the given types. Places with the same types share one.
    mutating func union(of types: [String], named base: String) -> String {
        let key = types.map(modelName).sorted()
        if let position = unionPositions[key] { return unions[position].name }
        var names = NameScope(taken: ReservedNames.unionMembers)
        let cases = types.map { type in
            let model = modelName(of: type)
            let name = SwiftName.lowerCamel(String(model.dropFirst(prefix.count)))
            return TypeDeclaration.UnionCase(type: type, name: names.take(name.isEmpty ? "model" : name), model: model)
        }
        unionPositions[key] = unions.count
        let name = typeNames.take(ReservedNames.type(base, word: "Union"))
        unions.append(TypeDeclaration(name: name, kind: .union(cases)))
        return name
    }
}
