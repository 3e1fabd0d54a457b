public import Foundation
public import JSONAPICodec
import JSONMapping
import JSONText

extension Archive {
    /// Collects values for an archive, or the changes of a commit.
    ///
    /// ```swift
    /// var writer = Archive.Writer(modelVersion: 2)
    /// try writer.encode(articles, forKey: "home")
    /// try writer.encode(me, forKey: "me")
    /// try writer.encode(Date(), forKey: "savedAt")
    /// try writer.write(to: url)
    /// ```
    ///
    /// Each resource is written once, together with the resources that it embeds or holds. Resources to which it refers are written too, if
    /// they are in the document, the store, or the other archive from which it was read. What it refers to in the archive that the writer
    /// changes or has copied is not written again, because it may have been changed or removed since then. The same applies to other states
    /// and to copies of that archive. If a call throws, the writer does not change.
    public struct Writer: Sendable {
        /// The encoder for resources and values. If two `encode` calls store different contents for the same resource, its
        /// `conflictingResources` decides what happens.
        public var encoder: JSONAPIEncoder

        /// The version of the models, from 0.
        public let modelVersion: Int

        private var builder: CommitBuilder
        /// The header of the archive that the writer changes or has copied.
        private let origin: ArchiveHeader?

        /// Creates a writer for a new archive.
        public init(modelVersion: Int = 0, encoder: JSONAPIEncoder = JSONAPIEncoder()) {
            self.init(modelVersion, encoder, CommitBuilder(base: nil, header: .new), origin: nil)
        }

        /// Creates a writer for a new archive with the contents of another archive. If the other archive was migrated, the migrated
        /// contents are used. Unused data is left out. Values that are encoded later replace these contents. Throws `ArchiveError` if the
        /// other archive is damaged.
        public init(_ archive: Archive, encoder: JSONAPIEncoder = JSONAPIEncoder()) throws {
            try self.init(archive, encoder: encoder, header: .new)
        }

        init(_ archive: Archive, encoder: JSONAPIEncoder = JSONAPIEncoder(), header: ArchiveHeader) throws {
            self.init(archive.contentsVersion, encoder, CommitBuilder(base: nil, header: header), origin: archive.image.header)
            let contents = archive.contents
            try archive.located {
                try contents.forEachResource { key, text in try builder.put(key, text.span, .replace) }
                try contents.forEachRoot { name, root in
                    if case .one(let key) = root, try !contents.has(key) { return }
                    try put(root, named: name)
                }
            }
            builder.copiedEnd = builder.sink.offset
        }

        init(_ modelVersion: Int, _ encoder: JSONAPIEncoder, _ builder: CommitBuilder, origin: ArchiveHeader?) {
            self.modelVersion = modelVersion
            self.encoder = encoder
            self.builder = builder
            self.origin = origin
        }

        var isEmpty: Bool { builder.isEmpty }
    }
}

// MARK: - Values by key

extension Archive.Writer {
    /// Stores a value under a key: a resource, an array of resources, or any other `Codable` value. It replaces the previous value of the
    /// key. Resources that the key named before stay in the archive.
    ///
    /// Throws `EncodingError` as `JSONAPIEncoder` does, and if a resource has no identity. Throws `ArchiveError` of kind `conflict` if
    /// another call stored other contents for the same resource. The order of members does not matter.
    public mutating func encode<Value: Encodable>(_ value: Value, forKey key: String) throws {
        if let list = value as? any ArchivedList {
            try list.write(key, to: &self)
        } else if let resource = value as? any ResourceRepresentable {
            try putResource(resource, key)
        } else {
            try putValue(value, key)
        }
    }

    /// Stores compact JSON text under a key. The text is not checked.
    package mutating func put(_ text: Span<UInt8>, forKey key: String) throws { try builder.putRoot(key, value: text) }

    /// Removes a key. The resources that it named stay in the archive. Throws nothing in the present format of archives.
    public mutating func removeValue(forKey key: String) throws { try builder.removeRoot(key) }

    private mutating func putResource<Model: ResourceRepresentable>(_ resource: Model, _ key: String) throws {
        try putResources([resource], key, isMany: false)
    }

    mutating func putResources<Model: ResourceRepresentable>(_ resources: [Model], _ key: String, isMany: Bool) throws {
        try put(try Gathering(resources, encoder, leavingOut: isOwn), rootSize: key.utf8.count + 10 * resources.count)
        try builder.putRoot(key, resources.compactMap { $0.identifier.flatMap(StoredIdentity.init) }, isMany: isMany)
    }

    private mutating func putValue(_ value: some Encodable, _ key: String) throws {
        var gathered = Gathering()
        let text = try JSONWriter.unlimited.write(
            try encoder.forArchives.json(value, leavingOut: isOwn) { identifier, bytes, _, _ in gathered.append(identifier, bytes) })
        try put(gathered, rootSize: key.utf8.count + text.count)
        try builder.putRoot(key, value: text.span)
    }

    /// Stores the resources of one call. Each of them occurs once. The call then stores a key, whose name and value have `rootSize` bytes.
    mutating func put(_ gathered: Gathering, rootSize: Int) throws {
        if encoder.conflictingResources == .throw { try gathered.forEach { try builder.checkConflict($0, $1) } }
        // What earlier calls have stored is equal, or is kept.
        try builder.put(gathered, .keepFirst, rootSize: rootSize)
    }
}

// MARK: - Resources

extension Archive.Writer {
    /// Stores a raw resource. It replaces a resource with the same identity.
    ///
    /// Throws `ArchiveError` of kind `missingIdentity` if the resource has no identity, and `JSONWriteError` if it is nested deeper than the
    /// `maximumDepth` of the encoder.
    public mutating func insert(_ resource: ResourceObject) throws {
        guard let identifier = resource.identifier else {
            throw ArchiveError(.missingIdentity, "a resource without type, or with neither id nor lid, cannot be kept")
        }
        var writer = JSONWriter()
        writer.maximumDepth = max(encoder.maximumDepth, 0)
        let text = try writer.write(resource.json)
        try insert(identifier, text.span)
    }

    /// Stores resources and everything that they embed, hold or refer to. They replace resources with the same identities. Throws
    /// `EncodingError` as `JSONAPIEncoder` does, and if a resource has no identity. Throws `ArchiveError` if the archive is too large.
    public mutating func insert<Model: ResourceRepresentable>(_ resources: [Model]) throws {
        try builder.put(try Gathering(resources, encoder, leavingOut: isOwn), .replace, rootSize: 0)
    }

    /// Stores the compact text of a resource object. It replaces a resource with the same identity. The text is not checked.
    ///
    /// - Parameter place: the position in lists of a resource that the archive does not have; nil for the last one.
    package mutating func insert(_ identifier: ResourceIdentifier, _ text: Span<UInt8>, at place: Int? = nil) throws {
        guard let key = StoredIdentity(identifier) else {
            throw ArchiveError(.missingIdentity, "a resource with neither id nor lid cannot be kept")
        }
        try builder.put(key, text, .replace, at: place)
    }

    /// Removes a resource, or does nothing if it does not exist. Keys that name it stay, until the archive is compacted. Arrays leave it
    /// out when they are read. Throws `ArchiveError` if the archive that the writer changes is damaged or too large.
    public mutating func remove(_ identifier: ResourceIdentifier) throws {
        if let key = StoredIdentity(identifier) { try builder.remove(key) }
    }

    /// Lets a key name resources that are already in the archive.
    package mutating func setRoot(_ key: String, _ identifiers: [ResourceIdentifier], isMany: Bool) throws {
        try builder.putRoot(key, identifiers.compactMap(StoredIdentity.init), isMany: isMany)
    }
}

// MARK: - Output

extension Archive.Writer {
    /// Returns the bytes of the whole archive. Inside `ArchiveFile.commit`, these are the bytes after the commit.
    ///
    /// Equal values give equal bytes, except for a random number and the checksums that depend on it.
    ///
    /// Throws `ArchiveError` of kind `tooLarge` if the archive exceeds a limit of the format, and if `modelVersion` does.
    public func data() throws -> Data { Data(try bytes()) }

    /// Writes the archive to a file, and replaces an existing one.
    ///
    /// The new archive is written to a file beside the old one (`.NAME.writing`), synced and renamed. At every point, the path leads to the
    /// complete old or the complete new file. The new file has the permissions of the old one. Without an old file, only the owner can read
    /// it. The path must not be a symbolic link.
    ///
    /// Throws `ArchiveError` with the system call that failed. Throws `locked` if an `ArchiveFile` or another writer has the file open.
    public func write(to url: URL) throws { try write(to: url, ArchiveStorage()) }

    package func write(to url: URL, _ files: any FileSystem) throws { try write(to: url, ArchiveStorage(files)) }

    private func write(to url: URL, _ storage: ArchiveStorage) throws {
        try FileReplacement(storage: storage, path: try ArchiveStorage.path(of: url)).write(try bytes())
    }

    func bytes() throws -> [UInt8] {
        let header = builder.sink.header
        let base = builder.base
        let (commit, head) = try changes()
        // The changes of a commit refer to the bytes before them.
        let earlier = base.map { $0.bytes.array(header.size..<$0.head.end) } ?? []
        let start = header.bytes(head)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(start.count + earlier.count + commit.count)
        bytes += start
        bytes += earlier
        bytes += commit
        return bytes
    }

    /// Returns the bytes of the commit, without those before it.
    func changes() throws -> (bytes: [UInt8], head: CommitHead) {
        guard let version = UInt32(exactly: modelVersion) else {
            throw ArchiveError(.tooLarge, "a version of models is a number from 0 to \(UInt32.max)")
        }
        return try builder.finish(modelVersion: version)
    }
}

// MARK: - Workings

extension JSONAPIEncoder {
    /// The encoder without what concerns only documents that are sent: the check of names, the rewriters, the check of whole texts, the links
    /// that a server makes, and the order of names. All resources are archived as their models write them, equal ones with equal texts.
    package var forArchives: JSONAPIEncoder {
        var encoder = self
        encoder.checksNames = false
        encoder.rewriters = [:]
        encoder.check = nil
        encoder.linkMaker = nil
        encoder.sortsNames = false
        encoder.isForArchives = true
        SchemaSet.writeAll(in: &encoder.userInfo)
        return encoder
    }
}

/// The resources of a graph with their texts, collected before any of them is stored. It has each resource once.
struct Gathering {
    private var text: [UInt8] = []
    private var items: [(key: StoredIdentity, range: Range<Int>)] = []
    private var places: [StoredIdentity: Int] = [:]

    init() {}

    init<Model: ResourceRepresentable>(
        _ resources: [Model], _ encoder: JSONAPIEncoder, leavingOut isLeftOut: @escaping (any ResourceSource, ResourceIdentifier?) -> Bool
    ) throws {
        try encoder.forArchives.forEachResource(of: resources, leavingOut: isLeftOut) { identifier, bytes, _, _ in
            append(identifier, bytes)
        }
    }

    /// Adds a resource. It replaces an earlier one: the value of a resource that was read can be found after its own text.
    mutating func append(_ identifier: ResourceIdentifier, _ bytes: [UInt8]) {
        guard let key = StoredIdentity(identifier) else { return }
        text += bytes
        let item = (key: key, range: text.count - bytes.count..<text.count)
        if let place = places.updateValue(items.count, forKey: key) {
            places[key] = place
            items[place] = item
        } else {
            items.append(item)
        }
    }

    var size: Int { text.count }

    func forEach(_ body: (StoredIdentity, Span<UInt8>) throws -> Void) rethrows {
        let all = text.span
        for item in items { try body(item.key, all.extracting(item.range)) }
    }
}

extension Archive.Writer {
    /// Whether a source is a state of the archive that the writer changes or has copied. What a reference finds there must not replace
    /// what was written or removed since then.
    var isOwn: (any ResourceSource, ResourceIdentifier?) -> Bool {
        let origin = origin
        return { source, _ in
            guard let origin, let image = source as? ArchiveImage else { return false }
            return image.header.isSameArchive(as: origin)
        }
    }

    /// Stores the value of a key of another archive. Its resources must already be in this archive.
    mutating func put(_ root: ArchiveRoot, named name: String) throws {
        switch root {
        case .value(let text): try builder.putRoot(name, value: text.span)
        case .one(let key): try builder.putRoot(name, [key], isMany: false)
        case .many(let keys): try builder.putRoot(name, keys, isMany: true)
        }
    }
}

extension CommitBuilder {
    fileprivate mutating func put(_ gathered: Gathering, _ conflict: Conflict, rootSize: Int) throws {
        try check(gathered, rootSize: rootSize)
        // Reserving memory for each of many small calls would copy all bytes each time.
        if isEmpty, gathered.size > 0 { reserve(gathered.size) }
        try gathered.forEach { key, text in try put(key, text, conflict) }
    }
}
