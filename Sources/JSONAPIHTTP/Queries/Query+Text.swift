import Foundation
import JSONText

extension Query {
    /// The query of that text: what stands behind the `?` of a URL, still encoded. One leading `?` is passed over.
    ///
    /// Names and values are decoded as forms are: `+` is a space, brackets may be encoded or not. Lists are split after that, so
    /// `%2C` separates as well. Every text is a query; what is wrong with its parameters is in `problems`.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#appendix-query-details-parsing>
    /// - Complexity: O(n), n = bytes.
    public init(parsing text: some StringProtocol) {
        let bytes = text.utf8
        let rest = bytes.first == UInt8(ascii: "?") ? bytes.dropFirst() : bytes[...]
        let pairs = FormEncoding.pairs(of: String(decoding: rest, as: UTF8.self))
        self.init(parameters: pairs.lazy.map { QueryParameter(name: $0.name, value: $0.value) })
    }

    /// The query in the form that URLs hold: all but ASCII letters and digits, `*`, `-`, `.`, `_` and the commas and spaces of
    /// values encoded as forms are. A space in a value is `%20`.
    ///
    /// ```
    /// include=author,comments.author&fields%5Barticles%5D=title
    /// ```
    ///
    /// It fits `URLComponents.percentEncodedQuery`.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#appendix-query-details-serialization>
    public var percentEncoded: String { text(.name, .value) }

    private func text(_ name: FormEncoding.Style, _ value: FormEncoding.Style) -> String {
        var output: [UInt8] = []
        for (position, parameter) in parameters.enumerated() {
            if position > 0 { output.append(UInt8(ascii: "&")) }
            FormEncoding.write(parameter.name, name, to: &output)
            output.append(UInt8(ascii: "="))
            FormEncoding.write(parameter.value, value, to: &output)
        }
        return String(decoding: output, as: UTF8.self)
    }
}

extension Query: CustomStringConvertible {
    /// The query for people, with brackets and letters as they are; only what would change its meaning is encoded. It parses
    /// back equal, but a URL may not hold it: use `percentEncoded` there.
    public var description: String { text(.readableName, .readableValue) }
}

// MARK: - URLs

extension Query {
    /// The query of a URL; without one, nothing is asked for.
    ///
    /// Mind how the URL was made: `URL(string:)` of a text with unencoded brackets encodes its percent signs as well. `Link.url`
    /// does not, and where the text is at hand, `init(parsing:)` of what stands behind its `?` needs no URL.
    public init(of url: URL) {
        self.init(parsing: URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedQuery ?? "")
    }

    /// The parameters, not encoded.
    ///
    /// `URLComponents.queryItems` leaves plus signs as they are, which servers read as spaces. Where values may have them, use
    /// `percentEncodedQueryItems`.
    public var queryItems: [URLQueryItem] { parameters.map { URLQueryItem(name: $0.name, value: $0.value) } }

    /// The parameters in the form that `URLComponents.percentEncodedQueryItems` takes.
    public var percentEncodedQueryItems: [URLQueryItem] {
        parameters.map { URLQueryItem(name: Self.encoded($0.name, .name), value: Self.encoded($0.value, .value)) }
    }

    private static func encoded(_ text: String, _ style: FormEncoding.Style) -> String {
        var output: [UInt8] = []
        FormEncoding.write(text, style, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// The URL with this query behind what it asks for already.
    public func appending(to url: URL) -> URL {
        changingQuery(of: url) { old in
            guard !isEmpty else { return old }
            guard let old, !old.isEmpty else { return percentEncoded }
            return old + "&" + percentEncoded
        }
    }

    /// The URL with this query in place of what it asks for; without `?` when this asks for nothing.
    ///
    /// ```swift
    /// var query = Query(of: url)
    /// query.page["after"] = cursor
    /// let next = query.replacingQuery(of: url)
    /// ```
    public func replacingQuery(of url: URL) -> URL {
        changingQuery(of: url) { _ in isEmpty ? nil : percentEncoded }
    }

    private func changingQuery(of url: URL, _ change: (String?) -> String?) -> URL {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url.appending(queryItems: queryItems) }
        components.percentEncodedQuery = change(components.percentEncodedQuery)
        return components.url ?? url.appending(queryItems: queryItems)
    }
}
