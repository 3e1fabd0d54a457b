import JSONAPICodec

/// The version of a program's models, and the migrations from older versions.
///
/// ```swift
/// let model = ArchiveModel(version: 2, migrations: [
///     .init(to: 2) { resource, _ in
///         var resource = resource
///         guard resource.type == "people" else { return [resource] }
///         resource[attribute: "fullName"] = resource[attribute: "name"]
///         resource[attribute: "name"] = nil
///         return [resource]
///     }
/// ])
/// let archive = try Archive(contentsOf: url, model: model)
/// ```
///
/// An archive stores the version of the models that wrote it. If that version is older, all migrations with a higher version run in
/// ascending order, each on all resources. A version needs no migration if its resources did not change. Opening an archive of a newer
/// version with the model throws `ArchiveError` of kind `newerModel`. Without a model, the version is not checked. Plain values and kept
/// documents are not migrated, but they refer to the first of the resources that replace one. `Archive.modelVersion` returns the version
/// that wrote them, as long as the migrated archive is only in memory. `ArchiveFile` with a model, and `Archive.Writer(_:)`, write it with
/// the version of the model. To migrate plain values, put a version into them.
///
/// The waiting requests of a `RequestQueue` are migrated with the resources that they change; see the article *Working offline* of the
/// module JSONAPIStore.
public struct ArchiveModel: Sendable {
    /// The version of the program's models, from 0.
    public let version: Int
    /// The migrations, in ascending order of their versions.
    public let migrations: [Migration]

    /// Creates a model from its version and the migrations that lead to it, in any order.
    public init(version: Int, migrations: [Migration] = []) {
        self.version = version
        self.migrations = migrations.sorted { $0.version < $1.version }
    }

    /// A migration of resources from the previous version to a version.
    public struct Migration: Sendable {
        /// The version to which the migration leads.
        public let version: Int
        let migrate: @Sendable (ResourceObject, OldResources) throws -> [ResourceObject]

        /// Creates a migration. `migrate` is called once for each resource, and for each earlier state of a resource that a waiting request
        /// of a `RequestQueue` can restore. It returns the resources that replace it: one, several, or none. If a key names the resource, it
        /// names the first returned resource afterwards.
        ///
        /// Relationships follow a resource that gets another type or id. Links to resources that the archive does not have stay, unless the
        /// migration changes them. When a type is split, a link to such a resource can need the second argument, which contains all
        /// resources as they were before this migration:
        ///
        /// ```swift
        /// .init(to: 3) { resource, old in … old["people", "9"]?[attribute: "role"] … }
        /// ```
        public init(
            to version: Int, _ migrate: @escaping @Sendable (_ resource: ResourceObject, _ old: OldResources) throws -> [ResourceObject]
        ) {
            self.version = version
            self.migrate = migrate
        }
    }

    /// The resources as they were before a migration.
    public struct OldResources {
        let texts: [StoredIdentity: [UInt8]]

        /// Returns the resource with a type and an id, or nil if there is none.
        ///
        /// - Complexity: O(n), n = size of the resource's text.
        public subscript(type: String, id: String) -> ResourceObject? {
            texts[StoredIdentity(type: type, name: id, isLocal: false)].flatMap(StoredText.object)
        }
    }

    /// Throws `newerModel` if the version of an archive is newer than this model.
    func check(_ archived: Int) throws(ArchiveError) {
        guard archived > version else { return }
        throw ArchiveError(
            .newerModel, "the archive was written by models of version \(archived), this program has version \(version)",
            advice: "update the program")
    }
}
