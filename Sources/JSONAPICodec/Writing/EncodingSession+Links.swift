import JSONText

// Links from the encoder's closure, for responses.

extension EncodingSession {
    /// Whether the closure returns links for a relationship of the current resource.
    func hasLinks(of relationship: KnownName) -> Bool { hasLinkMaker && made(relationship.text) != nil }

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

    /// Lets the links that the model writes at paths, such as `relationships.author.links`, replace those from the closure, link by link. Has to
    /// be called before the resource ends.
    func preferLinksAtPaths() throws {
        guard hasLinkMaker, hasRelationships, let extras = resource.extras,
            extras.paths.contains(where: { $0.segments.first == "relationships" })
        else { return }
        // The links from the closure are taken out, and added again where the model has written no others.
        let written = try takeRelationships()
        beginRelationships()
        for member in written {
            var value = member.value
            if case .object(var relationship) = value, let links = relationship["links"]?.object, let made = made(member.name)?.members {
                relationship["links"] = .object(JSONObject(members: links.filter { made[$0.name] != $0.value }))
                extras.remaining.append((["relationships", member.name, "links"], made, true))
                value = .object(relationship)
            }
            relationships.name(member.name)
            try writeTree(value, into: relationships, below: resource.place.tokens.count + 1, at: ["relationships", member.name])
        }
    }

    /// Ends a relationship object that `beginLinkage` began.
    @inline(__always)
    func endLinkage(of name: KnownName) throws {
        if hasLinkMaker, let links = addingLinks(to: nil, of: name.text) { try writeDetails(links, of: name.text) }
        relationships.endObject()
    }

    /// Returns the links from the closure; nil if there are none, in a request, and for a resource without an id.
    private func made(_ relationship: String?) -> Links? {
        guard !isRequest, let identity = identified, identity.id != nil else { return nil }
        return options.linkMaker?(identity, relationship).flatMap { $0.members.isEmpty ? nil : $0 }
    }

    private func joined(_ own: JSON?, _ made: Links) -> JSON {
        var members = own?.object ?? JSONObject()
        for link in made.members where !members.contains(name: link.name) { members.append(name: link.name, value: link.value) }
        return .object(members)
    }
}
