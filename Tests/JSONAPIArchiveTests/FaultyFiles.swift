import Foundation
import JSONAPIArchive

/// The system's files, with one failing call.
final class FaultyFiles: FileSystem, @unchecked Sendable {
    /// The behavior of the call with the chosen number.
    enum Fault {
        case none
        case error(Int32)
        /// The call is interrupted, and succeeds when it is repeated.
        case interrupted
        /// Half of the bytes are written.
        case short
    }

    private let system = SystemFiles()
    private var fault: Fault
    private var call: String
    private var number: Int
    private var onFault: @Sendable () -> Void = {}
    private let lock = NSLock()
    private var counts: [String: Int] = [:]
    private var descriptors: Set<Int32> = []
    private var closedTwice = 0

    init(_ call: String = "", number: Int = 0, _ fault: Fault = .none) {
        (self.call, self.number, self.fault) = (call, number, fault)
    }

    /// Makes another call fail: the one with the given number among all calls with that name. Before it fails, `body` is called.
    func fail(_ call: String, number: Int, _ fault: Fault, _ body: @escaping @Sendable () -> Void = {}) {
        lock.withLock { (self.call, self.number, self.fault, onFault) = (call, number, fault, body) }
    }

    /// The number of calls of each kind.
    var calls: [String: Int] { lock.withLock { counts } }
    /// The number of files that were opened and not closed.
    var openCount: Int { lock.withLock { descriptors.count } }
    /// The number of times that a file was closed that was not open.
    var closedTwiceCount: Int { lock.withLock { closedTwice } }

    /// Whether this call must fail.
    private func meets(_ name: String) -> Bool {
        lock.withLock {
            counts[name, default: 0] += 1
            return name == call && counts[name] == number
        }
    }

    private func check(_ name: String) throws(SystemFault) {
        guard meets(name) else { return }
        let (body, current) = lock.withLock { () -> (@Sendable () -> Void, Fault) in (onFault, fault) }
        body()
        switch current {
        case .error(let code): throw SystemFault(name, code)
        case .interrupted: throw SystemFault(name, EINTR)
        case .none, .short: return
        }
    }

    func open(_ path: String, _ flags: Int32, rights: UInt32) throws(SystemFault) -> Int32 {
        try check("open")
        let descriptor = try system.open(path, flags, rights: rights)
        lock.withLock { _ = descriptors.insert(descriptor) }
        return descriptor
    }
    func status(_ descriptor: Int32) throws(SystemFault) -> FileStatus {
        try check("fstat")
        return try system.status(descriptor)
    }
    func status(ofPath path: String) throws(SystemFault) -> FileStatus {
        try check("lstat")
        return try system.status(ofPath: path)
    }
    func read(_ descriptor: Int32, count: Int, at offset: Int64) throws(SystemFault) -> [UInt8] {
        try check("read")
        return try system.read(descriptor, count: count, at: offset)
    }
    func write(_ descriptor: Int32, _ bytes: Span<UInt8>, at offset: Int64) throws(SystemFault) -> Int {
        if case .short = lock.withLock({ fault }), meets("write") {
            return try system.write(descriptor, bytes.extracting(..<(bytes.count / 2)), at: offset)
        }
        try check("write")
        return try system.write(descriptor, bytes, at: offset)
    }
    func synchronize(_ descriptor: Int32) throws(SystemFault) {
        try check("fsync")
        try system.synchronize(descriptor)
    }
    func truncate(_ descriptor: Int32, to count: Int64) throws(SystemFault) {
        try check("ftruncate")
        try system.truncate(descriptor, to: count)
    }
    func setRights(_ descriptor: Int32, _ rights: UInt32) throws(SystemFault) {
        try check("fchmod")
        try system.setRights(descriptor, rights)
    }
    func lock(_ descriptor: Int32) throws(SystemFault) {
        try check("flock")
        try system.lock(descriptor)
    }
    func rename(_ path: String, to newPath: String) throws(SystemFault) {
        try check("rename")
        try system.rename(path, to: newPath)
    }
    func remove(_ path: String) throws(SystemFault) {
        try check("unlink")
        try system.remove(path)
    }
    func close(_ descriptor: Int32) throws(SystemFault) {
        // A descriptor is released even if closing fails.
        lock.withLock { if descriptors.remove(descriptor) == nil { closedTwice += 1 } }
        try system.close(descriptor)
        try check("close")
    }
    func map(_ descriptor: Int32, count: Int) throws(SystemFault) -> ArchiveBytes {
        try check("mmap")
        return try system.map(descriptor, count: count)
    }
}
