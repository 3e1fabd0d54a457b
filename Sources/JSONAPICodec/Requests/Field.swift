import JSONMapping

/// A value that may be absent, null, or there: for the properties of a patch written by hand.
///
/// ```swift
/// struct ArticleChanges: ResourceFields {
///     static let type = "articles"
///     var title: Field<String> = .absent
///     var subtitle: Field<String> = .absent
/// }
/// let patch = Patch(id: "1", ArticleChanges(subtitle: .null))     // {"data":{…,"attributes":{"subtitle":null}}}
/// ```
///
/// Absent leaves the member alone, null clears it. Works with `JSONAPIEncoder`, `JSONEncoder`, and the decoders. It is the
/// `Presence` of `JSONMapping`.
///
/// Specification: <https://jsonapi.org/format/1.1/#crud-updating-resource-attributes>
public typealias Field<Value> = Presence<Value>
