import JSONAPIRules
import JSONText

/// The resource objects of a document: primary data first, then the included ones, in their order.
struct ResourceList {
    /// A resource object, as words on the tape; 0 for what is absent or of the wrong kind.
    struct Entry {
        let word: Int
        let type: Int
        let id: Int
        let lid: Int
        let relationships: Int
        let isIncluded: Bool
        /// Whether one before it has its identity.
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

        /// Whether its identity can be read.
        var isSound: Bool { type != 0 && id != 0 }
    }

    private(set) var entries: [Entry] = []
    private(set) var primaryCount = 0

    mutating func markTwin(_ number: Int) { entries[number].isTwin = true }

    mutating func append(_ entry: Entry) {
        entries.append(entry)
        if !entry.isIncluded { primaryCount += 1 }
    }
}

/// Numbers of resource objects by type and id. Of several with one identity the first is found.
struct IdentityIndex {
    private var table: WordTable
    /// The resource object of each element of the table.
    private var numbers: [Int] = []

    init(capacity: Int) { table = WordTable(capacity: capacity) }

    /// Answers the number of the resource object that has the identity already, nil when it is new.
    mutating func insert(_ entry: ResourceList.Entry, number: Int, _ view: TapeView) -> Int? {
        if let place = table.number(of: entry.type, entry.id, view) { return numbers[place] }
        table.insert(entry.type, entry.id, view)
        numbers.append(number)
        return nil
    }

    func number(type: Int, id: Int, _ view: TapeView) -> Int? {
        table.number(of: type, id, view).map { numbers[$0] }
    }

    /// The number of the resource object that the identifier at `word` names.
    func number(identifiedBy word: Int, _ view: TapeView) -> Int? {
        guard let type = view.member("type", of: word), view.isString(type), let id = view.member("id", of: word), view.isString(id) else {
            return nil
        }
        return number(type: type, id: id, view)
    }
}

/// Local ids of a request: who has one, and who asks for one.
struct LocalIdentities {
    struct Mention {
        let type: Int
        let lid: Int
    }

    /// Resource objects to be created, in order.
    var declared: [Mention] = []
    /// Identifiers of resources to be created.
    var mentioned: [Mention] = []
    /// Whether a resource object has a local id, or a type beside one, that cannot be read.
    var isBroken = false
}
