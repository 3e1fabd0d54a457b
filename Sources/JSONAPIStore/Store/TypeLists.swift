import JSONAPIArchive
import JSONText

/// The slots of a table that belong to each type, in the order of the list of the type.
///
/// ```
/// lists     people: 0 ⇄ 2      articles: 1
/// numbers   [4096, 4097, 4130]
/// ```
///
/// A list is in the order of numbers. Those of the file are the places in its archive. A resource that the file does not have yet has a
/// number after them, unless it is in place of another one, or back after its removal. The file takes the numbers over, and from then on
/// only the archive knows the place of the resource.
struct TypeLists: Sendable {
    private struct List: Sendable {
        var chain = Chain()
        /// Types are in the order of these numbers, which is that of arrival.
        let position: Int
    }

    private var lists: [ByteText: List] = [:]
    private var links: [Chain.Link] = []
    private var nextPosition = 0
    private var numbers: [Int] = []
    /// The number of the next resource in its list.
    private var nextNumber = 1
    /// What the numbers belong to.
    private(set) var numbering = UInt64.random(in: .min ... .max)

    /// The types that have slots, in the order of arrival.
    var names: [String] { lists.sorted { $0.value.position < $1.value.position }.map(\.key.text) }

    /// Returns the number of slots of a type.
    func count(ofType type: String) -> Int { lists[ByteText(type)]?.chain.count ?? 0 }

    /// Returns the slots of a type that meet a condition, in the order of their numbers.
    func slots(ofType type: String, where isIncluded: (Int) -> Bool = { _ in true }) -> [Int] {
        let slots = (lists[ByteText(type)]?.chain.members(links) ?? []).filter(isIncluded)
        // Almost always they are in this order.
        let areInOrder = slots.indices.dropFirst().allSatisfy { numbers[slots[$0 - 1]] <= numbers[slots[$0]] }
        return areInOrder ? slots : slots.sorted { numbers[$0] < numbers[$1] }
    }

    /// The number of a slot.
    subscript(slot: Int) -> Int { numbers[slot] }

    // MARK: - Slots

    mutating func addSlot() {
        links.append(Chain.Link())
        numbers.append(0)
    }

    /// Frees the memory of slots of which none belongs to a type.
    mutating func removeAllSlots() {
        links = []
        numbers = []
    }

    /// Lets a slot belong to a type.
    ///
    /// - Parameter number: nil for the next one.
    mutating func insert(_ slot: Int, _ type: String, number: Int?) {
        lists[ByteText(type), default: List(position: nextPosition)].chain.append(slot, &links)
        nextPosition += 1
        setNumber(of: slot, to: number)
    }

    mutating func remove(_ slot: Int, _ type: String) {
        let type = ByteText(type)
        lists[type]?.chain.remove(slot, &links)
        if lists[type]?.chain.count == 0 { lists[type] = nil }
    }

    /// Sets the number of a slot; nil for the next one.
    mutating func setNumber(of slot: Int, to number: Int?) {
        numbers[slot] = number ?? nextNumber
        nextNumber = max(nextNumber, numbers[slot] + 1)
    }

    // MARK: - Places

    /// Returns the place with a number.
    func place(_ number: Int) -> ListPlace { ListPlace(numbering: numbering, number: number) }

    /// Returns the number of an earlier place; nil if the numbers have changed since then.
    func number(at place: ListPlace) -> Int? {
        // A file can contain any number, and sums of numbers must not overflow.
        place.numbering == numbering && place.number < Int.max / 4 ? place.number : nil
    }

    // MARK: - The file

    /// Begins with the numbers of the next file, or of the same one, to which another program can have added some. Resources that the file
    /// does not have follow its own in their order, except in places between earlier resources of the same file.
    ///
    /// - Parameters:
    ///   - end: the end of the places in the file so far; 0 if there was none.
    ///   - unfiled: the slots of these resources, and their numbers so far.
    mutating func follow(_ archive: ArchiveImage, from end: Int, _ unfiled: [(slot: Int, number: Int)]) {
        let isSame = archive.numbering == numbering
        let start = isSame ? end : 0
        // In the same file, no number is given again, because that of a removed resource is its place if it comes back.
        let next = isSame ? max(nextNumber, archive.placesEnd) : archive.placesEnd
        // Without additions, all numbers are still right.
        let shift = archive.placesEnd == start ? 0 : next - start
        (numbering, nextNumber) = (archive.numbering, next)
        for (slot, number) in unfiled { setNumber(of: slot, to: number < start ? number : number + shift) }
    }

    /// Lets the next numbers follow those of a file that was saved or compacted.
    mutating func noteSaved(_ archive: ArchiveImage) {
        nextNumber = archive.numbering == numbering ? max(nextNumber, archive.placesEnd) : archive.placesEnd
        numbering = archive.numbering
    }
}
