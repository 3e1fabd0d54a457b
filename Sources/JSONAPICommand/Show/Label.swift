import JSONAPICodec
import JSONText

/// How things are called in the output.
enum Label {
    /// `articles 1`, `articles (lid "new")`, `articles (no id)`.
    static func of(_ resource: ResourceObject, limits: ShortText.Limits = ShortText.Limits()) -> String {
        let type = resource.members["type"]?.string.map { ShortText.name($0, limit: limits.name) } ?? "(no type)"
        return "\(type) \(id(resource.id, resource.lid, limits))"
    }

    /// What identifies a resource among others of its type, in full: `1`, `(lid "new")`, `(no id)`.
    static func identity(of resource: ResourceObject) -> String { id(resource.id, resource.lid, .none) }

    static func of(_ identifier: ResourceIdentifier, limits: ShortText.Limits = ShortText.Limits()) -> String {
        "\(ShortText.name(identifier.type, limit: limits.name)) \(id(of: identifier, limits: limits))"
    }

    static func id(of identifier: ResourceIdentifier, limits: ShortText.Limits = ShortText.Limits()) -> String {
        id(identifier.id, identifier.lid, limits)
    }

    private static func id(_ id: String?, _ lid: String?, _ limits: ShortText.Limits) -> String {
        let lid = lid.map { "(lid \(ShortText.quoted($0, limit: limits.name)))" }
        return [id.map { ShortText.name($0, limit: limits.name) }, lid].compactMap { $0 }.joined(separator: " ").nilIfEmpty ?? "(no id)"
    }

    /// `2 articles` for one type, `3 resources (2 articles, 1 people)` for several, in the order of their first appearance.
    /// `one` is the text for a list of one element, because the singular of a type is not known.
    static func count(_ types: [String], one: String, limits: ShortText.Limits = ShortText.Limits()) -> String {
        var order: [ResourceIdentifier] = []
        var counts: [ResourceIdentifier: Int] = [:]
        for type in types {
            // An identifier compares by bytes, as types do.
            let key = ResourceIdentifier(type: type, id: "")
            if counts[key] == nil { order.append(key) }
            counts[key, default: 0] += 1
        }
        if order.count == 1 { return types.count == 1 ? one : "\(types.count) \(name(order[0].type, limits))" }
        let list = order.prefix(limits.types).map { "\(counts[$0] ?? 0) \(name($0.type, limits))" }.joined(separator: ", ")
        let rest = order.count > limits.types ? ", … \(order.count - limits.types) more types" : ""
        return "\(types.count) resources (\(list)\(rest))"
    }

    private static func name(_ type: String, _ limits: ShortText.Limits) -> String {
        type.isEmpty ? "without type" : ShortText.name(type, limit: limits.name)
    }

    /// `1 error`, `2 errors`.
    static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// Whether a member is an @-member or one of an extension, whose value may be anything.
    ///
    /// https://jsonapi.org/format/1.1/#document-member-names
    static func isForeign(_ name: String) -> Bool { name.hasPrefix("@") || name.utf8.contains(0x3A) }

    /// The address of a link with its title, and the other members of a link object in braces.
    static func of(link json: JSON, limits: ShortText.Limits) -> String {
        switch DocumentLink(json: json) {
        case .null?: return "none"
        case .text(let href)?: return ShortText.plain(href, limit: max(limits.string, 300))
        case .object(let object)?:
            guard let href = object.href else { return ShortText.value(json, limits: limits) }
            let title = object.title.map { " \(ShortText.quoted($0, limit: limits.string))" } ?? ""
            let others = JSONObject(members: object.members.filter { !["href", "title"].contains($0.name) })
            let rest = others.isEmpty ? "" : " \(ShortText.value(.object(others), limits: limits))"
            return ShortText.plain(href, limit: max(limits.string, 300)) + title + rest
        case nil: return "\(ShortText.value(json, limits: limits)) (no link)"
        }
    }
}

extension String {
    fileprivate var nilIfEmpty: String? { isEmpty ? nil : self }
}
