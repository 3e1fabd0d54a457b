/// The place for the value that a reference refers to. There is one cell for each resource and Swift type, which all references to the
/// resource share. A cell is always a `ValueCell` of the reference's type.
///
/// A cell is empty when a value would keep itself alive; see `ReferenceGraph`. The value of an empty cell is read again on each access.
///
/// `@unchecked Sendable`: only the call of the decoder that made the cell writes to it, before it shows the value. A model can give a
/// reference to another thread before that.
@usableFromInline class ReferenceCell: @unchecked Sendable {
    /// Whether the program gave the value, rather than a document.
    fileprivate(set) final var isGiven = false
    /// Whether the value is shown. No model and no thread sees one while the document is read, whatever the order of links is.
    // Unchecked: it is set when the cell is made. Nil for a value that the program gave.
    @safe @exclusivity(unchecked) private final var shown: SharedFlag?
    /// The ordinal of the resource plus 1; 0 for a value that the program gave.
    private final var number: UInt32 = 0

    /// Required, so that a table creates its cells from a class that is looked up once.
    required init() {}

    /// Creates an empty cell of the given class for a resource.
    ///
    /// - Parameter shown: Set when the document has been read.
    static func make(_ cellType: ReferenceCell.Type, _ ordinal: Int, _ shown: SharedFlag) -> ReferenceCell {
        let cell = cellType.init()
        cell.shown = shown
        cell.number = UInt32(truncatingIfNeeded: ordinal + 1)
        return cell
    }

    @usableFromInline final var isShown: Bool { shown?.isSet ?? true }

    /// The ordinal of the resource that the cell was made for; nil for a value that the program gave.
    final var ordinal: Int? { number == 0 ? nil : Int(number) - 1 }
}

/// A cell for values of one type.
@usableFromInline final class ValueCell<Value: Sendable>: ReferenceCell, @unchecked Sendable {
    // Unchecked: one thread writes, before the value is shown.
    @safe @exclusivity(unchecked) @usableFromInline var value: Value?

    /// Creates a cell for a value that the program gave.
    init(given value: Value) {
        self.value = value
        super.init()
        isGiven = true
    }

    required init() { super.init() }

    deinit { if isGiven { ChainRelease.free(&value) } }
}

extension ReferenceCell {
    /// Returns the value of a cell that was made for the given type; nil while the cell is empty or its value is not shown. Inlinable, like
    /// its callers. Otherwise each call would look up the metadata of the optional, which takes longer than the rest.
    @inlinable @inline(__always)
    final func value<Value: Sendable>(_: Value.Type) -> Value? { isShown ? shownValue(Value.self) : nil }

    /// Returns the value of a cell for which `isShown` is true.
    @inlinable @inline(__always)
    final func shownValue<Value: Sendable>(_: Value.Type) -> Value? { KnownObject.of(self, as: ValueCell<Value>.self).value }
}

/// The cells of one document for one Swift type, by resource.
///
/// `@unchecked Sendable`: only the call that makes the table writes to it, as with the cells.
final class ReferenceTable: @unchecked Sendable {
    /// For each ordinal, the index of its cell plus 1; 0 for none.
    private let numbers: Scratch<UInt32>
    /// The class of the cells.
    private let cellType: ReferenceCell.Type
    private let shown: SharedFlag
    // Unchecked: one thread uses a table, and nothing calls back while these change.
    @safe @exclusivity(unchecked) private var cells: [ReferenceCell?] = []
    /// The ordinal of each cell.
    @safe @exclusivity(unchecked) private(set) var ordinals: [Int] = []

    /// - Parameter count: The number of resources in the document.
    init(_ count: Int, of cellType: ReferenceCell.Type, _ shown: SharedFlag) {
        numbers = Scratch(zeroes: count)
        self.cellType = cellType
        self.shown = shown
    }

    /// The cell of a resource; nil when there is none.
    @inline(__always)
    subscript(ordinal: Int) -> ReferenceCell? {
        let number = Int(numbers[ordinal])
        return number == 0 ? nil : cells[number - 1]
    }

    /// Creates the cell of a resource that has none. Its value is shown when the session ends.
    func makeCell(_ ordinal: Int) -> ReferenceCell {
        let cell = ReferenceCell.make(cellType, ordinal, shown)
        cells.append(cell)
        ordinals.append(ordinal)
        numbers[ordinal] = UInt32(truncatingIfNeeded: cells.count)
        return cell
    }

    /// Releases the cell of a resource. It lives on while references to it exist.
    func drop(_ ordinal: Int) {
        let number = Int(numbers[ordinal])
        if number > 0 { cells[number - 1] = nil }
    }
}
