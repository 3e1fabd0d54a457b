import Foundation
import JSONAPICodec

/// The reason why the walk through pages stopped.
public struct PagesError: Error, Sendable, Hashable {
    /// The kind of a problem. Kinds may be added, so always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind, for example `foreignLink`.
        public let description: String
        private init(_ name: String) { description = name }

        /// The link, or the parameter for the page, leads to a page that was fetched before.
        public static let loop = Kind("loop")
        /// There are more pages than `maximumPages`.
        public static let tooManyPages = Kind("tooManyPages")
        /// The scheme, host or port of the link differs from the first page's, or the link has other credentials.
        public static let foreignLink = Kind("foreignLink")
        /// The link is not a URI reference.
        public static let unreadableLink = Kind("unreadableLink")
        /// The server sent the same text for two addresses, because it ignores the parameter for the page, or repeats the last page.
        public static let repeatedPage = Kind("repeatedPage")
        /// The parameter for the page is not an integer, or the size of a page is not known.
        public static let unreadableNumber = Kind("unreadableNumber")
        /// A page of a backward walk by offsets has more or fewer resources than were requested.
        public static let unexpectedCount = Kind("unexpectedCount")
        /// A resource has no cursor.
        public static let missingCursor = Kind("missingCursor")
    }

    /// The kind of the problem.
    public let kind: Kind

    /// The address in the link; for every other problem, the page that has it.
    public let url: URL

    private let link: String
    /// Whether a foreign link would be followed with `LinkPolicy.usesOwnOrigin`.
    private let isOwnHost: Bool

    init(_ kind: Kind, _ url: URL, link: String = "next", isOwnHost: Bool = false) {
        self.kind = kind
        self.url = url
        self.link = link
        self.isOwnHost = isOwnHost
    }
}

extension PagesError: LocalizedError, CustomStringConvertible {
    /// One sentence about the problem and how to fix it. Of the URL it shows only scheme, host and port.
    public var description: String {
        switch kind {
        case .loop:
            "The link `\(link)`, or the parameter for the page, leads to a page that was fetched before. If it is the link, the server has a fault; otherwise choose another parameter, or follow links."
        case .tooManyPages: "There are more pages than `maximumPages` allows: raise it, or end the loop after the pages that you need."
        case .foreignLink where isOwnHost:
            "The link `\(link)` leads to \(Origin.text(of: url)) instead of https; set `usesOwnOrigin` of `links` to follow it by https."
        case .foreignLink:
            "The link `\(link)` leads to \(Origin.text(of: url)), not to the server of the first page; set `allows` to follow it."
        case .repeatedPage:
            "The server sent the same page twice: it does not know the parameter for the page, or repeats its last page. Choose another parameter, or follow links."
        case .unreadableNumber: "The parameter for the page, or for its size, is missing or not an integer."
        case .unexpectedCount:
            "A page has more or fewer resources than its limit, so the walk repeated or missed some. Request no more than the server sends at a time, or follow links."
        case .missingCursor: "A resource has no cursor in `meta.page`: choose the parameter, and read the cursor with a closure."
        default: "The link `\(link)` is not a URI reference."
        }
    }

    /// The same as `description`.
    public var errorDescription: String? { description }
}
