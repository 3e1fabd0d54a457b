import JSONAPICodec
import JSONText

/// Why a document could not be expanded or read as a legacy document: every problem, with its place in the input.
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
/// It holds kinds and names, never values of the payload.
public struct ExpansionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// All problems, at least one. `expansionLimit` stands alone or last: nothing behind it was looked at.
    public let problems: [Problem]

    init(_ problems: [Problem]) { self.problems = problems }

    init(_ kind: Problem.Kind, at pointer: JSONPointer, _ message: String) {
        problems = [Problem(kind, at: pointer, message)]
    }

    /// A line for each of the first 50 problems, and how many more there are.
    public var description: String {
        let rest = problems.count > 50 ? ["and \(problems.count - 50) more problems"] : []
        return (problems.prefix(50).map(\.description) + rest).joined(separator: "\n")
    }

    /// One thing that is wrong. Problems are equal when kind and pointer are.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// What is wrong. The set may grow: always handle the rest.
        public struct Kind: Sendable, Hashable, CustomStringConvertible {
            /// The kind's name, as `nameConflict`.
            public let description: String
            init(_ name: String) { description = name }

            /// The input is no JSON object.
            public static let notAnObject = Kind("notAnObject")
            /// A value of another JSON type than its place asks for.
            public static let typeMismatch = Kind("typeMismatch")
            /// A resource that is linked to is not in the document, and `missing` is `.error`.
            public static let unresolved = Kind("unresolved")
            /// A relation would be written over another member of its resource.
            public static let nameConflict = Kind("nameConflict")
            /// A text in the top-level `links` is no URI template.
            public static let invalidTemplate = Kind("invalidTemplate")
            /// Several collections may be the primary data, and nothing says which is.
            public static let ambiguousPrimary = Kind("ambiguousPrimary")
            /// The document has no collection of a name in `primary`, or none at all.
            public static let unknownCollection = Kind("unknownCollection")
            /// The result would be larger than `maximumSize`.
            public static let expansionLimit = Kind("expansionLimit")
            /// An included resource that nothing links to. In the diagnostics of a `LegacyDocument`, as are all kinds below.
            public static let unlinked = Kind("unlinked")
            /// A second resource of one type and id.
            public static let duplicate = Kind("duplicate")
            /// A resource without an id.
            public static let missingID = Kind("missingID")
            /// A name that JSON:API does not allow for a type, an attribute or a relationship.
            public static let illegalName = Kind("illegalName")
            /// A member of the top level, or a link there, that JSON:API does not define.
            public static let undefinedMember = Kind("undefinedMember")
            /// A text or an object in the place of a link that is no URI reference.
            public static let illegalAddress = Kind("illegalAddress")
        }

        /// What is wrong.
        public let kind: Kind
        /// Where in the input. For a name conflict the relation in a JSON:API document, the attribute in a legacy document.
        public let pointer: JSONPointer
        /// One sentence, with the cure where there is one.
        public let message: String

        init(_ kind: Kind, at pointer: JSONPointer, _ message: String) {
            self.kind = kind
            self.pointer = pointer
            self.message = message
        }

        /// Whether kind and place are the same.
        public static func == (lhs: Problem, rhs: Problem) -> Bool { lhs.kind == rhs.kind && lhs.pointer == rhs.pointer }

        /// Feeds kind and place to `hasher`.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(kind)
            hasher.combine(pointer)
        }

        /// Place, sentence and kind. A pointer of more than about 1,000 bytes is cut in the middle.
        public var description: String {
            "\(pointer.tokens.isEmpty ? "the document" : pointer.shortened(to: 1000)): \(message) [\(kind)]"
        }
    }
}

extension ExpansionError.Problem {
    /// A value of the wrong JSON type.
    static func mismatch(_ expected: String, _ found: JSON, at pointer: JSONPointer) -> Self {
        Self(.typeMismatch, at: pointer, "expected \(expected), found \(found.kindName)")
    }
}
