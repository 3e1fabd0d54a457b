import Foundation

/// Writes a file so that its path leads to the old contents or to the new ones, whatever happens in between:
///
///     open   FOLDER/.NAME.writing   made anew, rights 0600 or those of the old file
///     write, fsync                  the new contents are on the disk
///     rename to FOLDER/NAME         from here on it is the new one
///     fsync  FOLDER                 and it is so after a loss of power
///
/// The name of the new file is always the same and its lock is held, so two writers meet there, and what a stopped writer
/// left is known by its free lock and removed by the next one.
struct FileReplacement {
    let storage: ArchiveStorage
    let path: String

    /// The folder of the file, with the slash behind it; empty for the working directory. Bytes are compared: a slash and a combining
    /// character behind it are one `Character`.
    private var folder: Substring.UTF8View {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        return path.utf8[..<(slash.map { path.utf8.index(after: $0) } ?? path.utf8.startIndex)]
    }

    private var name: Substring.UTF8View { path.utf8[folder.endIndex...] }

    /// Where the new contents are written first.
    ///
    /// File systems take names of 255 bytes, some of 255 UTF-16 code units. A name that would become too long gives way to its checksum.
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

    /// Replaces the file, or makes it. Nobody who holds the lock of the old one is overwritten.
    func write(_ bytes: [UInt8]) throws(ArchiveError) {
        let old = try lockedTarget(mayBeReadOnly: true)
        defer { if let old { try? storage.files.close(old) } }
        let new = try write(bytes, replacing: old)
        try? storage.files.close(new)
    }

    /// The same while the lock of the old file, if any, is held by the caller, which gets the new file, open and locked.
    func write(_ bytes: [UInt8], replacing old: Int32?) throws(ArchiveError) -> Int32 {
        try write(replacing: old) { write throws(ArchiveError) in try write(bytes, 0) }
    }

    /// The same with contents that `contents` hands to its parameter piece by piece, each with its offset.
    func write(
        replacing old: Int32?, _ contents: (@escaping ([UInt8], Int) throws(ArchiveError) -> Void) throws(ArchiveError) -> Void
    ) throws(ArchiveError) -> Int32 {
        let temporary: Int32
        do {
            temporary = try openTemporary()
        } catch {
            // The caller knows nothing of the other name.
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
        } catch {
            try? storage.files.close(temporary)
            var error = error
            error.advice = "the new archive is in place, but may be gone after a loss of power; write it again"
            throw error
        }
        return temporary
    }

    /// Removes what a writer that was stopped has left, unless one is at work.
    func removeLeftover() {
        guard let descriptor = try? storage.files.open(temporaryPath, O_RDWR | O_NOFOLLOW | O_NONBLOCK, rights: 0) else { return }
        if (try? storage.files.lock(descriptor)) != nil { try? storage.files.remove(temporaryPath) }
        try? storage.files.close(descriptor)
    }

    // MARK: - Workings

    /// The present file, locked; nil when there is none.
    ///
    /// It is opened for writing, because network file systems lock no other files. One that may only be read can still be replaced, and
    /// is opened for reading when `mayBeReadOnly`.
    func lockedTarget(mayBeReadOnly: Bool) throws(ArchiveError) -> Int32? {
        for _ in 0..<8 {
            let descriptor: Int32
            do {
                descriptor = try openTarget(mayBeReadOnly: mayBeReadOnly)
            } catch {
                if error.code == ENOENT { return nil }
                throw error
            }
            do {
                try storage.lock(descriptor, path)
                // Whoever had the lock before may have put another file in its place.
                if try storage.leads(path, to: descriptor) { return descriptor }
            } catch {
                try? storage.files.close(descriptor)
                throw error
            }
            try? storage.files.close(descriptor)
        }
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
        // Another writer may remove the file between our calls, thinking it left over; then it is made again.
        for _ in 0..<8 {
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
                // The name may belong to the other writer by now, so it is not removed.
                try? storage.files.close(descriptor)
                throw error
            }
        }
        throw ArchiveStorage.locked(path)
    }

    /// Removes the file of a writer that was stopped. Throws `locked` when it is at work.
    private func clearTemporary() throws(ArchiveError) {
        let descriptor: Int32
        do {
            descriptor = try storage.files.open(temporaryPath, O_RDWR | O_NOFOLLOW | O_NONBLOCK, rights: 0)
        } catch {
            if error.code == ENOENT { return }
            // A symbolic link of that name, or a file that is not ours, is removed as a name, never followed.
            try storage.attempt(path) { () throws(SystemFault) in try storage.files.remove(temporaryPath) }
            return
        }
        defer { try? storage.files.close(descriptor) }
        try storage.lock(descriptor, path)
        do { try storage.files.remove(temporaryPath) } catch {
            if error.code != ENOENT { throw ArchiveStorage.io(error, path) }
        }
    }

    /// Whoever made the file since we looked keeps it: while we have the name of the new file, nobody else makes one.
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

    /// Makes the new name last. A folder that may be written to but not read cannot be synced: then the file is, once more, which on the
    /// usual file systems takes its new name along.
    private func synchronizeFolder(of file: Int32) throws(ArchiveError) {
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
