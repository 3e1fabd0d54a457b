import JSONText

/// A problem in a document, and its place. It is the underlying error of every `DecodingError` that `JSONAPIDecoder` makes.
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
/// A failure contains kinds and names, and the identities of resources (type and id), but no other values of the document. If your ids are
/// personal data, log only `kind` and `pointer`. Two failures are equal when their kinds and pointers are equal.
public struct DecodingFailure: Error, Sendable, Hashable {
    /// The kind of a problem. Kinds may be added, so always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind, for example `missingMember`.
        public let description: String
        /// The group of the kind, which shows what the caller can do.
        public let category: Category
        private init(_ name: String, _ category: Category) {
            description = name
            self.category = category
        }

        /// The text is not JSON; `syntaxError` has the details.
        public static let syntax = Kind("syntax", .text)
        /// The document is not a JSON object.
        public static let documentNotObject = Kind("documentNotObject", .shape)
        /// A member, an attribute, a relationship or its data is missing.
        public static let missingMember = Kind("missingMember", .shape)
        /// A value has a different JSON type from the expected one.
        public static let wrongType = Kind("wrongType", .shape)
        /// A value is null where one is required.
        public static let unexpectedNull = Kind("unexpectedNull", .shape)
        /// A resource has a different type from the model's.
        public static let unexpectedType = Kind("unexpectedType", .shape)
        /// A relationship is to-one where to-many is declared, or `data` is one resource where an array is declared, or the reverse.
        public static let cardinality = Kind("cardinality", .shape)
        /// Members exclude each other, or one requires another.
        public static let documentStructure = Kind("documentStructure", .shape)
        /// Two resource objects of a compound document have the same identity.
        public static let duplicateResource = Kind("duplicateResource", .shape)
        /// Two members of an object have the same name.
        public static let duplicateName = Kind("duplicateName", .shape)
        /// The specification does not define a member. Only in strict mode.
        public static let unknownMember = Kind("unknownMember", .shape)
        /// Nothing links to an included resource. Only in strict mode.
        public static let notLinked = Kind("notLinked", .shape)
        /// The specification reserves or forbids a name.
        public static let illegalName = Kind("illegalName", .shape)
        /// A number does not fit the Swift type.
        public static let numberOutOfRange = Kind("numberOutOfRange", .value)
        /// A string is not a valid date, URL, UUID or similar.
        public static let invalidValue = Kind("invalidValue", .value)
        /// The document does not contain a required related resource.
        public static let notIncluded = Kind("notIncluded", .value)
        /// Embedded values contain each other.
        public static let cycle = Kind("cycle", .value)
        /// The document uses an extension that the caller does not support.
        public static let unsupportedExtension = Kind("unsupportedExtension", .value)
        /// More embedded values were needed than `maximumExpansions` allows.
        public static let expansionLimit = Kind("expansionLimit", .limit)
        /// Values are nested more deeply than the stack allows.
        public static let nestingLimit = Kind("nestingLimit", .limit)
        /// The document has more resources than `maximumResources` allows.
        public static let resourceLimit = Kind("resourceLimit", .limit)
    }

    /// Groups of kinds, for callers that react to a failure.
    public enum Category: Sendable, Hashable {
        /// The text is not JSON.
        case text
        /// The structure of the document differs from what the model or the specification requires.
        case shape
        /// A value does not fit.
        case value
        /// The document exceeds a limit of the decoder.
        case limit
    }

    /// What went wrong.
    public let kind: Kind

    private indirect enum Source: Sendable {
        case spelled(FailureDetails)
        /// The words are made on demand, because models often catch and ignore failures.
        case noted(FailureNote)
    }

    private var source: Source

    /// The error that the code of a type gave as the underlying one, such as the `ValidationError` of `Converted`.
    public internal(set) var underlyingError: (any Error)?

    /// The type that was read, when it differs from the type of the property: a date is read as a string.
    private(set) var requestedType: Any.Type?

    private var details: FailureDetails {
        switch source {
        case .spelled(let details): details
        case .noted(let note): note.details
        }
    }

    /// The place in the document. For a missing value, the object that should contain it.
    public var pointer: JSONPointer { details.pointer }

    /// The resource object that was being read.
    public var resource: ResourceIdentifier? { details.resource }

    /// What was expected at that place, in words. It can contain the identity of a resource.
    public var expected: String { details.expected }

    /// What was found at that place, in words, without values of the document other than the identities of resources.
    public var found: String { details.found }

    /// How to fix the problem, when that is known: the option to set, the type to declare, or the nearest name.
    public var advice: String? { details.advice }

    /// The line and column in the text; nil when they were not determined.
    public package(set) var position: TextPosition?

    /// The other problems of the document. Empty unless the decoder's `problems` is `all`.
    public private(set) var others: [DecodingFailure] = []

    /// The number of problems that are not in `others`, because there were too many.
    public private(set) var omittedCount = 0

    /// Returns the failure together with these other problems.
    func adding(_ others: [DecodingFailure], _ omittedCount: Int) -> DecodingFailure {
        var copy = self
        copy.others = others
        copy.omittedCount = omittedCount
        return copy
    }

    /// The syntax error for the kind `syntax`, and for `duplicateName` when the parser found the problem.
    public var syntaxError: JSONSyntaxError? { details.syntaxError }

    /// The place in the text, in bytes from 0; nil when it is not known.
    public var offset: Int? { details.offset }

    package init(
        _ kind: Kind, at pointer: JSONPointer, offset: Int? = nil, resource: ResourceIdentifier? = nil, expected: String,
        found: String, advice: String? = nil, syntaxError: JSONSyntaxError? = nil
    ) {
        self.kind = kind
        source = .spelled(
            FailureDetails(
                pointer: pointer, offset: offset, resource: resource, expected: expected, found: found, advice: advice,
                syntaxError: syntaxError))
    }

    /// Creates a failure in a document that is available. Its place and words are made on demand.
    init(_ kind: Kind, _ note: FailureNote) {
        self.kind = kind
        source = .noted(note)
    }

    /// The note of a failure whose words are made on demand.
    var note: FailureNote? { if case .noted(let note) = source { note } else { nil } }

    /// The failure with its words, so that it no longer keeps the document.
    var spelled: DecodingFailure {
        guard let note else { return self }
        var copy = self
        copy.source = .spelled(note.details)
        return copy
    }

    /// The failure with its words, and without its place in the text.
    var withoutOffset: DecodingFailure { at(pointer, offset: nil, position: nil).adding(others.map(\.withoutOffset), omittedCount) }

    /// Returns the failure with its words at another place of the text, and without the other problems.
    package func at(_ pointer: JSONPointer, offset: Int?, position: TextPosition?) -> DecodingFailure {
        var details = details
        details.pointer = pointer
        details.offset = offset
        var copy = adding([], 0)
        copy.source = .spelled(details)
        copy.position = position
        return copy
    }

    /// Whether the document is well formed, but a field does not fit the model: it is missing, a value inside an attribute has another type,
    /// or a relationship is null or has another cardinality.
    package var concernsField: Bool {
        if details.isMissingField { return true }
        guard kind.category == .shape, let group = pointer.tokens.firstIndex(where: { $0 == "attributes" || $0 == "relationships" })
        else { return false }
        let isInside = group > 0 && group + 1 < pointer.tokens.count
        return isInside && (pointer.tokens[group] == "attributes" || kind == .cardinality || kind == .unexpectedNull)
    }

    /// Returns the failure for a value that was read as another type.
    func requesting(_ type: Any.Type?) -> DecodingFailure {
        var copy = self
        copy.requestedType = type
        return copy
    }

    /// The text of a `DecodingError` before its failure is put into words. O(1).
    var brief: String { note?.brief ?? description }

    /// Whether the kinds and the pointers are equal.
    public static func == (a: Self, b: Self) -> Bool { a.kind == b.kind && a.pointer == b.pointer }

    /// Whether the failures are equal and expect the same. Two missing members of one object differ only in that.
    func isSameProblem(as other: DecodingFailure) -> Bool { self == other && expected == other.expected }

    /// Feeds kind and pointer to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(pointer)
    }
}

extension DecodingFailure: CustomStringConvertible {
    /// One sentence with the place, what was expected, what was found and how to fix it. A pointer longer than about 1,000 bytes is cut in
    /// the middle. Each of the other problems is on its own line.
    public var description: String {
        ([self] + others).map(\.sentence).joined(separator: "\n") + (omittedCount > 0 ? "\nand \(omittedCount) more" : "")
    }

    private var sentence: String {
        var text = position.map { "line \($0.line), column \($0.column), " } ?? ""
        if let syntaxError, kind == .syntax {
            return text + "the text \(syntaxError.kind.isLimit ? "exceeds a limit" : "is not JSON"): \(syntaxError.reason)"
        }
        text += pointer.tokens.isEmpty ? "the document" : pointer.shortened(to: 1000)
        if let resource { text += " (\(resource.type)\(resource.id.map { " \($0)" } ?? ""))" }
        text += syntaxError.map { ": \($0.reason)" } ?? ": expected \(expected), found \(found)"
        if let advice { text += "; \(advice)" }
        return text
    }
}

extension DecodingFailure {
    /// The advice for an element that is no object.
    static let dropAdvice = "set invalidElements to drop, which leaves it out"

    /// Returns the failure in an error of the decoder; nil for another error of a type's own code.
    static func of(_ error: any Error) -> DecodingFailure? { error as? DecodingFailure ?? (error as? DecodingError)?.failure }
}

extension DecodingError {
    /// All problems that `JSONAPIDecoder` has found: first `failure`, then the others when the decoder's `problems` is `all`.
    public var failures: [DecodingFailure] { failure.map { [$0.adding([], 0)] + $0.others } ?? [] }

    /// The details that `JSONAPIDecoder` has about this error: pointer, resource, expectation and advice. Nil for errors of other decoders.
    public var failure: DecodingFailure? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context.underlyingError as? DecodingFailure
        @unknown default: nil
        }
    }
}
