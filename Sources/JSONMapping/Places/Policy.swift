/// What happens when a value is empty: missing, null, or converted to nil. A policy applies in both directions.
///
/// | policy | decoding | encoding |
/// | --- | --- | --- |
/// | `required` | an issue | an issue |
/// | `optional` | a missing member leaves the property unchanged, null clears it | null |
/// | `omit` | as `optional` | nothing is written |
/// | `null` | nil, or an explicit null in a `DynamicObject` | null |
/// | `default(value)` | the value | the value |
///
/// A property of type `JSON` can be null, and so can one with the conversion `.nullable`. Null is then a value, unless the policy is a
/// default.
///
/// A value that is not written is not read back: a new instance then has the value of its prototype. A prototype with another value than nil
/// or `Presence.absent` therefore changes it, also in archives and stores of a `SchemaResource`. There, use `optional` or `null` for nil.
///
/// When JSON is applied to an existing value, a missing member never changes a property. It is still an issue if it is required,
/// unless you pass `isPartial: true`.
public enum Policy<Value>: Sendable {
    /// A value is required.
    case required
    /// A missing member leaves the property unchanged, and null clears it. Nil is written as null.
    case optional
    /// Like `optional`, but nil is not written.
    case omit
    /// An empty value is null, in both directions.
    case null
    /// The closure's result replaces an empty value. `default` is the short form.
    case standIn(@Sendable () -> Value)

    /// Replaces an empty value with the given value.
    public static func `default`(_ value: @autoclosure @escaping @Sendable () -> Value) -> Policy { .standIn(value) }
}
