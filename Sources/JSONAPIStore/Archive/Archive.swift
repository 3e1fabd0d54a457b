public import Foundation
public import JSONAPICodec
import JSONText

/// Values kept on disk by keys, resources each once however often they are referred to.
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
/// Resources are kept as their resource objects, raw, so nothing is lost: states of relationships, links, meta, unknown members
/// and resources of types that no model knows. Resources may refer to each other in circles. What a key names is read as the type that
/// the caller asks for; no type is ever created because the file says so.
///
/// Opening maps the file and reads the names of its types and keys. Reading a resource reads what it embeds as well. `ToOne` and `ToMany`
/// read their resources when their values are asked for.
///
/// An archive is an unchanging view of the last state that was saved when it was opened; `ArchiveFile` changes it. Every part is
/// checked against its checksum before it is used, and damage is an `ArchiveError` that says where. Checksums find accidents. They do not
/// protect against somebody who changes the file on purpose: sign it where that matters.
///
/// Besides `ArchiveError`, decoding throws `DecodingError`, as `JSONAPIDecoder` does.
public struct Archive: Sendable {
    let contents: any ArchiveContents
    let image: ArchiveImage
    let file: String?

    /// How resources and values are read. References keep the decoder that they were made with.
    public var decoder: JSONAPIDecoder

    /// Opens the archive of a file.
    ///
    /// The file may be replaced or removed while the archive is in use; it must not be shortened in place, which nothing in this
    /// library does.
    ///
    /// `model` says which version the program's models have. Without it an archive of any version is read as it is. An older
    /// archive is migrated in memory, all of it. To save the result, use `Archive.Writer(_:)` or `ArchiveFile`.
    ///
    /// Throws `ArchiveError`, and what migrations throw.
    ///
    /// - Complexity: O(types + keys), however many resources there are; O(bytes) if it has to be migrated.
    public init(contentsOf url: URL, model: ArchiveModel? = nil, decoder: JSONAPIDecoder = JSONAPIDecoder()) throws {
        let path = try ArchiveStorage.path(of: url)
        do {
            try self.init(try ArchiveStorage().image(ofFile: path), file: path, model: model, decoder: decoder)
        } catch let error as ArchiveError {
            throw error.of(path)
        }
    }

    /// Opens the archive that is in `data`. The bytes are copied.
    public init(data: Data, model: ArchiveModel? = nil, decoder: JSONAPIDecoder = JSONAPIDecoder()) throws {
        try self.init(try ArchiveImage(ArchiveBytes(data)), file: nil, model: model, decoder: decoder)
    }

    init(_ image: ArchiveImage, file: String?, model: ArchiveModel?, decoder: JSONAPIDecoder) throws {
        try model?.check(image.modelVersion)
        self.image = image
        self.file = file
        self.decoder = decoder
        if let model, model.version > image.modelVersion {
            contents = try MigratedContents(image, model)
        } else {
            contents = image
        }
    }

    /// The version of the models that wrote the file, also if the resources were migrated.
    public var modelVersion: Int { image.modelVersion }

    /// The newest version of the file format that this library reads and writes.
    public static var formatVersion: Int { ArchiveFormat.majorVersion }

    /// The keys, in the order in which they were first used.
    ///
    /// - Complexity: O(n log n), n = keys.
    public var keys: [String] { contents.rootNames }

    /// How many resources there are.
    public var count: Int { contents.resourceCount }

    /// The bytes that it takes in its file.
    public var byteCount: Int { image.head.end }

    /// Its bytes, as they are in the file up to the last commit.
    public var data: Data { Data(image.bytes.array(0..<image.head.end)) }
}

// MARK: - Values by key

extension Archive {
    /// Returns what a key names: a `Resource` or another `ResourceRepresentable`, an array of them, or any other `Codable` value. An optional
    /// value is read as an optional.
    ///
    /// Resources of an array that have since been removed from the archive are left out.
    ///
    /// Throws `ArchiveError` of kind `missingKey` when there is no such key, `otherForm` when it names something of another form,
    /// `missingResource` when the one resource that it names has been removed; and `DecodingError`.
    ///
    /// - Complexity: O(the resources that it names and what they embed).
    public func decode<Value: Decodable>(_ type: Value.Type, forKey key: String) throws -> Value {
        guard let value = try decodeIfPresent(type, forKey: key) else {
            let nearest = NearestName.find(key, in: keys)
            throw ArchiveError(
                .missingKey, "the archive has no key `\(key)`", advice: nearest.map { "did you mean `\($0)`?" }
            ).of(file)
        }
        return value
    }

    /// Returns what a key names, or nil if there is no such key.
    public func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: String) throws -> Value? {
        try located {
            guard let root = try contents.root(named: key) else { return nil }
            return try ArchiveForm.value(type, of: root, key, self)
        }
    }

    /// Whether there is such a key.
    ///
    /// - Complexity: O(log n), n = keys.
    public func contains(key: String) -> Bool { contents.hasRoot(named: key) }

    /// What a key names as JSON: a plain value, or the identifiers of resources. Nil when there is no such key.
    public func json(forKey key: String) throws -> JSON? {
        try located {
            switch try contents.root(named: key) {
            case nil: nil
            case .value(let text): try ArchiveForm.json(text, "the value of the key `\(key)`")
            case .one(let key): key.identifier.json
            case .many(let keys): .array(JSONArray(keys.map(\.identifier.json)))
            }
        }
    }

    /// Whether a key names one resource or many, and no plain value.
    public func namesResources(_ key: String) throws -> Bool {
        try located {
            if case .value? = try contents.root(named: key) { false } else { contains(key: key) }
        }
    }

    func located<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as ArchiveError { throw error.of(file) }
    }
}

// MARK: - Resources by identity

extension Archive {
    /// The resource of the model's type with that id; nil when the archive does not have it.
    ///
    /// - Complexity: O(log resources + its text and what it embeds).
    public func resource<Model: Resource>(_ type: Model.Type, id: Model.ID) throws -> Model? {
        guard let id = id.wireText else { return nil }
        return try resource(type, ResourceIdentifier(type: Model.type, id: id))
    }

    /// The resource with this identity as a model; nil when the archive does not have it, or has it of a type that `Model` is not
    /// for. `ResourceObject` reads any resource, with all that it has.
    public func resource<Model: ResourceRepresentable>(_ type: Model.Type, _ identifier: ResourceIdentifier) throws -> Model? {
        try located { try models(type, [identifier])[0] }
    }

    /// All resources of the model's type, in the order in which they were first written. Resources of other types are not read.
    ///
    /// - Complexity: O(n log n) and the texts of these resources, n = resources of the type; in a file of format version 1 or 2 O(bytes of the
    ///   archive).
    public func resources<Model: Resource>(_ type: Model.Type) throws -> [Model] {
        try located { try models(type, try contents.keys(ofType: Model.type).map(\.identifier)).compactMap { $0 } }
    }

    /// Whether the archive has the resource.
    public func contains(_ identifier: ResourceIdentifier) throws -> Bool {
        try located { try ArchiveKey(identifier).map { try contents.has($0) } ?? false }
    }

    /// The identities of all resources, in the order in which they were first written. A resource that is written again keeps its place.
    ///
    /// - Complexity: O(bytes of the archive): each record is checked.
    public var identifiers: [ResourceIdentifier] {
        get throws { try located { try contents.keys().map(\.identifier) } }
    }

    /// Calls `body` with each resource and the compact text of its resource object, in the order in which they were first written.
    package func forEachResource(_ body: (ResourceIdentifier, [UInt8]) throws -> Void) throws {
        try located {
            try contents.forEachResource { key, text in try body(key.identifier, text) }
        }
    }

    /// The JSON text of the resource object with this identity; nil when there is none.
    package func resourceText(_ identifier: ResourceIdentifier) throws -> [UInt8]? {
        try located { try contents.resourceText(identifier) }
    }
}

// MARK: - Workings

extension Archive {
    /// Resources as models; nil where one is not there, or of a type that `Model` is not for.
    func models<Model: ResourceRepresentable>(_ type: Model.Type, _ identifiers: [ResourceIdentifier]) throws -> [Model?] {
        // Raw ones are handed out as they are, whatever a decoder would say of them.
        if type == ResourceObject.self { return try identifiers.map { try object($0) as? Model } }
        var decoder = decoder
        // What has a lid alone was put in by the program.
        decoder.leniencies.insert(.missingIDs)
        return try decoder.resources(type, identifiers, from: contents)
    }

    private func object(_ identifier: ResourceIdentifier) throws -> ResourceObject? {
        guard let key = ArchiveKey(identifier), let text = try contents.text(key) else { return nil }
        let object = (try? JSON(parsing: text, options: decoder.reading))?.object.map { ResourceObject(members: $0) }
        guard let object, object.identifier.flatMap(ArchiveKey.init) == key else { throw ArchiveError.noObject(key) }
        return object
    }
}
