public import Foundation
public import JSONAPICodec

/// An archive on disk that changes: every commit is saved whole or not at all.
///
/// ```swift
/// let file = try ArchiveFile(url)
/// try file.commit { changes in
///     try changes.encode(article, forKey: "last")     // resources that did not change are not written again
///     try changes.remove(ResourceIdentifier(type: "comments", id: "5"))
/// }
/// let last = try file.archive.decode(Article.self, forKey: "last")
/// ```
///
/// When `commit` returns, the changes are on the disk. If the process is killed before, the file holds the state before the commit,
/// complete. A commit is appended to the file, so it costs what changed. `compact` gives back the space that is no longer used.
///
/// It may be used from many threads: commits come one after the other, and `archive` never waits for them. Only one `ArchiveFile` at
/// a time can have a file open, in this process or another; a second one throws `locked`. Readers are not disturbed: an `Archive`
/// stays what it was when it was opened.
///
/// `@unchecked Sendable`: `state` is only used under `stateLock`, everything about writing under `commitLock`.
public final class ArchiveFile: @unchecked Sendable {
    let path: String
    private let storage: ArchiveStorage
    private let encoder: JSONAPIEncoder
    private let decoder: JSONAPIDecoder
    private let modelVersion: Int

    private let commitLock = NSRecursiveLock()
    private var descriptor: Int32
    private var isCommitting = false
    private var isClosed = false
    /// Why nothing can be written any more.
    private var failure: ArchiveError?

    private let stateLock = NSLock()
    private var state: ArchiveImage

    /// Opens the archive of a file for writing, and makes an empty one if there is none.
    ///
    /// With a `model` an older archive is migrated, and the migrated archive replaces the file.
    ///
    /// If somebody else has the file open for writing, the call waits for it, at most for `lockTimeout`, and then throws `locked`. The thread is
    /// blocked meanwhile. By default it does not wait.
    ///
    /// Throws `ArchiveError`, and what migrations throw.
    ///
    /// - Complexity: O(types + keys), however many resources there are; O(bytes) if it has to be migrated.
    public convenience init(
        _ url: URL, model: ArchiveModel? = nil, encoder: JSONAPIEncoder = JSONAPIEncoder(), decoder: JSONAPIDecoder = JSONAPIDecoder(),
        lockTimeout: Duration = .zero
    ) throws {
        try self.init(url, model: model, encoder: encoder, decoder: decoder, lockTimeout: lockTimeout, files: SystemFiles())
    }

    package init(
        _ url: URL, model: ArchiveModel? = nil, encoder: JSONAPIEncoder = JSONAPIEncoder(), decoder: JSONAPIDecoder = JSONAPIDecoder(),
        lockTimeout: Duration = .zero, files: any FileSystem
    ) throws {
        path = try ArchiveStorage.path(of: url)
        storage = ArchiveStorage(files)
        self.encoder = encoder
        self.decoder = decoder
        (descriptor, state) = try Self.open(path, ArchiveStorage(files, lockDeadline: .now + lockTimeout), model)
        modelVersion = model?.version ?? state.modelVersion
        // Everything is initialized, so the deinitializer closes the file when one of these throws.
        try model?.check(state.modelVersion)
        try repairSlot()
        if let model, model.version > state.modelVersion { try compact(model) }
    }

    deinit {
        if !isClosed { try? storage.files.close(descriptor) }
    }

    /// The state after the last commit.
    public var archive: Archive {
        get throws { try Archive(image, file: path, model: nil, decoder: decoder) }
    }

    /// The bytes of the file that are in use up to the last commit.
    public var byteCount: Int { image.head.end }

    /// The bytes of resources and values that were replaced or removed, which `compact` gives back.
    public var wastedByteCount: Int { image.wastedByteCount }
}

// MARK: - Writing

extension ArchiveFile {
    /// Saves changes, all of them or none. If `changes` throws, nothing is saved, and its error is thrown.
    ///
    /// Without changes nothing is written. Throws `ArchiveError`. After a failure of `fsync` it is unknown what the disk holds, and every
    /// further commit throws `closed`: open the file again.
    ///
    /// - Complexity: O(bytes of what changed), and sometimes a few bytes for each resource.
    public func commit<Result>(_ changes: (inout Archive.Writer) throws -> Result) throws -> Result {
        try exclusively {
            let base = image
            var writer = Archive.Writer(modelVersion, encoder, CommitBuilder(base: base, header: base.header))
            let result = try changes(&writer)
            if !writer.isEmpty { try append(try writer.changes(), to: base) }
            return result
        }
    }

    /// Writes the archive anew, without what is no longer used, in place of the old file.
    ///
    /// Throws `ArchiveError`, also if a record is damaged; the old file stays then.
    ///
    /// - Complexity: O(bytes of the archive); memory O(resources), about 200 bytes each, and a megabyte.
    public func compact() throws { try compact(nil) }

    /// Closes the file, so that others can write to it. Every further commit throws `closed`.
    public func close() {
        commitLock.withLock {
            guard !isClosed else { return }
            isClosed = true
            try? storage.files.close(descriptor)
            failure = ArchiveError(.closed, "the archive has been closed", advice: "open it again").of(path)
        }
    }

    private func compact(_ model: ArchiveModel?) throws {
        try exclusively {
            let replacement = FileReplacement(storage: storage, path: path)
            let new: Int32
            if let model {
                let old = try Archive(image, file: path, model: model, decoder: decoder)
                new = try replacement.write(try Archive.Writer(old).bytes(), replacing: descriptor)
            } else {
                let image = image
                new = try replacement.write(replacing: descriptor) { write throws(ArchiveError) in try Compaction.run(image, write) }
            }
            try? storage.files.close(descriptor)
            descriptor = new
            try refresh(since: nil)
        }
    }
}

// MARK: - Workings

extension ArchiveFile {
    private static func open(
        _ path: String, _ storage: ArchiveStorage, _ model: ArchiveModel?
    ) throws -> (Int32, ArchiveImage) {
        let replacement = FileReplacement(storage: storage, path: path)
        replacement.removeLeftover()
        let descriptor: Int32
        if let found = try replacement.lockedTarget(mayBeReadOnly: false) {
            descriptor = found
        } else {
            let empty = try Archive.Writer(modelVersion: model?.version ?? 0).bytes()
            descriptor = try replacement.write(empty, replacing: nil)
        }
        do {
            return (descriptor, try storage.image(of: descriptor, path))
        } catch {
            try? storage.files.close(descriptor)
            throw error.of(path)
        }
    }

    private var image: ArchiveImage { stateLock.withLock { state } }

    private func exclusively<Result>(_ body: () throws -> Result) throws -> Result {
        try commitLock.withLock {
            if let failure { throw failure }
            guard !isCommitting else {
                throw ArchiveError(.locked, "a commit is under way in this very call", advice: "make one commit of both").of(path)
            }
            isCommitting = true
            defer { isCommitting = false }
            guard try storage.leads(path, to: descriptor), try isAsWeLeftIt() else {
                throw ArchiveError(.replaced, "the file was replaced, changed or removed by somebody else", advice: "open it again").of(
                    path)
            }
            do { return try body() } catch let error as ArchiveError { throw error.of(path) }
        }
    }

    /// Whether the file is as the last commit left it. Another archive may have been copied over it, in place.
    private func isAsWeLeftIt() throws(ArchiveError) -> Bool {
        let image = image
        guard try storage.status(descriptor, path).size >= Int64(image.head.end) else { return false }
        return try storage.start(of: descriptor, path) == image.start
    }

    private func append(_ commit: (bytes: [UInt8], head: CommitHead), to base: ArchiveImage) throws {
        let end = base.head.end
        do {
            // Bytes that an unfinished commit left would follow this one.
            if try storage.status(descriptor, path).size > Int64(end) { try storage.truncate(descriptor, to: end, path) }
            try storage.write(commit.bytes, to: descriptor, at: end, path)
        } catch {
            // Nothing refers to these bytes yet. If they cannot be removed now, the next commit does.
            try? storage.truncate(descriptor, to: end, path)
            throw error
        }
        do {
            try storage.synchronize(descriptor, path)
            let slot = base.nextSlot
            try storage.write(commit.head.bytes(at: slot, base.header), to: descriptor, at: slot, path)
            try storage.synchronize(descriptor, path)
            try refresh(since: base)
        } catch {
            failure = ArchiveError(
                .closed, "an earlier failure left open what the disk holds: \(error.reason)", advice: "open the archive again"
            ).of(path)
            throw error
        }
    }

    /// Writes a damaged slot anew, before anything is appended: an unfinished commit beside a damaged slot could not be told from
    /// damage to a finished one.
    private func repairSlot() throws(ArchiveError) {
        guard state.notes.contains(where: { $0.section == .slot }) else { return }
        let slot = state.nextSlot
        try storage.write(state.head.bytes(at: slot, state.header), to: descriptor, at: slot, path)
        try storage.synchronize(descriptor, path)
        try refresh(since: state)
    }

    private func refresh(since earlier: ArchiveImage?) throws(ArchiveError) {
        let image = try storage.image(of: descriptor, path, since: earlier)
        stateLock.withLock { state = image }
    }
}

extension ArchiveImage {
    /// The slot that is written next: a damaged one, else the older one. The other one stays as long as this is not safe.
    var nextSlot: Int {
        let slots = ArchiveBytes(start)
        let numbers = ArchiveFormat.slotOffsets.map { CommitHead(slots, at: $0, header)?.number ?? 0 }
        return ArchiveFormat.slotOffsets[numbers[0] < numbers[1] ? 0 : 1]
    }

    /// Bytes of records that are no longer in force, and of sections that were replaced.
    var wastedByteCount: Int {
        let typeNames = types.enumerated().reduce(0) { $0 + ByteSink.size(ofRecord: .typeName, type: $1.offset, $1.element, 0) }
        let fixed = ArchiveFormat.headerSize + ArchiveFormat.headSize + footer.size + typeNames
        return max(0, head.end - fixed - footer.usedBytes - footer.sections.reduce(0) { $0 + $1.length })
    }
}
