import Foundation

/// Why the walk through pages stopped at a link.
public struct PagesError: Error, Sendable, Hashable {
    /// What is wrong. The set may grow: always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The kind's name, as `foreignLink`.
        public let description: String
        private init(_ name: String) { description = name }

        /// `next` leads to a page that was fetched before.
        public static let loop = Kind("loop")
        /// There are more pages than `maximumPages`.
        public static let tooManyPages = Kind("tooManyPages")
        /// `next` leads to another scheme, host or port than the first page's, or holds credentials.
        public static let foreignLink = Kind("foreignLink")
        /// `next` is no URI reference.
        public static let unreadableLink = Kind("unreadableLink")
    }

    /// What is wrong.
    public let kind: Kind

    /// Where the link leads; of a link that cannot be read, the page that has it.
    public let url: URL

    init(_ kind: Kind, _ url: URL) {
        self.kind = kind
        self.url = url
    }
}

extension PagesError: CustomStringConvertible {
    /// The problem in words, with the cure. Of the URL it shows scheme, host and port at most.
    public var description: String {
        switch kind {
        case .loop: "The link `next` leads to a page that was fetched before. An empty link leads to its own page; the last page has null."
        case .tooManyPages: "There are more pages than `maximumPages` allows."
        case .foreignLink: "The link `next` leads to \(origin), away from the first page; set `allows` to follow it."
        default: "The link `next` is no URI reference."
        }
    }

    private var origin: String {
        let host = (url.host ?? "no host") + (url.port.map { ":\($0)" } ?? "")
        return (url.user == nil ? "" : "credentials at ") + (url.scheme.map { "\($0)://" } ?? "") + host
    }
}
