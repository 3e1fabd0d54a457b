import JSONMapping
import JSONText

/// The keys of a model's properties, as its `init(from:)` asks for them.
///
/// They are found by running `init(from:)` with placeholders. That works only when there is a placeholder for the type of every property.
final class ModelOutline {
    /// The keys that `init(from:)` asked for, each once.
    private(set) var keys: [OutlineKey] = []
    /// The types of the values that `init(from:)` asked for, by key.
    private(set) var types: [OutlineKey: Any.Type] = [:]
    /// What `init(from:)` requested for the key that was changed; nil if it requested no value of one type.
    private(set) var request: OutlineRequest?
    private let changed: OutlineKey?
    /// The keys whose optional values are not nil, because the model throws without them.
    private let present: Set<OutlineKey>
    private var known: Set<OutlineKey> = []
    /// The keys whose value was nil where it may be missing.
    private var missing: Set<OutlineKey> = []
    private let depth = PlaceholderDepth()

    /// The maximum number of keys. A model that requests numbered keys until one is missing requests more.
    private static let limit = 1000

    /// The `PropertyKeys` of models, which a generic type cannot keep for the whole process.
    static let propertyKeys = TypeMemory<any Sendable>()

    init(changing changed: OutlineKey? = nil, present: Set<OutlineKey> = []) {
        self.changed = changed
        self.present = present
    }

    /// Runs a model's `init(from:)`. Returns the value, with the first placeholder everywhere: nil for an optional value, unless the model
    /// throws that its key is missing.
    ///
    /// Throws `CannotMakeUp`, or what the model throws.
    static func run<Model: Decodable>(_ model: Model.Type) throws -> (Model, ModelOutline) {
        var present: Set<OutlineKey> = []
        while true {
            let outline = ModelOutline(present: present)
            do {
                let value = try outline.value(of: model)
                guard outline.keys.count <= limit else { throw CannotMakeUp(type: "a model with more than \(limit) keys") }
                return (value, outline)
            } catch let error as DecodingError {
                guard case .keyNotFound(let missing, _) = error else { throw error }
                let key = OutlineKey(missing)
                guard outline.keys.contains(key), present.insert(key).inserted else { throw error }
            }
        }
    }

    /// Returns a value with the second placeholder at a key, and everything else as in this outline; nil if it cannot be created. The outline
    /// is that of the value.
    func changing<Model: Decodable>(_ key: OutlineKey, of model: Model.Type) -> (value: Model?, outline: ModelOutline) {
        let outline = ModelOutline(changing: key, present: present)
        return (try? outline.value(of: model), outline)
    }

    /// Runs a model's `init(from:)`. Returns the value, with the second placeholder at the changed key and the first one everywhere else.
    func value<Model: Decodable>(of model: Model.Type) throws -> Model {
        try Model(from: PlaceholderDecoder(placeholder: .first, depth: depth, outline: self))
    }

    /// Records a key, and returns its placeholder.
    func note(_ key: some CodingKey) -> Placeholder {
        let key = OutlineKey(key)
        if known.insert(key).inserted { keys.append(key) }
        return key == changed ? .second : .first
    }

    /// Records a key with the type of its value.
    func note(_ type: Any.Type, _ key: some CodingKey) {
        _ = note(key)
        let noted = OutlineKey(key)
        if types[noted] == nil { types[noted] = type }
    }

    /// Records a key. Returns whether its optional value is nil.
    func isNil(_ key: some CodingKey) -> Bool { note(key) == .first && !present.contains(OutlineKey(key)) }

    /// Records that the value of a key was nil where it may be missing, as in `decodeIfPresent`.
    func noteMissing(_ key: some CodingKey) { missing.insert(OutlineKey(key)) }

    /// Whether the value of a key was nil before. A model that asks for it again, as one that is required, finds it missing.
    func isMissing(_ key: some CodingKey) -> Bool { missing.contains(OutlineKey(key)) }

    /// Returns the placeholder of a type for a key.
    func value<Value: Decodable>(_ type: Value.Type, _ key: some CodingKey) throws -> Value {
        note(type, key)
        let made = Result { try note(key).value(type, depth: depth) }
        if OutlineKey(key) == changed { request = OutlineRequest(type, try? made.get()) }
        do { return try made.get() } catch let error as CannotMakeUp { throw error.at(OutlineKey(key)) }
    }
}

/// A value that `init(from:)` requested.
struct OutlineRequest: Sendable {
    /// The requested type, and its optional type.
    private let types: [ObjectIdentifier]
    /// The wrapper that was requested; nil for any other type.
    private let wrapper: (any ReshapingWrapper.Type)?
    private let relationship: (any RelationshipWrapper.Type)?
    /// The form of the second placeholder; nil if there is none, or if it cannot be written.
    let form: JSON?
    /// Whether the type has no second placeholder, or one that does not differ from the first.
    let isUnchanged: Bool

    fileprivate init<Value: Decodable>(_ type: Value.Type, _ second: Value?) {
        types = [ObjectIdentifier(type), ObjectIdentifier(Value?.self)]
        wrapper = type as? any ReshapingWrapper.Type
        relationship = type as? any RelationshipWrapper.Type
        form = second.flatMap { Self.form($0) }
        let first = (try? Placeholder.first.value(type)).flatMap { Self.form($0) }
        isUnchanged = second == nil || form != nil && form == first
    }

    /// Returns a value as JSON; nil if it cannot be written.
    static func form(_ value: Any) -> JSON? { (value as? any Encodable).flatMap { try? JSONAPIEncoder().json($0) } }

    /// Whether the property has the requested type, or is an optional of it.
    func isOf(_ type: Any.Type) -> Bool { types.contains(ObjectIdentifier(type)) }

    /// Returns the requested wrapper with the given value; nil if no wrapper was requested, or one of values of another type.
    func holding(_ value: Any) -> (any Encodable)? { wrapper?.holding(value) ?? relationship?.holding(value) }
}

/// A wrapper of a relationship. Its property has the resources, and the projected value is the relationship.
private protocol RelationshipWrapper: SendableMetatype {
    static func holding(_ value: Any) -> (any Encodable)?
}

extension Embedded: RelationshipWrapper {
    fileprivate static func holding(_ value: Any) -> (any Encodable)? {
        if let reference = value as? Reference { return Embedded(projectedValue: reference) }
        guard let resources = value as? Reference.Embedded else { return nil }
        var made = Embedded(wrappedValue: resources)
        // Nil removes the link of a to-one relationship.
        made.wrappedValue = resources
        return made
    }
}

/// A coding key of any type.
package struct OutlineKey: Sendable, Hashable {
    package let text: String
    /// The key itself when it is a `Key`, whose place its text may not show.
    package let place: Key?

    package init(_ key: some CodingKey) {
        text = key.stringValue
        place = key as? Key
    }

    /// The key for reading or writing the property.
    var codingKey: Key { place ?? Key(text) }
}
