import Foundation
import JSONAPICodec
import JSONText

/// Reads a document from a file, one resource at a time. Use it for documents that do not fit into memory.
///
/// ```swift
/// let reader = try DocumentReader(url)
/// let articles = reader.resources(Article.self)
/// while let article = try articles.next() {
///     try database.insert(article, author: article.author.value)
///     print(articles.progress.fraction ?? 0)
/// }
/// articles.header.meta
/// ```
///
/// Options, errors and models are those of `JSONAPIDecoder`. Pointers refer to the whole document, and the values are the same as when the
/// whole document is decoded. There are eleven differences:
///
/// - Data that are one resource, or null, are read like an array with one element, or with none.
/// - A section that occurs twice in the document is an error, because the first one was already returned.
/// - The resource of a reference is read on access, unless it is written in place of the identifier. Use `resolved()` where you need the
///   error.
/// - As when `[Article]` is decoded instead of a `Document`, `meta`, `links` and `jsonapi` with a wrong form are no error outside of strict mode,
///   nor those of a resource whose model has no property for them. In a lenient request, `errors` beside `data` are an error.
/// - Repeated identities are not detected, in any mode. When several resources have the same identity, any of them may be embedded.
/// - Strict mode does not check that linkage reaches every included resource, or that a `lid` in linkage is that of a resource.
/// - A whole resource in place of an identifier, which a leniency reads as included, is the value of that relationship only. Other
///   references to it, and look-ups, find it at most within the same 256 KiB. If the document also contains a resource of that identity, a
///   property that embeds has the one in place, and `ToOne.value` the other.
/// - Limits on bytes and on the number of values apply to each resource, and to all other members together, not to the document. The limit
///   on resources counts those of `data` and `included`, not whole resources in place of identifiers.
/// - More than 100,000 members besides `data` and `included` are an error.
/// - An error has the first problem of a resource, whatever `problems` is.
/// - A fault before `errors` is thrown in place of the errors of the server, which have not been read yet. Outside of strict mode, a fault
///   after `errors` is not thrown, unless the text is not JSON or a limit is exceeded. Resources that cannot be read are then left out, and
///   the errors of the server are thrown at the end.
///
/// **Memory.** Reading in order takes a few times the size of the largest resource, or of 256 KiB if that is more. The resources that 256
/// KiB of text embed come on top. Look-ups by identity occur when a model embeds a resource, when a `ToOne` resolves its value, and in
/// `resource(_:_:)`. From the first look-up on, the reader keeps 25 bytes for each resource of the document, and needs up to 72 bytes while
/// it collects them. The first look-up reads the whole file once.
///
/// The file must not change while it is read. Several cursors, and several threads, may read at the same time.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-structure>
public final class DocumentReader: Sendable {
    /// The options for decoding.
    public let decoder: JSONAPIDecoder
    let file: DocumentFile
    private let resolver: SourceResolver

    /// Creates a reader for the file at `url`. Nothing of the document is read yet.
    ///
    /// Throws `DocumentFileError` when the file cannot be opened, when it is not a regular file, and when the URL is not a file URL.
    ///
    /// `maximumResourceBytes` limits one resource, all other members together, and the resources that 256 KiB of text embed: 64 MiB by
    /// default. Larger ones are an error of the kind `syntax` with a `sizeLimit`, or of the kind `resourceLimit` for embedded resources.
    /// Resources to which relationships of the same names lead in other types count as embedded ones.
    public init(
        _ url: URL, decoder: JSONAPIDecoder = JSONAPIDecoder(), maximumResourceBytes: Int = 64 << 20
    ) throws(DocumentFileError) {
        self.decoder = decoder
        file = try DocumentFile(StreamingFile.path(of: url), decoder, maximumResourceBytes: maximumResourceBytes)
        resolver = SourceResolver(file, decoder.forLookups)
    }

    /// Returns a cursor over the primary data. The static type counts, even if `type` is a subclass.
    public func resources<Element: PrimaryElement>(_ type: Element.Type) -> ResourceCursor<Element> {
        ResourceCursor(file, .data)
    }

    /// Returns a cursor over the included resources. For a `Resource` these are the resources of its type; for a `ResourceUnion` or
    /// `ResourceObject` these are all. The static type counts, even if `type` is a subclass.
    public func included<Element: PrimaryElement>(_ type: Element.Type) -> ResourceCursor<Element> {
        ResourceCursor(file, .included)
    }

    /// Returns the members of the document other than `data` and `included`: `meta`, `links`, `jsonapi` and others.
    ///
    /// Reads the whole file, because these members may be anywhere. Throws `ErrorDocument` for a document with `errors`. Throws
    /// `DecodingError` for a document with a fault anywhere, and `DocumentFileError` when the file cannot be read.
    public func header() throws -> DocumentObject {
        let reading = PartReading<ResourceObject, ResourceObject>(file.walk, data: nil, included: nil, file: nil)
        while case .needsMore = try reading.step() { try file.read(into: &reading.walk) }
        return reading.walk.header
    }

    /// Returns the resource with the given identity, from the primary data or the included resources. Nil when the document does not
    /// contain it, and when `Model` does not accept its type.
    ///
    /// The first look-up reads the whole file. Each further one reads only that resource and those that it embeds.
    ///
    /// Throws `DecodingError` when the resource, or one that it embeds, cannot be read, and `DocumentFileError` when the file cannot be
    /// read.
    public func resource<Model: ResourceRepresentable>(_ type: Model.Type, _ identifier: ResourceIdentifier) throws -> Model? {
        if let type = subclass(in: type) as? any ResourceRepresentable.Type { return try resource(type, identifier) as? Model }
        return try DecodingFailure.converted { try resolver.value(type, identifier) }
    }

    /// Returns the resource of the model's type with the given id; nil when the document does not contain it. Throws as the function above
    /// does.
    public func resource<Model: Resource>(_ type: Model.Type, id: Model.ID) throws -> Model? {
        guard let text = id.wireText else { return nil }
        return try resource(type, ResourceIdentifier(type: type.type, id: text))
    }
}

/// A cursor over the resources of a file.
///
/// Use a cursor from one thread at a time.
public final class ResourceCursor<Element: PrimaryElement> {
    private let reading: PartReading<Element, Element>
    private let file: DocumentFile

    init(_ file: DocumentFile, _ section: DocumentSection) {
        self.file = file
        reading = PartReading(
            file.walk, data: section == .data ? Element.self : nil, included: section == .included ? Element.self : nil, file: file)
    }

    /// Returns the next resource; nil at the end, once the whole document was read without a fault.
    ///
    /// Throws `DecodingError` with the place in the whole document. When a resource does not fit the model, the next call continues after
    /// it. When the document itself has a fault, all resources before it are returned first, and then every call throws. Throws
    /// `ErrorDocument` at the end of a document with `errors`, and `DocumentFileError` when the file cannot be read.
    ///
    /// - Complexity: O(bytes of the resource) on average. An embedded resource is found in O(log resources).
    public func next() throws -> Element? {
        while true {
            switch try reading.step() {
            case .part(.data(let value)), .part(.included(let value)): return value
            case .needsMore: try file.read(into: &reading.walk)
            case .end: return nil
            }
        }
    }

    /// Calls `body` with each of the remaining resources. Throws as `next()` does, and what `body` throws.
    public func forEach(_ body: (Element) throws -> Void) throws {
        while let value = try next() { try body(value) }
    }

    /// How much of the file was read. That is ahead of the returned resources by at most one portion of 256 KiB, or one resource.
    public var progress: ReadingProgress {
        ReadingProgress(bytes: reading.walk.byteCount, totalBytes: file.size, resources: reading.resourceCount)
    }

    /// The members other than `data` and `included` that were read so far; all of them at the end.
    public var header: DocumentObject { reading.walk.header }

    /// What the decoder cut or left out so far, and the leniencies that it used. Faults that no model is concerned with, which a whole
    /// `Document` reports, are not among them, and those of the members beside the resources are known at the end. They are in the order in
    /// which they were found: of resources that are read together, all leniencies first.
    public var diagnostics: Diagnostics { reading.diagnostics }
}
