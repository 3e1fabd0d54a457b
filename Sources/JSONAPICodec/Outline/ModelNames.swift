import Foundation
import JSONMapping
import JSONText

/// The names of a model's attributes and relationships, to find misspelled names.
///
/// An `init(from:)` that ends early shows the type of the model's coding keys. When a name is checked, the whole `init(from:)` is run with
/// placeholders, once for each process. It shows the types of the properties. If that fails, nothing is known, and every name is accepted.
struct ModelNames: Sendable {
    private let isKey: @Sendable (String) -> Bool
    /// Whether every text is a key, because the model reads itself by hand.
    let isOpen: Bool

    /// What a name is used for.
    enum Kind: Sendable, Equatable {
        case attribute
        case relationship(RelationshipKind)
        /// A member that the type of its property selects: meta, links, or the lid.
        case part
        /// An attribute or a relationship.
        case any

        /// The kind of a property, as far as its type shows it.
        fileprivate init(_ type: Any.Type?) {
            if let type, PropertyRole.marker(type) != nil {
                self = .part
            } else if let type, let relationship = PropertyRole.relationship(type) {
                self = .relationship(relationship.isToMany.map { $0 ? .toMany : .toOne } ?? .any)
            } else {
                self = type.map(Self.isPlain) == true ? .attribute : .any
            }
        }

        var isRelationship: Bool { if case .relationship = self { true } else { false } }

        /// Whether a property of this kind can have what a name of the other kind is used for.
        func fits(_ use: Kind) -> Bool {
            switch (self, use) {
            case (.part, _): false
            case (.any, _), (_, .any), (.attribute, .attribute): true
            case (.relationship(let own), .relationship(let other)): own == other || own == .any || other == .any
            default: false
            }
        }

        /// Whether values of the type are never relationships, nor parts of a resource.
        private static func isPlain(_ type: Any.Type) -> Bool {
            switch type {
            case let wrapper as any TransparentWrapper.Type: isPlain(wrapper.wrappedType)
            case let array as any ArrayType.Type: isPlain(array.elementType)
            case is any Scalar.Type, is any LeafType.Type, is any RawRepresentable.Type: true
            // In a set: an array of resources is a relationship.
            case is any ResourceRepresentable.Type: true
            default: false
            }
        }
    }

    /// A coding key with the kind of its property.
    private struct Property: Sendable {
        let key: OutlineKey
        let kind: Kind

        /// Whether the property has the members that other properties do not name.
        let isRemaining: Bool
        /// The names from the attribute to the value, if a wrapper reads only a part of it.
        let nested: [String]

        /// Returns the name of the attribute or relationship that the key names or is inside of, with its kind; nil for other parts.
        func member(_ strategy: KeyStrategy) -> (name: String, kind: Kind)? {
            guard let (group, name) = key.memberName(strategy) else { return nil }
            guard let group else { return (name, kind) }
            guard group == "relationships" else { return (name, .attribute) }
            return (name, kind.isRelationship ? kind : .relationship(.any))
        }
    }

    /// The names of each type that was asked for; nil for a type that is not a model with its own coding keys.
    private static let known = TypeMemory<(names: ModelNames, model: any Resource.Type)?>()
    /// The properties of the models whose names were checked; nil if they are not known.
    private static let checked = TypeMemory<[Property]?>()

    /// Returns the names of a model; nil for a type that is not a model with its own coding keys.
    static func of(_ type: Any.Type) -> (names: ModelNames, model: any Resource.Type)? {
        known.value(for: type) {
            guard let model = type as? any Resource.Type, !(type is any SchemaResource.Type) else { return nil }
            return (ModelNames(model), model)
        }
    }

    private init(_ model: any Resource.Type) {
        let capture = KeyCapture()
        _ = try? model.init(from: capture)
        isOpen = capture.isOpen
        isKey = capture.isKey
    }

    private static func properties<Model: Resource>(of model: Model.Type) -> [Property]? {
        checked.value(for: model) {
            if model is any DirectResource.Type {
                let written = written(by: model)
                if written?.contains(where: { $0.key.segments[1].hasPrefix("probe-") }) != true { return written }
            }
            return (try? ModelOutline.run(model).1).map { outline in
                outline.keys.map { key in
                    // The type of a property that was nil shows only with a value.
                    let type = outline.types[key] ?? outline.changing(key, of: model).outline.types[key]
                    return Property(
                        key: key, kind: Kind(type), isRemaining: type is RemainingMembers.Type,
                        nested: type.map { PropertyRole.nestedPath($0) } ?? [])
                }
            }
        }
    }

    /// Returns what a direct resource writes with placeholders, at names that begin with `probe-` where a key strategy applies. Nil if it
    /// cannot be created from them or written.
    private static func written<Model: Resource>(by model: Model.Type) -> [Property]? {
        var encoder = JSONAPIEncoder()
        encoder.keyStrategy = .custom { "probe-\($0)" }
        let models = try? [ModelOutline.run(model).0, Placeholder.second.value(model)]
        guard let objects = try? models?.map({ try encoder.fields(of: $0).object }) else { return nil }
        return ["attributes", "relationships"].flatMap { group in
            let kind = group == "attributes" ? Kind.attribute : .relationship(.any)
            return ByteText.distinct(objects.flatMap { $0.members[group]?.object?.map(\.name) ?? [] }).map {
                Property(key: OutlineKey(Key.exact([group, $0])), kind: kind, isRemaining: false, nested: [])
            }
        }
    }

    /// Returns the attributes and relationships that a model writes, whether they are nil or not; nil if they are not known.
    static func fields(of type: Any.Type, _ strategy: KeyStrategy) -> (fields: [(name: String, kind: Kind)], isKey: (String) -> Bool)? {
        guard let (names, model) = of(type), !names.isOpen, let all = properties(of: model) else { return nil }
        return (all.compactMap { $0.member(strategy) }, names.isKey)
    }

    /// Returns the paths of the attributes that a model's properties name, and of what properties name inside them; none if they are not
    /// known.
    static func attributePaths(of type: Any.Type, _ strategy: KeyStrategy) -> [[String]] {
        // A direct writer notes what is nil.
        guard !(type is any DirectResource.Type), let model = of(type)?.model, let all = properties(of: model) else { return [] }
        return all.compactMap { property in
            guard !property.kind.isRelationship, property.kind != .part, !property.isRemaining, let name = property.member(strategy)?.name
            else { return nil }
            let path = property.key.segments
            return path.first == "attributes" ? ["attributes", name] + path.dropFirst(2) + property.nested : nil
        }
    }

    /// Returns whether a model has a coding key for a name in the document; nil if that is not known.
    static func hasKey(for name: String, in type: Any.Type, _ strategy: KeyStrategy) -> Bool? {
        guard let (names, _) = of(type), !names.isOpen else { return nil }
        return strategy.hasKey(for: name, names.isKey)
    }

    /// Throws when no property of the model has the name, and when those that have it are of the other kind.
    static func check(_ name: String, as kind: Kind, in type: Any.Type, _ encoder: JSONAPIEncoder, at tokens: [String]) throws {
        let known: [(name: String, kind: Kind)]
        // Whether a name that is not known may still be that of a property.
        var canExist: () -> Bool = { false }
        if let schema = SchemaMembers.of(type, encoder.schemas) {
            known = schema.names.map { (name: $0, kind: schema.isRelationship($0) ? .relationship(.any) : .attribute) }
        } else {
            guard let (names, model) = of(type), !names.isOpen, let all = properties(of: model) else { return }
            known = all.compactMap { $0.member(encoder.keyStrategy) }
            // The keys of a container for all attributes or relationships are not known, nor all names of a direct writer.
            canExist = {
                encoder.keyStrategy.hasKey(for: name, names.isKey) != false
                    || all.contains { !$0.isRemaining && ResourcePart(rawValue: $0.key.text)?.holdsFields == true }
                    || model is any DirectResource.Type && NearestName.find(name, in: known.map(\.name)) == nil
            }
        }
        let found = known.filter { UTF8Bytes.areEqual($0.name, name) }
        if let other = found.first?.kind, !found.contains(where: { $0.kind.fits(kind) }) {
            throw misused(name, as: kind, other, in: type, at: tokens)
        }
        guard found.isEmpty, !canExist() else { return }
        throw unknown(name, in: type, known.map(\.name), at: tokens)
    }

    /// The failure for a name that is used for another kind of property.
    private static func misused(_ name: String, as kind: Kind, _ other: Kind, in type: Any.Type, at tokens: [String]) -> EncodingFailure {
        let (wanted, found, advice) =
            switch (kind, other) {
            case (_, .part): ("an attribute or relationship", "meta, links, or a lid", "use the key path of the property")
            case (.attribute, _): ("an attribute", "a relationship", "use link(_:to:) or unlink(_:)")
            case (_, .relationship(.toMany)):
                ("a to-one relationship", "a to-many relationship", "use link(_:to:) with an array, which can be empty")
            case (_, .relationship): ("a to-many relationship", "a to-one relationship", "use link(_:to:) with one resource, or unlink(_:)")
            default: ("a relationship", "an attribute", "use set(_:_:) or setNull(_:)")
            }
        return EncodingFailure(
            .unknownName, at: JSONPointer(tokens: tokens), expected: "the name of \(wanted) of \(type)",
            found: "`\(name)`, which is \(found)", advice: advice)
    }

    /// Throws when the name is not that of a key of the model, but nearly.
    static func checkSpelling(_ name: String, in type: Any.Type, _ encoder: JSONAPIEncoder, at tokens: [String]) throws {
        let strategy = encoder.keyStrategy
        // What a direct writer writes need not be a coding key, and a subclass has keys of its own.
        let written = type is any DirectResource.Type || type is AnyObject.Type ? fields(of: type, strategy)?.fields.map(\.name) ?? [] : nil
        if let listed = SchemaMembers.of(type, encoder.schemas)?.names ?? written {
            if listed.contains(where: { UTF8Bytes.areEqual($0, name) }) { return }
            guard let nearest = NearestName.find(name, in: listed) else { return }
            throw unknown(name, in: type, [nearest], at: tokens)
        }
        guard let (names, _) = of(type), !names.isOpen, strategy.hasKey(for: name, names.isKey) == false,
            let nearest = NearestName.probe(strategy.keyName(name) ?? name, names.isKey), !ResourcePart.isIdentity(nearest)
        else { return }
        throw unknown(name, in: type, [strategy.memberName(nearest)], at: tokens)
    }

    private static func unknown(_ name: String, in type: Any.Type, _ known: [String], at tokens: [String]) -> EncodingFailure {
        EncodingFailure(
            .unknownName, at: JSONPointer(tokens: tokens), expected: "the name of an attribute or relationship of \(type)",
            found: "`\(name)`",
            advice: (NearestName.find(name, in: known).map { "the nearest name is `\($0)`" } ?? "it has \(NearestName.list(known))")
                + "; to use a name that the model does not have, use Patch(type:id:attributes:relationships:)")
    }
}

/// Records the type of the keys that a model asks for, and ends its `init(from:)` there.
private final class KeyCapture: Decoder {
    private(set) var isOpen = true
    private(set) var isKey: @Sendable (String) -> Bool = { _ in true }
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        isOpen = Key.self == JSONAPICodec.Key.self
        isKey = { Key(stringValue: $0) != nil }
        throw CannotMakeUp(type: "a resource")
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw CannotMakeUp(type: "a resource") }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw CannotMakeUp(type: "a resource") }
}

extension OutlineKey {
    /// The names that lead to the value, from the resource object. A single name counts as that of an attribute.
    package var segments: [String] {
        if let place, place.root != .flat { return place.path }
        return Self.segments(text)
    }

    private static func segments(_ path: String) -> [String] {
        let segments = UTF8Bytes.parts(of: path, separatedBy: UInt8(ascii: "."))
        return ResourcePart(rawValue: segments[0]) == nil ? ["attributes"] + segments : segments
    }

    /// Returns the attribute or relationship that the key names or is inside of; nil for the identity and other parts of the resource.
    func memberName(_ strategy: KeyStrategy) -> (group: String?, name: String)? {
        if let place, place.root == .member {
            guard place.segments.count > 1, ResourcePart(rawValue: place.segments[0])?.holdsFields == true else { return nil }
            return (place.segments[0], place.segments[1])
        }
        if let place, place.root != .flat {
            guard let name = place.segments.first else { return nil }
            return (place.root == .attributes ? "attributes" : "relationships", strategy.memberName(name))
        }
        if ResourcePart.isIdentity(text) { return nil }
        let name = strategy.resourceName(text)
        guard UTF8Bytes.contains(UInt8(ascii: "."), in: name) else { return (nil, name) }
        let segments = Self.segments(name)
        guard ResourcePart(rawValue: segments[0])?.holdsFields == true else { return nil }
        return (segments[0], segments[1])
    }

    /// Whether the text is a path.
    package var isDotted: Bool { UTF8Bytes.contains(UInt8(ascii: "."), in: text) }
}
