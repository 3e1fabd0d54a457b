import JSONText

/// Writes resources with the resources to which they link nested inside them.
///
/// ```
/// 0 → 1, 2   1 → 2        {0: {1: {2}}, {2}}
/// 0 → 1      1 → 0        {0: {1: {stub of 0}}}
/// ```
///
/// First, every reachable resource is prepared once, which finds all problems in linear time. Then the trees are built. A resource is open
/// while its nested resources are written. An open resource is not written again inside itself, so every tree is finite. Open resources
/// are kept in a list, so a chain of any length does not recurse.
struct TreeExpansion<Source: ExpansionSource> {
    private let source: Source
    private let nodes: [ExpansionNode?]
    private var isOpen: [Bool]
    private var isRoot: [Bool]
    private var budget: ExpansionBudget

    /// Prepares all resources that can be reached from `roots`. Throws an error with all problems, including the known ones.
    init(
        _ source: Source, roots: [Int], maximumSize: Int, problems known: [ExpansionError.Problem]
    ) throws(ExpansionError) {
        var budget = ExpansionBudget(maximumSize)
        var nodes = [ExpansionNode?](repeating: nil, count: source.count)
        var problems = known
        for root in roots {
            var waiting = [root]
            while let position = waiting.popLast() {
                guard nodes[position] == nil else { continue }
                var node: ExpansionNode
                do throws(ExpansionError) { node = try source.node(at: position, &budget, &problems) } catch {
                    throw ExpansionError(problems + error.problems)
                }
                node.measure()
                // The order is reversed, so that the first target is processed next.
                waiting += node.relations.reversed().flatMap { $0.content.nodes.reversed() }
                nodes[position] = node
            }
        }
        guard problems.isEmpty else { throw ExpansionError(problems) }
        self.source = source
        self.nodes = nodes
        self.budget = budget
        isOpen = [Bool](repeating: false, count: source.count)
        isRoot = isOpen
    }
}

extension ExpansionNode.Content {
    fileprivate var nodes: [Int] {
        let targets =
            switch self {
            case .one(let target): [target]
            case .many(let targets): targets
            }
        return targets.compactMap { if case .node(let position, _) = $0 { position } else { nil } }
    }
}

// MARK: - Building

extension TreeExpansion {
    /// A resource that is being written.
    private struct Frame {
        let position: Int
        /// The address that is used if the resource has no `href`.
        let href: String?
        var members: JSONObject
        var relation = 0
        /// The elements of the current relation, if it is a list.
        var elements: [JSON] = []
        var element = 0
    }

    private enum Step {
        case write(ExpansionNode.Target)
        case endList
        case close
    }

    /// Returns the tree of a resource. Throws an error with `pointer` or a relation as its place if the budget is exceeded.
    ///
    /// The first tree of a resource replaces the resource itself, and costs only what is nested in it. Further trees of it are copies.
    mutating func tree(of root: Int, at pointer: @autoclosure () -> JSONPointer) throws(ExpansionError) -> JSON {
        guard let node = nodes[root] else { return .null }
        if isRoot[root] { try budget.spend(node.size, at: pointer()) }
        isRoot[root] = true
        isOpen[root] = true
        var frames = [Frame(position: root, href: nil, members: node.members)]
        while let top = frames.indices.last {
            switch step(&frames[top]) {
            case .write(.value(let json)):
                deliver(json, to: &frames[top])
            case .write(.node(let position, let href)):
                guard let node = nodes[position] else { continue }
                guard !isOpen[position] else {
                    guard budget.spend(node.stubSize) else { throw budget.overrun(at: self.pointer(of: frames[top])) }
                    deliver(.object(Self.members(node.stub, href)), to: &frames[top])
                    continue
                }
                guard budget.spend(node.size) else { throw budget.overrun(at: self.pointer(of: frames[top])) }
                if node.relations.isEmpty {
                    deliver(.object(Self.members(node.members, href)), to: &frames[top])
                } else {
                    isOpen[position] = true
                    frames.append(Frame(position: position, href: href, members: node.members))
                }
            case .endList:
                let elements = frames[top].elements
                frames[top].elements = []
                frames[top].element = 0
                append(.array(JSONArray(elements)), to: &frames[top])
            case .close:
                let closed = frames.removeLast()
                isOpen[closed.position] = false
                let json = JSON.object(Self.members(closed.members, closed.href))
                guard let parent = frames.indices.last else { return json }
                deliver(json, to: &frames[parent])
            }
        }
        return .null
    }

    /// Returns the next step for a resource.
    private func step(_ frame: inout Frame) -> Step {
        guard let relations = nodes[frame.position]?.relations, frame.relation < relations.count else { return .close }
        switch relations[frame.relation].content {
        case .one(let target): return .write(target)
        case .many(let targets):
            guard frame.element < targets.count else { return .endList }
            frame.element += 1
            return .write(targets[frame.element - 1])
        }
    }

    /// Adds a value to the current list of its resource, or stores it under the name of the current relation.
    private func deliver(_ json: JSON, to frame: inout Frame) {
        guard case .many? = nodes[frame.position]?.relations[frame.relation].content else {
            append(json, to: &frame)
            return
        }
        frame.elements.append(json)
    }

    /// Stores the value of the current relation, and moves to the next one.
    private func append(_ json: JSON, to frame: inout Frame) {
        guard let name = nodes[frame.position]?.relations[frame.relation].name else { return }
        frame.members.append(name: name, value: json)
        frame.relation += 1
    }

    private static func members(_ members: JSONObject, _ href: String?) -> JSONObject {
        guard let href, !members.contains(name: ExpansionNode.href) else { return members }
        var members = members
        members.append(name: ExpansionNode.href, value: .string(href))
        return members
    }

    private func pointer(of frame: Frame) -> JSONPointer {
        guard let relations = nodes[frame.position]?.relations, frame.relation < relations.count else { return .root }
        return source.pointer(ofRelation: relations[frame.relation].name, at: frame.position)
    }
}
