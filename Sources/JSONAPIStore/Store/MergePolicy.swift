import JSONAPICodec

/// What happens when a resource arrives that the store has already.
public enum MergePolicy: Sendable {
    /// Field by field: what the newer resource says counts, what it does not mention stays.
    ///
    /// ```
    /// stored  {"attributes": {"title": "Old", "n": 1}, "meta": {"a": 1}}
    /// newer   {"attributes": {"title": "New", "x": null}}
    /// merged  {"attributes": {"title": "New", "n": 1, "x": null}, "meta": {"a": 1}}
    /// ```
    ///
    /// - Each attribute and each relationship is taken by itself, one level deep: nested values are replaced whole. Null is a
    ///   value, and counts. Of a model that names only members of an attribute, by a key such as `attributes.place.city`, these
    ///   members are taken, and the others stay.
    /// - A relationship without `data`, which is not loaded, does not unload: it takes the stored linkage over.
    /// - `links`, `meta` and every other member of the resource are replaced whole by newer ones, and stay when there are none.
    /// - Members keep their places; new ones come last.
    case fields

    /// The newer resource takes the place of the stored one, whole.
    case replace

    /// The program decides. Both have the same identity, and so must the answer. What it throws ends the whole write, which
    /// changes nothing then.
    ///
    /// It is called while other writers wait, and must not wait for them.
    case custom(@Sendable (_ stored: ResourceObject, _ newer: ResourceObject) throws -> ResourceObject)

    var isCustom: Bool {
        if case .custom = self { true } else { false }
    }

    var isReplacing: Bool {
        if case .replace = self { true } else { false }
    }
}
