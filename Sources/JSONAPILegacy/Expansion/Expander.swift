import JSONAPICodec
import JSONAPIRules
import JSONText

/// Expands documents of linked resources to plain JSON, with each related resource nested in the resource that links to it.
///
/// ```swift
/// // {"links": {"posts.author": {"href": "/people/{posts.author}", "type": "people"}},
/// //  "posts": [{"id": "1", "links": {"author": "9"}}], "people": [{"id": "9", "name": "Dan"}]}
/// try Expander().expand(legacy: json)
/// // {"posts": [{"id": "1", "author": {"id": "9", "name": "Dan", "href": "/people/9"}}]}
///
/// // {"data": {"type": "posts", "id": "1", "relationships": {"author": {"data": {"type": "people", "id": "9"}}}}, …}
/// try Expander().expand(document)
/// // {"data": {"type": "posts", "id": "1", "author": {"type": "people", "id": "9", "name": "Dan"}}}
/// ```
///
/// An expander reads JSON:API 1.1 documents, and documents with URL templates, which JSON:API used before 1.0. The result contains
/// copies: a resource with ten links to it is written ten times. To keep a single value for each resource, decode models with `ToOne`
/// and `ToMany`. `LegacyDocument` converts old documents for this purpose.
///
/// A resource that would contain itself is replaced with a stub: `id` and `href` in a legacy document, and `type` and `id` in a 1.1
/// document. If many resources contain many others, the result can still grow exponentially. `maximumSize` limits it. A chain of links
/// can have any length, because expansion does not recurse.
///
/// An expander is a value of options. You can use it from several threads at the same time.
public struct Expander: Sendable, Hashable {
    /// What happens to a link to a resource that is not in the document. The default is `.stub`.
    public var missing = Missing.stub

    /// The collections of a legacy document that stay at the top level even if other collections link to them.
    ///
    /// If it is nil, which is the default, these are the collections that no template of another collection names as its `type`. If
    /// templates of other collections name all collections with templates, or all lists of the document, all collections stay. Names that
    /// are not in the document are ignored.
    public var primary: [String]?

    /// The maximum size that expansion can add to its input, as an approximate number of bytes in memory. The default is 256 MiB. The text
    /// of the result is shorter.
    public var maximumSize = 1 << 28

    /// Whether an attribute or a relationship that has the name of another member is kept as `attributes.NAME` or
    /// `relationships.NAME`. By default it is an error.
    package var keepsConflicts = false

    /// Creates an expander.
    public init(missing: Missing = .stub, primary: [String]? = nil) {
        self.missing = missing
        self.primary = primary
    }

    /// What happens to a link to a resource that is not in the document.
    public enum Missing: String, Sendable, Hashable, CaseIterable {
        /// Writes a stub: the id and the address in a legacy document, or the type and the id in a 1.1 document.
        case stub
        /// Omits a to-one relation, or the element of a to-many relation.
        case omit
        /// Throws an error with all such links.
        case error
    }
}

// MARK: - Expanding

extension Expander {
    /// Expands a document with URL templates.
    ///
    /// - A template that is a string adds a member with the name of the relation to each resource of its collection. The member is an
    ///   object with `href`. If the resource's own link of that name is null or the empty list, the member has this value instead, because
    ///   nothing is related. Other ids that the address does not contain stay in `links`.
    /// - A template with a `type` replaces the ids in a resource's `links` with the resources of that collection, each with its `href`. A
    ///   single id becomes a resource, and a list of ids becomes a list. Null and the empty list are kept. The embedded resources are
    ///   expanded, too.
    /// - Templates, links that were used, and collections that were embedded are removed. Everything else is kept.
    ///
    /// A document without templates is returned unchanged. Throws an `ExpansionError` with all problems: values of the wrong type, invalid
    /// templates, relations with the name of another member, and unresolved links if `missing` is `.error`.
    /// - Complexity: O(n + m), n = number of values in the input plus templates × resources, m = number of values in the result.
    public func expand(legacy json: JSON) throws(ExpansionError) -> JSON {
        let outline = try LegacyOutline(json)
        guard outline.hasTemplates else { return json }
        let consumed = outline.consumedCollections(primary: primary)
        let roots = outline.collections.indices.filter { !consumed.contains($0) }.flatMap { outline.collections[$0].resources }
        var expansion = try TreeExpansion(
            LegacySource(outline, missing), roots: roots, maximumSize: maximumSize, problems: outline.problems)
        var trees: [Int: JSON] = [:]
        for root in roots { trees[root] = try expansion.tree(of: root, at: .root) }
        return .object(outline.members(replacing: trees, without: consumed))
    }

    /// Expands a JSON:API 1.1 document.
    ///
    /// - Attributes become members of their resource, next to `type` and `id`. A `self` link becomes `href`.
    /// - A relationship with linkage becomes the resource, or the list of resources, from `data` and `included`. Null and the empty list
    ///   are kept. A relationship without linkage but with a `related` link becomes an object with `href`. Any other relationship is kept,
    ///   and so are the @-members and the members of extensions in `relationships`.
    /// - A bare identifier in `data` becomes its resource from `included`, with the identifier's `meta` if the resource has none.
    /// - `included` is removed. The other members of the document and of resources are kept, including links other than `self`.
    ///
    /// Throws an `ExpansionError` with all problems: values of the wrong type, attributes or relationships with the name of another member,
    /// and unresolved identifiers if `missing` is `.error`.
    /// - Complexity: O(n + m), n = number of values in the document, m = number of values in the result.
    public func expand(_ document: DocumentObject) throws(ExpansionError) -> JSON {
        let outline = ResourceOutline(document)
        let roots = outline.roots
        var expansion = try TreeExpansion(
            DocumentExpansion(outline, missing, keepsConflicts: keepsConflicts), roots: roots, maximumSize: maximumSize,
            problems: outline.problems)
        var trees: [JSON] = []
        var problems: [ExpansionError.Problem] = []
        for (position, root) in roots.enumerated() {
            var tree = try expansion.tree(of: root, at: outline.resources[position].pointer)
            if root != position {
                let (identifier, resource) = (outline.resources[position], outline.resources[root].object)
                for name in tree.add(identifier.object.members, to: resource.members) {
                    let pointer = identifier.pointer.appending(name)
                    problems.append(.init(.nameConflict, at: pointer, "the expanded resource has a field with this name"))
                }
            }
            trees.append(tree)
        }
        guard problems.isEmpty else { throw ExpansionError(problems) }
        return .object(outline.members(replacing: trees))
    }
}

extension JSON {
    /// Adds the members of an identifier that the resource does not have. Returns the names of those that the fields of the expanded
    /// resource have already.
    fileprivate mutating func add(_ members: JSONObject, to resource: JSONObject) -> [String] {
        guard case .object(var object) = self else { return [] }
        var conflicts: [String] = []
        for member in members.effectiveMembers where !resource.contains(name: member.name) {
            if !object.contains(name: member.name) {
                object.append(name: member.name, value: member.value)
            } else if MemberName(member.name) != .at {
                conflicts.append(member.name)
            }
        }
        self = .object(object)
        return conflicts
    }
}

extension DocumentObject {
    /// Returns the document as plain JSON, with each related resource nested in the resource that links to it.
    ///
    /// ```swift
    /// let tree = try document.expanded()
    /// tree["data"]?["author"]?["name"]
    /// ```
    ///
    /// For details and errors, see `Expander.expand(_:)`.
    ///
    /// Throws as that function does.
    public func expanded(_ expander: Expander = Expander()) throws(ExpansionError) -> JSON {
        try expander.expand(self)
    }
}
