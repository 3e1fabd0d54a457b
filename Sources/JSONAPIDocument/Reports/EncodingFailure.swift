import JSONText

/// A value that could not be written, and its place. It is the underlying error of every `EncodingError` that `JSONAPIEncoder` and the
/// request bodies throw.
///
/// ```swift
/// do { … } catch let error as EncodingError {
///     error.failure?.pointer       // /data/relationships/author
///     error.failure?.expected      // "a resource with an id or a lid"
///     error.failure?.advice        // what to do about it
/// }
/// ```
///
/// A failure contains kinds and names, and the identities of resources, but no other values. Two failures are equal when their kinds and
/// pointers are equal.
public struct EncodingFailure: Error, Sendable, Hashable {
    /// The kind of a problem. Kinds may be added, so always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind, for example `missingIdentity`.
        public let description: String
        private init(_ name: String) { description = name }

        /// A resource or an identifier has no type, id or lid where one is required.
        public static let missingIdentity = Kind("missingIdentity")
        /// The model has no property for a name or a key path.
        public static let unknownName = Kind("unknownName")
        /// The specification reserves or forbids a name.
        public static let illegalName = Kind("illegalName")
        /// Two members of an object have the same name, or an attribute and a relationship.
        public static let duplicateName = Kind("duplicateName")
        /// Two different resource objects have the same identity.
        public static let duplicateResource = Kind("duplicateResource")
        /// A relationship was written inside an attribute, or a plain value in place of a relationship.
        public static let wrongPlace = Kind("wrongPlace")
        /// Members exclude each other, or one requires another.
        public static let documentStructure = Kind("documentStructure")
        /// JSON cannot represent a number or a date.
        public static let notRepresentable = Kind("notRepresentable")
        /// The linkage of a relationship is required but unknown.
        public static let missingLinkage = Kind("missingLinkage")
        /// No earlier operation created a local id.
        public static let unknownLocalID = Kind("unknownLocalID")
        /// Values are nested more deeply than `maximumDepth` or the stack allows.
        public static let nestingLimit = Kind("nestingLimit")
        /// Include paths lead through the same resources too often: more than 10,000 + 100 × n times, n = number of resources, or through
        /// more than 32 MiB + 4 × m of their text, m = bytes that are written.
        public static let includeLimit = Kind("includeLimit")
        /// A container was written to after its value was finished, or a second value was written to one place.
        public static let misuse = Kind("misuse")
    }

    /// What went wrong.
    public let kind: Kind

    /// The place in the document. For a missing value, the object that should contain it.
    public let pointer: JSONPointer

    /// The resource object that was being written: its type and its id, or its lid.
    public let resource: ResourceIdentifier?

    /// What was expected at that place, in words.
    public let expected: String

    /// What was found at that place, in words, without values.
    public let found: String

    /// How to fix the problem, when that is known.
    public let advice: String?

    package init(
        _ kind: Kind, at pointer: JSONPointer, resource: ResourceIdentifier? = nil, expected: String, found: String,
        advice: String? = nil
    ) {
        self.kind = kind
        self.pointer = pointer
        self.resource = resource?.bare
        self.expected = expected
        self.found = found
        self.advice = advice
    }

    /// Returns the failure for an object at a different place.
    package func moved(from old: [String], to new: [String]) -> EncodingFailure {
        guard pointer.tokens.starts(with: old) else { return self }
        return EncodingFailure(
            kind, at: JSONPointer(tokens: new + pointer.tokens.dropFirst(old.count)), resource: resource, expected: expected,
            found: found, advice: advice)
    }

    /// Whether the kinds and the pointers are equal.
    public static func == (a: Self, b: Self) -> Bool { a.kind == b.kind && a.pointer == b.pointer }

    /// Feeds kind and pointer to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(pointer)
    }
}

extension EncodingFailure: CustomStringConvertible {
    /// One sentence with the place, what was expected, what was found and how to fix it.
    public var description: String {
        var text = pointer.tokens.isEmpty ? "the document" : "\(pointer)"
        if let resource { text += " (\(resource.type)\(resource.id.map { " \($0)" } ?? ""))" }
        text += ": expected \(expected), found \(found)"
        if let advice { text += "; \(advice)" }
        return text
    }

    /// The `EncodingError` with this failure as its underlying error.
    package var encodingError: EncodingError {
        let path = pointer.tokens.map { token in Int(token).map { PathKey(index: $0) } ?? PathKey(token) }
        return .invalidValue(self, EncodingError.Context(codingPath: path, debugDescription: description, underlyingError: self))
    }
}

extension EncodingFailure {
    /// Runs `body`, and converts a failure of this library to an `EncodingError`. Other errors pass unchanged.
    package static func converted<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let failure as EncodingFailure { throw failure.encodingError }
    }
}

extension EncodingError {
    /// The details that `JSONAPIEncoder` has about this error: pointer, expectation and advice. Nil for errors that a model's own code
    /// threw.
    public var failure: EncodingFailure? {
        switch self {
        case .invalidValue(_, let context): context.underlyingError as? EncodingFailure
        @unknown default: nil
        }
    }
}
