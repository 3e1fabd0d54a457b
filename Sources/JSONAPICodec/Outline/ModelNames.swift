import JSONMapping
import JSONText

/// The names of a model's attributes and relationships, to find misspelled names.
///
/// An `init(from:)` that ends early shows the type of the model's coding keys. Only when that type has no key for a name is the whole
/// `init(from:)` run, with placeholders. If that fails, nothing is known, and every name is accepted.
struct ModelNames: Sendable {
    private let isKey: @Sendable (String) -> Bool
    /// Whether every text is a key, because the model reads itself by hand.
    let isOpen: Bool

    private static let known = TypeMemory<ModelNames>()

    /// Returns the names of a model; nil for a type that is not a model with its own coding keys.
    static func of(_ type: Any.Type) -> (names: ModelNames, model: any Resource.Type)? {
        guard let model = type as? any Resource.Type, !(type is any DirectResource.Type), !(type is any SchemaResource.Type) else {
            return nil
        }
        return (known.value(for: type) { ModelNames(model) }, model)
    }

    private init(_ model: any Resource.Type) {
        let capture = KeyCapture()
        _ = try? model.init(from: capture)
        isOpen = capture.keys.isOpen
        isKey = capture.keys.isKey
    }

    /// Throws when no property of the model has the name.
    static func check(_ name: String, in type: Any.Type, _ strategy: KeyStrategy, at tokens: [String]) throws {
        guard let (names, model) = of(type), !names.isOpen, strategy.hasKey(for: name, names.isKey) == false,
            let outline = try? outline(model)
        else { return }
        let known = outline.properties.compactMap { $0.key.memberName(strategy)?.name }
        if known.contains(where: { UTF8Bytes.areEqual($0, name) }) { return }
        throw EncodingFailure(
            .unknownName, at: JSONPointer(tokens: tokens), expected: "the name of an attribute or relationship of \(type)",
            found: "`\(name)`",
            advice: (NearestName.find(name, in: known).map { "the nearest name is `\($0)`" } ?? "it has \(NearestName.list(known))")
                + "; to use a name that the model does not have, use Patch(type:id:attributes:relationships:)")
    }

    private static func outline<Model: Resource>(_ model: Model.Type) throws -> ModelOutline { try ModelOutline.run(model).1 }
}

/// Records the type of the keys that a model asks for, and ends its `init(from:)` there.
private struct KeyCapture: Decoder {
    final class Keys {
        var isOpen = true
        var isKey: @Sendable (String) -> Bool = { _ in true }
    }

    let keys = Keys()
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        keys.isOpen = Key.self == JSONAPICodec.Key.self
        keys.isKey = { Key(stringValue: $0) != nil }
        throw CannotMakeUp(type: "a resource")
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw CannotMakeUp(type: "a resource") }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw CannotMakeUp(type: "a resource") }
}

extension OutlineKey {
    /// The names that lead to the value, from the resource object. A single name counts as that of an attribute.
    var segments: [String] {
        if let place, place.root != .flat {
            switch place.root {
            case .attributes: return ["attributes"] + place.segments
            case .relationships: return ["relationships"] + place.segments
            default: return place.segments
            }
        }
        let segments = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return EncodingSession.parts.contains(segments[0]) ? segments : ["attributes"] + segments
    }

    /// Returns the attribute or relationship that the key names or is inside of; nil for the identity and other parts of the resource.
    func memberName(_ strategy: KeyStrategy) -> (group: String?, name: String)? {
        if let place, place.root != .flat {
            guard place.root != .member, let name = place.segments.first else { return nil }
            return (place.root == .attributes ? "attributes" : "relationships", strategy.memberName(name))
        }
        if DecodingSession.isIdentityName(text) { return nil }
        let segments = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard segments.count > 1 else { return (nil, strategy.memberName(text)) }
        switch segments[0] {
        case "attributes", "relationships": return (segments[0], segments[1])
        case "links", "meta": return nil
        default: return ("attributes", segments[0])
        }
    }
}
