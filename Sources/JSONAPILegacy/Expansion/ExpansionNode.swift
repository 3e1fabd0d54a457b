import JSONText

/// A resource that is prepared for writing, once or several times.
///
///     {"id": "1", "title": "A"}    members     members that are always written
///     author → node 7              relations   relations that are embedded
struct ExpansionNode {
    /// All members except embedded relations.
    var members: JSONObject
    /// The object that replaces the resource where it would contain itself.
    var stub: JSONObject
    var relations: [Relation] = []
    /// The size of the resource without embedded resources.
    var size = 0
    var stubSize = 0

    struct Relation {
        let name: String
        let content: Content
    }

    enum Content {
        case one(Target)
        case many([Target])
    }

    enum Target {
        /// A resource of the document, with an address that is used if it has no `href`.
        case node(Int, href: String?)
        /// A value that replaces a resource.
        case value(JSON)
    }
}

extension ExpansionNode {
    /// The name of the member for the address of a resource.
    static let href = "href"

    /// Computes the sizes. Call it after all other properties are set.
    mutating func measure() {
        stubSize = ExpansionBudget.size(of: .object(stub))
        size = ExpansionBudget.size(of: .object(members))
        for relation in relations {
            size += ExpansionBudget.value + ExpansionBudget.object + relation.name.utf8.count
            switch relation.content {
            case .one(let target): size += Self.size(of: target)
            case .many(let targets): for target in targets { size += Self.size(of: target) }
            }
        }
    }

    private static func size(of target: Target) -> Int {
        switch target {
        case .node(_, let href): ExpansionBudget.value + (href?.utf8.count ?? 0)
        case .value(let json): ExpansionBudget.size(of: json)
        }
    }
}

/// A document as resources that link to each other, for both legacy and 1.1 documents.
protocol ExpansionSource {
    /// The number of resources.
    var count: Int { get }

    /// Prepares a resource, and adds its problems to `problems`.
    ///
    /// Throws only if the budget is exceeded.
    func node(
        at position: Int, _ budget: inout ExpansionBudget, _ problems: inout [ExpansionError.Problem]
    ) throws(ExpansionError) -> ExpansionNode

    /// Returns the place of a relation in the input.
    func pointer(ofRelation name: String, at position: Int) -> JSONPointer
}
