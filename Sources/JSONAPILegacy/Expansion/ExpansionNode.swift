import JSONText

/// A resource, ready to be written as often as it is embedded.
///
///     {"id": "1", "title": "A"}    members     what is written in any case
///     author → node 7              relations   what is embedded
struct ExpansionNode {
    /// Everything but the relations that embed.
    var members: JSONObject
    /// What is written in place of the resource where it would contain itself.
    var stub: JSONObject
    var relations: [Relation] = []
    /// What writing it adds, without what it embeds.
    var size = 0

    struct Relation {
        let name: String
        let content: Content
    }

    enum Content {
        case one(Target)
        case many([Target])
    }

    enum Target {
        /// A resource of the document, with the address it gets unless it has its own.
        case node(Int, href: String?)
        /// Something that stands for a resource.
        case value(JSON)
    }
}

extension ExpansionNode {
    /// The address of a resource is the member of this name.
    static let href = "href"

    /// Computes `size`. To be called when everything else is there.
    mutating func measure() {
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

/// A document seen as resources that lead to each other, old or new.
protocol ExpansionSource {
    /// How many resources there are.
    var count: Int { get }

    /// Gets a resource ready. What is wrong with it is added to `problems`.
    ///
    /// Throws only when the budget is spent.
    func node(
        at position: Int, _ budget: inout ExpansionBudget, _ problems: inout [ExpansionError.Problem]
    ) throws(ExpansionError) -> ExpansionNode

    /// Where the relation of that name is in the input.
    func pointer(ofRelation name: String, at position: Int) -> JSONPointer
}
