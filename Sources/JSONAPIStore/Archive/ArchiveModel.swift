import JSONAPICodec
import JSONText

/// The version of a program's models, and the way from older ones.
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
/// An archive has the version of the models that wrote it. When it is older, every migration above its version runs, the lowest
/// first, each over all resources. A version without a migration changed nothing that needs one. An archive of a newer version is
/// refused. Plain values are not migrated: `Archive.modelVersion` says what to read them as.
public struct ArchiveModel: Sendable {
    /// The version of the program's models, from 0.
    public let version: Int
    /// The migrations, in ascending order of their versions.
    public let migrations: [Migration]

    /// The models of that version, and the migrations that lead to it, in any order.
    public init(version: Int, migrations: [Migration] = []) {
        self.version = version
        self.migrations = migrations.sorted { $0.version < $1.version }
    }

    /// What turns the resources of the version before into those of a version.
    public struct Migration: Sendable {
        /// The version that it leads to.
        public let version: Int
        let migrate: @Sendable (ResourceObject, OldResources) throws -> [ResourceObject]

        /// A migration that is called once for each resource, and returns what becomes of it: itself, changed or not, several, or
        /// none. The first one takes its place where a key of the archive names it.
        ///
        /// When a type is split, identifiers in relationships have to follow. The second argument has the resources as they were
        /// before this migration, so that they can be looked at:
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

    /// The resources before a migration.
    public struct OldResources {
        let texts: [ArchiveKey: [UInt8]]

        /// The resource of that type and id; nil when there is none.
        ///
        /// - Complexity: O(its text).
        public subscript(type: String, id: String) -> ResourceObject? {
            guard let text = texts[ArchiveKey(type: type, text: id, isLID: false)] else { return nil }
            return (try? JSON(parsing: text))?.object.map { ResourceObject(members: $0) }
        }
    }

    /// Throws for an archive whose models are newer.
    func check(_ archived: Int) throws(ArchiveError) {
        guard archived > version else { return }
        throw ArchiveError(
            .newerModel, "the archive was written by models of version \(archived), this program has version \(version)",
            advice: "update the program")
    }
}
