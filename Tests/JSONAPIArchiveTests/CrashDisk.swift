import Foundation
import JSONAPIArchive

/// The changes of a disk, in the order of the calls.
enum DiskEvent: Sendable {
    case create(String, file: Int)
    /// A file that existed before.
    case existing(String, file: Int, [UInt8])
    case write(file: Int, offset: Int, [UInt8])
    case truncate(file: Int, Int)
    case synchronize(file: Int)
    /// A sync that failed. The system keeps the data in its cache, and never writes it.
    case synchronizeFailed(file: Int)
    case synchronizeNames
    case rename(String, String)
    case remove(String)
    /// The program received the confirmation that this state is saved.
    case confirmed(Int)
    /// The program started to save this state.
    case begun(Int)
}

/// The system's files, with a record of everything that changes the disk.
final class JournalingFiles: FileSystem, @unchecked Sendable {
    private let system = SystemFiles()
    private let lock = NSLock()
    private var noted: [DiskEvent] = []
    /// The numbers of open files; nil for a folder.
    private var numbers: [Int32: Int?] = [:]
    private var numbersOfInodes: [UInt64: Int] = [:]
    /// Open files keep their inodes from being reused.
    private var nextNumber = 0
    /// The number of the sync of a file that fails, from 1.
    private let failingSync: Int?
    /// Whether every write fails between the failed sync and the next call of `open`, as if the process was killed.
    private let diesThen: Bool
    private var syncCount = 0
    private var isDead = false

    init(failingSync: Int? = nil, diesThen: Bool = false) {
        self.failingSync = failingSync
        self.diesThen = diesThen
    }

    var events: [DiskEvent] { lock.withLock { noted } }

    func note(_ event: DiskEvent) { lock.withLock { noted.append(event) } }

    private func number(_ descriptor: Int32) -> Int { lock.withLock { (numbers[descriptor] ?? nil) ?? -1 } }

    func open(_ path: String, _ flags: Int32, rights: UInt32) throws(SystemFault) -> Int32 {
        let descriptor = try system.open(path, flags, rights: rights)
        let status = try system.status(descriptor)
        let contents = try status.isRegular && flags & O_CREAT == 0 ? system.read(descriptor, count: Int(status.size), at: 0) : []
        lock.withLock {
            isDead = false
            guard status.isRegular else {
                numbers[descriptor] = .some(nil)
                return
            }
            if flags & O_CREAT != 0 {
                numbersOfInodes[status.inode] = nextNumber
                noted.append(.create(path, file: nextNumber))
                nextNumber += 1
            } else if numbersOfInodes[status.inode] == nil {
                numbersOfInodes[status.inode] = nextNumber
                noted.append(.existing(path, file: nextNumber, contents))
                nextNumber += 1
            }
            numbers[descriptor] = numbersOfInodes[status.inode]
        }
        return descriptor
    }
    func status(_ descriptor: Int32) throws(SystemFault) -> FileStatus { try system.status(descriptor) }
    func status(ofPath path: String) throws(SystemFault) -> FileStatus { try system.status(ofPath: path) }
    func read(_ descriptor: Int32, count: Int, at offset: Int64) throws(SystemFault) -> [UInt8] {
        try system.read(descriptor, count: count, at: offset)
    }
    func write(_ descriptor: Int32, _ bytes: Span<UInt8>, at offset: Int64) throws(SystemFault) -> Int {
        if lock.withLock({ isDead }) { throw SystemFault("write", EIO) }
        let count = try system.write(descriptor, bytes, at: offset)
        var written: [UInt8] = []
        for index in 0..<count { written.append(bytes[index]) }
        note(.write(file: number(descriptor), offset: Int(offset), written))
        return count
    }
    func synchronize(_ descriptor: Int32) throws(SystemFault) {
        try system.synchronize(descriptor)
        let number = number(descriptor)
        let fails = lock.withLock {
            if number >= 0 { syncCount += 1 }
            guard number >= 0, syncCount == failingSync else { return false }
            isDead = diesThen
            return true
        }
        if fails {
            note(.synchronizeFailed(file: number))
            throw SystemFault("fsync", EIO)
        }
        note(number < 0 ? .synchronizeNames : .synchronize(file: number))
    }
    func truncate(_ descriptor: Int32, to count: Int64) throws(SystemFault) {
        try system.truncate(descriptor, to: count)
        note(.truncate(file: number(descriptor), Int(count)))
    }
    func setRights(_ descriptor: Int32, _ rights: UInt32) throws(SystemFault) { try system.setRights(descriptor, rights) }
    func lock(_ descriptor: Int32) throws(SystemFault) { try system.lock(descriptor) }
    func rename(_ path: String, to newPath: String) throws(SystemFault) {
        try system.rename(path, to: newPath)
        note(.rename(path, newPath))
    }
    func remove(_ path: String) throws(SystemFault) {
        try system.remove(path)
        note(.remove(path))
    }
    func close(_ descriptor: Int32) throws(SystemFault) { try system.close(descriptor) }
    func map(_ descriptor: Int32, count: Int) throws(SystemFault) -> ArchiveBytes { try system.map(descriptor, count: count) }
}

/// A disk after a power failure: synced data is there, and any part of the rest.
///
/// Writes reach the disk in sectors of 512 bytes, in any order. A sector that is being written can be garbled, and so can its page. A change
/// of a name is only certain after a sync of its folder.
struct CrashDisk {
    /// What became of a sector that was not synced.
    enum Fate: Equatable {
        case old
        case new
        /// The whole block of this size around the sector contains garbage.
        case garbled(Int)
    }

    /// Which of the sectors of a failed sync reach the disk.
    var reachesDisk: @Sendable (Int) -> Bool = { _ in false }

    private struct File {
        var synced: [UInt8] = []
        var pending: [DiskEvent] = []
    }

    static let sectorSize = 512

    private var files: [Int: File] = [:]
    private var names: [String: Int] = [:]
    private var pendingNames: [DiskEvent] = []

    mutating func apply(_ event: DiskEvent) {
        switch event {
        case .create(_, let file):
            files[file] = File()
            pendingNames.append(event)
        case .existing(let path, let file, let bytes):
            files[file] = File(synced: bytes)
            names[path] = file
        case .write(let file, _, _), .truncate(let file, _): files[file]?.pending.append(event)
        case .synchronizeFailed(let file):
            guard let synced = files[file] else { return }
            files[file] = File(synced: Self.contents(synced) { _, sector in reachesDisk(sector) ? .new : .old })
        case .synchronize(let file):
            guard let synced = files[file] else { return }
            files[file] = File(synced: Self.contents(synced) { _, _ in .new })
        case .rename, .remove: pendingNames.append(event)
        case .synchronizeNames:
            names = self.names(after: pendingNames.count)
            pendingNames = []
        case .confirmed, .begun: break
        }
    }

    /// The number of unsynced sectors of all files.
    var unsyncedSectorCount: Int { files.values.reduce(0) { $0 + $1.pending.reduce(0) { $0 + Self.sectors(of: $1) } } }

    /// The number of unsynced names.
    var unsyncedNameCount: Int { pendingNames.count }

    /// The offsets of the unsynced sectors of a path, in the order of their writes. A change of the size counts as a sector.
    func unsyncedOffsets(of path: String) -> [Int] {
        guard let file = names(after: unsyncedNameCount)[path].flatMap({ files[$0] }) else { return [] }
        return file.pending.flatMap { event in
            guard case .write(_, let offset, let bytes) = event, !bytes.isEmpty else { return [Int.max] }
            return Array(stride(from: offset / Self.sectorSize * Self.sectorSize, to: offset + bytes.count, by: Self.sectorSize))
        }
    }

    /// The contents of a path after a power failure; nil if it does not exist.
    ///
    /// `nameCount` is the number of changed names that reached the disk. `fate` says what became of a sector, by its index among all
    /// unsynced sectors of the file.
    func contents(of path: String, nameCount: Int, fate: (Int) -> Fate) -> [UInt8]? {
        guard let file = names(after: nameCount)[path].flatMap({ files[$0] }) else { return nil }
        return Self.contents(file) { _, sector in fate(sector) }
    }

    func contents(of path: String, nameCount: Int, _ isWritten: (Int) -> Bool) -> [UInt8]? {
        contents(of: path, nameCount: nameCount) { isWritten($0) ? .new : .old }
    }

    private func names(after count: Int) -> [String: Int] {
        var result = names
        for event in pendingNames[..<count] {
            switch event {
            case .create(let path, let file): result[path] = file
            case .rename(let old, let new): result[new] = result.removeValue(forKey: old) ?? number(ofPending: old)
            case .remove(let path): result[path] = nil
            default: break
            }
        }
        return result
    }

    /// The file that was created with that name.
    private func number(ofPending path: String) -> Int? {
        for case .create(path, let file) in pendingNames.reversed() { return file }
        return nil
    }

    private static func sectors(of event: DiskEvent) -> Int {
        guard case .write(_, let offset, let bytes) = event, !bytes.isEmpty else { return 1 }
        return (offset + bytes.count - 1) / sectorSize - offset / sectorSize + 1
    }

    private static func contents(_ file: File, _ fate: (Int, Int) -> Fate) -> [UInt8] {
        var contents = file.synced
        var number = 0
        for (index, event) in file.pending.enumerated() {
            switch event {
            case .write(_, let offset, let bytes):
                var position = 0
                while position < bytes.count {
                    let end = min(bytes.count, ((offset + position) / sectorSize + 1) * sectorSize - offset)
                    let fate = fate(index, number)
                    if fate != .old { put(bytes[position..<end], at: offset + position, &contents) }
                    if case .garbled(let size) = fate { garble(offset + position, size, &contents) }
                    number += 1
                    position = end
                }
            case .truncate(_, let count):
                if fate(index, number) != .old, contents.count > count { contents.removeLast(contents.count - count) }
                number += 1
            default: break
            }
        }
        return contents
    }

    private static func garble(_ offset: Int, _ size: Int, _ contents: inout [UInt8]) {
        let start = offset / size * size
        for index in start..<min(start + size, contents.count) { contents[index] = UInt8(truncatingIfNeeded: index &* 151 &+ 89) }
    }

    private static func put(_ bytes: ArraySlice<UInt8>, at offset: Int, _ contents: inout [UInt8]) {
        let end = offset + bytes.count
        // There is a hole between the old end and a later sector.
        if contents.count < end { contents += [UInt8](repeating: 0, count: end - contents.count) }
        contents.replaceSubrange(offset..<end, with: bytes)
    }
}
