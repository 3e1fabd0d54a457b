import JSONText

/// What was wrong in a document, and where: the error inside every `DecodingError` that `JSONAPIDecoder` throws.
///
/// ```swift
/// do { … } catch let error as DecodingError {
///     error.failure?.pointer          // /data/3/attributes/title
///     error.failure?.resource         // articles 4
///     error.failure?.expected         // "a string"
///     error.failure?.found            // "a number"
/// }
/// ```
///
/// It holds kinds and names, never values of the payload. Two failures are equal when kind and pointer are.
public struct DecodingFailure: Error, Sendable, Hashable {
    /// What went wrong. The set may grow: always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The kind's name, as `missingMember`.
        public let description: String
        /// What the caller can do about it.
        public let category: Category
        private init(_ name: String, _ category: Category) {
            description = name
            self.category = category
        }

        /// The text is not JSON; `syntaxError` tells more.
        public static let syntax = Kind("syntax", .text)
        /// The document is no JSON object.
        public static let documentNotObject = Kind("documentNotObject", .shape)
        /// A member, attribute, relationship or its data is not there.
        public static let missingMember = Kind("missingMember", .shape)
        /// A value of another JSON type than asked for.
        public static let wrongType = Kind("wrongType", .shape)
        /// A null where a value is needed.
        public static let unexpectedNull = Kind("unexpectedNull", .shape)
        /// A resource of another type than the model's.
        public static let unexpectedType = Kind("unexpectedType", .shape)
        /// To-one where to-many is declared, one resource where many are, or the reverse.
        public static let cardinality = Kind("cardinality", .shape)
        /// Members that exclude each other, or that need one another.
        public static let documentStructure = Kind("documentStructure", .shape)
        /// One identity on two resource objects of a compound document.
        public static let duplicateResource = Kind("duplicateResource", .shape)
        /// One name on two members of an object.
        public static let duplicateName = Kind("duplicateName", .shape)
        /// A member that the specification does not define, in strict mode.
        public static let unknownMember = Kind("unknownMember", .shape)
        /// An included resource that nothing links to, in strict mode.
        public static let notLinked = Kind("notLinked", .shape)
        /// A name that the specification reserves or forbids.
        public static let illegalName = Kind("illegalName", .shape)
        /// A number that does not fit the Swift type.
        public static let numberOutOfRange = Kind("numberOutOfRange", .value)
        /// A text that is no date, URL, UUID, …
        public static let invalidValue = Kind("invalidValue", .value)
        /// A required related resource is not in the document.
        public static let notIncluded = Kind("notIncluded", .value)
        /// Embedded values that contain each other.
        public static let cycle = Kind("cycle", .value)
        /// An extension that the caller does not support.
        public static let unsupportedExtension = Kind("unsupportedExtension", .value)
        /// More embedded values than the decoder's budget.
        public static let expansionLimit = Kind("expansionLimit", .limit)
        /// More nesting of values than the stack carries.
        public static let nestingLimit = Kind("nestingLimit", .limit)
        /// More resources than the decoder's limit.
        public static let resourceLimit = Kind("resourceLimit", .limit)
    }

    /// Groups of kinds, for callers that react to a failure.
    public enum Category: Sendable, Hashable {
        /// The text is not JSON.
        case text
        /// The document is built otherwise than the model or the specification asks.
        case shape
        /// A value does not fit.
        case value
        /// The document is larger than a limit of the decoder.
        case limit
    }

    /// What went wrong.
    public let kind: Kind

    private enum Source: Sendable {
        case spelled(FailureDetails)
        /// Spelled out when somebody asks: models swallow failures, and nobody looks at those.
        case noted(FailureNote)
    }

    private var source: Source

    /// What was asked for, where that is not the type of the property: a date is asked for as a text.
    private(set) var requestedType: Any.Type?

    private var details: FailureDetails {
        switch source {
        case .spelled(let details): details
        case .noted(let note): note.details
        }
    }

    /// Where in the document; for something that is missing, the object that should have it.
    public var pointer: JSONPointer { details.pointer }

    /// The resource object that was being read.
    public var resource: ResourceIdentifier? { details.resource }

    /// What was needed there, in words.
    public var expected: String { details.expected }

    /// What was there, in words, without values.
    public var found: String { details.found }

    /// How to mend it, where that is known: the option to set, the type to declare, the nearest name.
    public var advice: String? { details.advice }

    /// Line and column in the text.
    public internal(set) var position: TextPosition?

    /// The other problems of the document, where the decoder's `problems` asks for all of them.
    public var others: [DecodingFailure] { further?.failures ?? [] }

    /// How many problems are not among `others`, as there were too many.
    public var omittedCount: Int { further?.omittedCount ?? 0 }

    private final class Further: Sendable {
        let failures: [DecodingFailure]
        let omittedCount: Int
        init(_ failures: [DecodingFailure], _ omittedCount: Int) {
            self.failures = failures
            self.omittedCount = omittedCount
        }
    }

    private var further: Further?

    /// The same with other problems beside it.
    func adding(_ others: [DecodingFailure], _ omittedCount: Int) -> DecodingFailure {
        var copy = self
        copy.further = others.isEmpty && omittedCount == 0 ? nil : Further(others, omittedCount)
        return copy
    }

    /// The syntax error, for the kind `syntax`, and for `duplicateName` where the reading of the text refused it.
    public var syntaxError: JSONSyntaxError? { details.syntaxError }

    /// Where in the text, in bytes from 0.
    public var offset: Int? { details.offset }

    init(
        _ kind: Kind, at pointer: JSONPointer, offset: Int? = nil, resource: ResourceIdentifier? = nil, expected: String,
        found: String, advice: String? = nil, syntaxError: JSONSyntaxError? = nil
    ) {
        self.kind = kind
        source = .spelled(
            FailureDetails(
                pointer: pointer, offset: offset, resource: resource, expected: expected, found: found, advice: advice,
                syntaxError: syntaxError))
    }

    /// A failure in a document that is at hand, whose place and words are spelled out when they are asked for.
    init(_ kind: Kind, _ note: FailureNote) {
        self.kind = kind
        source = .noted(note)
    }

    /// The same, spelled out, so that it no longer keeps the document.
    var spelled: DecodingFailure {
        guard case .noted(let note) = source else { return self }
        var copy = self
        copy.source = .spelled(note.details)
        return copy
    }

    /// The same, for what was asked for as a value of another type.
    func requesting(_ type: Any.Type?) -> DecodingFailure {
        var copy = self
        copy.requestedType = type
        return copy
    }

    /// What a `DecodingError` says until its failure is spelled out. O(1).
    var brief: String {
        guard case .noted(let note) = source else { return description }
        return note.brief
    }

    /// Whether kind and pointer are equal.
    public static func == (a: Self, b: Self) -> Bool { a.kind == b.kind && a.pointer == b.pointer }

    /// Feeds kind and pointer to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(pointer)
    }
}

extension DecodingFailure: CustomStringConvertible {
    /// One sentence: place, expectation, finding, cure. A pointer of more than about 1,000 bytes is cut in the middle. Each of the other
    /// problems is a line of its own.
    public var description: String {
        guard let further else { return sentence }
        let lines = [sentence] + further.failures.map(\.sentence)
        return lines.joined(separator: "\n") + (further.omittedCount > 0 ? "\nand \(further.omittedCount) more" : "")
    }

    private var sentence: String {
        var text = position.map { "line \($0.line), column \($0.column), " } ?? ""
        if let syntaxError { return text + "the text is not JSON: \(syntaxError.reason)" }
        text += pointer.tokens.isEmpty ? "the document" : pointer.shortened(to: 1000)
        if let resource { text += " (\(resource.type)\(resource.id.map { " \($0)" } ?? ""))" }
        text += ": expected \(expected), found \(found)"
        if let advice { text += "; \(advice)" }
        return text
    }
}

extension DecodingError {
    /// All problems that `JSONAPIDecoder` has found: `failure` first, and the others where the decoder's `problems` asks for them.
    public var failures: [DecodingFailure] { failure.map { [$0.adding([], 0)] + $0.others } ?? [] }

    /// What `JSONAPIDecoder` has to say about this error: pointer, resource, expectation, cure. Nil for errors that the
    /// own code of a resource's model threw.
    public var failure: DecodingFailure? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context.underlyingError as? DecodingFailure
        @unknown default: nil
        }
    }
}
