import JSONMapping
import JSONText

/// Checks whether a patch has the names of the resource that its values were read from.
///
/// Example: a decoder with `.snakeCase` reads `sub_title`, and an encoder without a strategy writes the patch. The patch would set `subTitle`,
/// and the server would ignore it, or store a second attribute.
enum NameMatch {
    /// Throws when a change has a name that the base lacks, and the base has it in another spelling that the model does not read with the
    /// encoder's strategies. Checks nothing if rewriters of the encoder can change the names afterwards.
    ///
    /// - Parameter base: The resource object as it was read; nil when only the values are known.
    static func check(_ old: WrittenState, _ changes: ResourceObject, _ base: ResourceObject?) throws {
        guard let base, !old.isRewritten else { return }
        for group in ["attributes", "relationships"] {
            guard let changed = changes.members[group]?.object, let known = base.members[group]?.object else { continue }
            for change in changed where !known.contains(name: change.name) {
                guard let other = spelling(of: change.name, in: known), old.object?.members[group]?.object?.contains(name: other) != true,
                    !isRead(other, in: group, for: change, base, old)
                else { continue }
                throw EncodingFailure(
                    .unknownName, at: JSONPointer("data", group, change.name), resource: old.identifier,
                    expected: "`\(other)`, as in the resource that the value was read from", found: "`\(change.name)`",
                    advice: "encode with JSONAPIEncoder(matching: decoder), for the decoder that read the resource")
            }
        }
    }

    /// Returns a name that differs from the given one only in case, underscores and hyphens.
    private static func spelling(of name: String, in known: JSONObject) -> String? {
        let letters = letters(of: name)
        return known.names.first { Self.letters(of: $0) == letters }
    }

    private static func letters(of name: String) -> String { name.lowercased().filter { $0 != "_" && $0 != "-" } }

    /// Whether the model reads the changed member also from another name, as with `@Alternatives`; true when that is not known.
    private static func isRead(
        _ name: String, in group: String, for change: JSONObject.Element, _ base: ResourceObject, _ old: WrittenState
    ) -> Bool {
        let hasKey = ModelNames.hasKey(for: name, in: old.model, old.keyStrategy)
        if hasKey == true { return true }
        return group == "attributes" ? changesResult(name, for: change, base, old) : hasKey == nil
    }

    /// Whether the changed attribute differs when the base is read with other values under another name; true when it cannot be read.
    ///
    /// A required value that is missing has a placeholder, so only a difference shows that the name is read.
    private static func changesResult(
        _ name: String, for change: JSONObject.Element, _ base: ResourceObject, _ old: WrittenState
    ) -> Bool {
        var results: [JSON] = []
        for value in [base[attribute: name], change.value, nil] {
            var probe = base
            probe[attribute: name] = value
            guard let again = old.rewritten(probe, false)?.object else { return true }
            results.append(again[attribute: change.name] ?? .null)
        }
        return results.contains { $0 != results[0] }
    }
}
