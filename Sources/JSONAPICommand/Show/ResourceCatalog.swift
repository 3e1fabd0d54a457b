import JSONAPICodec
import JSONText

/// The resources of a document by identity, and where each comes from.
struct ResourceCatalog {
    /// First those of the primary data (or of atomic operations), then the included ones, then those written inside
    /// relationships, as they are met.
    private(set) var resources: [ResourceObject] = []
    /// How many belong to the primary data.
    private(set) var primaryCount = 0
    /// How many belong to the primary data or are included.
    private(set) var listedCount = 0
    private var positions: [ResourceIdentifier: Int] = [:]

    /// Creates a catalog of resources. Of several with the same identity, the first one counts. An included resource replaces a bare
    /// identifier in the primary data.
    init(primary: [ResourceObject], included: [ResourceObject]) {
        for resource in primary { add(resource) }
        primaryCount = resources.count
        for resource in included { add(resource) }
        listedCount = resources.count
    }

    private mutating func add(_ resource: ResourceObject) {
        for key in ResourceCatalog.keys(resource.type, id: resource.id, lid: resource.lid) {
            if let position = positions[key], !isPlaceholder(position) || resource.isIdentifier { continue }
            positions[key] = resources.count
        }
        resources.append(resource)
    }

    /// Whether a bare identifier of the primary data is there, which the included resource may complete.
    private func isPlaceholder(_ position: Int) -> Bool { position < primaryCount && resources[position].isIdentifier }

    /// Adds a resource that is written inside a relationship, and returns its position.
    mutating func addInPlace(_ resource: ResourceObject) -> Int {
        resources.append(resource)
        return resources.count - 1
    }

    /// The position of the resource with an identifier; nil if the document does not have it.
    func position(of identifier: ResourceIdentifier) -> Int? {
        for key in ResourceCatalog.keys(identifier.type, id: identifier.id, lid: identifier.lid) {
            if let position = positions[key] { return position }
        }
        return nil
    }

    /// The included resource that a bare identifier in the primary data identifies.
    func target(ofPrimary position: Int) -> Int? {
        guard isPlaceholder(position), let identifier = resources[position].identifier,
            let target = self.position(of: identifier), target >= primaryCount
        else { return nil }
        return target
    }

    private static func keys(_ type: String, id: String?, lid: String?) -> [ResourceIdentifier] {
        var keys: [ResourceIdentifier] = []
        if let id { keys.append(ResourceIdentifier(type: type, id: id)) }
        if let lid { keys.append(ResourceIdentifier(type: type, lid: lid)) }
        return keys
    }
}
