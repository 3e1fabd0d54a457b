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

    private var folder: String {
        let parts = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) }
        return parts ?? "."
    }

    private var name: String { path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.index(after: $0)...]) } ?? path }

    /// Where the new contents are written first.
    var temporaryPath: String { (folder == "." ? "" : folder) + ".\(name).writing" }

    /// Replaces the file, or makes it. Nobody who holds the lock of the old one is overwritten.
    func write(_ bytes: [UInt8]) throws(ArchiveError) {
        let old = try lockedTarget()
        defer { if let old { try? storage.files.close(old) } }
        let new = try write(bytes, replacing: old)
        try? storage.files.close(new)
    }

    /// The same while the lock of the old file, if any, is held by the caller, which gets the new file, open and locked.
    func write(_ bytes: [UInt8], replacing old: Int32?) throws(ArchiveError) -> Int32 {
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
            try storage.write(bytes, to: temporary, at: 0, path)
            try storage.synchronize(temporary, path)
            try storage.attempt(path) { () throws(SystemFault) in try storage.files.rename(temporaryPath, to: path) }
        } catch {
            try? storage.files.remove(temporaryPath)
            try? storage.files.close(temporary)
            throw error
        }
        do {
            try synchronizeFolder()
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
    func lockedTarget(_ flags: Int32 = O_RDONLY) throws(ArchiveError) -> Int32? {
        for _ in 0..<8 {
            let descriptor: Int32
            do {
                descriptor = try storage.open(path, flags)
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

    func synchronizeFolder() throws(ArchiveError) {
        let descriptor = try storage.attempt(path) { () throws(SystemFault) in
            try storage.files.open(folder, O_RDONLY | O_DIRECTORY, rights: 0)
        }
        defer { try? storage.files.close(descriptor) }
        try storage.synchronize(descriptor, path)
    }
}
