import Foundation

/// Replaces a file so that its path always leads to the complete old or the complete new contents:
///
///     open   FOLDER/.NAME.writing   created with rights 0600 or those of the old file
///     write, fsync                  the new contents are on the disk
///     rename to FOLDER/NAME         the path now leads to the new file
///     fsync  FOLDER                 the new name outlasts a loss of power
///
/// The name of the new file never changes, and the file is locked. Two writers therefore cannot work at the same time. If a writer is
/// killed, the lock of its file is free, and the next writer removes the file.
struct FileReplacement {
    let storage: ArchiveStorage
    let path: String

    /// The folder of the file with a slash at its end, or empty for the working directory. Bytes are compared, because a slash and a
    /// combining character after it are a single `Character`.
    private var folder: Substring.UTF8View {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        return path.utf8[..<(slash.map { path.utf8.index(after: $0) } ?? path.utf8.startIndex)]
    }

    private var name: Substring.UTF8View { path.utf8[folder.endIndex...] }

    /// The path at which the new contents are written first.
    ///
    /// File systems limit names to 255 bytes, or to 255 UTF-16 code units. If the name would be longer, its checksum is used instead.
    var temporaryPath: String {
        let name = Array(name)
        var start = Array(".".utf8)
        if name.count <= Self.longestName {
            start += name
        } else {
            var checksum = Checksum()
            checksum.update(name.span)
            start += Array("\(name.count)-\(String(checksum.value, radix: 16))".utf8)
        }
        return String(decoding: Array(folder) + start + Array(".writing".utf8), as: UTF8.self)
    }

    private static let longestName = 255 - ".".utf8.count - ".writing".utf8.count

    /// Replaces or creates the file. Throws `locked` if another writer holds the lock of the old file.
    func write(_ bytes: [UInt8]) throws(ArchiveError) {
        let old = try lockedTarget(mayBeReadOnly: true)
        defer { if let old { try? storage.files.close(old) } }
        let new = try write(bytes, replacing: old)
        try? storage.files.close(new.descriptor)
        if let fault = new.fault { throw fault }
    }

    /// The new file, open and locked. The path leads to it.
    struct Replaced {
        let descriptor: Int32
        /// The error of making the new name durable. After a loss of power, the path may lead to the old file again.
        let fault: ArchiveError?
    }

    /// Does the same while the caller holds the lock of the old file, if there is one.
    func write(_ bytes: [UInt8], replacing old: Int32?) throws(ArchiveError) -> Replaced {
        try write(replacing: old) { write throws(ArchiveError) in try write(bytes, 0) }
    }

    /// Does the same with contents that `contents` passes to its parameter in pieces, each with its offset.
    func write(
        replacing old: Int32?, _ contents: (@escaping ([UInt8], Int) throws(ArchiveError) -> Void) throws(ArchiveError) -> Void
    ) throws(ArchiveError) -> Replaced {
        let temporary: Int32
        do {
            temporary = try openTemporary()
        } catch {
            // The caller does not know the temporary path.
            var error = error
            error.file = path
            throw error
        }
        do {
            if let old { try keepRights(of: old, for: temporary) } else { try checkAbsence() }
            try contents { piece, offset throws(ArchiveError) in try storage.write(piece, to: temporary, at: offset, path) }
            try storage.synchronize(temporary, path)
            try storage.attempt(path) { () throws(SystemFault) in try storage.files.rename(temporaryPath, to: path) }
        } catch {
            try? storage.files.remove(temporaryPath)
            try? storage.files.close(temporary)
            throw error
        }
        do {
            try synchronizeFolder(of: temporary)
            return Replaced(descriptor: temporary, fault: nil)
        } catch {
            var error = error
            error.advice = "the new archive is in place, but may be gone after a loss of power; write it again"
            return Replaced(descriptor: temporary, fault: error)
        }
    }

    /// Removes the file of a writer that was killed. The caller must hold the lock of the target. Otherwise, this method could lock the
    /// file that an active writer has just created, and that writer would fail.
    func removeLeftover() {
        guard let descriptor = try? storage.files.open(temporaryPath, O_RDWR | O_NOFOLLOW | O_NONBLOCK, rights: 0) else { return }
        if (try? storage.files.lock(descriptor)) != nil, (try? storage.leads(temporaryPath, to: descriptor)) == true {
            try? storage.files.remove(temporaryPath)
        }
        try? storage.files.close(descriptor)
    }

    // MARK: - Workings

    /// Returns the existing file, locked, or nil if there is none.
    ///
    /// The file is opened for writing, because network file systems only lock such files. A read-only file can also be replaced. It is
    /// opened for reading if `mayBeReadOnly` is true.
    func lockedTarget(mayBeReadOnly: Bool) throws(ArchiveError) -> Int32? {
        var attempt = 0
        repeat {
            attempt += 1
            let descriptor: Int32
            do {
                descriptor = try openTarget(mayBeReadOnly: mayBeReadOnly)
            } catch {
                if error.code == ENOENT { return nil }
                throw error
            }
            do {
                try storage.lock(descriptor, path)
                // The previous owner of the lock can have replaced the file.
                if try storage.leads(path, to: descriptor) { return descriptor }
            } catch {
                try? storage.files.close(descriptor)
                throw error
            }
            try? storage.files.close(descriptor)
        } while storage.mayRepeat(afterAttempt: attempt)
        throw ArchiveStorage.locked(path)
    }

    private func openTarget(mayBeReadOnly: Bool) throws(ArchiveError) -> Int32 {
        do {
            return try storage.open(path, O_RDWR)
        } catch {
            guard mayBeReadOnly, [EACCES, EPERM, EROFS].contains(error.code) else { throw error }
            return try storage.open(path, O_RDONLY)
        }
    }

    private func openTemporary() throws(ArchiveError) -> Int32 {
        // Another writer can remove the file between these calls, because it seems to be unused. In this case, it is created again.
        var attempt = 0
        repeat {
            attempt += 1
            let descriptor: Int32
            do {
                descriptor = try storage.open(temporaryPath, O_RDWR | O_CREAT | O_EXCL, rights: 0o600)
            } catch {
                guard error.code == EEXIST else { throw error }
                try clearTemporary()
                continue
            }
            do {
                try storage.lock(descriptor, path)
                if try storage.leads(temporaryPath, to: descriptor) { return descriptor }
                try? storage.files.close(descriptor)
            } catch {
                // The name can belong to the other writer now, so it is not removed.
                try? storage.files.close(descriptor)
                throw error
            }
        } while storage.mayRepeat(afterAttempt: attempt)
        throw ArchiveStorage.locked(path)
    }

    /// Removes the file of a writer that was killed. Throws `locked` if the writer is active.
    private func clearTemporary() throws(ArchiveError) {
        let descriptor: Int32
        do {
            descriptor = try storage.files.open(temporaryPath, O_RDWR | O_NOFOLLOW | O_NONBLOCK, rights: 0)
        } catch {
            if error.code == ENOENT { return }
            // A symbolic link or another program's file with this name is removed without following it.
            return try removeTemporary()
        }
        defer { try? storage.files.close(descriptor) }
        try storage.lock(descriptor, path)
        // Its writer can have finished in the meantime, and the path can belong to another one.
        guard try storage.leads(temporaryPath, to: descriptor) else { return }
        try removeTemporary()
    }

    private func removeTemporary() throws(ArchiveError) {
        do {
            try storage.attempt(path) { () throws(SystemFault) in try storage.files.remove(temporaryPath) }
        } catch {
            if error.code == ENOENT { return }
            var error = error
            let isOfFolder = error.code == EACCES || error.code == EROFS
            if !isOfFolder { error.advice = "remove \(temporaryPath), which is in the way" }
            throw error
        }
    }

    /// Checks that no file was created in the meantime, because it must not be overwritten. Other writers cannot create it
    /// while the temporary file is locked.
    private func checkAbsence() throws(ArchiveError) {
        do { _ = try storage.files.status(ofPath: path) } catch {
            if error.code == ENOENT { return }
            throw ArchiveStorage.io(error, path)
        }
        throw ArchiveStorage.locked(path)
    }

    private func keepRights(of old: Int32, for new: Int32) throws(ArchiveError) {
        let rights = try storage.status(old, path).rights
        try storage.attempt(path) { () throws(SystemFault) in try storage.files.setRights(new, rights) }
    }

    /// Makes the new name durable. A folder that is writable but not readable cannot be synced. In this case, the file is synced again,
    /// which also saves its name on common file systems.
    func synchronizeFolder(of file: Int32) throws(ArchiveError) {
        let folder = folder.isEmpty ? "." : String(decoding: folder, as: UTF8.self)
        let descriptor: Int32
        do {
            descriptor = try storage.attempt(path) { () throws(SystemFault) in
                try storage.files.open(folder, O_RDONLY | O_DIRECTORY, rights: 0)
            }
        } catch {
            guard error.code == EACCES || error.code == EPERM else { throw error }
            return try storage.synchronize(file, path)
        }
        defer { try? storage.files.close(descriptor) }
        try storage.synchronize(descriptor, path)
    }
}
