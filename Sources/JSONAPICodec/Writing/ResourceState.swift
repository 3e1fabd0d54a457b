import JSONText

/// The state of the resource object being written, apart from its identity.
package struct ResourceState {
    package var place = ObjectPlace()
    var node = IncludeTree.nothing
    /// The filter for fields; nil when all are written.
    var filter: FieldFilter?
    /// State that only few resources need. It is created on first use.
    var extras: ResourceExtras?
    /// The start of the member `attributes`, and of its value.
    var attributesMark = JSONOutput.Mark.start
    var attributesStart = 0
    /// The start of the object.
    var start = JSONOutput.Mark.start
    /// Whether the finished text has to be checked, because some names were not noted.
    var needsCheck = false
}

/// The places from which a property with `@Alternatives`, or of a schema, is read if it has no value of its own.
package struct AlternativePlaces: Sendable {
    /// The name of the attribute or relationship with the property.
    package let name: String
    /// The names of other attributes and relationships.
    package let fields: [String]
    /// The paths in other parts of the resource object, such as meta.
    package var members: [[String]] = []
}

/// The parts that are written at the end of a resource object.
final class ResourceExtras {
    var lid: String?
    var links: JSON?
    var meta: JSON?
    /// Values at paths of several names.
    var paths: [(segments: [String], sink: ValueSink)] = []
    /// Members that no other property writes, by the path of their object.
    var remaining: [(segments: [String], members: JSONObject, isObject: Bool)] = []
    /// Returns an attribute with the members that only the remaining members have, also inside it; nil where it is kept as it is written.
    var completed: ((String, JSON) -> JSON)?
    /// The paths of properties that are nil and not written, if there are remaining members. The first name is `attributes`.
    var cleared: [[String]] = []
    /// The places in attributes at which the fields of a schema write. The attributes are written by their names.
    var partsOfSchema: [[String]] = []
    /// The other places from which properties are read. Only if names are listed.
    var alternatives: [AlternativePlaces] = []
    /// The attributes that are written as a whole, as far as paths lead into them.
    var whole: [String] = []

    /// The paths of keys that lead into the attributes.
    private var attributePaths: [[String]] { (paths.map(\.segments) + remaining.map(\.segments)).filter { $0.first == "attributes" } }

    /// The places of the attributes that such keys lead to, and of values inside them, from the name of the attribute. The empty path is that
    /// of remaining members of all attributes.
    var places: [[String]] {
        attributePaths.filter { $0.count > 1 }.map { Array($0.dropFirst()) } + partsOfSchema
            + (remaining.contains { $0.segments == ["attributes"] } ? [[]] : [])
    }

    /// The attributes and the meta that only keys with longer paths write.
    var parts: AttributeParts {
        let paths = attributePaths
        let known = Set((whole + paths.filter { $0.count == 2 }.map { $0[1] }).map { ByteText($0) })
        let parts = paths.filter { path in
            path.count > 2 && !known.contains(ByteText(path[1]))
                && !remaining.contains { $0.segments.count < path.count && path.starts(with: $0.segments) }
        }
        return AttributeParts(parts.map { Array($0.dropFirst()) } + partsOfSchema, meta: metaPaths)
    }

    /// Whether a property has the whole of meta, whatever its key is.
    var hasWholeMeta = false

    /// The paths into meta, from the resource object, if only keys with such paths write meta.
    private var metaPaths: [[String]] {
        let paths = (paths.map(\.segments) + remaining.map(\.segments)).filter { $0.first == "meta" }
        return hasWholeMeta || paths.contains { $0.count == 1 } ? [] : paths
    }

    /// The attributes as they were read, as far as they are in remaining members.
    var attributesAsRead: JSONObject {
        let tree = PathTree()
        for (segments, members, _) in remaining { _ = tree.put(.json(.object(members)), at: segments) }
        return tree.json(of: "attributes")?.object ?? JSONObject()
    }

    /// The places of values that a property wrapper could not decode. Only when a patch compares values.
    var unread: [UnreadPlace] = []

    /// The names of the relationships that the model has given to its container, also of those that are not written, because they are not
    /// loaded. Only when a patch compares values.
    var given: Set<ByteText> = []

    /// The paths whose `Field` is absent, from the resource object. Only when a patch compares values.
    var absent: [[String]] = []

    /// The values of `@NestedIfPresent` inside others that are nil, from the resource object. Only when a patch compares values.
    var nested: [NestedPart] = []
}

/// Selects the fields that are written.
struct FieldFilter {
    /// The names of the fieldset; nil when there is none.
    private let fieldset: NameList?
    private let omitted: [String]

    init(fieldset: [String]?, omitted: [String]) {
        self.fieldset = fieldset.map { NameList($0) }
        self.omitted = omitted
    }

    func contains(_ name: String) -> Bool {
        if omitted.contains(where: { UTF8Bytes.areEqual($0, name) }) { return false }
        return fieldset.map { $0.position(of: name) != nil } ?? true
    }
}

extension ResourceIdentifier {
    /// Creates the identity of a resource object. A resource to be created may have neither id nor lid.
    init(ofObject type: String, id: String? = nil, lid: String? = nil) { self.init(type: type, id: id, lid: lid, meta: nil) }

    init(of object: ResourceObject) { self.init(ofObject: object.type, id: object.id, lid: object.lid) }
}

/// The place of an object in the document.
package struct ObjectPlace {
    /// The name of a member of the document; nil for the document itself.
    private let member: String?
    /// The index in that member; nil for the whole of it.
    let index: Int?
    /// Whether the object is the data of the operation at this place.
    var isInOperation = false

    package init(_ member: String? = nil, index: Int? = nil) {
        self.member = member
        self.index = index
    }

    package var tokens: [String] { [member, index.map { String($0) }, isInOperation ? "data" : nil].compactMap(\.self) }
}
