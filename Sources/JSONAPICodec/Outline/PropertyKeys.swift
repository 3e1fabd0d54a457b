import JSONMapping
import JSONText

/// Finds the coding key of a property by its key path, without macros.
///
/// The model's `init(from:)` runs with placeholders, and then once for each coding key with a different placeholder for that key. The key
/// that changes the property's value is the right one. Coding keys may therefore have any names, and the model may read itself by hand.
///
/// A property that no key changes has the key of its type whose placeholders do not differ, if there is only one: for example when the type
/// is an optional enum that is not `CaseIterable`.
///
/// This fails in three cases: for all properties of a model with one that is not optional and whose type is an enum that is not
/// `CaseIterable`, or a type that rejects placeholders; for several properties of one type whose placeholders do not differ; and for a
/// computed property that depends on several others.
struct PropertyKeys<Model: Decodable & Sendable>: Sendable {
    /// The model with the first placeholder everywhere.
    private let model: Model
    /// For each key, the model with a different placeholder for that key.
    private let variants: [Variant]

    private struct Variant: Sendable {
        let key: OutlineKey
        /// Nil when the model cannot be created with a different placeholder.
        let model: Model?
        let request: OutlineRequest?

        /// Whether nothing is known of the properties that depend on the key.
        var isUnchanged: Bool { model == nil || request?.isUnchanged == true }
    }

    /// Throws when the model cannot be created from placeholders.
    private init() throws {
        let (model, outline) = try ModelOutline.run(Model.self)
        self.model = model
        variants = outline.keys.map { key in
            let (model, changed) = outline.changing(key, of: Model.self)
            return Variant(key: key, model: model, request: changed.request)
        }
    }

    private static var known: Result<PropertyKeys, any Error> {
        func find() -> Result<PropertyKeys, any Error> { Result { try PropertyKeys() } }
        // The table has the result for the type, from the same function.
        return ModelOutline.propertyKeys.value(for: Model.self) { find() } as? Result<PropertyKeys, any Error> ?? find()
    }

    /// Returns the key of the property. Throws `EncodingFailure` when it cannot be found.
    static func key(of property: PartialKeyPath<Model>, _ schemas: SchemaSet?) throws -> OutlineKey {
        try inSchema(property, schemas)?.key ?? variant(of: property).key
    }

    /// Returns the field of a property in the schema of a `SchemaResource`; nil for any other model. Throws `EncodingFailure` when the schema
    /// has none.
    static func inSchema(_ property: PartialKeyPath<Model>, _ schemas: SchemaSet?) throws -> SchemaProperty? {
        guard let model = Model.self as? any SchemaResource.Type else { return nil }
        if let found = SchemaProperty(property, in: model, schemas) { return found }
        throw unknown(
            found: "a key path that no field of its schema has",
            advice: "use the key path that the field was created with, or give the property's name as text")
    }

    /// Returns the key of a property, and the value in the form that the model reads: with its property wrapper, if it has one. Throws
    /// `EncodingFailure` when the model makes the value of another one, because the form is then unknown.
    static func written<Value: Encodable>(_ value: Value, to property: KeyPath<Model, Value>) throws -> (OutlineKey, any Encodable) {
        let variant = try variant(of: property)
        if let request = variant.request {
            if let wrapped = request.holding(value) { return (variant.key, wrapped) }
            let own = variant.model.flatMap { OutlineRequest.form($0[keyPath: property]) }
            let isSame = request.form.flatMap { form in own.map { $0 == form } }
            if isSame ?? request.isOf(Value.self) { return (variant.key, value) }
            if request.form?.object != nil {
                throw unknown(
                    found: "a key path into the value of `\(variant.key.text)`, or to something that init(from:) makes of it",
                    advice: "set the property with the whole value; or set the attribute by its name, in the form of the document")
            }
        }
        throw unknown(
            found: "a property that init(from:) makes of a value with another form",
            advice: "set the attribute by its name, in the form of the document; or set a relationship by link(_:to:)")
    }

    /// Whether other keys name members of the object at a key.
    static func hasParts(_ key: OutlineKey) throws -> Bool {
        let path = key.segments
        return try known.get().variants.contains {
            !ResourcePart.isIdentity($0.key.text) && $0.key.segments.count > path.count && $0.key.segments.starts(with: path)
        }
    }

    private static func variant(of property: PartialKeyPath<Model>) throws -> Variant {
        if mayTrap(property) {
            throw unknown(
                found: "a key path through `!`, or to a subscript or a computed property of another value",
                advice: "use the key path of the property itself, or give its name as text")
        }
        let keys: PropertyKeys
        do { keys = try known.get() } catch let error as CannotMakeUp {
            throw unknown(
                found: "a model that cannot be created, because there is no placeholder for \(error.type)"
                    + (error.key.map { " at the key `\($0.text)`" } ?? ""),
                advice: "make the enum CaseIterable or the property optional, or give the property's name as text")
        } catch {
            throw unknown(
                found: "a model that cannot be created, because its init(from:) throws for placeholders: \(error)",
                advice: "let init(from:) read other values, or give the property's name as text")
        }
        let before = keys.model[keyPath: property]
        let changing = keys.variants.filter { variant in variant.model.map { differ(before, $0[keyPath: property]) } ?? false }
        let type = Swift.type(of: property).valueType
        let found = changing.isEmpty ? keys.variants.filter { $0.isUnchanged && $0.request?.isOf(type) == true } : changing
        guard found.count == 1, let variant = found.first else {
            let names = NearestName.list(found.map(\.key.text))
            throw unknown(
                found: found.isEmpty
                    ? "a key path to a value that no coding key changes"
                    : changing.isEmpty
                        ? "a key path to one of several values of the type \(type), for which there are no different placeholders: \(names)"
                        : "a key path to a value that depends on \(names)",
                advice: "use the key path of a stored property that init(from:) reads, or give its name as text")
        }
        return Model.self is any DirectResource.Type ? try direct(variant, keys.model, property) : variant
    }

    /// Returns the variant with the name under which a direct writer writes the property, which need not be the coding key.
    private static func direct(_ variant: Variant, _ model: Model, _ property: PartialKeyPath<Model>) throws -> Variant {
        guard let changed = variant.model, let old = try? written(model), let new = try? written(changed) else { return variant }
        let places = ["attributes", "relationships"].flatMap { group in old.namesDiffering(from: new, in: group).map { [group, $0] } }
        // Nothing changes for meta, links, and values without different placeholders.
        guard let place = places.first else { return variant }
        let json = new[attribute: place[1]]
        let hasForm = json != nil && (json == variant.request?.form || OutlineRequest.form(changed[keyPath: property]) == json)
        if places.count == 1, place[0] == "relationships" || hasForm {
            // A writer of its own has names that no strategy converts. The default one writes coding keys.
            if let other = try? written(changed, .custom { "probe-\($0)" }), other.members[place[0]]?[place[1]] == nil { return variant }
            return Variant(key: OutlineKey(Key.exact(place)), model: changed, request: variant.request)
        }
        // A part of an attribute has the path that its coding key says.
        if places.count == 1, variant.key.segments.count > 2, variant.key.segments.starts(with: place) { return variant }
        throw unknown(
            found: "a property that write(to:) does not write as one attribute or relationship of its own",
            advice: "give the property's name as text")
    }

    /// Returns a model as a resource object, whatever its identity is; nil for fields that are no model.
    private static func written(_ model: Model, _ strategy: KeyStrategy = .useDefaultKeys) throws -> ResourceObject? {
        var encoder = JSONAPIEncoder()
        encoder.checksNames = false
        encoder.keyStrategy = strategy
        guard let model = model as? any Resource else { return nil }
        return try encoder.withSession { try $0.resourceObject(model, as: ResourceIdentifier(type: type(of: model).type, id: "1")) }
    }

    /// Whether applying the key path to a placeholder could end the process: an optional of it is nil, and an array is empty. So a path
    /// through `!` is refused, and one whose later steps are computed, because they may be subscripts.
    ///
    /// The steps are those in the description of the key path. Systems before macOS 13.3 and iOS 16.4 do not describe them, so there such
    /// a key path is applied.
    private static func mayTrap(_ property: PartialKeyPath<Model>) -> Bool {
        // `\Model.place!.city`, or `\Model.tags.<computed 0x… (String)>`
        let steps = String(reflecting: property).dropFirst("\\\(Swift.type(of: property).rootType).".count)
        return steps.contains { $0 == "!" }
            || steps.dropFirst().split(separator: "<", omittingEmptySubsequences: false).dropFirst().contains { $0.hasPrefix("computed ") }
    }

    /// Whether two values of the same unknown type differ.
    private static func differ(_ a: Any, _ b: Any) -> Bool {
        func areEqual<Other: Equatable>(_ a: Other, _ b: Any) -> Bool { (b as? Other).map { a == $0 } ?? false }
        if let a = a as? any Equatable { return !areEqual(a, b) }
        if let first = OutlineRequest.form(a), let second = OutlineRequest.form(b) { return first != second }
        return String(reflecting: a) != String(reflecting: b)
    }

    private static func unknown(found: String, advice: String) -> EncodingFailure {
        EncodingFailure(
            .unknownName, at: .root, expected: "a key path to a property of \(Model.self) that has a coding key of its own", found: found,
            advice: advice)
    }
}

extension Decodable where Self: Sendable {
    /// Returns the document's name of the attribute or relationship at a key path. Throws `EncodingError` when it cannot be found.
    ///
    /// - Parameter isRelationship: Whether it must be a relationship, as far as that is known.
    package static func memberName(
        of property: PartialKeyPath<Self>, _ strategy: KeyStrategy, _ schemas: SchemaSet? = nil, isRelationship: Bool = false
    ) throws -> String {
        try EncodingFailure.converted {
            let key = try PropertyKeys.key(of: property, schemas)
            guard let (group, name) = key.memberName(strategy), !isRelationship || group != "attributes" else {
                let kinds = isRelationship ? "a relationship" : "an attribute or a relationship"
                throw EncodingFailure(
                    .unknownName, at: .root, expected: "a key path to \(kinds) of \(Self.self)",
                    found: "a key path to `\(key.text)`, which is none")
            }
            guard isRelationship else { return name }
            var encoder = JSONAPIEncoder()
            (encoder.keyStrategy, encoder.schemas) = (strategy, schemas)
            try ModelNames.check(name, as: .relationship(.any), in: Self.self, encoder, at: [])
            return name
        }
    }
}
