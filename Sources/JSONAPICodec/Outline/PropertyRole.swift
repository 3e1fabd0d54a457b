import JSONText

/// The part of a resource object that a property's type selects.
package enum PropertyRole {
    /// Returns the member that a marker type selects; nil for every other type.
    package static func marker(_ type: Any.Type) -> String? { markerType(type)?.memberName }

    /// Returns the marker type, also inside optionals and property wrappers; nil for every other type.
    static func markerType(_ type: Any.Type) -> (any ResourceMarker.Type)? {
        (type as? any TransparentWrapper.Type).map { markerType($0.wrappedType) } ?? type as? any ResourceMarker.Type
    }

    /// Whether properties of the type are relationships.
    package static func isRelationship(_ type: Any.Type) -> Bool { relationship(type) != nil }

    /// A relationship as the type of its property describes it.
    package struct Relationship {
        /// The type of the related resources; nil when it can be any.
        package var target: (any ResourceRepresentable.Type)?
        package var isToMany: Bool?
        /// Whether the property has the related resources themselves.
        package var isEmbedded = false
    }

    /// Returns the relationship for a type; nil for the types of attributes and other parts.
    package static func relationship(_ type: Any.Type) -> Relationship? {
        switch type {
        case let wrapper as any TransparentWrapper.Type: relationship(wrapper.wrappedType)
        case let reference as any ReferenceType.Type: Relationship(target: reference.targetType, isToMany: reference.isToMany)
        case is RelationshipObject.Type: Relationship()
        case is ResourceIdentifier.Type: Relationship(isToMany: false)
        case is [ResourceIdentifier].Type: Relationship(isToMany: true)
        case let resource as any ResourceRepresentable.Type: Relationship(target: resource, isToMany: false, isEmbedded: true)
        // Other collections of resources are attributes.
        case let array as any (ArrayType & PrimaryValue).Type:
            (array.elementType as? any ResourceRepresentable.Type).map { Relationship(target: $0, isToMany: true, isEmbedded: true) }
        default: nil
        }
    }

    /// Returns the models of the resources that a type stands for.
    package static func models(of type: any ResourceRepresentable.Type) -> [any Resource.Type] {
        switch type {
        case let model as any Resource.Type: [model]
        case let union as any ResourceUnion.Type: models(ofUnion: union)
        default: []
        }
    }

    private static func models<Union: ResourceUnion>(ofUnion union: Union.Type) -> [any Resource.Type] { union.members.map(\.model) }
}

/// An optional, with its type as a value.
package protocol OptionalType {
    static var wrappedType: Any.Type { get }
}

extension Optional: OptionalType, TransparentWrapper {
    package static var wrappedType: Any.Type { Wrapped.self }
}

/// An array or a set, with its type as a value.
package protocol ArrayType {
    static var elementType: Any.Type { get }
}

extension ArrayType where Self: Sequence {
    package static var elementType: Any.Type { Element.self }
}

extension Array: ArrayType {}
extension ContiguousArray: ArrayType {}
extension ArraySlice: ArrayType {}
extension Set: ArrayType {}

/// A dictionary, with its types as values.
package protocol DictionaryType {
    static var nameType: Any.Type { get }
    static var memberType: Any.Type { get }
}

extension Dictionary: DictionaryType {
    package static var nameType: Any.Type { Key.self }
    package static var memberType: Any.Type { Value.self }
}

/// `ToOne` and `ToMany`.
package protocol ReferenceType {
    static var targetType: any ResourceRepresentable.Type { get }
    static var isToMany: Bool { get }
}
