import JSONAPICodec
import JSONText

/// A store as it was at one moment.
///
/// Its models are made anew at each call, and their references see the snapshot, too.
public struct StoreSnapshot: Sendable {
    private let source: Source
    private let kept: KeptTable
    private let decoder: JSONAPIDecoder

    private final class Source: ResourceSource {
        let table: ResourceTable

        init(_ table: ResourceTable) { self.table = table }

        func resourceText(_ identifier: ResourceIdentifier) throws -> [UInt8]? {
            try StoredIdentity(identifier).flatMap { try table.place(of: $0).text() }
        }
    }

    init(table: ResourceTable, kept: KeptTable, decoder: JSONAPIDecoder) {
        source = Source(table)
        self.kept = kept
        self.decoder = decoder
    }

    /// How many resources there are.
    public var count: Int { source.table.count }

    /// Which resources there are: type by type, each in the order of their arrival.
    public var identifiers: [ResourceIdentifier] { source.table.identities.map(\.identifier) }

    /// The raw resource with this identity; nil when there is none.
    public subscript(identifier: ResourceIdentifier) -> ResourceObject? {
        (try? source.resourceText(identifier)).flatMap(StoredText.object)
    }

    /// The resource with this identity as a model; nil when there is none, or of a type that the model is not for. Throws
    /// `DecodingError` when it cannot be read.
    public func resource<Model: ResourceRepresentable>(_ type: Model.Type, _ identifier: ResourceIdentifier) throws -> Model? {
        try decoder.resource(type, identifier, from: source)
    }

    /// All resources of the model's type, in the order of their arrival. Throws `DecodingError` if one cannot be read, and `ArchiveError` if the
    /// store's file is damaged.
    public func resources<Model: Resource>(_ type: Model.Type) throws -> [Model] {
        try source.table.listed(ofType: Model.type).compactMap { try resource(type, $0.identifier) }
    }

    /// All resources as a document, type by type.
    public var document: DocumentObject {
        let objects = source.table.identities.compactMap { self[$0.identifier] }
        return DocumentObject(data: .many(objects))
    }

    /// Everything that is kept beside resources, by its key in an archive.
    func forEachKept(_ body: (String, [UInt8]) throws -> Void) rethrows {
        let keys = kept.keys.sorted { $0.archiveKey < $1.archiveKey }
        for key in keys { if let value = kept.value(key) { try body(key.archiveKey, value.text) } }
    }

    /// Calls `body` with every resource and its text, type by type. Throws `ArchiveError` if the store's file is damaged.
    package func forEachResource(_ body: (ResourceIdentifier, [UInt8]) throws -> Void) throws {
        for identity in try source.table.listed() {
            if let text = try source.table.place(of: identity).text() { try body(identity.identifier, text) }
        }
    }
}
