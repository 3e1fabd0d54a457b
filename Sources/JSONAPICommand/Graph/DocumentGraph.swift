import JSONAPICodec
import JSONText

/// The resources of a document as the nodes of a graph, and their linkage as its edges.
///
/// Nodes are in the order of the document: primary resources, included ones, then those of which
/// there is only an identifier, in the order of the relationships. Edges are in the order of the relationships. So the text for a
/// document is always the same.
struct DocumentGraph {
    struct Node {
        enum Kind: Sendable {
            case primary, included
            /// The document has an identifier for it, but not the resource.
            case missing
        }

        var kind: Kind
        /// Type and id, already escaped.
        let name: String
        /// What the resource is called, already escaped and shortened.
        let title: String?
    }

    struct Edge {
        let origin: Int
        let target: Int
        /// The name of the relationship, already escaped.
        let name: String
    }

    private(set) var nodes: [Node] = []
    private(set) var edges: [Edge] = []

    /// The graph of the resources of a catalog.
    ///
    /// - Complexity: O(n), n = members and identifiers of the resources. No recursion.
    init(_ catalog: ResourceCatalog) {
        var builder = Builder(catalog)
        builder.build()
        (nodes, edges) = (builder.nodes, builder.edges)
    }
}

// MARK: - Building

extension DocumentGraph {
    private struct Builder {
        private let catalog: ResourceCatalog
        var nodes: [Node] = []
        var edges: [Edge] = []
        /// The node of each resource of the catalog.
        private var positions: [Int] = []
        /// The nodes of resources that the catalog does not have.
        private var others: [ResourceIdentifier: Int] = [:]
        /// The resources whose relationships are still to be followed, with their nodes.
        private var waiting: [(ResourceObject, node: Int)] = []

        init(_ catalog: ResourceCatalog) { self.catalog = catalog }

        mutating func build() {
            for position in 0..<catalog.listedCount { addListed(position) }
            // A bare identifier in the primary data and its included resource are one node.
            for position in 0..<catalog.primaryCount {
                guard let target = catalog.target(ofPrimary: position) else { continue }
                positions[position] = positions[target]
                nodes[positions[target]].kind = .primary
            }
            var next = 0
            while next < waiting.count {
                follow(waiting[next].0, from: waiting[next].node)
                next += 1
            }
        }

        private mutating func addListed(_ position: Int) {
            let isPrimary = position < catalog.primaryCount
            if isPrimary, catalog.target(ofPrimary: position) != nil {
                positions.append(0)
                return
            }
            positions.append(nodes.count)
            waiting.append((catalog.resources[position], nodes.count))
            nodes.append(Node(catalog.resources[position], isPrimary ? .primary : .included))
        }

        private mutating func follow(_ resource: ResourceObject, from origin: Int) {
            for member in resource.relationships?.members ?? [:] {
                guard let relationship = RelationshipObject(json: member.value) else { continue }
                let name = ShortText.memberName(member.name)
                for identifier in relationship.data.identifiers {
                    edges.append(Edge(origin: origin, target: node(of: identifier), name: name))
                }
            }
        }

        private mutating func node(of identifier: ResourceIdentifier) -> Int {
            if let position = catalog.position(of: identifier) { return positions[position] }
            guard
                let key = identifier.id.map({ ResourceIdentifier(type: identifier.type, id: $0) })
                    ?? identifier.lid.map({ ResourceIdentifier(type: identifier.type, lid: $0) })
            else { return addOther(identifier) }
            if let node = others[key] { return node }
            let node = addOther(identifier)
            others[key] = node
            return node
        }

        /// A resource that the document does not have, or that is written where an identifier should be.
        private mutating func addOther(_ identifier: ResourceIdentifier) -> Int {
            let members = identifier.additionalMembers
            let isWhole = members.contains(name: "attributes") || members.contains(name: "relationships")
            let resource = ResourceObject(members: identifier.members)
            nodes.append(Node(resource, isWhole ? .included : .missing))
            if isWhole { waiting.append((resource, nodes.count - 1)) }
            return nodes.count - 1
        }
    }
}

// MARK: - Nodes

extension DocumentGraph.Node {
    fileprivate init(_ resource: ResourceObject, _ kind: Kind) {
        self.kind = kind
        name = Label.of(resource)
        title = Label.title(of: resource).map { ShortText.plain($0, limit: 40) }
    }
}

extension Label {
    /// The names of attributes that serve as a title, the best first.
    private static let titles = [
        "title", "name", "label", "displayName", "display-name", "display_name", "fullName", "full-name", "full_name", "headline",
        "subject", "username", "email", "slug",
    ]

    /// The title of a resource, from one of its attributes; nil if none looks like a title.
    static func title(of resource: ResourceObject) -> String? {
        guard let attributes = resource.attributes else { return nil }
        for name in titles {
            if let title = attributes[name]?.string, !title.isEmpty { return title }
        }
        return nil
    }
}
