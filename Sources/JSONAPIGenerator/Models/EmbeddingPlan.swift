/// Decides which relationships embed the related resources instead of references.
///
/// Candidates are relationships whose resources are all in the samples. The walk starts at the types of the primary data. A relationship
/// back to a type on the current path stays a reference, so that no type contains itself. A relationship also stays a reference if it would
/// make a value very large, because large values slow down the compiler and need much stack.
struct EmbeddingPlan {
    private var embedded: Set<Edge> = []

    private struct Edge: Hashable {
        let resource: Int
        let relationship: Int
    }

    /// The maximum number of properties of a value and the values in it, without elements of arrays.
    private static let mostProperties = 300

    private struct Step {
        let resource: Int
        var relationship = 0
        var target = 0
    }

    /// Creates a plan that embeds nothing.
    init() {}

    /// Creates a plan for resources.
    ///
    /// - Complexity: O(types + linkage between types).
    init(_ resources: [ResourceShape]) {
        let positions = Dictionary(resources.enumerated().map { (MemberKey($1.type), $0) }) { first, _ in first }
        let targets = resources.map { $0.relationships.map { EmbeddingPlan.targets(of: $0, positions) } }
        var isVisited = [Bool](repeating: false, count: resources.count)
        var isOnTheWay = isVisited
        var sizes = resources.map { $0.attributes.members.count + $0.relationships.count + 3 }
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
                    settle(step, leadsTo, isToMany: resources[step.resource].relationships[step.relationship].isToMany, &sizes)
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

    /// Decides on a relationship after its targets have been visited.
    private mutating func settle(_ step: Step, _ targets: [Int], isToMany: Bool, _ sizes: inout [Int]) {
        guard !isToMany, embeds(step.relationship, of: step.resource) else { return }
        let size = targets.reduce(sizes[step.resource]) { $0 + sizes[$1] }
        if size <= EmbeddingPlan.mostProperties {
            sizes[step.resource] = size
        } else {
            embedded.remove(Edge(resource: step.resource, relationship: step.relationship))
        }
    }

    /// The target types of a candidate; empty for a relationship that must stay a reference.
    private static func targets(of relationship: RelationshipShape, _ positions: [MemberKey: Int]) -> [Int] {
        guard relationship.hasCardinality, relationship.isIncluded else { return [] }
        return relationship.targets.compactMap { positions[MemberKey($0)] }
    }

    /// Whether a relationship is embedded. The relationship and its resource are given by index.
    func embeds(_ relationship: Int, of resource: Int) -> Bool {
        embedded.contains(Edge(resource: resource, relationship: relationship))
    }
}
