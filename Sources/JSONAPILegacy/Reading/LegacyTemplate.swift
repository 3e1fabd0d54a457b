import JSONText

/// One entry of the top-level `links`: how a relation of a collection is to be read.
///
/// ```
/// "posts.comments": "http://example.com/posts/{posts.id}/comments"
/// "posts.author": {"href": "http://example.com/people/{posts.author}", "type": "people"}
/// ```
struct LegacyTemplate {
    let relation: String
    let href: URITemplate?
    /// The collection that the ids of the relation are looked up in.
    let type: String?

    /// Reads an entry. What is wrong with it is added to `problems`.
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
        do throws(URITemplateError) { return try URITemplate(parsing: text) } catch {
            problems.append(.init(.invalidTemplate, at: pointer, error.description))
            return nil
        }
    }
}

extension LegacyTemplate {
    /// The name of a template, taken apart.
    struct Name {
        let collection: String
        let relation: String

        /// Nil for a text that is not of the form `collection.relation`: one without a dot inside, or an address.
        init?(_ text: String) {
            guard !text.utf8.contains(where: { Self.delimiters.contains($0) }),
                let dot = text.utf8.firstIndex(of: UInt8(ascii: ".")), dot > text.startIndex
            else { return nil }
            let behind = text.utf8.index(after: dot)
            guard behind < text.endIndex, !Self.reserved.contains(String(text[..<dot])) else { return nil }
            collection = String(text[..<dot])
            relation = String(text[behind...])
        }

        private static let delimiters = Set("/:?#".utf8)
        /// Members of the top level that are no collections.
        static let reserved: Set<String> = ["links", "linked", "meta"]
    }
}
