import JSONText

/// Chooses the Swift types of the values that schemas describe, and declares those that they need.
///
/// A component of the description becomes one type with its name. An object or a list of strings that is written in place becomes a type
/// inside the type of its property. A value without a single form stays `JSON`, which loses nothing.
final class ValueSchemas {
    /// The types inside one type.
    struct Scope {
        fileprivate var names: NameScope
        fileprivate let enclosing: [String]
        /// Whether the type has the fields of a request.
        fileprivate let isRequest: Bool
        fileprivate(set) var declarations: [TypeDeclaration] = []
    }

    /// What a schema says about a value.
    struct Value {
        var type: SwiftType
        var isNullable = false
        /// The allowed empty strings, arrays, and objects that the type does not read. They stand for no value.
        var emptyForms: [JSON] = []
        /// Whether the value is a URL or the empty reference, which `URL` does not read.
        var isReference = false
        var isWriteOnly = false
        var notes: [String] = []

        /// Whether null or an empty form stands for no value.
        var canBeNil: Bool { isNullable || !emptyForms.isEmpty }

        /// Whether a property for what the server sends reads null or an empty text, array, or object as nil.
        var readsNil: Bool { canBeNil || isReference }

        /// Whether an optional property writes nil in the form that was read. Any value can be null.
        var keepsEmpty: Bool { readsNil || type == .json }
    }

    let reader: SchemaReader
    /// The names of all top-level types.
    let outer: Set<String>
    private let componentNames: [String: String]
    private var isDeclared: Set<String> = []
    private var waiting: [String] = []
    /// Whether requests and responses have other members of a component, by its reference.
    private var differences: [String: Bool] = [:]
    /// The references around the current value whose types are declared in place.
    private var open: Set<String> = []
    /// The number of structs that are declared in place for one property.
    private var declaredCount = 0
    /// The number of members of all structs that are declared in place.
    private var declaredMembers = 0

    /// The maximum number of nested values with their own types.
    private static let maximumLevels = 12
    /// The maximum number of structs that are declared in place for one property.
    private static let mostStructs = 500
    /// The maximum number of members of all structs that are declared in place. Many properties can refer to one large schema.
    private static let mostMembers = 50_000
    /// The maximum number of schemas in which one component is searched for members that only requests or only responses have.
    private static let mostSchemas = 10_000
    /// The maximum number of cases of an enumeration.
    private static let mostCases = 400

    /// Creates the value schemas. `componentNames` has the names of components, by their references.
    init(_ reader: SchemaReader, componentNames: [String: String], outer: Set<String>) {
        self.reader = reader
        self.componentNames = componentNames
        self.outer = outer
    }

    func scope(in enclosing: [String], isRequest: Bool = false) -> Scope {
        Scope(names: NameScope(typesIn: enclosing, outer: outer), enclosing: enclosing, isRequest: isRequest)
    }

    /// Returns a name that no other type of the scope has.
    func take(_ name: String, _ scope: inout Scope) -> String { scope.names.take(ReservedNames.type(name, word: "Value")) }

    func add(_ declaration: TypeDeclaration, to scope: inout Scope) { scope.declarations.append(declaration) }

    /// Declares the components that are needed so far, and those that they need, by name.
    func components() -> [TypeDeclaration] {
        var declarations: [TypeDeclaration] = []
        while let reference = waiting.popLast() {
            guard let name = componentNames[reference] else { continue }
            let flat = reader.flat(["$ref": .string(reference)])
            let notes = flat.description.map { SwiftText.documentation($0) } ?? []
            if let cases = ValueSchemas.cases(of: flat) {
                declarations.append(TypeDeclaration(name: name, kind: .enumeration(cases), notes: notes))
            } else {
                declarations.append(structure(flat, named: name, in: [], notes, level: 0))
            }
        }
        return CircularTypes.cut(in: declarations.sorted { $0.name < $1.name })
    }
}

// MARK: - Types

extension ValueSchemas {
    /// Returns the value that a schema describes. If it needs a type, the type gets the given name.
    func value(of schema: JSON, named name: String, _ scope: inout Scope, level: Int = 0) -> Value {
        let flat = reader.flat(schema)
        var value = Value(type: .json, isNullable: flat.isNullable, isWriteOnly: flat.isWriteOnly)
        value.notes = flat.description.map { SwiftText.documentation($0) } ?? []
        let marks = (flat.isDeprecated ? ["Deprecated."] : []) + (flat.isReadOnly ? ["Read-only."] : [])
        if !marks.isEmpty { value.notes += (value.notes.isEmpty ? [] : [""]) + marks }
        guard level < ValueSchemas.maximumLevels else { return value }
        if level == 0 { declaredCount = 0 }
        let inner = schema.object?.contains(name: FlatSchema.variants) == true ? level + 4 : level
        let reference = reader.resolve(schema).reference
        let isRequest = scope.isRequest
        let isInPlace = reference.map { sharedName(of: $0, isRequest: isRequest) == nil } ?? false
        if isInPlace, let reference, !open.insert(reference).inserted {
            value.notes.append("Kept as JSON: it may contain this type again.")
            return value
        }
        if let only = onlyAlternative(of: flat) {
            let part = self.value(of: only, named: name, &scope, level: inner + 1)
            value.type = part.type
            value.isNullable = value.isNullable || part.isNullable
            value.emptyForms = part.emptyForms + emptyForms(of: flat, beside: only, part.type)
        } else {
            value.type = flat.alternatives.isEmpty ? type(flat, reference, name, &scope, inner) : type(ofAlternatives: flat)
        }
        value.isReference = value.type == .url && reader.parts(of: schema).contains { $0.format == "uri-reference" }
        // A required `JSON` reads null itself.
        if value.type != .json, flat.alternatives.contains(where: { reader.flat($0).isNullable }) { value.isNullable = true }
        if isInPlace, let reference { open.remove(reference) }
        return value
    }

    /// The alternative beside those that only allow empty values; nil if there is none, or several.
    private func onlyAlternative(of flat: FlatSchema) -> JSON? {
        let parts = flat.alternatives.filter { !reader.flat($0).isOnlyEmpty }
        return parts.count == 1 && flat.properties.isEmpty ? parts.first : nil
    }

    /// The empty values that the alternatives of a schema allow, and that the type of the only other one does not read.
    private func emptyForms(of flat: FlatSchema, beside only: JSON, _ type: SwiftType) -> [JSON] {
        guard type != .json else { return [] }
        // Enumerations read any string.
        let readsTexts = type == .string || ValueSchemas.cases(of: reader.flat(only)) != nil
        let forms = flat.alternatives.map { reader.flat($0) }.filter(\.isOnlyEmpty).flatMap { $0.values ?? [] }
        return readsTexts ? forms.filter { $0.string == nil } : forms
    }

    /// Returns the type of the elements of an array or the values of a dictionary, where no property wrapper can be.
    private func elementType(_ schema: JSON, of name: String, _ scope: inout Scope, _ level: Int) -> SwiftType {
        let declared = scope
        let element = value(of: schema, named: SwiftName.singularUpperCamel(name), &scope, level: level + 1)
        guard element.type != .json else { return .json }
        var type = element.type.unwrapped
        if !element.emptyForms.isEmpty || element.isReference {
            scope = declared
            let areTexts = [.date, .url, .string].contains(type) && element.emptyForms.allSatisfy { $0.string != nil }
            guard areTexts else { return .json }
            type = .string
        }
        return element.isNullable ? .optional(type) : type
    }

    private func type(_ flat: FlatSchema, _ reference: String?, _ name: String, _ scope: inout Scope, _ level: Int) -> SwiftType {
        if let values = flat.values, !values.isEmpty {
            guard let cases = ValueSchemas.cases(of: flat) else { return ValueSchemas.type(ofValues: values) }
            return enumeration(cases, flat, reference, name, &scope)
        }
        if flat.isArray {
            return .array(flat.items.map { elementType($0, of: name, &scope, level) } ?? .json)
        }
        if flat.isObject { return object(flat, reference, name, &scope, level) }
        return ValueSchemas.scalar(flat.types, flat.format) ?? .json
    }

    /// The type of a string, number, or Boolean; nil for anything else.
    static func scalar(_ types: Set<String>, _ format: String?) -> SwiftType? {
        switch types {
        case ["string"]:
            switch format {
            case "date-time": .date
            case "date-time-local": .localDate
            // https://spec.openapis.org/registry/format/decimal.html
            case "decimal": .decimal
            case "uri", "uri-reference", "url": .url
            default: .string
            }
        // A decimal number of any precision and range, or a whole one that can be too large for `Int`.
        case ["number"] where ["decimal", "uint64"].contains(format), ["integer"] where format == "uint64": .jsonNumber
        // https://spec.openapis.org/registry/format/int64.html
        case ["integer"],
            ["number"] where ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64"].contains(format):
            .int
        case ["number"], ["integer", "number"]: .double
        case ["boolean"]: .bool
        default: nil
        }
    }

    private static func type(ofValues values: [JSON]) -> SwiftType {
        if values.allSatisfy({ $0.string != nil }) { return .string }
        if values.allSatisfy({ $0.int != nil }) { return .int }
        if values.allSatisfy({ $0.bool != nil }) { return .bool }
        return .json
    }

    /// Returns the scalar type that all alternatives share, otherwise a type for any value.
    private func type(ofAlternatives flat: FlatSchema) -> SwiftType {
        let types = flat.alternatives.map { alternative -> SwiftType? in
            let flat = reader.flat(alternative)
            guard flat.alternatives.isEmpty else { return nil }
            if let values = flat.values { return ValueSchemas.type(ofValues: values) }
            return ValueSchemas.scalar(flat.types, flat.format)
        }
        guard let first = types.first, let type = first else { return .json }
        if types.allSatisfy({ $0 == type }) { return type }
        return types.allSatisfy { [.string, .date, .localDate, .decimal, .url].contains($0) } ? .string : .json
    }
}

// MARK: - Enumerations and objects

extension ValueSchemas {
    /// The cases of a list of strings; nil for anything else, and for a very long list.
    static func cases(of flat: FlatSchema) -> [TypeDeclaration.EnumerationCase]? {
        guard let values = flat.values, !values.isEmpty, values.count <= mostCases, flat.alternatives.isEmpty else { return nil }
        let texts = ByteText.distinct(values.compactMap(\.string))
        guard texts.count == values.count else { return nil }
        return cases(texts)
    }

    /// A case for each string.
    static func cases(_ texts: [String]) -> [TypeDeclaration.EnumerationCase] {
        var names = NameScope()
        let chosen = names.properties(for: texts.map(ReservedNames.caseText), reserved: ReservedNames.enumerationCase)
        return zip(texts, chosen).map { TypeDeclaration.EnumerationCase(name: $1, value: $0) }
    }

    private func enumeration(
        _ cases: [TypeDeclaration.EnumerationCase], _ flat: FlatSchema, _ reference: String?, _ name: String, _ scope: inout Scope
    ) -> SwiftType {
        if let reference, let name = componentNames[reference] { return component(reference, name) }
        let name = take(name.isEmpty ? "Value" : name, &scope)
        scope.declarations.append(TypeDeclaration(name: name, kind: .enumeration(cases)))
        return .named(name)
    }

    private func component(_ reference: String, _ name: String) -> SwiftType {
        if isDeclared.insert(reference).inserted { waiting.append(reference) }
        return .named(name)
    }

    private func object(_ flat: FlatSchema, _ reference: String?, _ name: String, _ scope: inout Scope, _ level: Int) -> SwiftType {
        if let additional = flat.additionalProperties, additional.bool != false {
            guard flat.properties.isEmpty, additional.object?.isEmpty == false else { return .jsonObject }
            return .dictionary(elementType(additional, of: name, &scope, level))
        }
        let members = members(of: flat, isRequest: scope.isRequest)
        guard !members.isEmpty else { return .jsonObject }
        if let reference, let name = sharedName(of: reference, isRequest: scope.isRequest) { return component(reference, name) }
        guard declaredCount < ValueSchemas.mostStructs, declaredMembers < ValueSchemas.mostMembers else { return .jsonObject }
        declaredCount += 1
        declaredMembers += members.count
        let name = take(name.isEmpty ? "Value" : name, &scope)
        scope.declarations.append(structure(flat, named: name, in: scope.enclosing, [], level: level + 1, scope.isRequest))
        return .named(name)
    }

    private func structure(
        _ flat: FlatSchema, named name: String, in enclosing: [String], _ notes: [String], level: Int, _ isRequest: Bool = false
    ) -> TypeDeclaration {
        var inside = scope(in: enclosing + [name], isRequest: isRequest)
        var names = NameScope()
        let members = members(of: flat, isRequest: isRequest)
        let chosen = names.properties(for: members.map(\.name), reserved: ReservedNames.property)
        let properties = zip(members, chosen).map { property, own in
            let value = value(of: property.schema, named: SwiftName.upperCamel(property.name), &inside, level: level)
            // A new optional is left out. `Field` sends null.
            if isRequest, value.isNullable, flat.requires(property.name) {
                return Property(
                    member: property.name, name: own, key: property.name, role: .attribute, type: .field(value.type.unwrapped),
                    notes: value.notes)
            }
            // Responses do not have what only the client writes.
            let mayBeAbsent = value.isWriteOnly && !isRequest || !flat.requires(property.name)
            let isOptional = (isRequest ? value.canBeNil : value.readsNil) || mayBeAbsent || value.type.isAlwaysOptional
            return Property(
                member: property.name, name: own, key: property.name, role: .attribute,
                type: isOptional ? value.type.orNil : value.type, notes: value.notes, keepsEmpty: value.keepsEmpty)
        }
        return TypeDeclaration(name: name, kind: .value, notes: notes, properties: properties, nested: inside.declarations)
    }
}

// MARK: - Members of requests

extension ValueSchemas {
    /// The members of an object. Requests have none that only the server writes.
    private func members(of flat: FlatSchema, isRequest: Bool) -> [FlatSchema.Property] {
        isRequest ? flat.properties.filter { !reader.flat($0.schema).isReadOnly } : flat.properties
    }

    /// The name of the type that all values of a component have; nil if their types are declared in place.
    private func sharedName(of reference: String, isRequest: Bool) -> String? {
        guard let name = componentNames[reference], !isRequest || !differsInRequests(reference) else { return nil }
        return name
    }

    /// Whether requests and responses have other members of a component, or of a value inside it.
    private func differsInRequests(_ reference: String) -> Bool {
        if let known = differences[reference] { return known }
        var components: [String] = []
        var known: Set<JSON> = []
        var rest: [JSON] = [["$ref": .string(reference)]]
        var differs = false
        while !differs, known.count < ValueSchemas.mostSchemas, let schema = rest.popLast() {
            guard known.insert(schema).inserted else { continue }
            if let component = reader.resolve(schema).reference {
                if let answer = differences[component] {
                    differs = answer
                    continue
                }
                components.append(component)
            }
            let flat = reader.flat(schema)
            differs = flat.properties.contains { isOneSided($0.schema) }
            rest += flat.properties.map(\.schema)
            rest += flat.alternatives
            for inner in [flat.items, flat.additionalProperties] { if let inner { rest.append(inner) } }
        }
        // Without a difference, all of them were searched.
        if !differs, rest.isEmpty { for component in components { differences[component] = false } }
        differences[reference] = differs
        return differs
    }

    /// Whether only the server writes a value, or only the client.
    private func isOneSided(_ schema: JSON) -> Bool {
        let flat = reader.flat(schema)
        return flat.isReadOnly || flat.isWriteOnly
    }
}
