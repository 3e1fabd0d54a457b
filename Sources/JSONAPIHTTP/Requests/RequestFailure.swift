import JSONText

/// Why a request was not made.
///
/// ```swift
/// do { request = try articles.get("") } catch let failure as RequestFailure {
///     failure.kind            // .missingID
///     failure.description     // "No address has an empty id: …"
/// }
/// ```
///
/// It holds names, never ids. Two failures are equal when kind and subject are.
public struct RequestFailure: Error, Sendable, Hashable {
    /// What is wrong. The set may grow: always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The kind's name, as `missingID`.
        public let description: String
        private init(_ name: String) { description = name }

        /// The address is no URI reference, or a template has a variable that does not exist.
        public static let invalidAddress = Kind("invalidAddress")
        /// A resource without an id, or with an empty one, has no address of its own.
        public static let missingID = Kind("missingID")
        /// An id, type or name is `.` or `..`, which every client takes for a step through folders.
        public static let dotSegment = Kind("dotSegment")
        /// The name is not one that a relationship may have.
        public static let illegalName = Kind("illegalName")
        /// There is no link, or it is null.
        public static let missingLink = Kind("missingLink")
        /// The link leads to another scheme, host or port than the endpoint's address, or holds credentials.
        public static let foreignLink = Kind("foreignLink")
    }

    /// What is wrong.
    public let kind: Kind
    /// The template, name or origin that it is about.
    public let subject: String

    init(_ kind: Kind, _ subject: String) {
        self.kind = kind
        self.subject = subject
    }

    /// Whether kind and subject are equal.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.kind == rhs.kind && UTF8Bytes.areEqual(lhs.subject, rhs.subject) }

    /// Feeds kind and subject to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        UTF8Bytes.hash(subject, into: &hasher)
    }
}

extension RequestFailure: CustomStringConvertible {
    /// The problem in one sentence, with the cure.
    public var description: String {
        let subject = subject.shown(200)
        return switch kind {
        case .invalidAddress:
            "The address `\(subject)` cannot be used: it has to be a URI reference, with `{type}`, `{id}` and `{relationship}` as its only variables."
        case .missingID: "No address has an empty \(subject): create the resource first, or use its link."
        case .dotSegment: "No address has the \(subject) `.` or `..`, which lead to another folder: use the resource's link."
        case .illegalName: "No relationship is called `\(subject)`: a name has letters, digits, and inside it hyphens, underscores, spaces."
        case .missingLink: "There is no link `\(subject)` to follow."
        case .foreignLink: "The link leads to \(subject), away from the endpoint; set `allows` of its link policy to follow it."
        default: "The request cannot be made: \(subject)."
        }
    }
}
