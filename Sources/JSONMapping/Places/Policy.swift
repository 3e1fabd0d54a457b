/// What happens where a value is empty: missing, null, or made nothing by its conversion. It acts in both directions.
///
/// | policy | decoding | encoding |
/// | --- | --- | --- |
/// | `required` | an issue | an issue |
/// | `optional` | missing leaves the property alone, null clears it | null |
/// | `omit` | the same | nothing is written |
/// | `null` | nil, for a `DynamicObject` a stated null | null |
/// | `default(value)` | the value | the value |
///
/// When JSON is applied to an existing value, a missing member never touches a property. It still is an issue where it is
/// required, unless the JSON is said to be partial.
public enum Policy<Value>: Sendable {
    /// There has to be a value.
    case required
    /// Missing leaves the property alone, null clears it; nil is written as null.
    case optional
    /// As `optional`, but nil is not written.
    case omit
    /// Empty is null, in both directions.
    case null
    /// What the closure gives stands in; `default` is the short form.
    case standIn(@Sendable () -> Value)

    /// This value stands in.
    public static func `default`(_ value: @autoclosure @escaping @Sendable () -> Value) -> Policy { .standIn(value) }
}
