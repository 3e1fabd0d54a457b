import JSONAPICodec
import JSONText

/// What has been shown of a document, and how its resources look as nodes.
///
/// Every resource is shown in full once: primary resources where they stand in the data, included ones at the first
/// relationship that leads to them. Anywhere else a word says where they are.
struct DocumentTree {
    /// The maximum number of resources that are open inside each other.
    static let maximumLevels = 32

    private(set) var catalog: ResourceCatalog
    /// Whether nothing is shortened.
    let showsAll: Bool
    /// Whether the document can include resources. The related resources of a request are on the server, so they are not missing.
    let expectsIncluded: Bool
    let ink: Ink

    private var shown: Set<Int> = []
    private var ancestors: [Int] = []

    init(_ catalog: ResourceCatalog, showsAll: Bool, expectsIncluded: Bool, ink: Ink) {
        self.catalog = catalog
        self.showsAll = showsAll
        self.expectsIncluded = expectsIncluded
        self.ink = ink
    }

    var limits: ShortText.Limits { showsAll ? .none : ShortText.Limits() }
    /// How many elements of a list get a line of their own.
    var maximumElements: Int { showsAll ? .max : 50 }
    /// How many characters of an error's texts are shown.
    var maximumText: Int { showsAll ? .max : 500 }

    /// The included resources that no line has shown yet.
    var remaining: [Int] { (catalog.primaryCount..<catalog.listedCount).filter { !shown.contains($0) } }

    func isShown(_ position: Int) -> Bool { shown.contains(position) }
}

// MARK: - Opening

extension DocumentTree {
    /// The line of a node and what is below it. A resource that is opened is an ancestor until it is closed.
    mutating func open(_ node: TreeNode) -> (text: String, children: [TreeNode], resource: Int?) {
        switch node {
        case .line(let text): return (text, [], nil)
        case .group(let text, let children): return (text, children, nil)
        case .resource(let prefix, let position): return openPrimary(prefix, position)
        case .link(let prefix, let identifier, let suffix): return openLink(prefix, identifier, suffix)
        }
    }

    mutating func close(_ resource: Int) {
        // Resources are closed in the reverse order of opening.
        if ancestors.last == resource { ancestors.removeLast() }
    }

    private mutating func openPrimary(_ prefix: String, _ position: Int) -> (String, [TreeNode], Int?) {
        let resource = catalog.resources[position]
        let label = prefix + ink.paint(Label.of(resource, limits: limits), .heading)
        guard let target = catalog.target(ofPrimary: position) else { return (label, enter(position), position) }
        shown.insert(position)
        let identifierNodes = memberNodes(of: resource.members, besides: ["type", "id", "lid"])
        if ancestors.contains(target) || shown.contains(target) {
            return (label + ink.paint(" (shown above)", .remark), identifierNodes, nil)
        }
        return (label + ink.paint(" (included)", .remark), identifierNodes + enter(target), target)
    }

    private mutating func openLink(
        _ prefix: String, _ identifier: ResourceIdentifier, _ suffix: String
    ) -> (String, [TreeNode], Int?) {
        let label = prefix + ink.paint(Label.of(identifier, limits: limits), .heading)
        let suffix = suffix + metaSuffix(identifier.meta, of: "identifier ")
        guard let position = catalog.position(of: identifier) ?? inPlace(identifier) else {
            return (label + (expectsIncluded ? ink.paint(" (not included)", .remark) : "") + suffix, [], nil)
        }
        guard let place = place(of: position) else { return (label + suffix, enter(position), position) }
        return (label + " " + ink.paint(place, .remark) + suffix, [], nil)
    }

    /// Where a resource is shown that is not opened here; nil if it is opened here.
    private func place(of position: Int) -> String? {
        if ancestors.contains(position) { return "↑ shown above" }
        if shown.contains(position) { return "(shown above)" }
        if position < catalog.primaryCount { return "(shown below)" }
        guard ancestors.count >= DocumentTree.maximumLevels else { return nil }
        return "(\(ancestors.count) levels deep here; \(position < catalog.listedCount ? "shown below" : "not shown"))"
    }

    /// A whole resource where an identifier should be, which some servers write.
    private mutating func inPlace(_ identifier: ResourceIdentifier) -> Int? {
        let members = identifier.additionalMembers
        guard members.contains(name: "attributes") || members.contains(name: "relationships") else { return nil }
        return catalog.addInPlace(ResourceObject(members: identifier.members))
    }

    private mutating func enter(_ position: Int) -> [TreeNode] {
        shown.insert(position)
        ancestors.append(position)
        return nodes(of: catalog.resources[position], isPrimary: position < catalog.primaryCount)
    }
}

// MARK: - Resources

extension DocumentTree {
    private func nodes(of resource: ResourceObject, isPrimary: Bool) -> [TreeNode] {
        var nodes = memberNodes(of: resource.attributes ?? [:])
        for member in resource.relationships?.members ?? [:] { nodes += relationshipNodes(member.name, member.value) }
        nodes += linkNodes(resource.links, besides: isPrimary || showsAll ? [] : ["self"])
        return nodes + memberNodes(of: resource.members, besides: ["type", "id", "lid", "attributes", "relationships", "links"])
    }

    /// Returns a line for each member.
    func memberNodes(of members: JSONObject, besides names: Set<String> = []) -> [TreeNode] {
        members.filter { !names.contains($0.name) }.map { member in
            .line("\(memberName(member.name)): \(ink.value(member.value, limits: limits))")
        }
    }

    /// The name of a member, in its color.
    func memberName(_ name: String) -> String { ink.paint(ShortText.memberName(name, limits: limits), .memberName) }

    func linkNodes(_ links: Links?, besides names: Set<String> = []) -> [TreeNode] {
        (links?.members ?? [:]).filter { !names.contains($0.name) }.map { member in
            let isForeign = Label.isForeign(member.name) && DocumentLink(json: member.value) == nil
            let link = isForeign ? ShortText.value(member.value, limits: limits) : Label.of(link: member.value, limits: limits)
            return .line("link \(memberName(member.name)): \(ink.paint(link, .address))")
        }
    }

    private func metaSuffix(_ meta: JSONObject?, of owner: String = "") -> String {
        meta.map { "  \(owner)meta \(ShortText.value(.object($0), limits: limits))" } ?? ""
    }
}

// MARK: - Relationships

extension DocumentTree {
    private func relationshipNodes(_ member: String, _ json: JSON) -> [TreeNode] {
        let name = ink.paint(ShortText.memberName(member, limits: limits), .relationshipName)
        guard let relationship = RelationshipObject(json: json) else {
            return [.line("\(name): \(ShortText.value(json, limits: limits))\(Label.isForeign(member) ? "" : " (no relationship object)")")]
        }
        let suffix = metaSuffix(relationship.meta)
        switch relationship.data {
        case .absent where relationship.members.contains(name: "data"):
            let data = relationship.members["data"] ?? .null
            return [.line("\(name): \(ShortText.value(data, limits: limits)) (no identifiers)\(suffix)")]
        case .absent:
            return [.line("\(name): \(ink.paint("not loaded" + address(of: relationship), .remark))\(suffix)")]
        case .null:
            return [.line("\(name): \(ink.paint("none", .remark))\(suffix)")]
        case .one(let identifier):
            return [.link(prefix: "\(name) → ", identifier, suffix: suffix)]
        case .many(let identifiers):
            return [listNode(name, identifiers, suffix, pageLinks(relationship))]
        }
    }

    /// A list of identifiers: one line for each if the document has one of the resources, otherwise a single line for all.
    func listNode(_ name: String, _ identifiers: [ResourceIdentifier], _ suffix: String = "", _ more: [TreeNode] = []) -> TreeNode {
        guard !identifiers.isEmpty else { return .group("\(name): \(ink.paint("empty", .remark))\(suffix)", more) }
        let head = "\(name) → \(Label.count(identifiers.map(\.type), one: "a list of one", limits: limits))"
        let isResolved = identifiers.contains { catalog.position(of: $0) != nil || $0.additionalMembers.contains(name: "attributes") }
        guard isResolved || identifiers.contains(where: { $0.meta != nil }) else {
            let isUniform = identifiers.allSatisfy { UTF8Bytes.areEqual($0.type, identifiers[0].type) }
            let ids = identifiers.prefix(min(maximumElements, showsAll ? .max : 12)).map {
                isUniform ? Label.id(of: $0, limits: limits) : Label.of($0, limits: limits)
            }
            let rest = identifiers.count > ids.count ? ", … \(identifiers.count - ids.count) more" : ""
            let state = expectsIncluded ? ", not included" : ""
            return .group("\(head)\(state): \(ids.joined(separator: ", "))\(rest)\(suffix)", more)
        }
        var nodes = identifiers.prefix(maximumElements).map { TreeNode.link(prefix: "", $0) }
        if identifiers.count > nodes.count { nodes.append(.line("… \(identifiers.count - nodes.count) more (--all shows them)")) }
        return .group(head + suffix, nodes + more)
    }

    /// The links to further pages of a loaded relationship. Links that only repeat its address are left out.
    private func pageLinks(_ relationship: RelationshipObject) -> [TreeNode] {
        linkNodes(relationship.links, besides: showsAll ? [] : ["self", "related"])
    }

    private func address(of relationship: RelationshipObject) -> String {
        guard let links = relationship.links, let link = links.related ?? links.`self` else { return "" }
        return ", at \(Label.of(link: link.json, limits: limits))"
    }
}
