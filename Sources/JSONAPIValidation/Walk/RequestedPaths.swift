import JSONAPIRules
import JSONText

/// The paths of `include` as a tree of names.
///
///     author,comments.author      0 ┬ author 1
///                                   └ comments 2 ── author 3
struct RequestedPaths {
    struct Node {
        var children: [(name: [UInt8], node: Int)] = []
        fileprivate var numbers: [[UInt8]: Int] = [:]
    }

    private(set) var nodes = [Node()]

    /// Creates the tree of the given paths. Returns nil if it has too many names.
    init?(_ paths: [[[UInt8]]]) {
        for path in paths {
            var node = 0
            for name in path {
                node = child(name, of: node)
                guard nodes.count <= Self.maximumNodes else { return nil }
            }
        }
    }

    /// The maximum number of nodes: the root and 1,000 names.
    private static let maximumNodes = 1001

    private mutating func child(_ name: [UInt8], of node: Int) -> Int {
        if let known = nodes[node].numbers[name] { return known }
        nodes.append(Node())
        nodes[node].children.append((name, nodes.count - 1))
        nodes[node].numbers[name] = nodes.count - 1
        return nodes.count - 1
    }
}

/// Follows the paths of `include` from primary data, and records the requested resources.
///
/// The walk would take O(n × m), n = number of identifiers, m = number of names in the paths. It gives up when this is much more than the
/// size of the document, which takes more than 64 names.
/// - Complexity: O(n), n = size of the document.
struct IncludeWalk {
    private let view: TapeView
    private let resources: ResourceList
    private let identities: IdentityIndex
    private let paths: RequestedPaths
    private let hasFieldsets: Bool
    /// The fieldset for the type of each resource object; nil for a type without one. Looked up once, because types can be long. Empty if
    /// the query has no fieldsets.
    private let fieldsets: [Set<[UInt8]>?]
    /// The resource objects that were visited, each at one node.
    private var seen: Set<Int> = []
    private var work: [(number: Int, node: Int)] = []
    /// The number of steps that are left: members and identifiers to look at. With up to 64 names it is enough, because an identifier has
    /// at least two words for each step: two for itself, and two for each member. A resource object with a relationship has more.
    private var budget: Int
    private(set) var requested: [Bool]
    /// Whether a relationship on a path has no linkage, a sparse fieldset may have removed it, or the walk gave up. The requested resources
    /// are then unknown.
    private(set) var isUncertain = false
    /// Whether a sparse fieldset may have removed a relationship on a path.
    private(set) var isHidden = false

    init(_ view: TapeView, _ resources: ResourceList, _ identities: IdentityIndex, _ paths: RequestedPaths, _ query: RequestedQuery) {
        self.view = view
        self.resources = resources
        self.identities = identities
        self.paths = paths
        let fields = query.fields
        hasFieldsets = !fields.isEmpty
        fieldsets = fields.isEmpty ? [] : resources.entries.map { $0.type == 0 ? nil : fields[view.textBytes(at: $0.type)] }
        requested = [Bool](repeating: false, count: resources.entries.count)
        budget = 100_000 + 32 * view.end(of: view.root)
    }

    /// Walks from the primary resource objects, and from identifiers in the primary data. The relationship of the identifiers is the first
    /// name of each path.
    mutating func run(from identifiers: [Int]) {
        for (number, entry) in resources.entries.enumerated() where !entry.isIncluded { visit(number, 0) }
        for identifier in identifiers {
            guard budget > 0 else { return giveUp() }
            budget -= 1 + view.count(at: identifier)
            guard let number = identities.number(identifiedBy: identifier, view) else { continue }
            requested[number] = true
            budget -= paths.nodes[0].children.count
            for child in paths.nodes[0].children { visit(number, child.node) }
        }
        while let (number, node) = work.popLast(), !isHidden {
            for child in paths.nodes[node].children where budget > 0 { follow(child.name, child.node, from: number) }
            if budget <= 0 { return giveUp() }
        }
    }

    private mutating func giveUp() {
        isUncertain = true
        // What was not looked at may be missing from the document.
        isHidden = hasFieldsets
    }

    private mutating func visit(_ number: Int, _ node: Int) {
        guard !paths.nodes[node].children.isEmpty, seen.insert(number * paths.nodes.count + node).inserted else { return }
        work.append((number, node))
    }

    private mutating func follow(_ name: [UInt8], _ node: Int, from number: Int) {
        let relationships = resources.entries[number].relationships
        budget -= 1 + (relationships != 0 ? view.count(at: relationships) : 0)
        let relationship = relationships != 0 ? view.member(name.span, of: relationships) : nil
        guard let relationship else {
            // Without linkage, nothing can be included, unless the request excluded the linkage.
            if isHidden(name, of: number) { (isUncertain, isHidden) = (true, true) }
            return
        }
        guard view.isObject(relationship), let data = view.member("data", of: relationship) else {
            isUncertain = true
            return
        }
        view.forEachIdentifier(inLinkage: data) { identifier in
            budget -= 1 + view.count(at: identifier)
            guard let number = identities.number(identifiedBy: identifier, view) else { return }
            requested[number] = true
            visit(number, node)
        }
    }

    /// Returns whether the fieldset of a resource object lacks a relationship.
    private func isHidden(_ name: [UInt8], of number: Int) -> Bool {
        guard hasFieldsets, let fieldset = fieldsets[number] else { return false }
        return !fieldset.contains(name)
    }
}
