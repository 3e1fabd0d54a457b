import Foundation
import JSONAPICodec

/// The links of a server to follow.
///
/// Links come from the server and are not trusted. A link must have the scheme, host and port of the program's own address, and no
/// credentials other than those of that address. Otherwise a document could send the headers of a request, such as an access token, to any
/// server.
///
/// ```swift
/// articles.links.usesOwnOrigin = true                         // for a server behind a proxy that writes http links
/// articles.links.allows = { $0.host == "cdn.example.com" }    // for links to another host
/// ```
public struct LinkPolicy: Sendable {
    /// Whether to follow a link to another server, or one with other credentials than the program's own address: never by default.
    public var allows: @Sendable (URL) -> Bool = { _ in false }

    /// Whether an `http` link to the same host gets the scheme and port of the program's own `https` address: false by default.
    ///
    /// Servers behind a proxy that terminates TLS write such links. This option never causes an unencrypted request.
    public var usesOwnOrigin = false

    /// Creates a policy. Both options have their defaults.
    public init() {}

    /// Returns the address to request for a link; nil when the link must not be followed.
    func target(_ link: URL, from start: URL) -> URL? {
        let target = usesOwnOrigin ? Origin.moved(link, to: start) : link
        return Origin.areSame(start, target) || allows(target) ? target : nil
    }
}

/// The scheme, host and port of an address.
enum Origin {
    /// Whether `link` has the scheme, host and port of `start`, and the same credentials or none.
    static func areSame(_ start: URL, _ link: URL) -> Bool {
        guard start.scheme?.lowercased() == link.scheme?.lowercased(), start.host?.lowercased() == link.host?.lowercased(),
            port(of: start) == port(of: link)
        else { return false }
        return (link.user == nil && link.password == nil) || (link.user == start.user && link.password == start.password)
    }

    /// Returns an `http` link to the host of an `https` address with the scheme and port of that address. Other links stay as they are.
    static func moved(_ link: URL, to start: URL) -> URL {
        guard start.scheme?.lowercased() == "https", link.scheme?.lowercased() == "http",
            start.host?.lowercased() == link.host?.lowercased(),
            var components = URLComponents(url: link, resolvingAgainstBaseURL: true)
        else { return link }
        components.scheme = start.scheme
        components.port = start.port
        return components.url ?? link
    }

    /// Whether a link has the origin of `start` once it is moved there.
    static func isMovable(_ link: URL, to start: URL) -> Bool { areSame(start, moved(link, to: start)) }

    /// Returns the scheme, host and port for a message.
    static func text(of url: URL) -> String {
        let host = (url.host ?? "no host") + (writtenPort(of: url).map { ":\($0)" } ?? "")
        return (url.user == nil ? "" : "credentials at ") + (url.scheme.map { "\($0)://" } ?? "") + host
    }

    private static func port(of url: URL) -> String? {
        writtenPort(of: url) ?? ["http": "80", "https": "443"][url.scheme?.lowercased() ?? ""]
    }

    /// Returns the port that an address names; nil for none. One that is too large for a number is not the default port.
    private static func writtenPort(of url: URL) -> String? {
        if let port = url.port { return String(port) }
        guard let components = URLComponents(url: url, resolvingAgainstBaseURL: true), let range = components.rangeOfPort,
            !range.isEmpty
        else { return nil }
        return components.string.map { String($0[range]) }
    }
}
