import JSONAPICodec
import JSONText

/// Turns documents of linked resources into plain JSON, each related resource inside the one that leads to it.
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
/// It reads the dialect of URL templates, which JSON:API was before 1.0, and documents of 1.1. The result is meant for whatever
/// reads plain JSON. It is made of copies: a resource that is linked to ten times is in it ten times. To keep one value for one
/// resource, decode models with `ToOne` and `ToMany`; `LegacyDocument` does that for old documents.
///
/// A resource that would contain itself is cut short where it comes back: to `id` and `href` in a legacy document, to `type` and
/// `id` in a document of 1.1. Documents in which much embeds much still grow exponentially; `maximumSize` ends that with an error.
/// A chain of links may have any length: nothing recurses.
///
/// An expander is a value of options, to be shared by many threads at once.
public struct Expander: Sendable, Hashable {
    /// What becomes of a link to a resource that is not in the document. `.stub` by default.
    public var missing = Missing.stub

    /// The collections of a legacy document that stay at the top level though others link to them; nil, the default, finds them.
    ///
    /// Found are those that no template of another collection names as its `type`; all, when each one with templates is named by
    /// another. A name that the document does not have means nothing.
    public var primary: [String]?

    /// How much a result may add to its input, in bytes of memory, roughly: 256 MiB by default. Its text is shorter than that.
    public var maximumSize = 1 << 28

    /// Whether an attribute or a relationship that has the name of another member is kept as `attributes.NAME` or
    /// `relationships.NAME`. By default it is an error.
    package var keepsConflicts = false

    /// An expander with those options.
    public init(missing: Missing = .stub, primary: [String]? = nil) {
        self.missing = missing
        self.primary = primary
    }

    /// What becomes of a link to a resource that is not in the document.
    public enum Missing: String, Sendable, Hashable, CaseIterable {
        /// What is known of it: its id and address in a legacy document, its type and id in a document of 1.1.
        case stub
        /// Nothing: a to-one relation is left out, a to-many one has an element less.
        case omit
        /// All such links are thrown.
        case error
    }
}

// MARK: - Expanding

extension Expander {
    /// The tree of a document with URL templates.
    ///
    /// - A template that is a text gives each resource of its collection a member named after the relation, an object with `href`.
    /// - A template with a `type` replaces the ids in a resource's `links` by the resources of that collection, each with its `href`:
    ///   one for one id, a list for a list. Null and the empty list stay. The embedded resources are expanded too.
    /// - Templates, links that were used, and the collections that were linked to go. Everything else stays.
    ///
    /// A document without templates stays as it is. Throws `ExpansionError` with all problems: values of a wrong type, texts that
    /// are no templates, relations that have the name of another member, and with `missing` set to `.error` unresolved links.
    /// - Complexity: O(n + m), n = values of the input and of templates times resources, m = values of the result.
    public func expand(legacy json: JSON) throws(ExpansionError) -> JSON {
        let outline = try LegacyOutline(json)
        guard outline.hasTemplates else { return json }
        let consumed = outline.consumedCollections(primary: primary)
        let roots = outline.collections.indices.filter { !consumed.contains($0) }.flatMap { outline.collections[$0].resources }
        var expansion = try TreeExpansion(
            LegacySource(outline, missing), roots: roots, maximumSize: maximumSize, problems: outline.problems)
        var trees: [Int: JSON] = [:]
        for root in roots { trees[root] = try expansion.tree(of: root) }
        return .object(outline.members(replacing: trees, without: consumed))
    }

    /// The tree of a JSON:API document.
    ///
    /// - Attributes move up beside `type` and `id`; a `self` link becomes `href`.
    /// - A relationship with linkage becomes the resource or the list of resources, found in `data` and `included`; null and the
    ///   empty list stay. One without linkage but with a `related` link becomes an object with `href`; any other stays as it is.
    /// - `included` goes. The other members of document and resources stay, links beside `self` among them.
    ///
    /// Throws `ExpansionError` with all problems: values of a wrong type, an attribute or relationship that has the name of another
    /// member, and with `missing` set to `.error` unresolved identifiers.
    /// - Complexity: O(n + m), n = values of the document, m = values of the result.
    public func expand(_ document: DocumentObject) throws(ExpansionError) -> JSON {
        let outline = ResourceOutline(document)
        let roots = outline.roots
        var expansion = try TreeExpansion(
            DocumentExpansion(outline, missing, keepsConflicts: keepsConflicts), roots: roots, maximumSize: maximumSize,
            problems: outline.problems)
        var trees: [JSON] = []
        for root in roots { trees.append(try expansion.tree(of: root)) }
        return .object(outline.members(replacing: trees))
    }
}

extension DocumentObject {
    /// The document as plain JSON, each related resource inside the one that leads to it.
    ///
    /// ```swift
    /// let tree = try document.expanded()
    /// tree["data"]?["author"]?["name"]
    /// ```
    ///
    /// `Expander.expand(_:)` says more, and what is thrown.
    public func expanded(_ expander: Expander = Expander()) throws(ExpansionError) -> JSON {
        try expander.expand(self)
    }
}
