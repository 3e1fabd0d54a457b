import JSONAPICodec
import JSONText

/// A document as tables, one for each type: first the types of the primary data, then those of the included resources.
struct TableView {
    /// A collection of at least this many resources of one type is a table by default.
    static let longCollection = 20

    private let outline: DocumentOutline
    private let showsAll: Bool
    private let ink: Ink
    /// The columns to show; nil for all that have a value.
    private let columns: [String]?

    init(_ outline: DocumentOutline, showsAll: Bool, columns: [String]? = nil, ink: Ink) {
        self.outline = outline
        self.showsAll = showsAll
        self.columns = columns
        self.ink = ink
    }

    /// The names of all columns that the tables can have.
    var columnNames: [ByteText] { FieldTable.names(of: outline.primary + outline.included) }

    /// Whether a document is easier to read as a table than as a tree.
    static func suits(_ outline: DocumentOutline) -> Bool {
        guard fits(outline), outline.subject == .collection, !outline.areIdentifiers else { return false }
        let resources = outline.primary
        guard resources.count >= longCollection else { return false }
        let type = resources[0].type
        return resources.allSatisfy { UTF8Bytes.areEqual($0.type, type) }
    }

    /// Whether a document has resources for a table, and no errors, which a table would leave out.
    static func fits(_ outline: DocumentOutline) -> Bool { !outline.primary.isEmpty && !outline.document.members.contains(name: "errors") }

    /// Prints the tables, each under its type and the number of its rows.
    func print(width: Int, in console: Console) throws {
        try print(outline.primary, "", width, console)
        try print(outline.included, "included ", width, console)
    }

    private func print(_ resources: [ResourceObject], _ prefix: String, _ width: Int, _ console: Console) throws {
        for group in TableView.groups(resources) {
            // Included resources without one of the columns that the user wants are left out.
            if let columns, !prefix.isEmpty, Set(FieldTable.names(of: group)).isDisjoint(with: columns.map(ByteText.init)) { continue }
            let limits = showsAll ? ShortText.Limits.none : ShortText.Limits(string: 60, container: 60, levels: 2)
            let type = group[0].type.isEmpty ? "without type" : ShortText.name(group[0].type, limit: limits.name)
            try console.print("\n" + ink.paint("\(prefix)\(type) (\(group.count))", .heading))
            let table = FieldTable(group, limits: limits, columns: columns, showsEmpty: showsAll)
            try table.print(width: showsAll ? nil : width, ink, in: console)
        }
    }

    /// The resources of each type, in the order of the types' first appearance.
    private static func groups(_ resources: [ResourceObject]) -> [[ResourceObject]] {
        var groups: [[ResourceObject]] = []
        var positions: [ResourceIdentifier: Int] = [:]
        for resource in resources {
            // An identifier compares by bytes, as types do.
            let key = ResourceIdentifier(type: resource.type, id: "")
            if let position = positions[key] {
                groups[position].append(resource)
            } else {
                positions[key] = groups.count
                groups.append([resource])
            }
        }
        return groups
    }
}
