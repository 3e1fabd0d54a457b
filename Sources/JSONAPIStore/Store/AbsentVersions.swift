import JSONAPIArchive

/// The versions of the resources that a table reads through its file.
///
/// The version of such a resource is the number of the last commit that evicted or removed it, or that changed the file. Resources with
/// equal hashes share a version. The versions therefore need a fixed amount of memory, and a commit makes only a few cached models of
/// other resources invalid.
struct AbsentVersions: Sendable {
    private static let count = 4096

    /// The versions by hash; empty without a file, because all absent resources are missing then.
    private var versions: [Int]

    /// Creates the versions of a table without a file.
    init() { versions = [] }

    /// Creates the versions of a table that begins to read through a file.
    init(_ commit: Int) { versions = Array(repeating: commit, count: Self.count) }

    subscript(identity: StoredIdentity) -> Int {
        get { versions.isEmpty ? 0 : versions[place(of: identity)] }
        set { if !versions.isEmpty { versions[place(of: identity)] = newValue } }
    }

    private func place(of identity: StoredIdentity) -> Int { identity.hashValue & (Self.count - 1) }
}
