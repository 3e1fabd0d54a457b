import JSONText

/// An entry of the top-level `links`, which describes a relation of a collection.
///
/// ```
/// "posts.comments": "http://example.com/posts/{posts.id}/comments"
/// "posts.author": {"href": "http://example.com/people/{posts.author}", "type": "people"}
/// ```
struct LegacyTemplate {
    let relation: String
    let href: URITemplate?
    /// The collection that contains the resources of the relation.
    let type: String?

    /// Reads an entry, and adds to `problems`.
    init(_ json: JSON, relation: String, at pointer: JSONPointer, _ problems: inout [ExpansionError.Problem]) {
        self.relation = relation
        switch json {
        case .string(let text):
            href = Self.template(text, at: pointer, &problems)
            type = nil
        case .object(let members):
            href = Self.text(members, "href", at: pointer, &problems).flatMap {
                Self.template($0, at: pointer.appending("href"), &problems)
            }
            type = Self.text(members, "type", at: pointer, &problems)
            if !members.contains(name: "href"), !members.contains(name: "type") {
                problems.append(.init(.typeMismatch, at: pointer, "expected a template with `href` or `type`, found neither"))
            }
        default:
            (href, type) = (nil, nil)
            problems.append(.mismatch("a template: a string, or an object with `href` and `type`", json, at: pointer))
        }
    }

    private static func text(
        _ members: JSONObject, _ name: String, at pointer: JSONPointer, _ problems: inout [ExpansionError.Problem]
    ) -> String? {
        guard let json = members[name], !json.isNull else { return nil }
        if let text = json.string { return text }
        problems.append(.mismatch("a string", json, at: pointer.appending(name)))
        return nil
    }

    private static func template(_ text: String, at pointer: JSONPointer, _ problems: inout [ExpansionError.Problem]) -> URITemplate? {
        // Without a value outside of the query, an address would be that of something else.
        do throws(URITemplateError) { return try URITemplate(text, requiresValues: { !$0.isQuery }) } catch {
            problems.append(.init(.invalidTemplate, at: pointer, error.description))
            return nil
        }
    }
}

extension LegacyTemplate {
    /// The parts of a template's name.
    struct Name {
        let collection: String
        let relation: String

        /// Parses a name. Returns nil unless it has the form `collection.relation`. A URL does not have this form.
        init?(_ text: String) {
            guard !text.utf8.contains(where: { Self.delimiters.contains($0) }),
                let dot = text.utf8.firstIndex(of: UInt8(ascii: ".")), dot > text.startIndex
            else { return nil }
            let next = text.utf8.index(after: dot)
            guard next < text.endIndex, !Self.reserved.contains(String(text[..<dot])) else { return nil }
            collection = String(text[..<dot])
            relation = String(text[next...])
        }

        private static let delimiters = Set("/:?#".utf8)
        /// Top-level members that are not collections.
        static let reserved: Set<String> = ["links", "linked", "meta"]
    }
}
