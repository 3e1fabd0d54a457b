import JSONAPICodec
import JSONText

/// Resources of one type as a table: a row for each resource, and a column for each attribute and each relationship.
///
///     id  title     author →  comments →
///     1   JSON:API  people 9  2 comments
///
/// Texts have no quotes, unless they could be misread as another value. The cell of an absent member is empty.
struct FieldTable {
    /// The largest number of columns, however wide a line is.
    static let maximumColumns = 64

    private let resources: [ResourceObject]
    private let limits: ShortText.Limits
    /// The names of the columns after the id, in the order of their first appearance.
    private let fields: [Field]
    /// The columns that are left out because no resource has a value there.
    private let emptyFields: [Field]

    /// A column after the id.
    private struct Field: Hashable {
        let name: ByteText
        let isRelationship: Bool

        /// How the heading and the remarks call it.
        func heading(_ limits: ShortText.Limits) -> String {
            ShortText.memberName(name.text, limits: limits) + (isRelationship ? " →" : "")
        }
    }

    /// Creates the table of resources.
    ///
    /// `columns`: the attributes and relationships to show, in this order; nil for all that have a value, and for all at all if
    /// `showsEmpty` is true.
    ///
    /// - Complexity: O(n), n = members of the resources.
    init(_ resources: [ResourceObject], limits: ShortText.Limits, columns: [String]? = nil, showsEmpty: Bool = false) {
        self.resources = resources
        self.limits = limits
        let all = FieldTable.fields(of: resources)
        guard let columns else {
            fields = all.filter { showsEmpty || $0.hasValue }.map(\.field)
            emptyFields = all.filter { !showsEmpty && !$0.hasValue }.map(\.field)
            return
        }
        fields = columns.flatMap { name in all.map(\.field).filter { $0.name == ByteText(name) } }
        emptyFields = []
    }

    /// The names of the attributes and relationships that have a column of their own.
    static func names(of resources: [ResourceObject]) -> [ByteText] { fields(of: resources).map(\.field.name) }

    private static func fields(of resources: [ResourceObject]) -> [(field: Field, hasValue: Bool)] {
        var order: [Field] = []
        var values: [Field: Bool] = [:]
        func add(_ field: Field, _ hasValue: Bool) {
            guard let known = values[field] else {
                order.append(field)
                values[field] = hasValue
                return
            }
            if hasValue, !known { values[field] = true }
        }
        for resource in resources {
            for member in resource.attributes ?? [:] {
                add(Field(name: ByteText(member.name), isRelationship: false), !member.value.isBlank)
            }
            // A relationship that has data in no resource has nothing to show in a table.
            for member in resource.relationships?.members ?? [:] {
                guard let data = member.value["data"] else { continue }
                add(Field(name: ByteText(member.name), isRelationship: true), !data.isBlank)
            }
        }
        let fields = order.map { (field: $0, hasValue: values[$0] ?? false) }
        return fields.filter { !$0.field.isRelationship } + fields.filter(\.field.isRelationship)
    }
}

extension JSON {
    /// Whether a cell of this value says nothing: null, or an empty string, array or object.
    fileprivate var isBlank: Bool {
        switch self {
        case .null: true
        case .string(let text): text.isEmpty
        case .array(let array): array.isEmpty
        case .object(let object): object.isEmpty
        case .bool, .number: false
        }
    }
}

// MARK: - Printing

extension FieldTable {
    /// Prints the table, and then which columns are empty and which do not fit into `width`; nil is no limit.
    func print(width: Int?, _ ink: Ink, in console: Console) throws {
        // Cells are made only for columns that can fit. Each takes three places at least, including the gap.
        let most = min(width.map { $0 / 3 } ?? .max, FieldTable.maximumColumns)
        var columns = [identityColumn(width)] + fields.prefix(most).map(column)
        for (position, least) in TextTable.distinctWidths(columns.map(\.name)).enumerated() {
            columns[position].narrowest = max(columns[position].narrowest, least)
        }
        let table = TextTable(columns: columns)
        let widths = table.widths(fitting: width)
        try table.print(widths, cutsCells: width != nil, ink, in: console)
        try remark("not shown", Array(fields.dropFirst(widths.count - 1)), ink, console)
        try remark("without values", emptyFields, ink, console)
    }

    private func remark(_ words: String, _ fields: [Field], _ ink: Ink, _ console: Console) throws {
        guard !fields.isEmpty else { return }
        let names = fields.prefix(8).map { $0.heading(limits) }.joined(separator: ", ")
        let rest = fields.count > 8 ? " and \(fields.count - 8) more" : ""
        try console.print(ink.paint("\(words): \(names)\(rest)", .remark))
    }

    /// The ids. They stay whole if they take at most half of the line, and distinct otherwise.
    private func identityColumn(_ width: Int?) -> TextTable.Column {
        let ids = resources.map { Label.identity(of: $0) }
        var column = TextTable.Column(name: "id", cells: ids.map { TextTable.Cell(text: $0, role: .heading) })
        let widest = ids.reduce(0) { max($0, DisplayWidth.of($1)) }
        if let width {
            column.narrowest = widest <= width / 2 ? widest : max(TextTable.distinctWidths(ids).max() ?? 0, width / 2)
        }
        return column
    }

    private func column(_ field: Field) -> TextTable.Column {
        guard !field.isRelationship else {
            let cells = resources.map { relationshipCell($0.relationships?.members[field.name.text]) }
            return TextTable.Column(name: field.heading(limits), role: .relationshipName, cells: cells)
        }
        var isNumeric = true
        let cells = resources.map { resource in
            let value = resource.attributes?[field.name.text]
            switch value {
            case nil, .null?, .number?: break
            default: isNumeric = false
            }
            return attributeCell(value)
        }
        return TextTable.Column(name: field.heading(limits), cells: cells, isNumeric: isNumeric)
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

    /// A text, with quotes if it could be misread because it is JSON itself, or begins or ends with a space.
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
        case .one(let identifier): return TextTable.Cell(text: Label.of(identifier, limits: limits))
        case .many(let identifiers):
            guard let first = identifiers.first else { return TextTable.Cell(text: "empty", role: .remark) }
            // `1 comments` is bad grammar, but `comments 1` would be the comment with the id 1.
            let one = "1 \(ShortText.name(first.type, limit: limits.name))"
            return TextTable.Cell(text: Label.count(identifiers.map(\.type), one: one, limits: limits))
        }
    }
}
