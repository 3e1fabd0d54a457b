import JSONAPICodec
import JSONAPIRules
import JSONText

// The parts of a translated document that JSON:API 1.1 does not allow, with their places in the legacy document.

extension LegacyTranslation {
    /// Returns the problem of a resource that repeats the identity of an earlier one.
    ///
    /// <https://jsonapi.org/format/1.1/#document-compound-documents>
    func duplicate(_ position: Int, _ more: String) -> ExpansionError.Problem {
        .init(
            .duplicate, at: outline.pointer(to: outline.resources[position]),
            "a resource with the type and id of an earlier one\(more)")
    }

    /// Reports the included resources that linkage from the primary data does not reach.
    ///
    /// <https://jsonapi.org/format/1.1/#document-compound-documents>
    mutating func diagnose(_ included: [(position: Int, resource: ResourceObject)], linkedFrom primary: [ResourceObject]) {
        var waiting: [IdentityText: [Int]] = [:]
        for (index, entry) in included.enumerated() {
            if let identity = Self.identity(of: entry.resource) { waiting[identity, default: []].append(index) }
        }
        var isLinked = Array(repeating: false, count: included.count)
        var open = primary
        while let resource = open.popLast() {
            for relationship in resource.relationships?.members ?? [:] {
                for identifier in Self.identifiers(relationship.value["data"]) {
                    for index in waiting.removeValue(forKey: identifier) ?? [] {
                        isLinked[index] = true
                        open.append(included[index].resource)
                    }
                }
            }
        }
        for (index, entry) in included.enumerated() where !isLinked[index] {
            diagnostics.append(
                .init(
                    .unlinked, at: outline.pointer(to: outline.resources[entry.position]),
                    "linkage from the primary data does not reach this resource; name its collection in `primary` to make it primary data"))
        }
    }

    private static func identifiers(_ linkage: JSON?) -> [IdentityText] {
        let all = linkage?.array.map(Array.init) ?? [linkage].compactMap { $0 }
        return all.compactMap { json in
            guard let type = json["type"]?.string, let id = json["id"]?.string else { return nil }
            return IdentityText(type: type, id: id)
        }
    }

    /// Reports a document that has nothing which JSON:API requires.
    ///
    /// <https://jsonapi.org/format/1.1/#document-top-level>
    mutating func diagnoseEmptiness(_ document: DocumentObject) {
        guard !["data", "errors", "meta"].contains(where: document.members.contains(name:)) else { return }
        diagnostics.append(
            .init(
                .unknownCollection, at: .root,
                "JSON:API requires `data`, `errors` or `meta`, and the document has no collection for its primary data"))
    }

    mutating func undefined(_ name: String, _ message: String) {
        diagnostics.append(.init(.undefinedMember, at: JSONPointer(name), message))
    }

    /// Reports a link that is not a URI reference, a link object or null.
    mutating func check(_ link: JSON, at pointer: (LegacyOutline) -> JSONPointer) {
        if link.isNull { return }
        if let href = DocumentLink(json: link)?.href, URIText(href).isReference { return }
        diagnostics.append(
            .init(.illegalAddress, at: pointer(outline), "expected a URI reference, a link object or null, found another value"))
    }

    /// Reports a collection whose name is not allowed as a type.
    mutating func check(collection position: Int) {
        let collection = outline.collections[position]
        for template in outline.templates[ByteText(collection.name)] ?? [] where !collection.resources.isEmpty {
            guard let type = template.type, !MemberName.isLegal(type) else { continue }
            diagnostics.append(
                .init(
                    .illegalName, at: Self.pointer(to: template, of: collection.name).appending("type"),
                    "JSON:API does not allow this name as a type"))
        }
        guard !collection.resources.isEmpty, !MemberName.isLegal(collection.name) else { return }
        diagnostics.append(.init(.illegalName, at: collection.pointer, "JSON:API does not allow the name of this collection as a type"))
    }

    /// Returns the place of a template.
    static func pointer(to template: LegacyTemplate, of collection: String) -> JSONPointer {
        JSONPointer("links", "\(collection).\(template.relation)")
    }

    /// Returns the place of the name of a relation: where the resource states it, or that of its template.
    func pointer(toNameOf template: LegacyTemplate, of resource: LegacyOutline.Resource) -> JSONPointer {
        if resource.links?.contains(name: template.relation) == true {
            return outline.pointer(ofRelation: template.relation, of: resource)
        }
        return Self.pointer(to: template, of: outline.collections[resource.collection].name)
    }

    /// Reports a field whose name is not allowed. @-members are ignored.
    ///
    /// - Parameter pointer: The place of the name, if it is not a member of the resource.
    ///
    /// <https://jsonapi.org/format/1.1/#document-member-names>
    mutating func check(fieldName name: String, of resource: LegacyOutline.Resource, at pointer: JSONPointer? = nil) {
        switch MemberName(name) {
        case .at: return
        case .legal where name != "type" && name != "id": return
        default:
            diagnostics.append(
                .init(
                    .illegalName, at: pointer ?? outline.pointer(to: resource).appending(name),
                    "JSON:API does not allow this name for an attribute or a relationship"))
        }
    }
}
