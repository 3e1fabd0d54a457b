import Foundation
import JSONAPICodec

/// Why the walk through pages stopped.
public struct PagesError: Error, Sendable, Hashable {
    /// What is wrong. The set may grow: always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The kind's name, as `foreignLink`.
        public let description: String
        private init(_ name: String) { description = name }

        /// The link leads to a page that was fetched before.
        public static let loop = Kind("loop")
        /// There are more pages than `maximumPages`.
        public static let tooManyPages = Kind("tooManyPages")
        /// The link leads to another scheme, host or port than the first page's, or holds credentials.
        public static let foreignLink = Kind("foreignLink")
        /// The link is no URI reference.
        public static let unreadableLink = Kind("unreadableLink")
        /// The server sent the same text for two addresses: it does not look at the parameter that names the page.
        public static let repeatedPage = Kind("repeatedPage")
        /// The parameter that names the page is no whole number, or the size of a page cannot be told.
        public static let unreadableNumber = Kind("unreadableNumber")
        /// A resource has no cursor.
        public static let missingCursor = Kind("missingCursor")
    }

    /// What is wrong.
    public let kind: Kind

    /// Where the link leads; for every other error, the page that has the fault.
    public let url: URL

    private let link: String

    init(_ kind: Kind, _ url: URL, link: String = "next") {
        self.kind = kind
        self.url = url
        self.link = link
    }
}

extension PagesError: CustomStringConvertible {
    /// The problem in words, with the cure. Of the URL it shows scheme, host and port at most.
    public var description: String {
        switch kind {
        case .loop:
            "The link `\(link)` leads to a page that was fetched before. An empty link leads to its own page; the last page has null."
        case .tooManyPages: "There are more pages than `maximumPages` allows."
        case .foreignLink: "The link `\(link)` leads to \(Origin.text(of: url)), away from the first page; set `allows` to follow it."
        case .repeatedPage:
            "The server sent the same page twice: it does not know the parameter that names the page. Name another one, or follow links."
        case .unreadableNumber: "The parameter that names the page, or its size, is no whole number."
        case .missingCursor: "A resource has no cursor in `meta.page`: name the parameter and read the cursor by a closure."
        default: "The link `\(link)` is no URI reference."
        }
    }
}
