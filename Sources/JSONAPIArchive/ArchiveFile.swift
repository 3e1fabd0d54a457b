public import Foundation
public import JSONAPICodec

/// An archive on disk that can be changed. Each commit is saved as a whole or not at all.
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
/// When `commit` returns, the changes are on the disk. If the process is killed earlier, the file contains the complete state before the
/// commit, or the complete state after it. A commit is appended to the file, so its cost depends on the size of the changes. `compact`
/// removes the data that is no longer used.
///
/// An archive file can be used from several threads. Commits run one at a time, and `archive` does not wait for them. Only one
/// `ArchiveFile` at a time can have a file open, in this process or another. Opening a second one throws `locked`. Readers are not
/// affected: an `Archive` does not change after it was opened.
///
/// `@unchecked Sendable`: `stateLock` protects `state`, and `commitLock` protects everything else that changes.
public final class ArchiveFile: @unchecked Sendable {
    package let path: String
    private let storage: ArchiveStorage
    private let encoder: JSONAPIEncoder
    private let decoder: JSONAPIDecoder
    private let modelVersion: Int

    private let commitLock = NSRecursiveLock()
    private var descriptor: Int32
    private var isCommitting = false
    /// Whether the folder must be synced before the next commit, because its sync after a compaction failed.
    private var hasUnsyncedName = false
    private var isClosed = false
    /// The error that prevents all further writing.
    private var failure: ArchiveError?

    private let stateLock = NSLock()
    private var state: ArchiveImage

    /// Opens the archive in a file for writing. Creates an empty archive if the file does not exist.
    ///
    /// With a `model`, an older archive is migrated, and the migrated archive replaces the file. By default, the encoder matches `decoder`.
    ///
    /// If the file is already open for writing, this initializer blocks the thread and waits for at most `lockTimeout`. Then it throws
    /// `locked`. By default, it does not wait.
    ///
    /// Throws `ArchiveError`, and the errors of migrations.
    ///
    /// - Complexity: O(n), n = number of types and keys, and of bytes of the commits that have no slot. These are the commits that a crash
    ///   or an error interrupted, usually none. With migrations, O(b log b) and the cost of the migrations, b = number of bytes.
    public convenience init(
        _ url: URL, model: ArchiveModel? = nil, encoder: JSONAPIEncoder? = nil, decoder: JSONAPIDecoder = JSONAPIDecoder(),
        lockTimeout: Duration = .zero
    ) throws {
        try self.init(url, model: model, encoder: encoder, decoder: decoder, lockTimeout: lockTimeout, files: SystemFiles())
    }

    package init(
        _ url: URL, model: ArchiveModel? = nil, encoder: JSONAPIEncoder? = nil, decoder: JSONAPIDecoder = JSONAPIDecoder(),
        lockTimeout: Duration = .zero, files: any FileSystem
    ) throws {
        path = try ArchiveStorage.path(of: url)
        storage = ArchiveStorage(files)
        self.encoder = encoder ?? JSONAPIEncoder(matching: decoder)
        self.decoder = decoder
        (descriptor, state) = try Self.open(path, ArchiveStorage(files, lockDeadline: .now + lockTimeout), model)
        modelVersion = model?.version ?? state.modelVersion
        // All properties are initialized, so the deinitializer closes the file if one of these calls throws.
        try model?.check(state.modelVersion)
        try settle()
        if let model, model.version > state.modelVersion { try compact(model) }
    }

    deinit {
        if !isClosed { try? storage.files.close(descriptor) }
    }

    /// The state after the last commit.
    public var archive: Archive {
        get throws { try Archive(image, file: path, model: nil, decoder: decoder) }
    }

    /// The size of the archive in bytes, up to the end of the last commit.
    public var byteCount: Int { image.head.end }

    /// The number of bytes of replaced or removed resources and values. `compact` removes them from the file.
    public var wastedByteCount: Int { image.wastedByteCount }
}

// MARK: - Writing

extension ArchiveFile {
    /// Saves changes, all of them or none. If `changes` throws, nothing is saved, and this method throws the same error.
    ///
    /// If there are no changes, nothing is written. Throws `ArchiveError`, for example `tooLarge` if the archive cannot have another commit
    /// until it is compacted. If syncing fails, it is unknown whether the changes are on the disk, and every further commit throws `closed`.
    /// Open the file again in this case. It then contains either all of these changes or none.
    ///
    /// - Complexity: O(n), n = number of changed bytes. A commit with resources also writes the names of all types, and some commits write a
    ///   few bytes for each key and resource.
    public func commit<Result>(_ changes: (inout Archive.Writer) throws -> Result) throws -> Result {
        try exclusively {
            let base = image
            var writer = Archive.Writer(modelVersion, encoder, CommitBuilder(base: base, header: base.header), origin: base.header)
            let result = try changes(&writer)
            if !writer.isEmpty { try append(try writer.changes(), to: base) }
            return result
        }
    }

    /// Writes the archive again without unused data, and replaces the file. A key whose only resource was removed is unused, too, and
    /// an array under a key forgets removed elements, also if they are added again later. Of the attributes of the file, only the permission
    /// bits stay, so set a data protection class or an exclusion from backups on the folder.
    ///
    /// Throws `ArchiveError`, for example if a record is damaged. The file does not change then, with one exception: if only syncing the
    /// folder fails, the new file is in place, and the next commit syncs the folder first.
    ///
    /// - Complexity: O(n log n), n = number of bytes. It needs about 200 bytes of memory for each resource, and a megabyte.
    public func compact() throws { try compact(nil) }

    /// Closes the file, so that another writer can open it. Every further commit throws `closed`.
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
            let new: FileReplacement.Replaced
            if let model {
                let old = try Archive(image, file: path, model: model, decoder: decoder)
                new = try replacement.write(try Archive.Writer(old, header: image.header.compacted).bytes(), replacing: descriptor)
            } else {
                let image = image
                new = try replacement.write(replacing: descriptor) { write throws(ArchiveError) in try Compaction.run(image, write) }
            }
            try? storage.files.close(descriptor)
            descriptor = new.descriptor
            hasUnsyncedName = new.fault != nil
            try refresh(since: nil)
            if let fault = new.fault { throw fault }
        }
    }
}

// MARK: - Workings

extension ArchiveFile {
    private static func open(
        _ path: String, _ storage: ArchiveStorage, _ model: ArchiveModel?
    ) throws -> (Int32, ArchiveImage) {
        let replacement = FileReplacement(storage: storage, path: path)
        let present = try replacement.lockedTarget(mayBeReadOnly: false)
        // Creating an archive removes the leftover, too.
        if present != nil { replacement.removeLeftover() }
        let descriptor = try present ?? create(replacement, model)
        do {
            return (descriptor, try storage.image(of: descriptor, path))
        } catch {
            try? storage.files.close(descriptor)
            throw error.of(path)
        }
    }

    /// Creates an empty archive. If another writer creates the file at the same time, opens that one.
    private static func create(_ replacement: FileReplacement, _ model: ArchiveModel?) throws -> Int32 {
        let empty = try Archive.Writer(modelVersion: model?.version ?? 0).bytes()
        while true {
            do throws(ArchiveError) {
                let new = try replacement.write(empty, replacing: nil)
                guard let fault = new.fault else { return new.descriptor }
                try? replacement.storage.files.close(new.descriptor)
                throw fault
            } catch {
                guard error.kind == .locked, replacement.storage.mayWait else { throw error }
                if let found = try replacement.lockedTarget(mayBeReadOnly: false) { return found }
            }
        }
    }

    var header: ArchiveHeader { image.header }

    package var image: ArchiveImage { stateLock.withLock { state } }

    /// Whether the file may have other contents than those of the last commit, because a later one has failed. False after `close`.
    package var isUncertain: Bool { commitLock.withLock { failure != nil && !isClosed } }

    /// Whether the file is as the last commit left it. Reading its contents can stop the process otherwise.
    package var isAsLeft: Bool { commitLock.withLock { !isClosed && (try? isAsWeLeftIt()) ?? false } }

    /// The contents that the file would have now if it was opened again; nil if they cannot be read.
    package var contentsOnDisk: ArchiveImage? { commitLock.withLock { isClosed ? nil : try? storage.image(of: descriptor, path) } }

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

    /// Returns whether the file is as the last commit left it. A program can copy another archive over it in place.
    private func isAsWeLeftIt() throws(ArchiveError) -> Bool {
        let image = image
        guard try storage.status(descriptor, path).size >= Int64(image.head.end) else { return false }
        return Array(try storage.start(of: descriptor, path).prefix(image.header.size)) == image.start
    }

    private func append(_ commit: (bytes: [UInt8], head: CommitHead), to base: ArchiveImage) throws(ArchiveError) {
        // The closure of the commit can have closed the file, and its descriptor can belong to another file by now.
        if let failure { throw failure }
        let end = base.head.end
        if hasUnsyncedName {
            try FileReplacement(storage: storage, path: path).synchronizeFolder(of: descriptor)
            hasUnsyncedName = false
        }
        do {
            // Removes the bytes of an unfinished commit. They would otherwise follow this commit.
            if try storage.status(descriptor, path).size > Int64(end) { try storage.truncate(descriptor, to: end, path) }
            try storage.write(commit.bytes, to: descriptor, at: end, path)
        } catch {
            // Nothing refers to these bytes yet. If they cannot be removed now, the next commit removes them.
            try? storage.truncate(descriptor, to: end, path)
            throw error
        }
        // From here on, the commit stays, because a reader may have found it already. `settle` saves it if this fails.
        do throws(ArchiveError) {
            try storage.synchronize(descriptor, path)
            try writeSlot(base.nextSlot, commit.head, base.header)
            // From version 4 on, the next sync also saves the slot. Until then, the commit is found without it.
            if !base.header.hasPages { try storage.synchronize(descriptor, path) }
            try refresh(since: base)
        } catch {
            failure = ArchiveError(
                .closed, "an earlier failure left open what the disk holds: \(error.reason)", advice: "open the archive again"
            ).of(path)
            throw error
        }
    }

    private func writeSlot(_ index: Int, _ head: CommitHead, _ header: ArchiveHeader) throws(ArchiveError) {
        let slot = header.slot(index, head)
        try storage.write(slot.bytes, to: descriptor, at: slot.offset, path)
    }

    /// Repairs what a crash has left, before anything is appended.
    ///
    /// Commits without a slot are written again, because they may only be in the system's cache: after a failed sync, some systems never
    /// write such data. Damaged slots are written again, because an unfinished commit after a damaged slot would look like a damaged
    /// finished one.
    private func settle() throws(ArchiveError) {
        let image = state
        guard !image.damagedSlots.isEmpty || !image.unconfirmed.isEmpty else { return }
        if image.header.hasPages, !image.unconfirmed.isEmpty {
            for start in stride(from: image.unconfirmed.lowerBound, to: image.unconfirmed.upperBound, by: 1 << 20) {
                let piece = image.bytes.array(start..<min(start + 1 << 20, image.unconfirmed.upperBound))
                try storage.write(piece, to: descriptor, at: start, path)
            }
            try storage.synchronize(descriptor, path)
        }
        if image.damagedSlots.isEmpty { try writeSlot(image.nextSlot, image.head, image.header) }
        for index in image.damagedSlots {
            try writeSlot(index, image.head, image.header)
            try storage.synchronize(descriptor, path)
        }
        try refresh(since: image)
    }

    private func refresh(since earlier: ArchiveImage?) throws(ArchiveError) {
        let image = try storage.image(of: descriptor, path, since: earlier)
        stateLock.withLock { state = image }
    }
}

extension ArchiveImage {
    /// The index of the slot to write next: a damaged slot, or otherwise the older one. The other slot stays valid.
    var nextSlot: Int {
        let slots = ArchiveBytes(start)
        let numbers = header.slotOffsets.map { CommitHead(slots, at: $0, header)?.number ?? 0 }
        return numbers[0] < numbers[1] ? 0 : 1
    }

    /// The number of bytes of records that are no longer used, and of replaced sections.
    var wastedByteCount: Int {
        let typeNames = types.enumerated().reduce(0) { $0 + ByteSink.size(ofRecord: .typeName, type: $1.offset, $1.element, 0) }
        let fixed = header.firstRecord + head.end - head.footer + typeNames
        return max(0, head.end - fixed - footer.usedBytes - footer.sections.reduce(0) { $0 + $1.length })
    }
}
