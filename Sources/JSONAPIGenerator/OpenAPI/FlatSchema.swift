import JSONText

/// A schema with everything from `allOf`, references, and single alternatives.
struct FlatSchema {
    struct Property {
        let name: String
        /// Every schema that the property must match.
        fileprivate(set) var schemas: [JSON]
        /// The same schemas, once there is a second one.
        fileprivate var known: Set<JSON> = []

        var schema: JSON { schemas.count == 1 ? schemas[0] : ["allOf": .array(JSONArray(schemas))] }

        fileprivate mutating func add(_ more: [JSON]) {
            if known.isEmpty { known = Set(schemas) }
            for schema in more where known.insert(schema).inserted { schemas.append(schema) }
        }
    }

    /// The names of the allowed types, except `null`; empty if any type is allowed.
    var types: Set<String> = []
    var isNullable = false
    var format: String?
    /// The values of `enum` or `const`, except null; nil if there is no such list.
    var values: [JSON]?
    private(set) var properties: [Property] = []
    private var positions: [ByteText: Int] = [:]
    var required: Set<ByteText> = []
    /// The schema of the elements of an array.
    var items: JSON? { elements?.schema }
    private var elements: Property?
    var additionalProperties: JSON?
    /// Two or more schemas, one of which must match.
    var alternatives: [JSON] = []
    /// The alternatives of other lists, one of each of which must match as well. Only objects can match several lists.
    var moreAlternatives: [JSON] { alternativesOfOtherLists.schemas }
    private var alternativesOfOtherLists = DistinctSchemas()
    /// The discriminator of the schema itself, and not of a schema that it refers to.
    var discriminator: JSON?
    var isAbstract = false
    var description: String?
    var isReadOnly = false
    var isWriteOnly = false
    var isDeprecated = false
    /// A type that is given as a pattern of one word, as a default, or as an example.
    var hint: String?

    func property(_ name: String) -> Property? { positions[ByteText(name)].map { properties[$0] } }

    func requires(_ name: String) -> Bool { required.contains(ByteText(name)) }

    var isArray: Bool { types == ["array"] || types.isEmpty && items != nil }

    var isObject: Bool { types == ["object"] || types.isEmpty && (!properties.isEmpty || additionalProperties?.object != nil) }

    /// Whether objects can have other members than those of `properties`: the schema says so, or it describes none.
    var isOpen: Bool {
        let describesMembers = !properties.isEmpty || !required.isEmpty || !alternatives.isEmpty || !moreAlternatives.isEmpty
        return additionalProperties.map { $0.bool != false } ?? !describesMembers
    }

    /// Whether nothing but empty strings, arrays, and objects is allowed. Beside another schema, they stand for no value.
    var isOnlyEmpty: Bool {
        guard let values, !values.isEmpty else { return false }
        return values.allSatisfy { $0 == "" || $0 == [] || $0 == [:] }
    }

    mutating func addProperty(_ name: String, _ schemas: [JSON]) {
        if let position = positions[ByteText(name)] {
            properties[position].add(schemas)
        } else {
            positions[ByteText(name)] = properties.count
            properties.append(Property(name: name, schemas: schemas))
        }
    }

    private mutating func addItems(_ schemas: [JSON]) {
        guard !schemas.isEmpty else { return }
        if elements == nil { elements = Property(name: "items", schemas: schemas) } else { elements?.add(schemas) }
    }
}

// MARK: - Variants

extension FlatSchema {
    /// Creates the common part of several alternatives. A property is required if all of them require it. If a variant itself has
    /// alternatives, there is no common part, and the other variants become alternatives as well.
    init(variants schemas: [(schema: JSON, flat: FlatSchema)]) {
        self.init()
        let variants = schemas.map(\.flat)
        guard let first = variants.first else { return }
        types = variants.reduce(into: []) { $0.formUnion($1.types) }
        if variants.contains(where: { $0.types.isEmpty }) { types = [] }
        isNullable = variants.contains(where: \.isNullable)
        isReadOnly = variants.allSatisfy(\.isReadOnly)
        isWriteOnly = variants.allSatisfy(\.isWriteOnly)
        description = variants.lazy.compactMap(\.description).first
        if variants.allSatisfy({ $0.format == first.format }) { format = first.format }
        if variants.allSatisfy({ $0.values != nil }) { values = FlatSchema.distinct(variants.flatMap { $0.values ?? [] }) }
        guard variants.allSatisfy(\.alternatives.isEmpty) else {
            alternatives = FlatSchema.distinct(schemas.flatMap { $0.flat.alternatives.isEmpty ? [$0.schema] : $0.flat.alternatives })
            return
        }
        for variant in variants { alternativesOfOtherLists.append(contentsOf: variant.moreAlternatives) }
        if variants.allSatisfy({ $0.items != nil }) { addItems(FlatSchema.joined(variants.compactMap(\.items)).map { [$0] } ?? []) }
        // A variant that describes no members allows any.
        guard !variants.contains(where: { $0.properties.isEmpty && $0.additionalProperties == nil }) else { return }
        required = variants.dropFirst().reduce(first.required) { $0.intersection($1.required) }
        additionalProperties = FlatSchema.joined(variants.compactMap(\.additionalProperties))
        var properties: [ByteText: [JSON]] = [:]
        for property in variants.flatMap(\.properties) { properties[ByteText(property.name), default: []].append(property.schema) }
        for property in variants.flatMap(\.properties) where self.property(property.name) == nil {
            if let schema = FlatSchema.joined(properties[ByteText(property.name)] ?? []) { addProperty(property.name, [schema]) }
        }
    }

    /// The name of the member for variants, which no schema of a file has.
    static let variants = "\0variants"

    private static func joined(_ schemas: [JSON]) -> JSON? {
        let distinct = FlatSchema.distinct(schemas)
        return distinct.count > 1 ? [variants: .array(JSONArray(distinct))] : distinct.first
    }

    private static func distinct(_ values: [JSON]) -> [JSON] {
        var known: Set<JSON> = []
        return values.filter { known.insert($0).inserted }
    }
}

// MARK: - Merging

extension FlatSchema {
    /// Adds the requirements of another schema.
    mutating func merge(_ other: FlatSchema) {
        restrict(to: other.types)
        isNullable = isNullable || other.isNullable
        format = format ?? other.format
        if let more = other.values { restrictValues(to: more) }
        for property in other.properties { addProperty(property.name, property.schemas) }
        required.formUnion(other.required)
        addItems(other.elements?.schemas ?? [])
        additionalProperties = additionalProperties ?? other.additionalProperties
        addAlternatives(other.alternatives)
        alternativesOfOtherLists.append(contentsOf: other.moreAlternatives)
        description = description ?? other.description
        isReadOnly = isReadOnly || other.isReadOnly
        isWriteOnly = isWriteOnly || other.isWriteOnly
        isDeprecated = isDeprecated || other.isDeprecated
        hint = hint ?? other.hint
    }

    /// Adds the alternatives of another list. Components that are combined with themselves repeat their lists, which are kept once.
    mutating func addAlternatives(_ schemas: [JSON]) {
        if alternatives.isEmpty { alternatives = schemas } else { alternativesOfOtherLists.append(contentsOf: schemas) }
    }

    private mutating func restrict(to more: Set<String>) {
        guard !more.isEmpty else { return }
        let both = types.isEmpty ? more : types.intersection(more)
        types = both.isEmpty ? types.union(more) : both
    }

    private mutating func restrictValues(to more: [JSON]) {
        guard let before = values else {
            values = more
            return
        }
        let allowed = Set(more)
        values = before.filter { allowed.contains($0) }
    }

    /// Adds the members of one schema object, except `allOf`, `oneOf`, `anyOf`, and `$ref`.
    mutating func addMembers(of schema: JSONObject) {
        // The order of the members does not matter. A pattern says more than an example.
        hint = schema["pattern"]?.string.flatMap(FlatSchema.word) ?? schema["default"]?.string
        hint = hint ?? schema["example"]?.string ?? schema["examples"]?[0]?.string
        for member in schema {
            let value = member.value
            switch member.name {
            case "type": addTypes(value)
            case "nullable": isNullable = isNullable || value.bool == true
            case "format": format = value.string
            case "enum": addValues(value.array.map(Array.init) ?? [])
            case "x-extensible-enum": if let known = value.array { addValues(Array(known)) }
            case "const": addValues([value])
            case "properties": for property in value.object ?? [:] { addProperty(property.name, [property.value]) }
            case "required": required.formUnion((value.array ?? []).compactMap { $0.string.map(ByteText.init) })
            case "items" where !schema.contains(name: "prefixItems"): addItems([value])
            // The elements have different schemas, so any value is read.
            case "prefixItems": addItems([[:]])
            case "additionalProperties" where !schema.contains(name: "patternProperties"): additionalProperties = value
            // The other members have different schemas, so any value is read.
            case "patternProperties": additionalProperties = true
            case "discriminator": discriminator = value
            case "x-abstract": isAbstract = value.bool == true
            case "description", "title": addText(member)
            case "readOnly": isReadOnly = value.bool == true
            case "writeOnly": isWriteOnly = value.bool == true
            case "deprecated": isDeprecated = value.bool == true
            default: break
            }
        }
    }

    private mutating func addText(_ member: JSONObject.Member) {
        // A description says more than a title.
        if member.name == "description" || description == nil { description = member.value.string ?? description }
    }

    private mutating func addTypes(_ value: JSON) {
        var names = Set(value.string.map { [$0] } ?? (value.array ?? []).compactMap(\.string))
        if names.remove("null") != nil { isNullable = true }
        restrict(to: names)
    }

    private mutating func addValues(_ all: [JSON]) {
        if all.contains(where: \.isNull) { isNullable = true }
        restrictValues(to: all.filter { !$0.isNull })
    }

    /// The word of a pattern such as `^articles$`.
    private static func word(_ pattern: String) -> String? {
        guard pattern.hasPrefix("^"), pattern.hasSuffix("$"), pattern.utf8.count > 2 else { return nil }
        let word = pattern.dropFirst().dropLast()
        return word.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_".unicodeScalars.contains($0) }
            ? String(word) : nil
    }
}
