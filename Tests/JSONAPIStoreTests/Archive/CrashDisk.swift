import Foundation
import JSONAPIStore

/// The changes of a disk, in the order of the calls.
enum DiskEvent: Sendable {
    case create(String, file: Int)
    case write(file: Int, offset: Int, [UInt8])
    case truncate(file: Int, Int)
    case synchronize(file: Int)
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

    var events: [DiskEvent] { lock.withLock { noted } }

    func note(_ event: DiskEvent) { lock.withLock { noted.append(event) } }

    private func number(_ descriptor: Int32) -> Int { lock.withLock { (numbers[descriptor] ?? nil) ?? -1 } }

    func open(_ path: String, _ flags: Int32, rights: UInt32) throws(SystemFault) -> Int32 {
        let descriptor = try system.open(path, flags, rights: rights)
        let status = try system.status(descriptor)
        lock.withLock {
            guard status.isRegular else {
                numbers[descriptor] = .some(nil)
                return
            }
            if flags & O_CREAT != 0 {
                numbersOfInodes[status.inode] = nextNumber
                noted.append(.create(path, file: nextNumber))
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
        let count = try system.write(descriptor, bytes, at: offset)
        var written: [UInt8] = []
        for index in 0..<count { written.append(bytes[index]) }
        note(.write(file: number(descriptor), offset: Int(offset), written))
        return count
    }
    func synchronize(_ descriptor: Int32) throws(SystemFault) {
        try system.synchronize(descriptor)
        let number = number(descriptor)
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
    func map(_ descriptor: Int32, count: Int) throws(SystemFault) -> MappedMemory { try system.map(descriptor, count: count) }
}

/// A disk after a power failure: synced data is there, and any part of the rest.
///
/// Writes reach the disk in sectors of 512 bytes, in any order. A change of a name is only certain after a sync of its folder.
struct CrashDisk {
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
        case .write(let file, _, _), .truncate(let file, _): files[file]?.pending.append(event)
        case .synchronize(let file):
            guard let synced = files[file] else { return }
            files[file] = File(synced: Self.contents(synced) { _, _ in true })
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

    /// The contents of a path after a power failure; nil if it does not exist.
    ///
    /// `nameCount` is the number of changed names that reached the disk. `isWritten` says whether a sector reached the disk, by its index
    /// among all unsynced sectors of the file.
    func contents(of path: String, nameCount: Int, _ isWritten: (Int) -> Bool) -> [UInt8]? {
        guard let file = names(after: nameCount)[path].flatMap({ files[$0] }) else { return nil }
        return Self.contents(file) { _, sector in isWritten(sector) }
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

    private static func contents(_ file: File, _ isWritten: (Int, Int) -> Bool) -> [UInt8] {
        var contents = file.synced
        var number = 0
        for (index, event) in file.pending.enumerated() {
            switch event {
            case .write(_, let offset, let bytes):
                var position = 0
                while position < bytes.count {
                    let end = min(bytes.count, ((offset + position) / sectorSize + 1) * sectorSize - offset)
                    if isWritten(index, number) { put(bytes[position..<end], at: offset + position, &contents) }
                    number += 1
                    position = end
                }
            case .truncate(_, let count):
                if isWritten(index, number), contents.count > count { contents.removeLast(contents.count - count) }
                number += 1
            default: break
            }
        }
        return contents
    }

    private static func put(_ bytes: ArraySlice<UInt8>, at offset: Int, _ contents: inout [UInt8]) {
        let end = offset + bytes.count
        // There is a hole between the old end and a later sector.
        if contents.count < end { contents += [UInt8](repeating: 0, count: end - contents.count) }
        contents.replaceSubrange(offset..<end, with: bytes)
    }
}
