import JSONAPICodec
import JSONText

/// An error with all problems that prevent a document from being expanded, or from being read as a legacy document.
///
/// ```swift
/// do {
///     tree = try expander.expand(legacy: json)
/// } catch {
///     error.problems.first?.pointer   // /posts/0/links/author
///     error.problems.first?.kind      // unresolved
/// }
/// ```
///
/// The error contains kinds and names, but no values of the document.
public struct ExpansionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problems, at least one. If there is an `expansionLimit`, it is the last one, because processing stops there.
    public let problems: [Problem]

    init(_ problems: [Problem]) { self.problems = problems }

    init(_ kind: Problem.Kind, at pointer: JSONPointer, _ message: String) {
        problems = [Problem(kind, at: pointer, message)]
    }

    /// The first 50 problems, each on a line, and the number of the others.
    public var description: String {
        let rest = problems.count > 50 ? ["and \(problems.count - 50) more problems"] : []
        return (problems.prefix(50).map(\.description) + rest).joined(separator: "\n")
    }

    /// A problem in a document. Two problems are equal if their kinds and pointers are equal.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The kind of a problem. New kinds may be added, so always handle unknown ones.
        public struct Kind: Sendable, Hashable, CustomStringConvertible {
            /// The name of the kind, such as `nameConflict`.
            public let description: String
            init(_ name: String) { description = name }

            /// The input is not a JSON object.
            public static let notAnObject = Kind("notAnObject")
            /// A value has the wrong JSON type.
            public static let typeMismatch = Kind("typeMismatch")
            /// A link refers to a resource that is not in the document, and `missing` is `.error`.
            public static let unresolved = Kind("unresolved")
            /// A relation has the name of another member of its resource.
            public static let nameConflict = Kind("nameConflict")
            /// A string in the top-level `links` is not a URI template.
            public static let invalidTemplate = Kind("invalidTemplate")
            /// Several collections can be the primary data.
            public static let ambiguousPrimary = Kind("ambiguousPrimary")
            /// The document has no collection with a name in `primary`, or no collection at all.
            public static let unknownCollection = Kind("unknownCollection")
            /// The result would be larger than `maximumSize`.
            public static let expansionLimit = Kind("expansionLimit")
            /// An included resource is not linked. This kind and those below are used in the diagnostics of a `LegacyDocument`.
            public static let unlinked = Kind("unlinked")
            /// A resource has the type and the id of an earlier one.
            public static let duplicate = Kind("duplicate")
            /// A resource has no id.
            public static let missingID = Kind("missingID")
            /// JSON:API does not allow a name for a type, an attribute or a relationship.
            public static let illegalName = Kind("illegalName")
            /// JSON:API does not define a top-level member, or a link in the top-level `links`.
            public static let undefinedMember = Kind("undefinedMember")
            /// A link is not a URI reference.
            public static let illegalAddress = Kind("illegalAddress")
        }

        /// The kind of the problem.
        public let kind: Kind
        /// The place in the input. For a name conflict, it is the relation in a JSON:API 1.1 document, and the attribute in a legacy
        /// document.
        public let pointer: JSONPointer
        /// A description of the problem, and how to fix it if known.
        public let message: String

        init(_ kind: Kind, at pointer: JSONPointer, _ message: String) {
            self.kind = kind
            self.pointer = pointer
            self.message = message
        }

        /// Returns whether both problems have the same kind and place.
        public static func == (lhs: Problem, rhs: Problem) -> Bool { lhs.kind == rhs.kind && lhs.pointer == rhs.pointer }

        /// Hashes the kind and the place.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(kind)
            hasher.combine(pointer)
        }

        /// The place, the message and the kind. A pointer of more than 1,000 bytes is shortened in the middle.
        public var description: String {
            "\(pointer.tokens.isEmpty ? "the document" : pointer.shortened(to: 1000)): \(message) [\(kind)]"
        }
    }
}

extension ExpansionError.Problem {
    /// Returns the problem of a value with the wrong JSON type.
    static func mismatch(_ expected: String, _ found: JSON, at pointer: JSONPointer) -> Self {
        Self(.typeMismatch, at: pointer, "expected \(expected), found \(found.kindName)")
    }
}
