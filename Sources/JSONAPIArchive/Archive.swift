public import Foundation
public import JSONAPICodec
import JSONText

/// An archive of values by key. Each resource is stored once, even if many values refer to it.
///
/// ```swift
/// var writer = Archive.Writer()
/// try writer.encode(articles, forKey: "home")        // with everything that they embed or hold
/// try writer.encode(settings, forKey: "settings")    // any Codable value
/// try writer.write(to: url)
///
/// let archive = try Archive(contentsOf: url)
/// let articles = try archive.decode([Article].self, forKey: "home")
/// let author = try archive.resource(Person.self, id: "9")
/// ```
///
/// Resources are stored as resource objects, with the states of their relationships. A model is stored as it writes itself, so what it has
/// no property for is not kept: unknown members, and its links and meta. A `ResourceObject`, and a resource that a value only refers to in
/// the document from which it was read, are stored with all their members. Resources can refer to each other in cycles. A value is read as
/// the type that the caller asks for. The contents of a file never select a type.
///
/// Opening an archive maps the file and reads the names of its types and keys. Reading a resource also reads the resources that it embeds.
/// `ToOne` and `ToMany` read their resources when their values are requested.
///
/// An archive is an immutable view of the newest commit that was completely written when it was opened. While another process saves, that
/// can be a commit that is not on the disk yet. To change a file, use `ArchiveFile`.
///
/// Each part is checked against its checksum before it is used. If a part is damaged, the `ArchiveError` contains its place. Checksums
/// detect accidental damage. They do not detect deliberate changes; use a signature for that.
///
/// Decoding throws `ArchiveError`, and `DecodingError` as `JSONAPIDecoder` does.
public struct Archive: Sendable {
    /// The contents after a migration, or else those of the file.
    package let contents: ArchiveImage
    /// The version of the models to which `contents` belongs.
    let contentsVersion: Int
    package let image: ArchiveImage
    let file: String?

    /// The decoder for resources and values. References keep the decoder with which they were read.
    public var decoder: JSONAPIDecoder

    /// Opens the archive in a file.
    ///
    /// The file can be replaced or removed while the archive is in use. It must not be truncated in place. This library never does that.
    ///
    /// `model` contains the version of the program's models. Without a model, an archive of any version is read as it is. With a model, an
    /// older archive is migrated in memory as a whole. To save the result, use `Archive.Writer(_:)` or `ArchiveFile`.
    ///
    /// Throws `ArchiveError`, and the errors of migrations.
    ///
    /// - Complexity: O(n), n = number of types and keys, and of bytes of the commits that have no slot. These are the commits that a crash
    ///   or an error interrupted, usually none. With migrations, O(b log b) and the cost of the migrations, b = number of bytes.
    public init(contentsOf url: URL, model: ArchiveModel? = nil, decoder: JSONAPIDecoder = JSONAPIDecoder()) throws {
        let path = try ArchiveStorage.path(of: url)
        do {
            try self.init(try ArchiveStorage().image(ofFile: path), file: path, model: model, decoder: decoder)
        } catch let error as ArchiveError {
            throw error.of(path)
        }
    }

    /// Opens the archive in `data`. The bytes are copied. Throws as the initializer above does.
    public init(data: Data, model: ArchiveModel? = nil, decoder: JSONAPIDecoder = JSONAPIDecoder()) throws {
        try self.init(try ArchiveImage(ArchiveBytes(data)), file: nil, model: model, decoder: decoder)
    }

    init(_ image: ArchiveImage, file: String?, model: ArchiveModel?, decoder: JSONAPIDecoder) throws {
        try model?.check(image.modelVersion)
        self.image = image
        self.file = file
        self.decoder = decoder
        if let model, model.version > image.modelVersion {
            (contents, contentsVersion) = (try image.migrated(by: model), model.version)
        } else {
            (contents, contentsVersion) = (image, image.modelVersion)
        }
    }

    /// The version of the models that wrote the archive. A migration in memory does not change it. An `ArchiveFile` with a model writes the
    /// migrated archive, with the version of that model.
    public var modelVersion: Int { image.modelVersion }

    /// The newest version of the file format that this library reads and writes.
    public static var formatVersion: Int { ArchiveFormat.majorVersion }

    /// The version of the file format of this archive.
    package var formatVersion: Int { image.header.version }

    /// The keys, in the order of their first use.
    ///
    /// - Complexity: O(n log n), n = number of keys.
    public var keys: [String] { contents.roots.map(\.name) }

    /// The number of resources.
    public var count: Int { contents.count }

    /// The size of the archive in bytes, up to the end of the last commit.
    public var byteCount: Int { image.head.end }

    /// The bytes of the archive, up to the end of the last commit.
    public var data: Data {
        // In the file, the slots can already refer to later commits.
        Data(image.header.bytes(image.head) + image.bytes.array(image.header.size..<image.head.end))
    }
}

// MARK: - Values by key

extension Archive {
    /// Returns the value under a key. `Value` can be a `Resource` or another `ResourceRepresentable`, an array of them, or any other
    /// `Codable` type. To read an optional value, pass an optional type.
    ///
    /// If resources of an array were removed from the archive, they are left out.
    ///
    /// Throws `DecodingError`, and an `ArchiveError` of one of these kinds:
    /// - `missingKey` if the key does not exist
    /// - `otherForm` if the value has another form
    /// - `missingResource` if the key names a single resource that was removed
    ///
    /// - Complexity: O(n), n = size of the value's resources and of the resources that they embed.
    public func decode<Value: Decodable>(_ type: Value.Type, forKey key: String) throws -> Value {
        guard let value = try decodeIfPresent(type, forKey: key) else {
            let nearest = NearestName.find(key, in: keys)
            throw ArchiveError(
                .missingKey, "the archive has no key `\(key)`", advice: nearest.map { "did you mean `\($0)`?" }
            ).of(file)
        }
        return value
    }

    /// Returns the value under a key, or nil if the key does not exist. Throws as `decode(_:forKey:)` does otherwise.
    public func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: String) throws -> Value? {
        try located {
            guard let root = try contents.root(named: key) else { return nil }
            return try ArchiveForm.value(type, of: root, key, self)
        }
    }

    /// Returns whether a key exists.
    ///
    /// - Complexity: O(log n), n = number of keys.
    public func contains(key: String) -> Bool { contents.rootEntry(key) != nil }

    /// Returns the value under a key as JSON: a plain value, or the identifiers of resources. Returns nil if the key does not exist.
    ///
    /// Throws `tooLarge` if the types and ids of many resources exceed `decoder.reading.maximumBytes` together. A small file can refer to
    /// one long id many times.
    public func json(forKey key: String) throws -> JSON? {
        try located {
            switch try contents.root(named: key) {
            case nil: nil
            case .value(let text): try ArchiveForm.json(text, "the value of the key `\(key)`")
            case .one(let key): key.identifier.json
            case .many(let keys): try json(keys)
            }
        }
    }

    private func json(_ identities: [StoredIdentity]) throws(ArchiveError) -> JSON {
        var size = 0
        for identity in identities {
            size += identity.type.utf8.count + identity.name.utf8.count
            guard size <= decoder.reading.maximumBytes else {
                throw ArchiveError(
                    .tooLarge, "the identifiers have more than \(decoder.reading.maximumBytes) bytes",
                    advice: "raise reading.maximumBytes of the decoder")
            }
        }
        return .array(JSONArray(identities.map(\.identifier.json)))
    }

    /// Returns whether a key names one or many resources. Returns false for a plain value, and if the key does not exist. Throws
    /// `ArchiveError` if the archive is damaged.
    public func namesResources(_ key: String) throws -> Bool {
        try located {
            if case .value? = try contents.root(named: key) { false } else { contains(key: key) }
        }
    }

    package func located<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as ArchiveError { throw error.of(file) }
    }
}

// MARK: - Resources by identity

extension Archive {
    /// Returns the resource with the model's type and an id. Returns nil if the archive does not contain it. Throws as the function below
    /// does.
    ///
    /// - Complexity: O(log n + m), n = number of resources, m = size of the resource and of the resources that it embeds.
    public func resource<Model: Resource>(_ type: Model.Type, id: Model.ID) throws -> Model? {
        guard let id = id.wireText else { return nil }
        return try resource(type, ResourceIdentifier(type: type.type, id: id))
    }

    /// Returns the resource with an identity as a model. Returns nil if the archive does not contain it, or if `Model` does not read
    /// resources of its type. `ResourceObject` reads a resource of any type, with all its members. Throws `ArchiveError` if a part that is
    /// read is damaged, and `DecodingError` if the resource cannot be read as the model.
    public func resource<Model: ResourceRepresentable>(_ type: Model.Type, _ identifier: ResourceIdentifier) throws -> Model? {
        if let type = subclass(in: type) as? any ResourceRepresentable.Type { return try resource(type, identifier) as? Model }
        return try located {
            guard let identity = StoredIdentity(identifier) else { return nil }
            // An archive keeps its lids.
            let current = try identity.current(type, promoted: { _ in nil }, isThere: { try contents.has($0) })
            return try models(type, [current.identifier])[0]
        }
    }

    /// Returns all resources of the model's type, in the order in which they were first written. Resources of other types are not read.
    /// Throws `ArchiveError` if a part that is read is damaged, and `DecodingError` if a resource cannot be read as the model.
    ///
    /// - Complexity: O(n log n + m), n = number of resources of the type, m = size of their texts. In a file of format version 1 or 2,
    ///   O(b), b = number of bytes of the archive.
    public func resources<Model: Resource>(_ type: Model.Type) throws -> [Model] {
        if let type = subclass(in: type) as? any Resource.Type { return try resources(type).compactMap { $0 as? Model } }
        return try located { try models(type, try contents.identities(ofType: Model.type).map(\.identifier)).compactMap { $0 } }
    }

    /// Returns whether the archive contains a resource. Throws `ArchiveError` if the directory is damaged.
    public func contains(_ identifier: ResourceIdentifier) throws -> Bool {
        try located { try StoredIdentity(identifier).map { try contents.has($0) } ?? false }
    }

    /// The identities of all resources, in the order in which they were first written. If a resource is written again, it keeps its
    /// position.
    ///
    /// - Complexity: O(n + m log m), n = number of bytes of the archive, because each record is checked, m = number of resources, including
    ///   replaced and removed ones.
    public var identifiers: [ResourceIdentifier] {
        get throws { try located { try contents.records().map { contents.key(of: $0).identifier } } }
    }

    /// Calls `body` with each resource and the compact text of its resource object, in the order in which they were first written.
    package func forEachResource(_ body: (ResourceIdentifier, [UInt8]) throws -> Void) throws {
        try located {
            try contents.forEachResource { key, text in try body(key.identifier, text) }
        }
    }

    /// Returns the JSON text of the resource object with an identity, or nil if there is none.
    package func resourceText(_ identifier: ResourceIdentifier) throws -> [UInt8]? {
        try located { try contents.resourceText(identifier) }
    }
}

// MARK: - Workings

extension Archive {
    /// Returns resources as models. An element is nil if the archive does not contain the resource, or if `Model` does not read its type.
    func models<Model: ResourceRepresentable>(_ type: Model.Type, _ identifiers: [ResourceIdentifier]) throws -> [Model?] {
        // Raw resources are returned as they are, regardless of the decoder's rules.
        if type == ResourceObject.self { return try identifiers.map { try object($0) as? Model } }
        return try reader.resources(type, identifiers, from: contents)
    }

    /// Reads the contents. The program stored resources that only have a lid, so they are accepted.
    var reader: JSONAPIDecoder {
        var reader = decoder
        reader.leniencies.insert(.missingIDs)
        return reader
    }

    private func object(_ identifier: ResourceIdentifier) throws -> ResourceObject? {
        guard let key = StoredIdentity(identifier), let text = try contents.text(key) else { return nil }
        guard let object = StoredText.object(text), object.identifier.flatMap(StoredIdentity.init) == key else {
            throw ArchiveError.noObject(key)
        }
        return object
    }
}
