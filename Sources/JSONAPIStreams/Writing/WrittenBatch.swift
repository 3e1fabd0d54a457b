import JSONAPICodec
import JSONText

/// The texts of one appended resource and of its related resources, before any of them is passed on.
struct WrittenBatch {
    struct Text {
        let key: WrittenIdentities.Key
        let bytes: [UInt8]
        let trace: WrittenIdentities.Trace
        /// The models that wrote a resource that was read.
        let models: [any ResourceRepresentable.Type]
        let isPrimary: Bool
    }

    private(set) var texts: [Text] = []
    private(set) var visits: [(ResourceIdentifier, IncludeTree.Node)] = []
    /// The index of a text, by identity.
    private var numbers: [WrittenIdentities.Key: Int] = [:]
    private let rewriting: ResourceRewriting?

    init(_ rewriting: ResourceRewriting?) { self.rewriting = rewriting }

    /// Runs `body`, which writes one resource object. Takes its text, and compares it with the earlier text of its identity. Returns the size
    /// of the text.
    ///
    /// - Parameters:
    ///   - isCompleted: Whether the text has all that the earlier one of a resource that was read has.
    ///   - models: Returns the models that wrote a resource that was read.
    @discardableResult
    mutating func write(
        _ identifier: ResourceIdentifier, of type: ObjectIdentifier?, isPrimary: Bool, in session: EncodingSession,
        _ identities: WrittenIdentities, isCompleted: Bool = false, models: () -> [any ResourceRepresentable.Type] = { [] },
        _ body: () throws -> Void
    ) throws -> Int {
        let mark = session.output.mark
        try body()
        let text = session.output.bytes(in: session.output.range(from: mark))
        // A resource that no model can read is left out.
        if text.isEmpty { return 0 }
        let key = WrittenIdentities.Key(identifier)
        let known = known(key, identities)
        var trace = WrittenIdentities.Trace(text, of: type, isPrimary: isPrimary || known?.isPrimary == true)
        if type == nil { trace.version = isCompleted ? (known?.version ?? 0) + 1 : 1 }
        if isPrimary, known?.isPrimary == true {
            throw session.failure(
                .duplicateResource, at: [], expected: "each resource once in the primary data", found: "a resource that occurs twice")
        }
        if let known, session.options.conflictingResources == .throw, trace.contradicts(known) { throw session.conflict(identifier) }
        if isPrimary || known == nil || Self.replaces(type, known) || isCompleted && known?.isRaw == true {
            let bytes = try rewritten(text, session, isPrimary: isPrimary)
            let text = Text(key: key, bytes: bytes, trace: trace, models: models(), isPrimary: isPrimary)
            let number = numbers[key] ?? texts.count
            numbers[key] = number
            if number < texts.count { texts[number] = text } else { texts.append(text) }
        }
        session.output.reset(to: mark)
        return text.count
    }

    /// The trace of the text that was written last for an identity.
    private func known(_ key: WrittenIdentities.Key, _ identities: WrittenIdentities) -> WrittenIdentities.Trace? {
        numbers[key].map { texts[$0].trace } ?? identities[key]
    }

    /// Whether a value replaces the text that was written for its identity.
    private static func replaces(_ type: ObjectIdentifier?, _ known: WrittenIdentities.Trace?) -> Bool {
        guard let known, type != nil else { return false }
        return known.isRaw && !known.isPrimary
    }

    /// Notes that a value is searched from all nodes from which only the resource that was read was searched, because the value refers to
    /// other resources.
    static func search(
        _ number: Int, from searched: IncludeTree.Node, _ session: EncodingSession, _ identities: WrittenIdentities
    ) {
        let included = session.included
        guard let value = included.value(number) else { return }
        let identifier = included.identifier(number)
        for node in session.tree.nodes where node != searched && session.tree.hasChildren(node) {
            guard included.wasVisited(number, node) || identities.wasVisited(identifier, node) else { continue }
            _ = included.visit(number, node)
            included.append(value, number, node, isWritten: true)
        }
    }

    private func rewritten(_ text: [UInt8], _ session: EncodingSession, isPrimary: Bool) throws -> [UInt8] {
        guard let rewriting else { return text }
        let place = JSONPointer(tokens: isPrimary ? session.resource.place.tokens : ["included"])
        return try JSONWriter.unlimited.write(rewriting.resources(try session.json(text), at: place) { throw $1 })
    }

    /// Writes the noted resources, and those that are noted in the meantime. A value that the document already contains is written again
    /// only to compare it, and to find the resources that it holds or that a longer path requests.
    mutating func writeIncluded(_ session: EncodingSession, _ identities: WrittenIdentities) throws {
        while session.included.isWaiting {
            try writeItems(session, identities)
            for other in session.included.takeOthers() {
                if other.isEqual {
                    let mark = session.output.mark
                    try session.write(other)
                    session.output.reset(to: mark)
                } else {
                    let type = session.included.values(of: other.value).type
                    try write(session.included.identifier(other.number), of: type, isPrimary: false, in: session, identities) {
                        try session.write(other)
                    }
                }
            }
        }
    }

    private mutating func writeItems(_ session: EncodingSession, _ identities: WrittenIdentities) throws {
        let compares = session.options.conflictingResources == .throw
        while let item = session.included.nextItem() {
            try session.checkSearch(item)
            let identifier = session.included.identifier(item.number)
            var values: WaitingValues?
            if case .value(let value) = item.content { values = session.included.values(of: value) }
            let type = values?.type
            let known = identities[WrittenIdentities.Key(identifier)]
            let isVisited = identities.wasVisited(identifier, item.node) && !Self.replaces(type, known)
            let isCompleted = type == nil && completes(item.number, session, identities)
            if isVisited, !isCompleted, type == nil || !compares { continue }
            if Self.replaces(type, self.known(WrittenIdentities.Key(identifier), identities)) {
                Self.search(item.number, from: item.node, session, identities)
            }
            let node = isVisited && !isCompleted && !Self.mayHold(values, known) ? IncludeTree.nothing : item.node
            if item.isInstead, values != nil { session.nameCheck?.openAll(node) }
            let size = try write(
                identifier, of: type, isPrimary: false, in: session, identities, isCompleted: isCompleted,
                models: { session.included.models(item.number)?.map(\.type) ?? [] }
            ) {
                try session.write(item.content, as: item.number, at: ObjectPlace("included"), node: node)
            }
            if !item.isWritten { session.included.noteWritten(size) } else if item.isCounted { session.included.noteSearch(size) }
            // What was left out can be read by another model.
            if size > 0 { visits.append((identifier, item.node)) }
        }
    }

    /// Whether one more model of a resource that was read, or a document that has it, was found since it was written. The resource then gets
    /// the earlier models as well.
    private func completes(_ number: Int, _ session: EncodingSession, _ identities: WrittenIdentities) -> Bool {
        let key = WrittenIdentities.Key(session.included.identifier(number))
        guard let known = known(key, identities), known.isRaw, !known.isPrimary, known.version < .max else { return false }
        let earlier = numbers[key].map { texts[$0].models } ?? identities.models(known)
        // A document has all of a resource.
        guard let models = session.included.models(number), let resolver = models.first?.resolver else { return !earlier.isEmpty }
        guard !earlier.isEmpty, models.contains(where: { model in !earlier.contains { $0 == model.type } }) else { return false }
        for type in earlier { session.included.note(ReadingModel(type: type, resolver), of: number) }
        return true
    }

    /// Whether a value may hold resources that the value that was written for its identity did not hold.
    private static func mayHold(_ values: WaitingValues?, _ known: WrittenIdentities.Trace?) -> Bool {
        guard let values, let known else { return false }
        return known.isOf(values.type)
    }
}
