import JSONMapping
import JSONText

/// Finds the coding key of the property that a key path leads to, without macros.
///
/// The model's `init(from:)` runs with placeholders for values, once more for each coding key with another placeholder for that key. The
/// property is the one whose value is another then. So the model may name its coding keys as it likes, and read itself by hand.
///
/// What it cannot do: a model with an enum that is not `CaseIterable`, or with a type of its own that refuses placeholders, in a
/// property that is not optional; a property of an enum with one case; a computed property that depends on several others.
struct PropertyKeys<Model: Resource>: Sendable {
    /// The model with placeholders everywhere.
    private let model: Model
    /// The same with another placeholder for one key.
    private let variants: [(key: OutlineKey, model: Model)]

    /// Throws where the model cannot be made of placeholders.
    private init() throws {
        let (model, outline) = try ModelOutline.run(Model.self)
        self.model = model
        variants = try outline.properties.map { ($0.key, try ModelOutline.run(Model.self, changing: $0.key).0) }
    }

    private static var known: Result<PropertyKeys, any Error> {
        PropertyKeyMemory.shared.answer(for: Model.self) { Result { try PropertyKeys() } }
    }

    /// The key of the property. Throws `UnknownProperty`, which says why there is none.
    static func key(of property: PartialKeyPath<Model>) throws -> OutlineKey {
        let keys: PropertyKeys
        do { keys = try known.get() } catch {
            throw unknown(
                found: "a model that cannot be made up" + ((error as? CannotMakeUp).map { ", as there is no value for \($0.type)" } ?? ""),
                advice: "make the enum CaseIterable or the property optional, or name the property by text")
        }
        let before = keys.model[keyPath: property]
        let found = keys.variants.filter { AnyComparison.differ(before, $0.model[keyPath: property]) }
        guard found.count == 1, let key = found.first?.key else {
            throw unknown(
                found: found.isEmpty
                    ? "a key path to a value that no coding key changes"
                    : "a key path to what depends on \(NearestName.list(found.map(\.key.text)))",
                advice: "give the key path of a stored property that init(from:) reads, or name it by text")
        }
        return key
    }

    private static func unknown(found: String, advice: String) -> EncodingFailure {
        EncodingFailure(
            .unknownName, at: .root, expected: "a key path to a property of \(Model.self) that has a coding key of its own", found: found,
            advice: advice)
    }
}

extension Resource {
    /// The name in the document of the attribute or relationship that a key path leads to. Throws `EncodingError` where it cannot be found.
    package static func memberName(of property: PartialKeyPath<Self>, _ strategy: KeyStrategy) throws -> String {
        do {
            let key = try PropertyKeys.key(of: property)
            guard let name = key.memberName(strategy)?.name else {
                throw EncodingFailure(
                    .unknownName, at: .root, expected: "a key path to an attribute or a relationship of \(Self.self)",
                    found: "one to `\(key.text)`, which is neither")
            }
            return name
        } catch let failure as EncodingFailure {
            throw failure.encodingError
        }
    }
}

/// The keys of models that were found, for the whole process.
private enum PropertyKeyMemory {
    static let shared = TypeMemory<any Sendable>()
}

extension TypeMemory where Answer == any Sendable {
    fileprivate func answer<Known: Sendable>(for type: Any.Type, _ findOut: () -> Known) -> Known {
        let answer: any Sendable = self.answer(for: type) { findOut() as any Sendable }
        // The table has what was found out for the type, by the same function.
        return answer as? Known ?? findOut()
    }
}

/// Compares values of which nothing but their one type is known.
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
