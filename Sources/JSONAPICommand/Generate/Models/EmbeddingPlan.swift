/// Which relationships hold the related resources themselves instead of references.
///
/// Candidates are relationships whose resources are all in the samples. The walk begins at the types of the primary data; a
/// relationship that leads back to a type on the way stays a reference, so that no type contains itself.
struct EmbeddingPlan {
    private var embedded: Set<Edge> = []

    private struct Edge: Hashable {
        let resource: Int
        let relationship: Int
    }

    private struct Step {
        let resource: Int
        var relationship = 0
        var target = 0
    }

    /// A plan that embeds nothing.
    init() {}

    /// - Complexity: O(types + linkage between types).
    init(_ resources: [ResourceShape]) {
        let positions = Dictionary(resources.enumerated().map { (MemberKey($1.type), $0) }) { first, _ in first }
        let targets = resources.map { $0.relationships.map { EmbeddingPlan.targets(of: $0, positions) } }
        var isVisited = [Bool](repeating: false, count: resources.count)
        var isOnTheWay = isVisited
        for root in resources.indices where !isVisited[root] {
            var way = [Step(resource: root)]
            isVisited[root] = true
            isOnTheWay[root] = true
            while let step = way.last {
                let last = way.count - 1
                guard step.relationship < targets[step.resource].count else {
                    isOnTheWay[step.resource] = false
                    way.removeLast()
                    continue
                }
                let leadsTo = targets[step.resource][step.relationship]
                if step.target == 0, !leadsTo.isEmpty, !leadsTo.contains(where: { isOnTheWay[$0] }) {
                    embedded.insert(Edge(resource: step.resource, relationship: step.relationship))
                }
                guard step.target < leadsTo.count else {
                    way[last].relationship += 1
                    way[last].target = 0
                    continue
                }
                way[last].target += 1
                let next = leadsTo[step.target]
                guard !isVisited[next], embedded.contains(Edge(resource: step.resource, relationship: step.relationship)) else { continue }
                isVisited[next] = true
                isOnTheWay[next] = true
                way.append(Step(resource: next))
            }
        }
    }

    /// The types that a candidate leads to; none for a relationship that has to stay a reference.
    private static func targets(of relationship: RelationshipShape, _ positions: [MemberKey: Int]) -> [Int] {
        guard relationship.hasCardinality, relationship.isIncluded else { return [] }
        return relationship.targets.compactMap { positions[MemberKey($0)] }
    }

    /// Whether a relationship, named by its position and that of its resource, is embedded.
    func embeds(_ relationship: Int, of resource: Int) -> Bool {
        embedded.contains(Edge(resource: resource, relationship: relationship))
    }
}
