import JSONText

/// The problems that earlier attempts have found, so that the next attempt gets past them.
final class KnownProblems {
    /// A property of a resource.
    struct Place: Hashable {
        let ordinal: Int
        let name: String
    }

    /// The properties that cannot be read. Each is replaced by a placeholder.
    var places: Set<Place> = []
    /// The innermost property in which the last error occurred.
    private(set) var last: (place: Place, failure: DecodingFailure?)?

    /// Returns a placeholder for a property that cannot be read, if it is known. Otherwise notes the property and returns nil.
    func placeholder<Value>(for place: Place, _ error: any Error, _ type: Value.Type) -> Value? {
        func value<Made: Decodable>(_ type: Made.Type) -> Any? { try? Placeholder.first.value(type) }
        if places.contains(place), let type = type as? any Decodable.Type, let value = value(type) as? Value { return value }
        let failure = DecodingFailure.of(error)
        // An error passes through the properties around the one in which it occurred.
        if let failure, last?.failure?.isSameProblem(as: failure) == true { return nil }
        last = (place, failure)
        return nil
    }

    func begin() { last = nil }
}

/// Finds all problems of a document that could not be decoded, for an error that contains them.
///
/// The elements of the primary data are read again, in one session until one fails. A failed element is read alone, because what was read
/// before it may hide the place of its problem. The problem is noted, and the element is read once more with a placeholder for the property,
/// until it succeeds or there is no placeholder. Errors that a model catches itself are therefore no problems. The values are discarded.
///
/// - Complexity: O(bytes) for each problem, at most about two million resources in total, and a million words of failed elements.
struct ProblemCollector {
    private let document: ParsedDocument
    private let resolver: DocumentResolver
    private var failures: [DecodingFailure] = []
    private var budget: ReportBudget
    private var omittedCount = 0
    private var attempts: Int
    private var words = 1_000_000

    init(_ document: ParsedDocument) {
        self.document = document
        resolver = DocumentResolver(document)
        budget = ReportBudget(document.options.maximumDiagnosticBytes)
        attempts = max(16, 1_000_000 / max(1, document.index.entries.count))
    }

    /// Returns the error with all problems.
    mutating func complete<Primary: PrimaryValue>(_ error: any Error, _ type: Primary.Type) -> any Error {
        guard let first = DecodingFailure.of(error), first.kind.category != .limit, first.kind.category != .text,
            let element = Self.element(of: type)
        else { return error }
        collect(element)
        let whole = first.adding(failures.filter { !$0.isSameProblem(as: first) }, omittedCount)
        guard let error = error as? DecodingError else { return whole }
        return error.mapContext { old in
            DecodingError.Context(codingPath: old.codingPath, debugDescription: old.debugDescription, underlyingError: whole)
        }
    }

    /// Returns the first resource of a document as a value, with placeholders for what cannot be read; nil when that does not succeed.
    ///
    /// - Parameter isComplete: Whether only a property that is missing may have a placeholder.
    static func value<Model: ResourceRepresentable>(_ type: Model.Type, _ document: ParsedDocument, isComplete: Bool) -> Model? {
        let resolver = DocumentResolver(document)
        let known = KnownProblems()
        for _ in 0..<64 {
            known.begin()
            let value = reading(document, resolver, known) { try? $0.elementPlan(for: type).value($0, 0, through: 0) }
            if let value { return value }
            guard let (place, failure) = known.last, known.places.insert(place).inserted else { return nil }
            if isComplete, failure?.kind != .missingMember { return nil }
        }
        return nil
    }

    private static func element(of type: Any.Type) -> (any PrimaryElement.Type)? {
        switch type {
        case let element as any PrimaryElement.Type: element
        case let array as any ArrayType.Type: array.elementType as? any PrimaryElement.Type
        case let optional as any OptionalType.Type: element(of: optional.wrappedType)
        default: nil
        }
    }

    private mutating func collect<Element: PrimaryElement>(_ type: Element.Type) {
        let known = KnownProblems()
        var next = 0
        while attempts > 0, words > 0, let (ordinal, error) = firstProblem(type, from: next, known) {
            if ordinal > next {
                next = ordinal
                continue
            }
            attempts -= 1
            words -= wordCount(ofElement: ordinal)
            note(error, type, ordinal)
            let isNew = known.last.map { known.places.insert($0.place).inserted } ?? false
            if !isNew { next += 1 }
        }
        if attempts == 0 || words <= 0 { omittedCount += failedCount(type, from: next, known) }
    }

    private func wordCount(ofElement ordinal: Int) -> Int {
        let start = Int(document.index.entries[ordinal].word)
        return document.view.next(after: start) - start
    }

    /// Returns the first element that cannot be read, with its error; nil when there is none.
    private func firstProblem<Element: PrimaryElement>(
        _ type: Element.Type, from start: Int, _ known: KnownProblems
    ) -> (ordinal: Int, error: any Error)? {
        Self.reading(document, resolver, known) { session in
            for ordinal in start..<document.index.primaryCount {
                if let error = error(type, ordinal, session) { return (ordinal, error) }
            }
            return nil
        }
    }

    /// Returns the number of elements that cannot be read.
    private func failedCount<Element: PrimaryElement>(_ type: Element.Type, from start: Int, _ known: KnownProblems) -> Int {
        Self.reading(document, resolver, known) { session in
            (start..<document.index.primaryCount).count(where: { error(type, $0, session) != nil })
        }
    }

    private static func reading<Result>(
        _ document: ParsedDocument, _ resolver: DocumentResolver, _ known: KnownProblems, _ body: (DecodingSession) -> Result
    ) -> Result {
        DecodingSession.run(DecodingSession(document, resolver: resolver)) { session in
            session.knownProblems = known
            defer { session.knownProblems = nil }
            return body(session)
        }
    }

    /// Returns the error of reading the element; nil when it can be read.
    private func error<Element: PrimaryElement>(_ type: Element.Type, _ ordinal: Int, _ session: DecodingSession) -> (any Error)? {
        session.knownProblems?.begin()
        do {
            _ = try type._element(PrimarySource(session: session), ordinal)
            try session.finish()
            return nil
        } catch {
            return error
        }
    }

    private mutating func note(_ error: any Error, _ type: Any.Type, _ ordinal: Int) {
        let failure =
            DecodingFailure.of(error)
            ?? DecodingFailure(
                .invalidValue, at: document.pointer(ofResource: ordinal), resource: document.identifier(of: ordinal),
                expected: "a resource from which \(type) can be created", found: "a resource that the type's own code rejects")
        let spelled = failure.spelled
        if failures.contains(where: spelled.isSameProblem) { return }
        let cost = ReportBudget.cost(of: spelled.pointer) + spelled.expected.utf8.count + spelled.found.utf8.count + Diagnostic.overhead
        if failures.count < Diagnostics.limit, budget.pays(cost) { failures.append(spelled) } else { omittedCount += 1 }
    }
}

extension DecodingSession {
    /// Returns a placeholder for a property after an error when all problems are to be found; otherwise throws the error, as the model sees
    /// it. Separate, because the runtime would look up `Optional<Value>` for every value: 7 % of decoding, and 9 % of direct decoding.
    @inline(never)
    func placeholder<Value>(
        _ ordinal: Int, _ key: @autoclosure () -> any CodingKey, _ type: Any.Type, for error: any Error
    ) throws -> Value {
        if let knownProblems {
            let place = KnownProblems.Place(ordinal: ordinal, name: key().stringValue)
            if let value = knownProblems.placeholder(for: place, error, Value.self) { return value }
        }
        guard let failure = error as? DecodingFailure else { throw error }
        throw failure.decodingError(at: key(), in: codingPath(ofResource: ordinal), type: type)
    }
}
