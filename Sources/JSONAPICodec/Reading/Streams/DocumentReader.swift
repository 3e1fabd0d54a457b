import Foundation
import JSONText

/// Reads a document from a file, resource by resource: for exports that do not fit into memory.
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
/// Options, errors and what a model may declare are those of `JSONAPIDecoder`: pointers lead into the whole document, and the
/// values are those that decoding the whole would give. Four things differ. A section that stands twice in the document is an
/// error, since the first one was handed out. A resource behind a reference is read when it is asked for, not before: use
/// `resolved()` where the error matters. Whether an identity stands there twice is not looked at, in no mode; of several such
/// resources a neighbour may be the one that is embedded. Limits on bytes and number of values hold for one resource, not for the
/// document.
///
/// **Memory.** While resources are read in order: a few times the largest resource or 256 KiB, whichever is more, and the
/// resources that 256 KiB of text embed. From the first time that something is looked up by identity (a model embeds a resource,
/// a `ToOne` is asked for its value, `resource(_:_:)`): 25 bytes for each resource of the document, up to 72 for a moment while
/// they are collected. The first look-up reads the whole file once.
///
/// The file must not change while it is read. Two cursors, or threads, may read at once.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-structure>
public final class DocumentReader: Sendable {
    /// The options, as for whole documents.
    public let decoder: JSONAPIDecoder
    let file: DocumentFile
    private let resolver: SourceResolver

    /// A reader of the file at `url`. Nothing of the document is read yet.
    ///
    /// Throws `DocumentFileError` when the file cannot be opened, or is no file, and for a URL that is no file's.
    ///
    /// `maximumResourceBytes` is the most bytes of one resource, of all other members together, or of the resources that 256 KiB
    /// of text embed: 64 MiB by default. What is larger is an error: of the kind `syntax` with a `sizeLimit`, or `resourceLimit`
    /// for embedded ones.
    public init(
        _ url: URL, decoder: JSONAPIDecoder = JSONAPIDecoder(), maximumResourceBytes: Int = 64 << 20
    ) throws(DocumentFileError) {
        self.decoder = decoder
        file = try DocumentFile(StreamingFile.path(of: url), decoder, maximumResourceBytes: maximumResourceBytes)
        var plain = decoder
        plain.rewriters = [:]
        resolver = SourceResolver(file, plain)
    }

    /// The primary data, one after the other.
    public func resources<Element: PrimaryElement>(_ type: Element.Type) -> ResourceCursor<Element> {
        ResourceCursor(file, .data)
    }

    /// The included resources, one after the other: of a `Resource` those of its type, of a `ResourceUnion` or `ResourceObject`
    /// all.
    public func included<Element: PrimaryElement>(_ type: Element.Type) -> ResourceCursor<Element> {
        ResourceCursor(file, .included)
    }

    /// The document's members beside `data` and `included`: `meta`, `links`, `jsonapi` and others.
    ///
    /// Reads the whole file, since they may stand anywhere. Throws for a document that goes wrong anywhere; `ErrorDocument` for
    /// one with `errors`.
    public func header() throws -> DocumentObject {
        let reading = PartReading<ResourceObject, ResourceObject>(file.walk, data: nil, included: nil, file: nil)
        while case .needsMore = try reading.step() { try file.read(into: &reading.walk) }
        return reading.walk.header
    }

    /// The resource with this identity, of primary data or included; nil when the document does not have it, or has it of a
    /// type that `Model` is not for.
    ///
    /// The first look-up reads the whole file; each costs that one resource, and those that it embeds.
    public func resource<Model: ResourceRepresentable>(_ type: Model.Type, _ identifier: ResourceIdentifier) throws -> Model? {
        try DecodingFailure.edge { try resolver.value(type, identifier) }
    }

    /// The resource of the model's type with this id.
    public func resource<Model: Resource>(_ type: Model.Type, id: Model.ID) throws -> Model? {
        guard let text = id.wireText else { return nil }
        return try resource(type, ResourceIdentifier(type: Model.type, id: text))
    }
}

/// The resources of a file, one after the other.
///
/// Used by one thread at a time.
public final class ResourceCursor<Element: PrimaryElement> {
    private let reading: PartReading<Element, Element>
    private let file: DocumentFile

    init(_ file: DocumentFile, _ section: DocumentSection) {
        self.file = file
        reading = PartReading(
            file.walk, data: section == .data ? Element.self : nil, included: section == .included ? Element.self : nil, file: file)
    }

    /// The next resource; nil at the end, which is reached when the whole document was read and is in order.
    ///
    /// Throws `DecodingError`, with the failure's place in the whole document. For a resource that does not fit the model it is
    /// thrown in its place, and the next call goes on behind it. Where the document itself goes wrong, everything in front of the
    /// fault was handed out, and every call throws. Throws `ErrorDocument` at the end of a document with `errors`, and
    /// `DocumentFileError` when the file cannot be read.
    ///
    /// - Complexity: O(bytes of the resource) on average; what it embeds is found in O(log resources).
    public func next() throws -> Element? {
        while true {
            switch try reading.step() {
            case .part(.data(let value)), .part(.included(let value)): return value
            case .needsMore: try file.read(into: &reading.walk)
            case .end: return nil
            }
        }
    }

    /// Hands every resource that is left to `body`.
    public func forEach(_ body: (Element) throws -> Void) throws {
        while let value = try next() { try body(value) }
    }

    /// How far the file was read. It runs ahead of the resources by one portion of 256 KiB at most, or one resource.
    public var progress: ReadingProgress {
        ReadingProgress(bytes: reading.walk.byteCount, totalBytes: file.size, resources: reading.resourceCount)
    }

    /// The members beside `data` and `included` that were read so far; all of them at the end.
    public var header: DocumentObject { reading.walk.header }

    /// What was tolerated, cut or left out so far.
    public var diagnostics: Diagnostics { reading.diagnostics }
}
