import JSONText

// Links from the encoder's closure, for responses.

extension EncodingSession {
    /// Whether the closure returns links for a relationship of the current resource.
    func hasLinks(of relationship: KnownName) -> Bool {
        hasLinkMaker && made(relationship.text)?.members.isEmpty == false
    }

    /// Adds the links of the resource itself. Links that it already has stay.
    func addLinks() {
        guard let made = made(nil) else { return }
        extras.links = joined(extras.links, made)
    }

    /// Returns the members of a relationship object with the relationship's links added. Links that it already has stay.
    func addingLinks(to details: JSONObject?, of relationship: String) -> JSONObject? {
        guard let made = made(relationship) else { return details }
        var details = details ?? JSONObject()
        details["links"] = joined(details["links"], made)
        return details
    }

    /// Ends a relationship object that `beginLinkage` began.
    @inline(__always)
    func endLinkage(of name: KnownName) throws {
        if hasLinkMaker { try writeLinks(of: name) }
        relationships.endObject()
    }

    private func writeLinks(of name: KnownName) throws {
        guard let links = addingLinks(to: nil, of: name.text)?["links"] else { return }
        relationships.name("links")
        try writeTree(
            links, into: relationships, below: resource.place.tokens.count + 1, at: ["relationships", name.text, "links"])
    }

    /// Returns the links from the closure; nil in a request, and for a resource without an id.
    private func made(_ relationship: String?) -> Links? {
        guard !isRequest, let identity = identified, identity.id != nil else { return nil }
        return options.linkMaker?(identity, relationship)
    }

    private func joined(_ own: JSON?, _ made: Links) -> JSON {
        var members = own?.object ?? JSONObject()
        for link in made.members where !members.contains(name: link.name) { members.append(name: link.name, value: link.value) }
        return .object(members)
    }
}
