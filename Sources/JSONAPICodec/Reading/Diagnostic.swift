import JSONText

/// Something in a document that was tolerated, cut or left out while it was read.
public struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
    /// What it is. The set may grow: always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The kind's name, as `cycleCut`.
        public let description: String
        init(_ name: String) { description = name }

        // Decisions of the decoder.

        /// An embedded value would have contained itself; the inner one was left out.
        public static let cycleCut = Kind("cycleCut")
        /// A related resource is not in the document; an embedded property went without it.
        public static let notIncluded = Kind("notIncluded")
        /// An embedded array stands for a relationship without data: not loaded, shown as empty, as `missingResources` or lenient mode
        /// asks.
        public static let notLoaded = Kind("notLoaded")
        /// A resource of a type that the model does not know, kept raw or as an identifier.
        public static let unknownType = Kind("unknownType")
        /// An element that could not be read was dropped, as `invalidElements` asks.
        public static let droppedElement = Kind("droppedElement")
        /// Several resource objects have one identity; linkage took the first.
        public static let duplicateResource = Kind("duplicateResource")

        // What the specification tells clients to ignore, and what real servers send.

        /// An attribute or relationship called `type` or `id`.
        public static let reservedFieldName = Kind("reservedFieldName")
        /// One name in both attributes and relationships.
        public static let fieldNameClash = Kind("fieldNameClash")
        /// A member name with characters that the specification reserves.
        public static let illegalName = Kind("illegalName")
        /// A member that the specification does not define.
        public static let unknownMember = Kind("unknownMember")
        /// A link name that the specification does not define.
        public static let unknownLink = Kind("unknownLink")
        /// A link that is no URI reference.
        public static let invalidLink = Kind("invalidLink")
        /// An included resource that nothing links to.
        public static let notLinked = Kind("notLinked")
        /// One identifier twice in a relationship.
        public static let repeatedIdentifier = Kind("repeatedIdentifier")
        /// One name twice in an object; the last counts.
        public static let duplicateName = Kind("duplicateName")
        /// An error's `source.pointer` that is no JSON Pointer.
        public static let invalidPointer = Kind("invalidPointer")
        /// An extension in `jsonapi.ext` that this library does not know.
        public static let unknownExtension = Kind("unknownExtension")
        /// A document structure that the specification rules out but that can be read.
        public static let documentStructure = Kind("documentStructure")

        /// A leniency of the decoder was needed; its name follows.
        public static func leniency(_ leniency: Leniencies.Name) -> Kind { Kind("leniency.\(leniency.rawValue)") }
    }

    /// What it is.
    public let kind: Kind
    /// Where, to a value that exists.
    public let pointer: JSONPointer
    /// One sentence. Names of the document in it are cut short.
    public let message: String

    init(_ kind: Kind, at pointer: JSONPointer, _ message: String) {
        self.kind = kind
        self.pointer = pointer
        self.message = message
    }

    /// Place, sentence and kind. A pointer of more than about 1,000 bytes is cut in the middle.
    public var description: String {
        "\(pointer.tokens.isEmpty ? "the document" : pointer.shortened(to: 1000)): \(message) [\(kind)]"
    }

    static let maximumMessageBytes = 1000
    /// What a diagnostic costs beside its texts: the names of members in a report, and the kind.
    static let overhead = 100
    private var cost: Int { ReportBudget.cost(of: pointer) + message.utf8.count + Diagnostic.overhead }

    /// Whether the budget pays for it.
    fileprivate func isPaid(by budget: inout ReportBudget) -> Bool { budget.pays(cost) }
}

/// The diagnostics of one document, in the order in which they were found.
///
/// At most 1,000 are kept, and no more than take `JSONAPIDecoder.maximumDiagnosticBytes` in a report (256 KiB by default). Those that do
/// not fit are left out and counted, so that a document made of faults costs no more than it should: `omittedCount` says how many are
/// left out, and `count(of:)` counts all.
public struct Diagnostics: Sendable, RandomAccessCollection {
    static let limit = 1000
    private var entries: [Diagnostic] = []
    private var counts: [Diagnostic.Kind: Int] = [:]
    /// What is left for more of them.
    private var budget: ReportBudget

    /// How many were not kept.
    public private(set) var omittedCount = 0

    /// No diagnostics.
    public init() { self.init(maximumBytes: 1 << 18) }

    init(maximumBytes: Int) { self.init(ReportBudget(maximumBytes)) }

    init(_ budget: ReportBudget) { self.budget = budget }

    /// 0.
    public var startIndex: Int { 0 }
    /// How many are kept.
    public var endIndex: Int { entries.count }
    /// The diagnostic at that position, from 0.
    public subscript(position: Int) -> Diagnostic { entries[position] }

    /// How often a kind was found, those not kept included.
    public func count(of kind: Diagnostic.Kind) -> Int { counts[kind] ?? 0 }

    /// The kinds that were found, in no order, those not kept included.
    public var kinds: [Diagnostic.Kind] { Array(counts.keys) }
}

extension Diagnostics: Hashable {
    /// Whether both hold equal diagnostics, and counted the same.
    public static func == (lhs: Diagnostics, rhs: Diagnostics) -> Bool { lhs.entries == rhs.entries && lhs.counts == rhs.counts }

    /// Feeds the diagnostics and their counts to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(entries)
        hasher.combine(counts)
    }
}

// MARK: - Collecting

extension Diagnostics {
    mutating func append(_ kind: Diagnostic.Kind, _ make: () -> Diagnostic) {
        guard entries.count < Self.limit else { return omit(kind, 1) }
        append(make())
    }

    private mutating func append(_ diagnostic: Diagnostic) {
        if entries.count < Self.limit, diagnostic.isPaid(by: &budget) { keep(diagnostic) } else { omit(diagnostic.kind, 1) }
    }

    /// Keeps one that the budget has paid for.
    mutating func keep(_ diagnostic: Diagnostic) {
        counts[diagnostic.kind, default: 0] += 1
        entries.append(diagnostic)
    }

    /// Counts findings that are not kept.
    mutating func omit(_ kind: Diagnostic.Kind, _ count: Int) {
        counts[kind, default: 0] += count
        omittedCount += count
    }

    /// The same in a document of which the first was a part.
    func moved(_ place: (JSONPointer) -> JSONPointer) -> Diagnostics {
        var moved = self
        moved.entries = entries.map { Diagnostic($0.kind, at: place($0.pointer), $0.message) }
        return moved
    }

    mutating func append(_ other: Diagnostics) {
        for diagnostic in other.entries { append(diagnostic) }
        // Those that the other kept were counted above.
        var kept: [Diagnostic.Kind: Int] = [:]
        for diagnostic in other.entries { kept[diagnostic.kind, default: 0] += 1 }
        for (kind, count) in other.counts where count > kept[kind] ?? 0 { omit(kind, count - (kept[kind] ?? 0)) }
    }
}
