import Foundation
import JSONAPICodec
import JSONText

/// A document with URL templates, which JSON:API used before 1.0, converted to a JSON:API 1.1 document.
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
/// - The name of a collection becomes the type of its resources. A numeric id becomes a string, and `href` of a resource becomes its
///   `self` link.
/// - A template with a `type` adds linkage to a relationship. If all its variables have values, it also adds a `related` link, in which
///   several ids are separated by commas. A template without a `type` only adds the `related` link, except that null and an empty list
///   are linkage. If it has no address for an id, the id is kept in `links` in the resource's `meta`.
/// - A link without a template becomes a relationship. A string or an object is its `related` link, and null or an empty list is its
///   linkage. `self` remains a link of its resource. A list of ids has no known type. It is kept in `links` in the resource's `meta`, and
///   so is a link with the name of an attribute.
/// - Every other member of a resource becomes an attribute, except a `type` that is equal to the name of the collection.
/// - The primary collection is the one that no template of another collection names as its `type`. If there are several, name the primary
///   ones with `primary`. All other collections, including those in `linked`, become `included`, with each identity once.
/// - `meta`, `errors` and other top-level members are kept. Links in `links` that are not templates are kept if JSON:API defines their
///   names. Other links are moved to `links` in `meta`.
///
/// `diagnostics` lists everything in the result that JSON:API 1.1 does not allow. If it is empty, the document is valid.
///
/// A document without templates can be read if it has a single collection, or with `primary`. A document with `data` is already a 1.1
/// document, and is not changed.
public struct LegacyDocument: Sendable, Hashable {
    /// The JSON:API 1.1 document.
    public let document: DocumentObject

    /// The parts of the legacy document that JSON:API 1.1 does not allow or that were omitted, with their places in the legacy document.
    ///
    /// They are resources without linkage to them, repeated identities, missing ids, and names, members and addresses that are not allowed.
    /// Models can still be decoded. The list is empty for a document with `data`, which is not checked. The contents of `errors`, `jsonapi`
    /// and link objects are not checked, either. To check them, use `Validator`.
    public let diagnostics: [ExpansionError.Problem]

    /// Creates a document from the text of a legacy document.
    ///
    /// Throws a `JSONSyntaxError` for text that is not JSON, and the errors of `init(_:primary:maximumSize:)`.
    public init(parsing data: Data, primary: [String]? = nil, reading: JSONReadingOptions = JSONReadingOptions()) throws {
        try self.init(JSON(parsing: data, options: reading), primary: primary)
    }

    /// Creates a document from a legacy document.
    ///
    /// `primary` names the collections of the primary data, in order. If it is nil, the primary collection is determined by the templates.
    /// `maximumSize` limits the number of bytes that expanded templates, and the types of resources and of linkage, can add. The default is
    /// 256 MiB.
    ///
    /// Throws an `ExpansionError` with all problems: values of the wrong type, invalid templates, relations with the name of an attribute,
    /// an unknown or ambiguous primary collection, and `expansionLimit`.
    /// - Complexity: O(n), n = number of values in the input plus variables of templates × resources.
    public init(_ json: JSON, primary: [String]? = nil, maximumSize: Int = 1 << 28) throws(ExpansionError) {
        if let members = json.object, members.contains(name: "data"), !Self.namesTemplates(members, of: "data") {
            document = DocumentObject(members: members)
            diagnostics = []
            return
        }
        var translation = try LegacyTranslation(json, primary: primary, maximumSize: maximumSize)
        document = try translation.document()
        diagnostics = translation.diagnostics
    }

    /// Returns whether a document has URL templates: an entry in `links` with a name of the form `collection.relation`, and no `data`.
    ///
    /// - Complexity: O(n), n = number of members at the top level and in `links`.
    public static func hasTemplates(_ json: JSON) -> Bool {
        guard let members = json.object, !members.contains(name: "data") else { return false }
        return namesTemplates(members)
    }

    /// Returns whether the links name templates, of any collection or of one.
    private static func namesTemplates(_ members: JSONObject, of collection: String? = nil) -> Bool {
        members["links"]?.object?.contains { link in
            guard let name = LegacyTemplate.Name(link.name), !link.value.isNull else { return false }
            return collection == nil || name.collection == collection
        } ?? false
    }
}

// MARK: - Decoding

extension LegacyDocument {
    /// Decodes the primary data as models.
    ///
    /// Throws the errors of `JSONAPIDecoder.decode(_:from:)`. Their places are places in `document`.
    public func decode<Primary: PrimaryValue>(_ type: Primary.Type, with decoder: JSONAPIDecoder = JSONAPIDecoder()) throws -> Primary {
        let (data, decoder) = try text(for: decoder)
        return try decoder.decode(type, from: data)
    }

    /// Decodes the whole document: the primary data with links, meta, the included resources and diagnostics. Throws as the function above
    /// does.
    public func decode<Primary: PrimaryValue>(
        _ type: Document<Primary>.Type, with decoder: JSONAPIDecoder = JSONAPIDecoder()
    ) throws -> Document<Primary> {
        let (data, decoder) = try text(for: decoder)
        return try decoder.decode(type, from: data)
    }

    private func text(for decoder: JSONAPIDecoder) throws -> (Data, JSONAPIDecoder) {
        var writer = JSONWriter()
        var decoder = decoder
        // Attributes are nested more deeply than in the legacy document.
        let levels = 4
        let (depth, overflow) = decoder.reading.maximumDepth.addingReportingOverflow(levels)
        writer.maximumDepth = overflow ? .max : depth
        decoder.reading.maximumDepth = writer.maximumDepth
        return (Data(try writer.write(document.json)), decoder)
    }
}
