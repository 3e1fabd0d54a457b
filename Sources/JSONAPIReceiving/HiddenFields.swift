import JSONAPICodec
import JSONMapping
import JSONText

/// The fields of a model that a schema reads, but does not represent: its own schema, or that of a value in an attribute. No client knows
/// them, so a request keeps them.
struct HiddenFields {
    /// The attributes with these fields, and without them.
    private let all, known: JSONObject
    /// The paths into attributes at which the model itself has such a field, each beginning with the name of the attribute.
    private let parts: [[String]]

    /// Finds the fields by comparing what the encoder writes with and without them. Nil if a request cannot reach any, because the model has
    /// no schema and the attributes of the request no members.
    ///
    /// - Parameter known: The fields that clients know.
    /// - Complexity: O(size of the model).
    init?(of model: some Resource, for sent: SentResource, _ known: ModelFields, _ encoder: JSONAPIEncoder) throws {
        let values = sent.object.attributes?.map(\.value) ?? []
        guard values.contains(where: { $0.object != nil || $0.array != nil }) || model is any SchemaResource || sent.object.meta != nil
        else {
            return nil
        }
        var whole = encoder
        SchemaSet.writeAll(in: &whole.userInfo)
        let fields = try whole.fields(of: model)
        parts = fields.parts.filter { !known.parts.contains($0) }
        all = fields.object.attributes ?? JSONObject()
        self.known = known.object.attributes ?? JSONObject()
    }

    /// Returns the new value of an attribute with the old values of the fields in it. In an array they are not kept, because nothing shows
    /// which of the new elements is which of the old ones.
    func kept(in attribute: JSONObject.Member) -> JSON {
        let new = attribute.value
        guard let old = all[attribute.name], new.object != nil || new == .null else { return new }
        let whole = known[attribute.name].map { Self.kept(from: old, $0, in: new) } ?? new
        // Null replaces a value with its fields, but not a field of the model itself.
        return AttributeParts.keeping(parts, of: attribute.name, from: old, in: whole) ?? whole
    }

    /// The maximum depth of a value of a schema. The stack of a thread has room for far fewer.
    private static let maximumDepth = 1_000

    /// Returns a new value with the members that the old one has only if it is written with hidden fields. Recurses through objects.
    private static func kept(from old: JSON, _ known: JSON, in new: JSON, depth: Int = 0) -> JSON {
        guard depth < maximumDepth, let all = old.object, let known = known.object, var object = new.object else { return new }
        for member in all {
            let next = object[member.name]
            if let value = known[member.name] {
                if let next, next.object != nil { object[member.name] = kept(from: member.value, value, in: next, depth: depth + 1) }
            } else if next == nil {
                object[member.name] = member.value
            }
        }
        return .object(object)
    }
}
