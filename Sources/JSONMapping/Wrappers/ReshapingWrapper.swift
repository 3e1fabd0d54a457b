/// A property wrapper that writes another form than that of the wrapped value.
///
/// A patch that sets a property by key path has only the value. It writes the value through the wrapper.
package protocol ReshapingWrapper: Encodable, SendableMetatype {
    /// The type of the property.
    static var wrappedType: Any.Type { get }

    /// Returns the wrapper with the given value; nil if the value has another type.
    static func holding(_ value: Any) -> Self?
}

extension Nested: ReshapingWrapper where Source.Value: Encodable {
    package static var wrappedType: Any.Type { Source.Value.self }
    package static func holding(_ value: Any) -> Nested? {
        guard let value = value as? Source.Value else { return nil }
        return Nested(wrappedValue: value)
    }
}

extension NestedIfPresent: ReshapingWrapper where Source.Value: Encodable {
    package static var wrappedType: Any.Type { Source.Value.self }
    package static func holding(_ value: Any) -> NestedIfPresent? {
        guard let value = value as? Source.Value? else { return nil }
        return NestedIfPresent(wrappedValue: value)
    }
}

extension Converted: ReshapingWrapper {
    package static var wrappedType: Any.Type { Source.Value.self }
    package static func holding(_ value: Any) -> Converted? {
        guard let value = value as? Source.Value else { return nil }
        return Converted(wrappedValue: value)
    }
}

extension ConvertedIfPresent: ReshapingWrapper {
    package static var wrappedType: Any.Type { Source.Value.self }
    package static func holding(_ value: Any) -> ConvertedIfPresent? {
        guard let value = value as? Source.Value? else { return nil }
        return ConvertedIfPresent(wrappedValue: value)
    }
}
