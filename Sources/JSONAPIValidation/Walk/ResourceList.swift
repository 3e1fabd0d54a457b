import JSONAPIRules
import JSONText

/// The resource objects of a document, in order: primary data first, and then the included ones.
struct ResourceList {
    /// The indices of a resource object and its members on the tape. 0 stands for a member that is missing or has the wrong type.
    struct Entry {
        let word: Int
        let type: Int
        let id: Int
        let lid: Int
        let relationships: Int
        let isIncluded: Bool
        /// Whether an earlier resource object has the same identity.
        fileprivate(set) var isTwin = false

        init(_ parts: ResourceParts, _ view: TapeView, isIncluded: Bool) {
            let text = { word in word != 0 && view.isString(word) ? word : 0 }
            word = parts.word
            type = text(parts.type)
            id = text(parts.id)
            lid = text(parts.lid)
            relationships = parts.relationships != 0 && view.isObject(parts.relationships) ? parts.relationships : 0
            self.isIncluded = isIncluded
        }

        /// Whether the identity is valid.
        var isSound: Bool { type != 0 && id != 0 }
    }

    private(set) var entries: [Entry] = []

    mutating func markTwin(_ number: Int) { entries[number].isTwin = true }

    mutating func append(_ entry: Entry) { entries.append(entry) }
}

/// An index of resource objects by type and id. If several have the same identity, it finds the first one.
struct IdentityIndex {
    private var table: WordTable
    /// The number of the resource object for each element of the table.
    private var numbers: [Int] = []

    init(capacity: Int) { table = WordTable(capacity: capacity) }

    /// Inserts a resource object. Returns the number of an earlier one with the same identity, or nil if the identity is new.
    mutating func insert(_ entry: ResourceList.Entry, number: Int, _ view: TapeView) -> Int? {
        if let place = table.number(of: entry.type, entry.id, view) { return numbers[place] }
        table.insert(entry.type, entry.id, view)
        numbers.append(number)
        return nil
    }

    func number(type: Int, id: Int, _ view: TapeView) -> Int? {
        table.number(of: type, id, view).map { numbers[$0] }
    }

    /// Returns the number of the resource object to which the identifier at `word` refers.
    func number(identifiedBy word: Int, _ view: TapeView) -> Int? {
        guard let type = view.member("type", of: word), view.isString(type), let id = view.member("id", of: word), view.isString(id) else {
            return nil
        }
        return number(type: type, id: id, view)
    }
}

/// The local ids in a request, and the references to them.
struct LocalIdentities {
    struct Mention {
        let type: Int
        let lid: Int
        /// Whether it is in an operation, and no operation up to that one has given the local id to a resource.
        var isEarly = false
    }

    /// The local ids of new resource objects, in order.
    var declared: [Mention] = []
    /// The local ids in identifiers.
    var mentioned: [Mention] = []
    /// Whether a resource object has an invalid local id, or an invalid type with a local id.
    var isBroken = false
}
