import JSONAPIRules
import JSONText

/// Collects the resource objects of a document, and checks the members of their identity.
struct ResourceIndexBuilder {
    private let view: TapeView
    private let layout: DocumentLayout
    // Only these options, because copying all of them for each resource takes time.
    private let leniencies: Leniencies
    private let isRequest: Bool
    private let dropsElements: Bool
    private let maximum: Int
    let entries: ScratchStack<ResourceEntry>
    private(set) var hasRelationships = false

    /// - Parameter entries: Replaced by the resources of the document.
    init(_ view: TapeView, _ layout: DocumentLayout, _ options: borrowing JSONAPIDecoder, _ entries: ScratchStack<ResourceEntry>) {
        entries.removeAll()
        self.entries = entries
        maximum = options.maximumResources
        self.view = view
        self.layout = layout
        leniencies = options.leniencies
        isRequest = options.source == .request
        dropsElements = options.invalidElements == .drop
    }

    mutating func addPrimary() throws {
        let data = layout.data
        reserve()
        guard data != 0 else { return }
        switch view.kind(at: data) {
        case .null: break
        case .object: try add(data, isPrimary: true)
        case .array: try addElements(of: data, isPrimary: true)
        default:
            throw wrongType(data, "a resource object, an array of them, or null")
        }
    }

    /// Reserves memory for all resources at once.
    private func reserve() {
        func count(_ data: Int) -> Int { data == 0 ? 0 : view.isArray(data) ? view.count(at: data) : 1 }
        entries.reserve(min(count(layout.data) + count(layout.included), maximum))
    }

    mutating func addIncluded() throws { if layout.included != 0 { try addElements(of: layout.included, isPrimary: false) } }

    private mutating func addElements(of array: Int, isPrimary: Bool) throws {
        try view.forEachElement(of: array) { element, _ throws in try add(element, isPrimary: isPrimary) }
    }

    private mutating func add(_ word: Int, isPrimary: Bool) throws {
        // What is dropped later has an entry without members, so that the others keep their positions.
        guard view.isObject(word) || dropsElements else { throw wrongType(word, "a resource object", advice: DecodingFailure.dropAdvice) }
        if entries.count >= maximum { try checkLimit(word) }
        var entry = ResourceEntry(view, at: word)
        try checkIdentity(&entry, isPrimary: isPrimary)
        try checkContainers(&entry)
        entries.push(entry)
    }

    private func checkLimit(_ word: Int) throws {
        guard entries.count < maximum else {
            throw DecodingFailure(
                .resourceLimit, at: view.pointer(to: word), offset: view.start(of: word),
                expected: "at most \(maximum) resource objects", found: "more",
                advice: "raise maximumResources if you trust the document")
        }
    }

    /// Checks the identity. Sets members to 0 that the leniencies read as absent.
    @inline(__always)
    private func checkIdentity(_ entry: inout ResourceEntry, isPrimary: Bool) throws {
        let type = Int(entry.type)
        let id = Int(entry.id)
        if type != 0, id != 0, entry.lid == 0, view.isString(type), view.isString(id), view.length(at: type) > 0 { return }
        try checkUnusualIdentity(&entry, isPrimary: isPrimary)
    }

    @inline(never)
    private func checkUnusualIdentity(_ entry: inout ResourceEntry, isPrimary: Bool) throws {
        if !view.isObject(Int(entry.word)) { return }
        let type = Int(entry.type)
        if type == 0 {
            guard isPrimary, leniencies.contains(.missingTypes) else {
                throw missing("type", in: entry, isPrimary ? "set the leniency missingTypes if the server leaves it out" : nil)
            }
        } else if !view.isString(type) {
            throw wrongType(type, "a string: the resource's type")
        } else if view.length(at: type) == 0 {
            throw wrongType(type, "a resource's type", found: "an empty string")
        }
        try checkID(&entry, isPrimary: isPrimary)
        if entry.lid != 0, !view.isString(Int(entry.lid)) { throw wrongType(Int(entry.lid), "a string: the local id") }
    }

    private func checkID(_ entry: inout ResourceEntry, isPrimary: Bool) throws {
        let id = Int(entry.id)
        guard id != 0 else {
            if leniencies.contains(.missingIDs) || isRequest { return }
            throw missing("id", in: entry, "set the leniency missingIDs, or `source = .request` to read what a client sends")
        }
        if takesID(&entry) { return }
        let advice =
            view.isInteger(id)
            ? "set the leniency integerIDs if the server sends numbers"
            : view.isNull(id) ? "set the leniency missingIDs to read it as absent" : nil
        throw wrongType(id, "a string: the resource's id", advice: advice)
    }

    /// Whether the id is valid or absent, or read as absent.
    private func takesID(_ entry: inout ResourceEntry) -> Bool {
        let id = Int(entry.id)
        guard id != 0, !view.isString(id) else { return true }
        if view.isNull(id), leniencies.contains(.missingIDs) {
            entry.id = 0
            return true
        }
        return view.isInteger(id) && leniencies.contains(.integerIDs)
    }

    @inline(__always)
    private mutating func checkContainers(_ entry: inout ResourceEntry) throws {
        let attributes = Int(entry.attributes)
        let relationships = Int(entry.relationships)
        if attributes != 0, !view.isObject(attributes) {
            entry.attributes = UInt32(try unusualObject(attributes, .attributesObject))
        }
        if relationships != 0, !view.isObject(relationships) {
            entry.relationships = UInt32(try unusualObject(relationships, .relationshipsObject))
        }
        if entry.relationships != 0 { hasRelationships = true }
    }

    /// Returns 0 for a value that is not an object, but is read as absent or empty. Throws for any other value.
    @inline(never)
    private func unusualObject(_ word: Int, _ rule: Rule) throws -> Int {
        if view.isNull(word), leniencies.contains(.nullContainers) { return 0 }
        if view.isArray(word), view.count(at: word) == 0, leniencies.contains(.emptyArrayContainers) { return 0 }
        let fault = Fault(notObject: rule, at: word, view)
        throw wrongType(word, fault.messages(view).expected, advice: fault.advice(view))
    }

    // MARK: - Resources inside relationships

    /// Adds whole resources that are in place of identifiers. Returns the ordinal of each by its word.
    mutating func addEmbedded() throws -> [UInt32: Int] {
        guard !leniencies.isDisjoint(with: [.embeddedResources, .identifiersWithoutID]) else { return [:] }
        var found: [UInt32: Int] = [:]
        var next = 0
        // Embedded resources may embed others, so the list grows in the loop.
        while next < entries.count {
            let relationships = Int(entries[next].relationships)
            next += 1
            guard relationships != 0 else { continue }
            for word in embeddedWords(in: relationships) {
                try checkLimit(word)
                var entry = ResourceEntry(view, at: word)
                // Otherwise the object stays an identifier, and reading the relationship reports its fault, as without the leniency.
                guard entry.type != 0, view.isString(Int(entry.type)), takesID(&entry) else { continue }
                dropOtherKinds(&entry)
                // Another value is no identity. Reading the relationship reports it.
                if entry.lid != 0, !view.isString(Int(entry.lid)) { entry.lid = 0 }
                found[UInt32(truncatingIfNeeded: word)] = entries.count
                entries.push(entry)
            }
        }
        return found
    }

    /// Drops attributes and relationships of other kinds. They are additional members of an identifier, and ignored.
    private func dropOtherKinds(_ entry: inout ResourceEntry) {
        if entry.attributes != 0, !view.isObject(Int(entry.attributes)) { entry.attributes = 0 }
        if entry.relationships != 0, !view.isObject(Int(entry.relationships)) { entry.relationships = 0 }
    }

    private func embeddedWords(in relationships: Int) -> [Int] {
        var words: [Int] = []
        func hasFields(_ word: UInt32) -> Bool { word != 0 && view.isObject(Int(word)) && view.count(at: Int(word)) > 0 }
        func look(_ word: Int) {
            let entry = ResourceEntry(view, at: word)
            let hasIdentity = entry.id != 0 || entry.lid != 0
            // Values of other kinds, and empty objects, are additional members of an identifier, and ignored.
            let isWhole = hasFields(entry.attributes) || hasFields(entry.relationships)
            if hasIdentity ? isWhole && leniencies.contains(.embeddedResources) : leniencies.contains(.identifiersWithoutID) {
                words.append(word)
            }
        }
        for (_, relationship) in Members(view, of: relationships) {
            guard view.isObject(relationship), let data = view.member("data", of: relationship) else { continue }
            view.forEachIdentifier(inLinkage: data, look)
        }
        return words
    }

    // MARK: - Failures

    private func wrongType(_ word: Int, _ expected: String, found: String? = nil, advice: String? = nil) -> DecodingFailure {
        DecodingFailure(
            .wrongType, at: view.pointer(to: word), offset: view.start(of: word), expected: expected,
            found: found ?? view.kindName(at: word), advice: advice)
    }

    private func missing(_ name: String, in entry: ResourceEntry, _ advice: String?) -> DecodingFailure {
        DecodingFailure(
            .missingMember, at: view.pointer(to: Int(entry.word)), offset: view.start(of: Int(entry.word)),
            expected: "the member `\(name)`", found: "a resource object without it", advice: advice)
    }
}
