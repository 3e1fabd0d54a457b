/// Rows and columns of text, fitted to a width.
///
///     id  title      words
///     1   JSON:API    1200
///     2   Codable…      80
///
/// Each column is as wide as its widest cell while there is room; then the widest ones give way, and at last columns at the
/// right are left out.
struct TextTable {
    /// A piece of text in a column, already escaped.
    struct Cell {
        var text: String
        var role: Ink.Role?
    }

    struct Column {
        let name: String
        var role = Ink.Role.memberName
        var cells: [Cell]
        /// Whether the cells stand at the right, as numbers do.
        var isNumeric = false
    }

    /// The columns, all of the same number of cells.
    let columns: [Column]

    private static let gap = 2
    /// No column is made narrower than this to make room for another.
    private static let narrowest = 8
    /// No cell is filled up to more than this, or one long text would make every line long.
    private static let widest = 120
}

// MARK: - Widths

extension TextTable {
    /// The widths of the first columns, as many as fit into `width`. Nil is no limit; longer cells then stand out of their columns.
    ///
    /// - Complexity: O(bytes of the cells + columns²), the columns being as many as fit.
    func widths(fitting width: Int?) -> [Int] {
        var natural: [Int] = []
        var least = 0
        for column in columns {
            let widest = column.cells.reduce(DisplayWidth.of(column.name)) { max($0, DisplayWidth.of($1.text)) }
            least += min(widest, TextTable.narrowest) + (natural.isEmpty ? 0 : TextTable.gap)
            // The first column says what the row is about: it stays, however wide.
            if let width, least > width, !natural.isEmpty { break }
            natural.append(widest)
        }
        guard let width else { return natural.map { min($0, TextTable.widest) } }
        return TextTable.shared(natural, width: width - TextTable.gap * (natural.count - 1))
    }

    /// Cuts the widest ones down to one width, so that all together have no more than `width`.
    private static func shared(_ natural: [Int], width: Int) -> [Int] {
        var rest = width
        var limit = Int.max
        for (position, one) in natural.sorted().enumerated() {
            let share = max(rest / (natural.count - position), 1)
            guard one <= share else {
                limit = share
                break
            }
            rest -= one
        }
        return natural.map { min($0, limit) }
    }
}

// MARK: - Lines

extension TextTable {
    /// Prints the line of names, then one line for each row. Nothing stands behind the last cell of a line.
    func print(_ widths: [Int], cutsCells: Bool, _ ink: Ink, in console: Console) throws {
        let shown = zip(columns, widths).map { (column: $0, width: $1) }
        let header = shown.map { (Cell(text: $0.column.name, role: $0.column.role), $0.column.isNumeric, $0.width) }
        try console.print(line(header, cutsCells, ink))
        for row in 0..<(columns.first?.cells.count ?? 0) {
            try console.print(line(shown.map { ($0.column.cells[row], $0.column.isNumeric, $0.width) }, cutsCells, ink))
        }
    }

    private func line(_ cells: [(cell: Cell, isNumeric: Bool, width: Int)], _ cutsCells: Bool, _ ink: Ink) -> String {
        var line = ""
        // Spaces that only something behind them makes visible.
        var waiting = 0
        for (position, (cell, isNumeric, width)) in cells.enumerated() {
            if position > 0 { waiting += TextTable.gap }
            let text = cutsCells ? DisplayWidth.cut(cell.text, to: width) : cell.text
            let room = max(width - DisplayWidth.of(text), 0)
            guard !text.isEmpty else {
                waiting += room
                continue
            }
            line += String(repeating: " ", count: waiting + (isNumeric ? room : 0))
            line += cell.role.map { ink.paint(text, $0) } ?? text
            waiting = isNumeric ? 0 : room
        }
        return line
    }
}
