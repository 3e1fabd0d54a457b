import Foundation
import JSONAPICodec
import JSONText

/// A document with URL templates, which JSON:API was before 1.0, turned into one of today.
///
/// ```swift
/// // {"links": {"posts.author": {"href": "/people/{posts.author}", "type": "people"}},
/// //  "posts": [{"id": 1, "title": "A", "links": {"author": "9"}}], "people": [{"id": "9", "name": "Dan"}]}
/// let document = try LegacyDocument(parsing: data)
/// document.document
/// // {"data": [{"type": "posts", "id": "1", "attributes": {"title": "A"}, "relationships": {"author":
/// //    {"links": {"related": "/people/9"}, "data": {"type": "people", "id": "9"}}}}],
/// //  "included": [{"type": "people", "id": "9", "attributes": {"name": "Dan"}}]}
/// let posts = try document.decode([Post].self)
/// ```
///
/// - The name of a collection is the type of its resources. A numeric id becomes its digits, a resource's `href` its `self` link.
/// - A template with a `type` gives a relationship linkage and, where it can be filled, a `related` link; to-many ids are joined by
///   commas there. A template without a type gives the `related` link alone, but null and an empty list are linkage.
/// - A link without a template is a relationship: a text or an object its `related` link, null and an empty list its linkage. `self`
///   stays a link of its resource. A list of ids, whose type nobody tells, and a link with the name of an attribute are kept in the
///   resource's `meta` under `links`.
/// - Every other member of a resource is an attribute; a `type` that names the collection is none.
/// - The primary collection is the one that no other collection's template names as its `type`; `primary` says it where that leaves
///   several. All other collections, those under `linked` too, are included, each identity once.
/// - `meta`, `errors` and other members of the top level stay. Entries of `links` that are no templates stay links where JSON:API
///   defines their names; the others are kept in `meta` under `links`.
///
/// What JSON:API 1.1 does not allow about the result is in `diagnostics`: with none, the document is valid.
///
/// A document without templates is read too: it has one collection, or several with `primary`. One that has `data` instead is of
/// today already, and stays as it is.
public struct LegacyDocument: Sendable, Hashable {
    /// The document of today.
    public let document: DocumentObject

    /// What JSON:API 1.1 does not allow about `document`, because the old one has it, and what was left out; with places in the old
    /// document.
    ///
    /// A resource that nothing links to, an identity that comes twice, a missing id, a name, a member or an address that is not allowed.
    /// Models decode nevertheless. Empty for a document that has `data` and stays as it is; `Validator` judges that, and what is inside of
    /// `errors`, `jsonapi` and link objects.
    public let diagnostics: [ExpansionError.Problem]

    /// Reads the text of a legacy document.
    ///
    /// Throws `JSONSyntaxError` for a text that is no JSON, else what `init(_:primary:)` throws.
    public init(parsing data: Data, primary: [String]? = nil, reading: JSONReadingOptions = JSONReadingOptions()) throws {
        try self.init(JSON(parsing: data, options: reading), primary: primary)
    }

    /// Reads a legacy document. `primary` names the collections that are the primary data, in their order; nil finds the one.
    ///
    /// Throws `ExpansionError` with all problems: values of a wrong type, texts that are no templates, an attribute and a relation
    /// of one name, a primary collection that is not there or cannot be told. `maximumSize` limits what filling templates may add,
    /// in bytes, and ends documents of too many resources and templates with `expansionLimit`; 256 MiB by default.
    /// - Complexity: O(n), n = values of the input and of templates times resources.
    public init(_ json: JSON, primary: [String]? = nil, maximumSize: Int = 1 << 28) throws(ExpansionError) {
        if let members = json.object, members.contains(name: "data"), !Self.namesTemplates(members) {
            document = DocumentObject(members: members)
            diagnostics = []
            return
        }
        var translation = try LegacyTranslation(json, primary: primary, maximumSize: maximumSize)
        document = try translation.document()
        diagnostics = translation.diagnostics
    }

    /// Whether a document is one of URL templates: it has `links` with an entry named `collection.relation`, and no `data`.
    ///
    /// - Complexity: O(n), n = members at the top level and in `links`.
    public static func hasTemplates(_ json: JSON) -> Bool {
        guard let members = json.object, !members.contains(name: "data") else { return false }
        return namesTemplates(members)
    }

    private static func namesTemplates(_ members: JSONObject) -> Bool {
        members["links"]?.object?.contains { LegacyTemplate.Name($0.name) != nil && !$0.value.isNull } ?? false
    }
}

// MARK: - Decoding

extension LegacyDocument {
    /// The primary data as models.
    ///
    /// Throws what `JSONAPIDecoder.decode(_:from:)` throws for `document`: places in its errors are places there.
    public func decode<Primary: PrimaryValue>(_ type: Primary.Type, with decoder: JSONAPIDecoder = JSONAPIDecoder()) throws -> Primary {
        let (data, decoder) = try text(for: decoder)
        return try decoder.decode(type, from: data)
    }

    /// The whole document: primary data with links, meta, the included resources and diagnostics.
    public func decode<Primary: PrimaryValue>(
        _ type: Document<Primary>.Type, with decoder: JSONAPIDecoder = JSONAPIDecoder()
    ) throws -> Document<Primary> {
        let (data, decoder) = try text(for: decoder)
        return try decoder.decode(type, from: data)
    }

    private func text(for decoder: JSONAPIDecoder) throws -> (Data, JSONAPIDecoder) {
        var writer = JSONWriter()
        var decoder = decoder
        // Attributes lie deeper than in the old document.
        let levels = 4
        let (depth, overflow) = decoder.reading.maximumDepth.addingReportingOverflow(levels)
        writer.maximumDepth = overflow ? .max : depth
        decoder.reading.maximumDepth = writer.maximumDepth
        return (Data(try writer.write(document.json)), decoder)
    }
}
