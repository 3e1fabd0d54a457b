import Foundation
import JSONAPICodec
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

    private func text(_ names: FormEncoding.Style, _ values: FormEncoding.Style) -> String {
        FormEncoding.text(of: parameters.lazy.map { (name: $0.name, value: $0.value) }, names: names, values: values)
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
    /// Mind how the URL was made: `URL(string:)` of a text with unencoded brackets encodes its percent signs as well. `DocumentLink.url`
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
        parameters.map { URLQueryItem(name: FormEncoding.encoded($0.name, .name), value: FormEncoding.encoded($0.value, .value)) }
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

// MARK: - Lists

extension String {
    /// The parts between the separators, empty ones included. A separator is a byte of ASCII, whatever mark follows it.
    func parts(separatedBy separator: UInt8) -> [String] {
        utf8.split(separator: separator, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The elements of a list written with commas: none in an empty text.
    var commaSeparated: [String] { isEmpty ? [] : parts(separatedBy: UInt8(ascii: ",")) }
}
