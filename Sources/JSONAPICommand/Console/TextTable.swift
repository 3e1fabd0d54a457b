/// Rows and columns of text, fitted to a width.
///
///     id  title      words
///     1   JSON:API    1200
///     2   Codable…      80
///
/// A column is as wide as its widest cell if there is room. Otherwise the widest columns become narrower, and at last columns at the
/// right are left out.
struct TextTable {
    /// A piece of text in a column. Control characters are escaped already.
    struct Cell {
        var text: String
        var role: Ink.Role?
    }

    struct Column {
        let name: String
        var role = Ink.Role.memberName
        var cells: [Cell]
        /// Whether the cells are aligned at the right, as numbers are.
        var isNumeric = false
        /// The width below which the column is not cut, so that its heading or its cells stay distinct from others.
        var narrowest = 0
    }

    /// The columns, all with the same number of cells.
    let columns: [Column]

    private static let gap = 2
    /// No column is made narrower than this to make room for another.
    private static let narrowest = 8
    /// No cell is padded to more than this. Otherwise one long text would make every line long.
    private static let widest = 120
}

// MARK: - Widths

extension TextTable {
    /// Returns the widths of the first columns, as many as fit into `width`. Nil is no limit; longer cells then exceed their columns.
    ///
    /// - Complexity: O(bytes of the cells + columns × log width), counting the columns that fit.
    func widths(fitting width: Int?) -> [Int] {
        var natural: [Int] = []
        var least: [Int] = []
        var sum = 0
        for column in columns {
            let widest = column.cells.reduce(DisplayWidth.of(column.name)) { max($0, DisplayWidth.of($1.text)) }
            let needed = min(widest, max(column.narrowest, TextTable.narrowest))
            sum += needed + (natural.isEmpty ? 0 : TextTable.gap)
            // The first column names the row, so it is never left out.
            if let width, sum > width, !natural.isEmpty { break }
            natural.append(widest)
            least.append(min(needed, width ?? needed))
        }
        guard let width else { return natural.map { min($0, TextTable.widest) } }
        return TextTable.shared(natural, least, width: width - TextTable.gap * (natural.count - 1))
    }

    /// Cuts the widest columns down to one width, the largest with which all columns together fit into `width`.
    private static func shared(_ natural: [Int], _ least: [Int], width: Int) -> [Int] {
        func widths(_ limit: Int) -> [Int] { zip(natural, least).map { min($0, max($1, limit)) } }
        var (low, high) = (0, natural.max() ?? 0)
        while low < high {
            let middle = (low + high + 1) / 2
            if widths(middle).reduce(0, +) <= width { low = middle } else { high = middle - 1 }
        }
        return widths(low)
    }

    /// Returns how wide each text has to stay so that texts that differ still differ when they are cut.
    ///
    /// - Complexity: O(n log n), n = texts.
    static func distinctWidths(_ texts: [String]) -> [Int] {
        var widths = [Int](repeating: 0, count: texts.count)
        let order = texts.indices.sorted { texts[$0] < texts[$1] }
        for (left, right) in zip(order, order.dropFirst()) where texts[left] != texts[right] {
            let common = texts[left].commonPrefix(with: texts[right])
            for position in [left, right] {
                let next = texts[position].dropFirst(common.count).prefix(1)
                let needed = DisplayWidth.of(common) + DisplayWidth.of(String(next)) + 1
                widths[position] = max(widths[position], min(needed, DisplayWidth.of(texts[position])))
            }
        }
        return widths
    }
}

extension String {
    /// The characters that both texts begin with.
    fileprivate func commonPrefix(with other: String) -> String { String(zip(self, other).prefix { $0 == $1 }.map(\.0)) }
}

// MARK: - Lines

extension TextTable {
    /// Prints the line of names and a line for each row. No line ends with spaces.
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
        // Spaces that are written only if a cell follows.
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
