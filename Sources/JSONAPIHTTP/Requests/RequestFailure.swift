import Foundation
import JSONText

/// The reason why a request was not created.
///
/// ```swift
/// do { request = try articles.get("") } catch let failure as RequestFailure {
///     failure.kind            // .missingID
///     failure.description     // "An address cannot have an empty id: …"
/// }
/// ```
///
/// A failure contains names, never ids, and addresses without credentials and query. Two failures are equal when their kinds and subjects are equal.
public struct RequestFailure: Error, Sendable, Hashable {
    /// The kind of a problem. Kinds may be added, so always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind, for example `missingID`.
        public let description: String
        private init(_ name: String) { description = name }

        /// The address is not a URI reference, or a variable in it is not closed.
        public static let invalidAddress = Kind("invalidAddress")
        /// The address has a variable for which there is no value.
        public static let missingValue = Kind("missingValue")
        /// A resource without an id, or with an empty one, has no address of its own.
        public static let missingID = Kind("missingID")
        /// An id, a type or a name is `.` or `..`, which every client resolves as a step in the path.
        public static let dotSegment = Kind("dotSegment")
        /// A relationship cannot have the name.
        public static let illegalName = Kind("illegalName")
        /// There is no link, or it is null or empty.
        public static let missingLink = Kind("missingLink")
        /// The scheme, host or port of the link differ from the endpoint's address, or the link has other credentials.
        public static let foreignLink = Kind("foreignLink")
    }

    /// The kind of the problem.
    public let kind: Kind
    /// The address, variable, name or origin that has the problem.
    public let subject: String
    /// Whether a foreign link would be followed with `LinkPolicy.usesOwnOrigin`.
    private let isOwnHost: Bool

    init(_ kind: Kind, _ subject: String, isOwnHost: Bool = false) {
        self.kind = kind
        self.subject = kind == .invalidAddress ? Self.withoutSecrets(subject) : subject
        self.isOwnHost = isOwnHost
    }

    /// Returns the part of an address before the query, without credentials.
    private static func withoutSecrets(_ address: String) -> String {
        var parts = address.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        // scheme, nothing, and the part with the host
        if parts.count > 2, parts[1].isEmpty, let end = parts[2].lastIndex(of: UInt8(ascii: "@")) {
            parts[2] = parts[2][parts[2].index(after: end)...]
        }
        return String(decoding: Array(parts.joined(separator: "/".utf8)), as: UTF8.self)
    }

    /// Whether the kinds and subjects are equal.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.kind == rhs.kind && UTF8Bytes.areEqual(lhs.subject, rhs.subject) }

    /// Feeds kind and subject to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        UTF8Bytes.hash(subject, into: &hasher)
    }
}

extension RequestFailure: LocalizedError, CustomStringConvertible {
    /// One sentence about the problem and how to fix it.
    public var description: String {
        let subject = subject.shown(200)
        return switch kind {
        case .invalidAddress:
            "The address `\(subject)` cannot be used: it must be a URI reference, in which variables have the form `{id}`."
        case .missingValue:
            "The variable `{\(subject)}` of the address has no value. An `Endpoint` has values for `{type}`, `{id}` and `{relationship}`; a `JSONAPIServer` for those that the call passes."
        case .missingID: "An address cannot have an empty \(subject): create the resource first, or use its link."
        case .dotSegment: "An address cannot have the \(subject) `.` or `..`, which would change its path: use the resource's link."
        case .illegalName:
            "A relationship cannot be called `\(subject)`: a name has letters, digits, and inside it hyphens, underscores, spaces. Set `checksNames` of the encoder to false if the server requires this name."
        case .missingLink where subject.isEmpty: "There is no link to follow."
        case .missingLink: "There is no link `\(subject)` to follow."
        case .foreignLink where isOwnHost:
            "The link leads to \(subject) instead of https; set `usesOwnOrigin` of its link policy to follow it by https."
        case .foreignLink: "The link leads to \(subject), not to the endpoint's server; set `allows` of its link policy to follow it."
        default: "The request cannot be made: \(subject)."
        }
    }

    /// The same as `description`.
    public var errorDescription: String? { description }
}
