import JSONText

/// Something that the decoder tolerated, cut or left out while it read a document.
public struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
    /// The kind of a diagnostic. Kinds may be added, so always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind, for example `cycleCut`.
        public let description: String
        init(_ name: String) { description = name }

        // Decisions of the decoder.

        /// An embedded value would have contained itself, so the inner one was left out.
        public static let cycleCut = Kind("cycleCut")
        /// The document does not contain a related resource, so an embedded property is without it.
        public static let notIncluded = Kind("notIncluded")
        /// An embedded array is empty because its relationship has no data. Requires `missingResources` to be `omit`, or lenient mode.
        public static let notLoaded = Kind("notLoaded")
        /// The model does not know the type of a resource, which was kept raw or as an identifier.
        public static let unknownType = Kind("unknownType")
        /// The `data` of a document was ignored, because the program asked for a document without.
        public static let ignoredData = Kind("ignoredData")
        /// An element could not be read and was dropped, because `invalidElements` is `drop`.
        public static let droppedElement = Kind("droppedElement")
        /// Several resource objects have the same identity. Linkage refers to the first.
        public static let duplicateResource = Kind("duplicateResource")

        // What the specification tells clients to ignore, and what real servers send.

        /// An attribute or a relationship is called `type` or `id`.
        public static let reservedFieldName = Kind("reservedFieldName")
        /// An attribute and a relationship have the same name.
        public static let fieldNameClash = Kind("fieldNameClash")
        /// A member name contains characters that the specification reserves.
        public static let illegalName = Kind("illegalName")
        /// The specification does not define a member.
        public static let unknownMember = Kind("unknownMember")
        /// The specification does not define a link name.
        public static let unknownLink = Kind("unknownLink")
        /// A link is not a URI reference.
        public static let invalidLink = Kind("invalidLink")
        /// Nothing links to an included resource.
        public static let notLinked = Kind("notLinked")
        /// A relationship contains the same identifier twice.
        public static let repeatedIdentifier = Kind("repeatedIdentifier")
        /// An object contains the same name twice. The last member is used.
        public static let duplicateName = Kind("duplicateName")
        /// The `source.pointer` of an error is not a JSON Pointer.
        public static let invalidPointer = Kind("invalidPointer")
        /// This library does not know an extension in `jsonapi.ext`.
        public static let unknownExtension = Kind("unknownExtension")
        /// The document has a structure that the specification forbids, but that can be read.
        public static let documentStructure = Kind("documentStructure")

        /// The decoder used a leniency. The kind's name contains that of the leniency.
        public static func leniency(_ leniency: Leniencies.Name) -> Kind { Kind("leniency.\(leniency.rawValue)") }
    }

    /// The kind of the diagnostic.
    public let kind: Kind
    /// The pointer to the value, which exists in the document.
    public let pointer: JSONPointer
    /// One sentence. Names from the document are shortened in it.
    public let message: String

    package init(_ kind: Kind, at pointer: JSONPointer, _ message: String) {
        self.kind = kind
        self.pointer = pointer
        self.message = message
    }

    /// The place, the sentence and the kind. A pointer longer than about 1,000 bytes is cut in the middle.
    public var description: String {
        "\(pointer.tokens.isEmpty ? "the document" : pointer.shortened(to: 1000)): \(message) [\(kind)]"
    }

    package static let maximumMessageBytes = 1000
    /// The cost of a diagnostic in bytes, apart from its texts: the member names in a report, and the kind.
    package static let overhead = 100
    fileprivate var cost: Int { ReportBudget.cost(of: pointer) + message.utf8.count + Diagnostic.overhead }
}

/// The diagnostics of one document, in the order in which they were found.
///
/// At most 1,000 are kept, and no more than fit in `JSONAPIDecoder.maximumDiagnosticBytes` (256 KiB by default). The others are left out
/// and counted, so that a document full of faults does not use more memory: `omittedCount` is their number, and `count(of:)` counts all.
public struct Diagnostics: Sendable, RandomAccessCollection {
    package static let limit = 1000
    private var entries: [Diagnostic] = []
    private var counts: [Diagnostic.Kind: Int] = [:]
    /// The rest of the budget.
    private var budget: ReportBudget

    /// The number of diagnostics that were not kept.
    public private(set) var omittedCount = 0

    /// Creates an empty collection.
    public init() { self.init(maximumBytes: 1 << 18) }

    package init(maximumBytes: Int) { self.init(ReportBudget(maximumBytes)) }

    package init(_ budget: ReportBudget) { self.budget = budget }

    /// The position of the first diagnostic, 0.
    public var startIndex: Int { 0 }
    /// The number of diagnostics that are kept.
    public var endIndex: Int { entries.count }
    /// The diagnostic at the given position, counted from 0.
    public subscript(position: Int) -> Diagnostic { entries[position] }

    /// Returns how often a kind was found, including the diagnostics that were not kept.
    public func count(of kind: Diagnostic.Kind) -> Int { counts[kind] ?? 0 }

    /// The kinds that were found, including those of diagnostics that were not kept, in no particular order.
    public var kinds: [Diagnostic.Kind] { Array(counts.keys) }
}

extension Diagnostics: CustomStringConvertible {
    /// One line for each diagnostic, and one for those that were not kept. Empty when there are none.
    public var description: String {
        (entries.map(\.description) + (omittedCount > 0 ? ["and \(omittedCount) more"] : [])).joined(separator: "\n")
    }
}

extension Diagnostics: Hashable {
    /// Whether both contain equal diagnostics and the same counts.
    public static func == (lhs: Diagnostics, rhs: Diagnostics) -> Bool { lhs.entries == rhs.entries && lhs.counts == rhs.counts }

    /// Feeds the diagnostics and their counts to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(entries)
        hasher.combine(counts)
    }
}

// MARK: - Collecting

extension Diagnostics {
    package mutating func append(_ kind: Diagnostic.Kind, _ make: () -> Diagnostic) {
        guard entries.count < Self.limit else { return omit(kind, 1) }
        append(make())
    }

    private mutating func append(_ diagnostic: Diagnostic) {
        if entries.count < Self.limit, budget.pays(diagnostic.cost) { keep(diagnostic) } else { omit(diagnostic.kind, 1) }
    }

    /// Keeps a diagnostic that the budget covers.
    package mutating func keep(_ diagnostic: Diagnostic) {
        counts[diagnostic.kind, default: 0] += 1
        entries.append(diagnostic)
    }

    /// Counts findings that are not kept.
    package mutating func omit(_ kind: Diagnostic.Kind, _ count: Int) {
        counts[kind, default: 0] += count
        omittedCount += count
    }

    /// Returns the diagnostics with the pointers of the document that contains this one.
    package func moved(_ place: (JSONPointer) -> JSONPointer) -> Diagnostics {
        var moved = self
        moved.entries = entries.map { Diagnostic($0.kind, at: place($0.pointer), $0.message) }
        return moved
    }

    /// The diagnostics of leniencies that were used.
    package var ofLeniencies: Diagnostics {
        let kinds = Set(Leniencies.Name.allCases.map { Diagnostic.Kind.leniency($0) })
        var left = self
        left.entries = entries.filter { kinds.contains($0.kind) }
        left.counts = counts.filter { kinds.contains($0.key) }
        left.omittedCount = left.counts.values.reduce(0, +) - left.entries.count
        return left
    }

    package mutating func append(_ other: Diagnostics) {
        for diagnostic in other.entries { append(diagnostic) }
        // Those that the other kept were counted above.
        var kept: [Diagnostic.Kind: Int] = [:]
        for diagnostic in other.entries { kept[diagnostic.kind, default: 0] += 1 }
        for (kind, count) in other.counts where count > kept[kind] ?? 0 { omit(kind, count - (kept[kind] ?? 0)) }
    }
}
