import JSONText

/// What could not be written, and where it would have stood: the error inside every `EncodingError` that `JSONAPIEncoder` and
/// the request bodies throw.
///
/// ```swift
/// do { … } catch let error as EncodingError {
///     error.failure?.pointer       // /data/relationships/author
///     error.failure?.expected      // "a resource with an id or a lid"
///     error.failure?.advice        // what to do about it
/// }
/// ```
///
/// It holds kinds and names, never values. Two failures are equal when kind and pointer are.
public struct EncodingFailure: Error, Sendable, Hashable {
    /// What went wrong. The set may grow: always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The kind's name, as `missingIdentity`.
        public let description: String
        private init(_ name: String) { description = name }

        /// A resource or an identifier without type, id or lid where one is needed.
        public static let missingIdentity = Kind("missingIdentity")
        /// A name given as text, or a key path, that the model has no property for.
        public static let unknownName = Kind("unknownName")
        /// A name that the specification reserves or forbids.
        public static let illegalName = Kind("illegalName")
        /// One name on two members of an object, or on an attribute and a relationship.
        public static let duplicateName = Kind("duplicateName")
        /// One identity on two resource objects that differ.
        public static let duplicateResource = Kind("duplicateResource")
        /// A value that stands for a relationship inside an attribute, or a plain value where a relationship belongs.
        public static let wrongPlace = Kind("wrongPlace")
        /// Members that exclude each other, or that need one another.
        public static let documentStructure = Kind("documentStructure")
        /// A number or a date that the text has no form for.
        public static let notRepresentable = Kind("notRepresentable")
        /// Linkage that is not there: nobody said what the relationship leads to.
        public static let missingLinkage = Kind("missingLinkage")
        /// A local id that no earlier operation made.
        public static let unknownLocalID = Kind("unknownLocalID")
        /// More nesting of values than the encoder's limit, or than the stack carries.
        public static let nestingLimit = Kind("nestingLimit")
        /// A container that was written to when its value was finished, or a second value in one place.
        public static let misuse = Kind("misuse")
    }

    /// What went wrong.
    public let kind: Kind

    /// Where in the document; the object that has the place when the value itself is not there.
    public let pointer: JSONPointer

    /// The resource object that was being written.
    public let resource: ResourceIdentifier?

    /// What was needed there, in words.
    public let expected: String

    /// What was there, in words, without values.
    public let found: String

    /// How to mend it, where that is known.
    public let advice: String?

    package init(
        _ kind: Kind, at pointer: JSONPointer, resource: ResourceIdentifier? = nil, expected: String, found: String,
        advice: String? = nil
    ) {
        self.kind = kind
        self.pointer = pointer
        self.resource = resource
        self.expected = expected
        self.found = found
        self.advice = advice
    }

    /// The same failure in an object that stands somewhere else.
    func moved(from old: [String], to new: [String]) -> EncodingFailure {
        guard pointer.tokens.starts(with: old) else { return self }
        return EncodingFailure(
            kind, at: JSONPointer(tokens: new + pointer.tokens.dropFirst(old.count)), resource: resource, expected: expected,
            found: found, advice: advice)
    }

    /// Whether kind and pointer are equal.
    public static func == (a: Self, b: Self) -> Bool { a.kind == b.kind && a.pointer == b.pointer }

    /// Feeds kind and pointer to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(pointer)
    }
}

extension EncodingFailure: CustomStringConvertible {
    /// One sentence: place, expectation, finding, cure.
    public var description: String {
        var text = pointer.tokens.isEmpty ? "the document" : "\(pointer)"
        if let resource { text += " (\(resource.type)\(resource.id.map { " \($0)" } ?? ""))" }
        text += ": expected \(expected), found \(found)"
        if let advice { text += "; \(advice)" }
        return text
    }

    /// The error that Codable's callers know, with this inside.
    package var encodingError: EncodingError {
        let path = pointer.tokens.map { token in Int(token).map { PathKey(index: $0) } ?? PathKey(token) }
        return .invalidValue(self, EncodingError.Context(codingPath: path, debugDescription: description, underlyingError: self))
    }
}

extension EncodingError {
    /// What `JSONAPIEncoder` has to say about this error: pointer, expectation, cure. Nil for errors that the own code of a
    /// model threw.
    public var failure: EncodingFailure? {
        switch self {
        case .invalidValue(_, let context): context.underlyingError as? EncodingFailure
        @unknown default: nil
        }
    }
}
