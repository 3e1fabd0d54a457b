import JSONText

/// The attributes and the meta that a resource writes only in part, by the paths of its coding keys.
///
/// ```
/// case city = "attributes.place.city"      // the resource knows only `city` of `place`
/// ```
package struct AttributeParts: Sendable {
    /// The paths, each beginning with the name of the attribute. Each has at least two names.
    package private(set) var paths: [[String]] = []
    /// The paths into meta, each beginning with `meta`; none if meta is written as a whole.
    package private(set) var metaPaths: [[String]] = []

    package init() {}

    package init(_ paths: [[String]], meta: [[String]] = []) { (self.paths, metaPaths) = (paths, meta) }

    package var isEmpty: Bool { paths.isEmpty && metaPaths.isEmpty }

    package func union(_ other: AttributeParts) -> AttributeParts {
        if other.paths == paths || other.isEmpty { return self }
        let known = Set(paths.map { $0.map { ByteText($0) } })
        return AttributeParts(paths + other.paths.filter { !known.contains($0.map { ByteText($0) }) })
    }

    /// Returns a path into the attribute; nil when the attribute is written as a whole.
    package func path(into name: String) -> [String]? { paths.first { UTF8Bytes.areEqual($0[0], name) } }

    /// Returns a resource whose attributes and meta are completed with the members that only the source has.
    package func completed(_ object: ResourceObject, from known: ResourceObject) -> ResourceObject {
        var whole = object
        if let attributes = object.attributes { whole.attributes = completed(attributes, from: known.attributes ?? JSONObject()) }
        if let meta = object.meta, let known = known.meta {
            whole.meta = AttributeParts(metaPaths).completed(["meta": .object(meta)], from: ["meta": .object(known)])["meta"]?.object
        }
        return whole
    }

    /// Returns the attributes, completed with the members that only the source has.
    ///
    /// - Parameter known: The attributes of the source.
    package func completed(_ attributes: JSONObject, from known: JSONObject) -> JSONObject {
        var result = attributes
        for name in Set(paths.map { ByteText($0[0]) }).map(\.text) {
            guard var whole = known[name], whole.object != nil, let part = attributes[name] else { continue }
            for path in paths where UTF8Bytes.areEqual(path[0], name) {
                guard let value = Self.value(at: path[1...], in: part) else { continue }
                whole = Self.replacing(whole, at: path[1...], with: value)
            }
            result[name] = whole
        }
        return result
    }

    /// Returns the new value of an attribute with null at each path where only the old value has one, so that the objects around it stay.
    package func clearing(_ name: String, from old: JSON?, to new: JSON?) -> JSON {
        var result = new ?? .object(JSONObject())
        guard result.object != nil else { return result }
        for path in paths where UTF8Bytes.areEqual(path[0], name) {
            guard Self.value(at: path[1...], in: old) != nil, Self.value(at: path[1...], in: result) == nil else { continue }
            result = Self.replacing(result, at: path[1...], with: .null)
        }
        return result
    }

    /// Returns the new value of an attribute with the old one at each of the given paths where the new one has none.
    package static func keeping(_ paths: [[String]], of name: String, from old: JSON?, in new: JSON?) -> JSON? {
        paths.filter { UTF8Bytes.areEqual($0[0], name) }.reduce(new) { new, path in
            guard value(at: path[1...], in: new) == nil, let kept = value(at: path[1...], in: old) else { return new }
            return replacing(new ?? .object(JSONObject()), at: path[1...], with: kept)
        }
    }

    package static func value(at path: ArraySlice<String>, in json: JSON?) -> JSON? {
        path.reduce(json) { (json: JSON?, name) in json?.object?[name] }
    }

    /// Returns the members of an object with the value that another one has at a path.
    package static func replaced(_ object: JSONObject, at path: ArraySlice<String>, by other: JSON) -> JSONObject {
        let value = path.reduce(other) { $0[$1] ?? .null }
        return replacing(.object(object), at: path, with: value).object ?? object
    }

    /// Returns an object with another value at a path.
    package static func replacing(_ json: JSON, at path: ArraySlice<String>, with value: JSON) -> JSON {
        guard let name = path.first else { return value }
        var object = json.object ?? JSONObject()
        object[name] = replacing(object[name] ?? .object(JSONObject()), at: path.dropFirst(), with: value)
        return .object(object)
    }

    /// The error for an attribute that is known only in part.
    ///
    /// - Parameter isAlone: Whether a property is set by itself, so that remaining members of the model are not known either.
    package static func unknownRest(of path: [String], _ resource: ResourceIdentifier, isInBase: Bool, isAlone: Bool = false)
        -> EncodingFailure
    {
        let name = path[0]
        let rest = "a property of type RemainingMembers with the key `attributes.\(name)`, unless it is a SchemaResource"
        let base = isInBase ? "a base that has the attribute" : "Patch(from:to:base:) with the resource object that was read"
        return EncodingFailure(
            .wrongPlace, at: JSONPointer(tokens: ["data", "attributes"] + path), resource: resource,
            expected: "the whole of the attribute `\(name)`, which a server replaces as a whole",
            found: isInBase ? "a base that does not have it" : "only `\(path.joined(separator: "."))`",
            advice: """
                \(isAlone ? "edit a copy of a value that was read and has \(rest)" : "give the model \(rest)"), or use \(base), or a \
                draft of a store; or set the whole attribute by set("\(name)", …)
                """)
    }

    /// The error for meta that is known only in part.
    ///
    /// - Parameter path: A path of the model, which begins with `meta`.
    package static func unknownRestOfMeta(_ path: [String], _ resource: ResourceIdentifier) -> EncodingFailure {
        EncodingFailure(
            .wrongPlace, at: JSONPointer(tokens: ["data"] + path), resource: resource,
            expected: "the whole of meta, which a server replaces as a whole", found: "only `\(path.joined(separator: "."))`",
            advice: """
                use Patch(from:to:base:) with the resource object that was read, or a draft of a store; or give the model a property of \
                type ResourceMeta for the whole of meta
                """)
    }
}
