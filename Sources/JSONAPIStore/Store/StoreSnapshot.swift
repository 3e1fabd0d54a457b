import JSONAPIArchive
import JSONAPICodec

/// The state of a store at one moment.
///
/// Every call creates its models again. Their references also resolve through the snapshot.
public struct StoreSnapshot: Sendable {
    private let source: Source
    private let kept: KeptTable
    private let decoder: JSONAPIDecoder

    private final class Source: ResourceSource {
        let table: ResourceTable
        private let core: StoreCore
        var owner: AnyObject? { core }

        init(_ table: ResourceTable, of core: StoreCore) { (self.table, self.core) = (table, core) }

        func resourceText(_ identifier: ResourceIdentifier) throws -> [UInt8]? {
            try StoredIdentity(identifier).flatMap { try table.place(of: $0).text() }
        }
    }

    /// - Parameter core: The store whose state it is.
    init(of core: StoreCore, table: ResourceTable, kept: KeptTable, decoder: JSONAPIDecoder) {
        source = Source(table, of: core)
        self.kept = kept
        self.decoder = decoder
    }

    /// The number of resources.
    public var count: Int { source.table.count }

    /// The identifiers of all resources, grouped by type and in the order of arrival.
    public var identifiers: [ResourceIdentifier] { source.table.identities.map(\.identifier) }

    /// The resource object with this identity. Nil if there is none, or if it cannot be read from the store's file.
    public subscript(identifier: ResourceIdentifier) -> ResourceObject? {
        StoredIdentity(identifier).flatMap { try? source.table.place(of: source.table.current($0)).text() }.flatMap(StoredText.object)
    }

    /// Returns the resource with this identity as a model. Returns nil if there is none, or if the model does not accept its type. Throws
    /// `DecodingError` if the resource cannot be read.
    public func resource<Model: ResourceRepresentable>(_ type: Model.Type, _ identifier: ResourceIdentifier) throws -> Model? {
        if let type = subclass(in: type) as? any ResourceRepresentable.Type { return try resource(type, identifier) as? Model }
        guard let identity = StoredIdentity(identifier) else { return nil }
        return try decoder.resource(type, source.table.current(identity, type).identifier, from: source)
    }

    /// Returns all resources of the model's type, in the order of arrival. Throws `DecodingError` if one cannot be read, and `ArchiveError`
    /// if the store's file is damaged.
    public func resources<Model: Resource>(_ type: Model.Type) throws -> [Model] {
        if let type = subclass(in: type) as? any Resource.Type { return try resources(type).compactMap { $0 as? Model } }
        let identifiers = try source.table.listed(ofType: Model.type).map(\.identifier)
        var models: [Model] = []
        models.reserveCapacity(identifiers.count)
        for start in stride(from: 0, to: identifiers.count, by: Self.batchSize) {
            let batch = Array(identifiers[start..<min(start + Self.batchSize, identifiers.count)])
            // If a resource cannot be read, the error of reading it alone is thrown.
            let found = try (try? decoder.resources(type, batch, from: source)) ?? batch.map { try resource(type, $0) }
            models += found.compactMap { $0 }
        }
        return models
    }

    /// The number of resources that are read together.
    private static let batchSize = 64

    /// All resources as a document, grouped by type. Throws `ArchiveError` if the store's file is damaged.
    public var document: DocumentObject {
        get throws {
            var objects: [ResourceObject] = []
            try forEachResource { _, text in
                if let object = StoredText.object(text) { objects.append(object) }
            }
            return DocumentObject(data: .many(objects))
        }
    }

    /// Calls `body` for every kept document, value and request, with its key in an archive.
    func forEachKept(_ body: (String, [UInt8]) throws -> Void) rethrows {
        let keys = kept.keys.sorted { $0.archiveKey < $1.archiveKey }
        for key in keys { if let value = kept.value(key) { try body(key.archiveKey, value.text) } }
    }

    /// Calls `body` for every resource with its text, grouped by type. Throws `ArchiveError` if the store's file is damaged.
    package func forEachResource(_ body: (ResourceIdentifier, [UInt8]) throws -> Void) throws {
        for identity in try source.table.listed() {
            if let text = try source.table.place(of: identity).text() { try body(identity.identifier, text) }
        }
    }
}
