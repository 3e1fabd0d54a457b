import Foundation
import JSONAPICodec

/// Which links of a server are followed.
///
/// A link is what a server wrote, so it is not trusted: it must lead to the scheme, host and port that the program itself named, and hold
/// no credentials of its own. Otherwise a document could send the headers of a request, an access token among them, to anyone.
///
/// ```swift
/// articles.links.usesOwnOrigin = true                         // for a server behind a proxy that writes http links
/// articles.links.allows = { $0.host == "cdn.example.com" }    // for links to another host
/// ```
public struct LinkPolicy: Sendable {
    /// Whether a link may be followed that leads elsewhere or holds credentials: never by default.
    public var allows: @Sendable (URL) -> Bool = { _ in false }

    /// Whether an `http` link to the same host gets the scheme and port of the program's own `https` address. False by default.
    ///
    /// Servers behind a proxy that ends TLS write such links. Nothing is ever sent unencrypted because of this.
    public var usesOwnOrigin = false

    /// The policy with both options at their defaults.
    public init() {}

    /// Where a link leads that is followed; nil for one that is not.
    func target(_ link: URL, from start: URL) -> URL? {
        let target = usesOwnOrigin ? Origin.moved(link, to: start) : link
        return Origin.areSame(start, target) || allows(target) ? target : nil
    }
}

/// Scheme, host and port of an address.
enum Origin {
    /// Whether `link` leads to the scheme, host and port of `start`, with the same credentials or none.
    static func areSame(_ start: URL, _ link: URL) -> Bool {
        guard start.scheme?.lowercased() == link.scheme?.lowercased(), start.host?.lowercased() == link.host?.lowercased(),
            port(of: start) == port(of: link)
        else { return false }
        return (link.user == nil && link.password == nil) || (link.user == start.user && link.password == start.password)
    }

    /// An `http` link to the host of an `https` address, with the scheme and port of that address; every other link as it is.
    static func moved(_ link: URL, to start: URL) -> URL {
        guard start.scheme?.lowercased() == "https", link.scheme?.lowercased() == "http",
            start.host?.lowercased() == link.host?.lowercased(),
            var components = URLComponents(url: link, resolvingAgainstBaseURL: true)
        else { return link }
        components.scheme = start.scheme
        components.port = start.port
        return components.url ?? link
    }

    /// For messages: scheme, host and port.
    static func text(of url: URL) -> String {
        let host = (url.host ?? "no host") + (url.port.map { ":\($0)" } ?? "")
        return (url.user == nil ? "" : "credentials at ") + (url.scheme.map { "\($0)://" } ?? "") + host
    }

    private static func port(of url: URL) -> Int? {
        if let port = url.port { return port }
        return switch url.scheme?.lowercased() {
        case "http": 80
        case "https": 443
        default: nil
        }
    }
}
