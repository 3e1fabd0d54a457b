import JSONAPICodec

/// What a store does when a resource arrives that it already has.
public enum MergePolicy: Sendable {
    /// Merges field by field. Fields of the newer resource replace stored ones. Other fields stay.
    ///
    /// ```
    /// stored  {"attributes": {"title": "Old", "n": 1}, "meta": {"a": 1}}
    /// newer   {"attributes": {"title": "New", "x": null}}
    /// merged  {"attributes": {"title": "New", "n": 1, "x": null}, "meta": {"a": 1}}
    /// ```
    ///
    /// - Each attribute and each relationship is merged separately. Nested values are replaced as a whole. Null is a value, so it replaces
    ///   the stored value. If a model names only members of an attribute, with a key such as `attributes.place.city`, only these members
    ///   are replaced.
    /// - A relationship without `data` is not loaded. It keeps the stored linkage.
    /// - Newer `links`, `meta` and other members replace the stored ones as a whole. If the newer resource does not have them, the stored
    ///   ones stay. If a model names only members of meta, with a key such as `meta.revision`, only these members are replaced.
    /// - Members keep their order, and new members come last.
    case fields

    /// Replaces the stored resource as a whole.
    case replace

    /// Calls a closure of the program. Both arguments have the same identity, and the result must have it too. If the closure throws, the
    /// whole write fails and changes nothing. Of a document that repeats an identity, the closure gets the merged resource once.
    ///
    /// Other writers wait during the call, so the closure must not wait for them.
    case custom(@Sendable (_ stored: ResourceObject, _ newer: ResourceObject) throws -> ResourceObject)

    var isCustom: Bool {
        if case .custom = self { true } else { false }
    }

    var isReplacing: Bool {
        if case .replace = self { true } else { false }
    }
}
