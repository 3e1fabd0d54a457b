/// Where the value is that a reference leads to: one cell for each resource and Swift type, shared by all references to it. Always a
/// `ValueCell` of the type that the reference is for.
///
/// A cell is empty where a value would keep itself alive; see `ReferenceGraph`. What an empty cell stands for is read again whenever it
/// is asked for.
///
/// `@unchecked Sendable`: written only by the call of the decoder that made the cell, before it returns.
@usableFromInline class ReferenceCell: @unchecked Sendable {
    /// Whether the program gave the value, rather than a document.
    fileprivate(set) final var isGiven = false

    /// Required, so that a table makes cells of a class that is looked up once.
    required init() {}
}

/// A cell for values of one type.
@usableFromInline final class ValueCell<Value: Sendable>: ReferenceCell, @unchecked Sendable {
    // Unchecked: one thread writes, before others have the cell.
    @safe @exclusivity(unchecked) @usableFromInline var value: Value?

    /// A value that the program gave.
    init(given value: Value) {
        self.value = value
        super.init()
        isGiven = true
    }

    required init() { super.init() }
}

extension ReferenceCell {
    /// The value of a cell that was made for that type; nil while it is empty.
    // Inlinable, as is what calls it: otherwise each call would look the type of the optional up, which takes longer than the rest.
    @inlinable @inline(__always)
    final func value<Value: Sendable>(_: Value.Type) -> Value? { KnownObject.of(self, as: ValueCell<Value>.self).value }
}

/// The cells of one document for one Swift type, by resource.
///
/// `@unchecked Sendable`: written only by the call that makes it, as the cells are.
final class ReferenceTable: @unchecked Sendable {
    /// By ordinal, the number of a cell and 1; 0 for none.
    private let numbers: Scratch<UInt32>
    /// The class of the cells.
    private let cellType: ReferenceCell.Type
    // Unchecked: one thread uses a table, and nothing calls back while these change.
    @safe @exclusivity(unchecked) private var cells: [ReferenceCell?] = []
    /// The ordinal of each cell.
    @safe @exclusivity(unchecked) private(set) var ordinals: [Int] = []

    /// - Parameter count: how many resources the document has.
    init(_ count: Int, of cellType: ReferenceCell.Type) {
        numbers = Scratch(zeroes: count)
        self.cellType = cellType
    }

    /// The cell of a resource, if there is one.
    @inline(__always)
    subscript(ordinal: Int) -> ReferenceCell? {
        let number = Int(numbers[ordinal])
        return number == 0 ? nil : cells[number - 1]
    }

    /// Makes the cell of a resource that has none.
    func makeCell(_ ordinal: Int) -> ReferenceCell {
        let cell = cellType.init()
        cells.append(cell)
        ordinals.append(ordinal)
        numbers[ordinal] = UInt32(truncatingIfNeeded: cells.count)
        return cell
    }

    /// Lets go of a resource's cell, which lives as long as references to it do.
    func drop(_ ordinal: Int) {
        let number = Int(numbers[ordinal])
        if number > 0 { cells[number - 1] = nil }
    }
}
