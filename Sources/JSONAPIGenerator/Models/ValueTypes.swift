/// Chooses the Swift types of JSON values, and declares a struct for each place with objects.
///
/// In models of resources, such a struct is nested in the type with the property. In plain JSON, all structs are at the top level, and
/// objects with the same name and equal members share one. Only models of resources have types that are guesses, such as enumerations and
/// dictionaries.
struct ValueTypes {
    /// The types of one struct: their names, and the declared ones.
    struct Scope {
        fileprivate(set) var names: NameScope
        fileprivate let enclosing: [String]
        fileprivate let outer: Set<String>
        /// The declarations in order; nil for one that was not needed in the end.
        fileprivate var slots: [TypeDeclaration?] = []

        var declarations: [TypeDeclaration] { slots.compactMap(\.self) }

        /// Creates a scope inside types with the given names, whose declarations must not hide those of `outer`.
        init(in enclosing: [String], outer: Set<String> = []) {
            names = NameScope(typesIn: enclosing, outer: outer)
            self.enclosing = enclosing
            self.outer = outer
        }
    }

    /// The prefix of the names of types that are not nested.
    let prefix: String
    let isPlain: Bool
    let rules: SampleRules
    /// What was guessed, by the names of types and properties.
    private(set) var guesses: [String] = []
    /// In plain JSON, the declared types by their requested names, for sharing.
    private var shared: [String: [TypeDeclaration]] = [:]
    /// In plain JSON, the requested names of the structs around the current one.
    private var path: [String] = []

    /// An object with more members than this is a dictionary, and not a struct.
    private static let mostMembers = 200

    init(prefix: String = "", isPlain: Bool, rules: SampleRules) {
        self.prefix = prefix
        self.isPlain = isPlain
        self.rules = rules
    }

    /// Returns the type of the values of a place, except null. If it needs a struct, the struct gets the given name.
    mutating func type(of shape: ValueShape, named name: String, elementName: String, _ scope: inout Scope) -> SwiftType {
        switch shape.kinds {
        case .bool: return .bool
        case .string: return type(of: shape.texts, named: name, &scope)
        case .array where shape.element == nil && !isPlain: return .json
        case .array: return .array(elementType(of: shape, named: elementName, &scope))
        case .object:
            guard let object = shape.object else { return .jsonObject }
            if !isPlain, KeyForm.areData(object) { return table(object, named: elementName, &scope) }
            if !isPlain, KeyForm.isFree(object, named: name) {
                guesses.append("\((scope.enclosing + [name]).joined(separator: ".")): any object, since its members differ")
                return .jsonObject
            }
            guard 1...ValueTypes.mostMembers ~= object.members.count else { return .jsonObject }
            return .named(declare(object, named: name, &scope))
        case let kinds where kinds.isEmpty || !kinds.isSubset(of: .numbers): return .json
        case let kinds where kinds.isSubset(of: [.integer, .wideInteger]): return .int
        case let kinds where kinds.isSubset(of: [.integer, .fraction]): return .double
        default: return .jsonNumber
        }
    }

    private mutating func elementType(of array: ValueShape, named name: String, _ scope: inout Scope) -> SwiftType {
        guard let element = array.element else { return .json }
        let type = elementType(type(of: element, named: name, elementName: name, &scope), element.texts)
        return element.hasNull && type != .json ? .optional(type) : type
    }

    /// Returns a type for a place where no property wrapper can be.
    private func elementType(_ type: SwiftType, _ texts: TextShape) -> SwiftType {
        texts.hasEmpty && [.date, .url].contains(type) ? .string : type.unwrapped
    }

    /// Returns the type of texts. In plain JSON they stay texts, because decoders do not agree on dates.
    private mutating func type(of texts: TextShape, named name: String, _ scope: inout Scope) -> SwiftType {
        if isPlain { return .string }
        if !texts.cases.isEmpty { return enumeration(texts.cases, named: name, &scope) }
        if texts.areDates { return .date }
        if texts.areLocalDates { return .localDate }
        return texts.areURLs ? .url : .string
    }

    private mutating func enumeration(_ cases: [String], named name: String, _ scope: inout Scope) -> SwiftType {
        let name = scope.names.take(ReservedNames.type((isPlain ? prefix : "") + (name.isEmpty ? "Value" : name), word: "Value"))
        guesses.append("\((scope.enclosing + [name]).joined(separator: ".")): no other values than those of the samples have a name")
        let kind = TypeDeclaration.Kind.enumeration(ValueSchemas.cases(cases))
        scope.slots.append(TypeDeclaration(name: name, kind: kind, notes: ["The values in the samples."]))
        return .named(name)
    }

    /// Returns a dictionary type for an object with arbitrary names.
    private mutating func table(_ object: ObjectShape, named name: String, _ scope: inout Scope) -> SwiftType {
        let value = object.mergedValue
        guesses.append("\((scope.enclosing + [name]).joined(separator: ".")): values of a dictionary, since the names look like data")
        let element = elementType(type(of: value, named: name, elementName: name, &scope), value.texts)
        // The next text may have no translation yet.
        let isOptional = value.hasNull || KeyForm.areLanguages(object) && !object.hasEnoughValues
        return .dictionary(isOptional && element != .json ? .optional(element) : element)
    }

    /// Remarks about the values of a place, for comments.
    func notes(on shape: ValueShape) -> [String] {
        if shape.kinds.isEmpty { return ["Null in every sample."] }
        if shape.kinds == .array, shape.element == nil, !isPlain { return ["Empty in every sample."] }
        guard shape.kinds == .string else { return [] }
        if isPlain, shape.texts.areDates { return ["A date in every sample."] }
        if !isPlain, shape.texts.cases.isEmpty {
            if shape.texts.areLocalDates, !shape.texts.areDates {
                return ["Without a time zone in the samples. Read as UTC, and written as it was read until it is set."]
            }
            if shape.texts.decimals.looksDecimal { return ["A decimal number in every sample. `Decimal(string:)` reads it."] }
        }
        guard isPlain else { return [] }
        let cases = shape.texts.cases
        guard !cases.isEmpty else { return [] }
        return ["One of \(cases.map(SwiftText.quoted).joined(separator: ", ")) in the samples: an enumeration may fit."]
    }
}

// MARK: - Objects

extension ValueTypes {
    /// Returns the properties for the members of an object, without those that only resources have.
    mutating func properties(of object: ObjectShape, _ scope: inout Scope) -> [Property] {
        var names = NameScope()
        let chosen = names.properties(for: object.members.map(\.name), reserved: ReservedNames.property)
        let isUniform = object.isUniform
        return zip(object.members, chosen).map { member, name in
            property(member, of: object, isUniform: isUniform, named: name, key: member.name, &scope)
        }
    }

    /// Returns the property for one member.
    mutating func property(
        _ member: ObjectShape.Member, of object: ObjectShape, isUniform: Bool, named name: String, key: String, _ scope: inout Scope
    ) -> Property {
        let shape = isPlain ? member.value : member.value.withoutEmpty
        let isThere = rules.isStrict ? !object.isOptional(member) : isUniform && object.isCertain(member)
        if !isThere, !object.isOptional(member) {
            guesses.append(
                "\((scope.enclosing + [name]).joined(separator: ".")): optional, since \(isUniform ? "too few samples have it" : "other members are left out")"
            )
        }
        var type = type(
            of: shape, named: SwiftName.upperCamel(member.name), elementName: SwiftName.singularUpperCamel(member.name), &scope)
        if !isPlain, type == .int, member.value.kinds == .integer, !object.isCertain(member), MeasureName.isMeasure(member.name) {
            guesses.append("\((scope.enclosing + [name]).joined(separator: ".")): not only whole numbers, since it looks like a measure")
            type = .double
        }
        var notes = notes(on: shape)
        if !isPlain, type == .string, shape.texts.decimals.areDecimals(named: member.name) {
            guesses.append("\((scope.enclosing + [name]).joined(separator: ".")): a decimal number, since all texts are")
            type = .decimal
            notes = []
        }
        let emptyForms = member.value.emptyForms(except: shape, readAsTexts: type == .string)
        let isOptional = !isThere || type.isAlwaysOptional || !emptyForms.isEmpty
        return Property(
            member: member.name, name: name, key: key, role: .attribute, type: isOptional ? .optional(type) : type,
            notes: notes + rules.explanation(member, of: object), keepsEmpty: !isPlain, emptyForms: emptyForms)
    }

    /// Declares a struct in `scope`, and returns its name.
    mutating func declare(_ object: ObjectShape, named name: String, _ scope: inout Scope) -> String {
        let name = name.isEmpty ? "Value" : name
        return isPlain ? declarePlain(object, named: name, &scope) : declareNested(object, named: name, &scope)
    }

    private mutating func declareNested(_ object: ObjectShape, named base: String, _ scope: inout Scope) -> String {
        let name = scope.names.take(ReservedNames.type(base, word: "Value"))
        var inside = Scope(in: scope.enclosing + [name], outer: scope.outer)
        let properties = properties(of: object, &inside)
        scope.slots.append(TypeDeclaration(name: name, kind: .value, properties: properties, nested: inside.declarations))
        return name
    }

    /// The maximum number of types with one requested name that are kept for comparison.
    private static let mostCandidates = 8

    private mutating func declarePlain(_ object: ObjectShape, named base: String, _ scope: inout Scope) -> String {
        // Reserves its place before the types that its properties need.
        let position = scope.slots.count
        scope.slots.append(nil)
        path.append(base)
        let properties = properties(of: object, &scope)
        path.removeLast()
        let candidates = shared[base, default: []]
        if let equal = candidates.first(where: { $0.properties.elementsEqual(properties) { $0.isSame(as: $1) } }) { return equal.name }
        // The path tells apart structs with the same name and other members: `Address`, `OwnerAddress`.
        let names = path.indices.reversed().map { prefix + (path[$0...] + [base]).joined() }
        let name = scope.names.take(([prefix + base] + names).map { ReservedNames.type($0, word: "Value") })
        let declaration = TypeDeclaration(name: name, kind: .value, properties: properties)
        if candidates.count < ValueTypes.mostCandidates { shared[base, default: []].append(declaration) }
        scope.slots[position] = declaration
        return name
    }
}
