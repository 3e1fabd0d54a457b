import JSONMapping

/// A value that is absent, null or present, for the properties of a hand-written patch.
///
/// ```swift
/// struct ArticleChanges: ResourceFields {
///     static let type = "articles"
///     var title: Field<String> = .absent
///     var subtitle: Field<String> = .absent
/// }
/// let patch = Patch(id: "1", ArticleChanges(title: "New", subtitle: .null))
/// // {"data":{…,"attributes":{"title":"New","subtitle":null}}}
/// ```
///
/// An absent field leaves the member unchanged; null clears it. A literal is a value; for a variable, write `.value(title)`. `Field` works
/// with `JSONAPIEncoder`, `JSONEncoder` and the decoders. It is another name for `Presence` of the module JSONMapping.
///
/// An attribute that is a nested value is sent as a whole. If a field inside it is absent before and after an edit of the value, a patch
/// without a base does not have the member, and the server removes it. Pass the base, or use `RemainingMembers`.
///
/// Specification: <https://jsonapi.org/format/1.1/#crud-updating-resource-attributes>
public typealias Field<Value> = Presence<Value>
