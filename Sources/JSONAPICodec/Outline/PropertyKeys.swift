import JSONMapping
import JSONText

/// Finds the coding key of a property by its key path, without macros.
///
/// The model's `init(from:)` runs with placeholders, and then once for each coding key with a different placeholder for that key. The key
/// that changes the property's value is the right one. Coding keys may therefore have any names, and the model may read itself by hand.
///
/// This fails in three cases: for a property that is not optional and whose type is an enum that is not `CaseIterable`, or a type that
/// rejects placeholders; for a property whose type is an enum with one case; and for a computed property that depends on several others.
struct PropertyKeys<Model: Resource>: Sendable {
    /// The model with the first placeholder everywhere.
    private let model: Model
    /// For each key, the model with a different placeholder for that key.
    private let variants: [Variant]

    private struct Variant: Sendable {
        let key: OutlineKey
        let model: Model
        let request: OutlineRequest?
    }

    /// Throws when the model cannot be created from placeholders.
    private init() throws {
        let (model, outline) = try ModelOutline.run(Model.self)
        self.model = model
        variants = try outline.properties.map { property in
            let (model, outline) = try ModelOutline.run(Model.self, changing: property.key)
            return Variant(key: property.key, model: model, request: outline.request)
        }
    }

    private static var known: Result<PropertyKeys, any Error> {
        PropertyKeyMemory.shared.value(for: Model.self) { Result { try PropertyKeys() } }
    }

    /// Returns the key of the property. Throws `EncodingFailure` when it cannot be found.
    static func key(of property: PartialKeyPath<Model>) throws -> OutlineKey { try variant(of: property).key }

    /// Returns the key of a property, and the value in the form that the model reads: with its property wrapper, if it has one. Throws
    /// `EncodingFailure` when the model makes the value of another one, because the form is then unknown.
    static func written<Value: Encodable>(_ value: Value, to property: KeyPath<Model, Value>) throws -> (OutlineKey, any Encodable) {
        let variant = try variant(of: property)
        if let request = variant.request {
            if request.isOf(Value.self) { return (variant.key, value) }
            if let wrapped = request.wrapper?.holding(value) { return (variant.key, wrapped) }
            if let form = request.form, let own = try? JSONAPIEncoder().json(variant.model[keyPath: property]), own == form {
                return (variant.key, value)
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
            !DecodingSession.isIdentityName($0.key.text) && $0.key.segments.count > path.count && $0.key.segments.starts(with: path)
        }
    }

    private static func variant(of property: PartialKeyPath<Model>) throws -> Variant {
        let keys: PropertyKeys
        do { keys = try known.get() } catch {
            throw unknown(
                found: "a model that cannot be created"
                    + ((error as? CannotMakeUp).map { ", because there is no placeholder for \($0.type)" } ?? ""),
                advice: "make the enum CaseIterable or the property optional, or give the property's name as text")
        }
        let before = keys.model[keyPath: property]
        let found = keys.variants.filter { AnyComparison.differ(before, $0.model[keyPath: property]) }
        guard found.count == 1, let variant = found.first else {
            throw unknown(
                found: found.isEmpty
                    ? "a key path to a value that no coding key changes"
                    : "a key path to a value that depends on \(NearestName.list(found.map(\.key.text)))",
                advice: "use the key path of a stored property that init(from:) reads, or give its name as text")
        }
        return variant
    }

    private static func unknown(found: String, advice: String) -> EncodingFailure {
        EncodingFailure(
            .unknownName, at: .root, expected: "a key path to a property of \(Model.self) that has a coding key of its own", found: found,
            advice: advice)
    }
}

extension Resource {
    /// Returns the document's name of the attribute or relationship at a key path. Throws `EncodingError` when it cannot be found.
    package static func memberName(of property: PartialKeyPath<Self>, _ strategy: KeyStrategy) throws -> String {
        do {
            let key = try PropertyKeys.key(of: property)
            guard let name = key.memberName(strategy)?.name else {
                throw EncodingFailure(
                    .unknownName, at: .root, expected: "a key path to an attribute or a relationship of \(Self.self)",
                    found: "a key path to `\(key.text)`, which is neither")
            }
            return name
        } catch let failure as EncodingFailure {
            throw failure.encodingError
        }
    }
}

/// The keys of models that were found, kept for the whole process.
private enum PropertyKeyMemory {
    static let shared = TypeMemory<any Sendable>()
}

extension TypeMemory where Value == any Sendable {
    fileprivate func value<Known: Sendable>(for type: Any.Type, _ findOut: () -> Known) -> Known {
        let value: any Sendable = self.value(for: type) { findOut() as any Sendable }
        // The table has the result for the type, from the same function.
        return value as? Known ?? findOut()
    }
}

/// Compares values of the same unknown type.
private enum AnyComparison {
    static func differ(_ a: Any, _ b: Any) -> Bool {
        func areEqual<Value: Equatable>(_ a: Value, _ b: Any) -> Bool { (b as? Value).map { a == $0 } ?? false }
        if let a = a as? any Equatable { return !areEqual(a, b) }
        if let a = a as? any Encodable, let b = b as? any Encodable,
            let first = try? JSONAPIEncoder().json(a), let second = try? JSONAPIEncoder().json(b)
        {
            return first != second
        }
        return String(reflecting: a) != String(reflecting: b)
    }
}
