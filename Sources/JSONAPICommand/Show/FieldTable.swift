import JSONAPICodec
import JSONText

/// Resources of one type as a table: a row each, and a column for each attribute and relationship.
///
///     id  title     author →  comments →
///     1   JSON:API  people 9  2 comments
///
/// Texts stand without quotes unless they would be misread as another value; an empty cell is a member that is absent.
struct FieldTable {
    /// How many columns there may be, however wide a line is.
    static let maximumColumns = 64

    private let resources: [ResourceObject]
    private let limits: ShortText.Limits
    /// The names of the columns behind the id, in the order of their first appearance.
    private let fields: [Field]

    /// A column behind the id.
    private struct Field: Hashable {
        let name: String
        let isRelationship: Bool

        static func == (lhs: Field, rhs: Field) -> Bool {
            lhs.isRelationship == rhs.isRelationship && UTF8Bytes.areEqual(lhs.name, rhs.name)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(isRelationship)
            UTF8Bytes.hash(name, into: &hasher)
        }
    }

    /// The table of those resources.
    ///
    /// - Complexity: O(n), n = members of the resources.
    init(_ resources: [ResourceObject], limits: ShortText.Limits) {
        self.resources = resources
        self.limits = limits
        fields = FieldTable.fields(of: resources)
    }

    private static func fields(of resources: [ResourceObject]) -> [Field] {
        var order: [Field] = []
        var seen: Set<Field> = []
        for resource in resources {
            for member in resource.attributes ?? [:] {
                let field = Field(name: member.name, isRelationship: false)
                if seen.insert(field).inserted { order.append(field) }
            }
            // A relationship that no resource has data of says nothing in a table.
            for member in resource.relationships?.members ?? [:] where member.value["data"] != nil {
                let field = Field(name: member.name, isRelationship: true)
                if seen.insert(field).inserted { order.append(field) }
            }
        }
        return order.filter { !$0.isRelationship } + order.filter(\.isRelationship)
    }
}

// MARK: - Printing

extension FieldTable {
    /// Prints the table, and which columns did not fit into `width`; nil is no limit.
    func print(width: Int?, _ ink: Ink, in console: Console) throws {
        // Cells are made only for columns that can fit: each takes three places at least, its gap included.
        let most = min(width.map { $0 / 3 } ?? .max, FieldTable.maximumColumns)
        let candidates = fields.prefix(most)
        let table = TextTable(columns: [identityColumn] + candidates.map(column))
        let widths = table.widths(fitting: width)
        try table.print(widths, cutsCells: width != nil, ink, in: console)
        let left = fields.dropFirst(widths.count - 1)
        guard !left.isEmpty else { return }
        let names = left.prefix(8).map { ShortText.memberName($0.name) }.joined(separator: ", ")
        let rest = left.count > 8 ? " and \(left.count - 8) more" : ""
        try console.print(ink.paint("not shown: \(names)\(rest)", .remark))
    }

    private var identityColumn: TextTable.Column {
        let cells = resources.map { resource in
            TextTable.Cell(text: Label.identity(of: resource), role: .heading)
        }
        return TextTable.Column(name: "id", cells: cells)
    }

    private func column(_ field: Field) -> TextTable.Column {
        let name = ShortText.memberName(field.name)
        guard !field.isRelationship else {
            let cells = resources.map { relationshipCell($0.relationships?.members[field.name]) }
            return TextTable.Column(name: name + " →", role: .relationshipName, cells: cells)
        }
        var isNumeric = true
        let cells = resources.map { resource in
            let value = resource.attributes?[field.name]
            switch value {
            case nil, .null?, .number?: break
            default: isNumeric = false
            }
            return attributeCell(value)
        }
        return TextTable.Column(name: name, cells: cells, isNumeric: isNumeric)
    }
}

// MARK: - Cells

extension FieldTable {
    private func attributeCell(_ value: JSON?) -> TextTable.Cell {
        switch value {
        case nil: TextTable.Cell(text: "")
        case .string(let text)?: TextTable.Cell(text: plain(text), role: .string)
        case .number(let number)?: TextTable.Cell(text: ShortText.plain(number.text, limit: limits.string), role: .number)
        case .null?, .bool?: TextTable.Cell(text: ShortText.value(value ?? .null, limits: limits), role: .word)
        case let value?: TextTable.Cell(text: ShortText.value(value, limits: limits))
        }
    }

    /// A text, in quotes where it would be misread: when it is JSON itself, or has spaces at an end.
    private func plain(_ text: String) -> String {
        let isMisread =
            text.isEmpty || text.hasPrefix(" ") || text.hasSuffix(" ")
            || (text.utf8.count < 40 && text.unicodeScalars.first.map { "\"[{-0123456789tfn".unicodeScalars.contains($0) } == true
                && (try? JSON(parsing: text)) != nil)
        return isMisread ? ShortText.quoted(text, limit: limits.string) : ShortText.plain(text, limit: limits.string)
    }

    private func relationshipCell(_ json: JSON?) -> TextTable.Cell {
        guard let json else { return TextTable.Cell(text: "") }
        guard let relationship = RelationshipObject(json: json) else {
            return TextTable.Cell(text: ShortText.value(json, limits: limits))
        }
        switch relationship.data {
        case .absent where relationship.members.contains(name: "data"): return TextTable.Cell(text: "no identifiers", role: .remark)
        case .absent: return TextTable.Cell(text: "not loaded", role: .remark)
        case .null: return TextTable.Cell(text: "none", role: .remark)
        case .one(let identifier): return TextTable.Cell(text: Label.of(identifier))
        case .many(let identifiers):
            guard let first = identifiers.first else { return TextTable.Cell(text: "empty", role: .remark) }
            // `1 comments`, though no grammar likes it: `comments 1` would be read as the one with the id 1.
            return TextTable.Cell(text: Label.count(identifiers.map(\.type), one: "1 \(ShortText.name(first.type))"))
        }
    }
}
