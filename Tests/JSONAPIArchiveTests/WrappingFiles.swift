import JSONAPIArchive

/// Files that pass most calls on to others. A test replaces the calls that it is about.
protocol WrappingFiles: FileSystem {
    associatedtype Files: FileSystem
    var files: Files { get }
}

extension WrappingFiles {
    func open(_ path: String, _ flags: Int32, rights: UInt32) throws(SystemFault) -> Int32 { try files.open(path, flags, rights: rights) }
    func status(_ descriptor: Int32) throws(SystemFault) -> FileStatus { try files.status(descriptor) }
    func status(ofPath path: String) throws(SystemFault) -> FileStatus { try files.status(ofPath: path) }
    func read(_ descriptor: Int32, count: Int, at offset: Int64) throws(SystemFault) -> [UInt8] {
        try files.read(descriptor, count: count, at: offset)
    }
    func write(_ descriptor: Int32, _ bytes: Span<UInt8>, at offset: Int64) throws(SystemFault) -> Int {
        try files.write(descriptor, bytes, at: offset)
    }
    func synchronize(_ descriptor: Int32) throws(SystemFault) { try files.synchronize(descriptor) }
    func truncate(_ descriptor: Int32, to count: Int64) throws(SystemFault) { try files.truncate(descriptor, to: count) }
    func setRights(_ descriptor: Int32, _ rights: UInt32) throws(SystemFault) { try files.setRights(descriptor, rights) }
    func lock(_ descriptor: Int32) throws(SystemFault) { try files.lock(descriptor) }
    func rename(_ path: String, to newPath: String) throws(SystemFault) { try files.rename(path, to: newPath) }
    func remove(_ path: String) throws(SystemFault) { try files.remove(path) }
    func close(_ descriptor: Int32) throws(SystemFault) { try files.close(descriptor) }
    func map(_ descriptor: Int32, count: Int) throws(SystemFault) -> ArchiveBytes { try files.map(descriptor, count: count) }
}
