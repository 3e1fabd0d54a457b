/// A property wrapper that writes another form than that of the wrapped value.
///
/// A patch that sets a property by key path has only the value. It writes the value through the wrapper.
package protocol ReshapingWrapper: Encodable, SendableMetatype {
    /// The type of the property.
    associatedtype Wrapped

    init(wrappedValue: Wrapped)
}

extension ReshapingWrapper {
    package static var wrappedType: Any.Type { Wrapped.self }

    /// Returns the wrapper with the given value; nil if the value has another type.
    package static func holding(_ value: Any) -> Self? { (value as? Wrapped).map { Self(wrappedValue: $0) } }
}

extension Nested: ReshapingWrapper where Source.Value: Encodable {}
extension NestedIfPresent: ReshapingWrapper where Source.Value: Encodable {}
extension Converted: ReshapingWrapper {}
extension ConvertedIfPresent: ReshapingWrapper {}
extension ConvertedAsRead: ReshapingWrapper {}
