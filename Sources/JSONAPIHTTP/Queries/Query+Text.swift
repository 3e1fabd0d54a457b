import Foundation
import JSONAPICodec

extension Query {
    /// Creates the query from a text: the part of a URL after `?`, still encoded. A leading `?` is skipped.
    ///
    /// Names and values are decoded like forms: `+` is a space, and brackets may be encoded or not. Lists are split after decoding, so
    /// `%2C` separates as well. Every text is a query. `problems` reports parameters that are not valid.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#appendix-query-details-parsing>
    /// - Complexity: O(n), n = bytes.
    public init(parsing text: some StringProtocol) {
        let bytes = text.utf8
        let rest = bytes.first == UInt8(ascii: "?") ? bytes.dropFirst() : bytes[...]
        let pairs = FormEncoding.pairs(of: String(decoding: rest, as: UTF8.self))
        self.init(parameters: pairs.lazy.map { QueryParameter(name: $0.name, value: $0.value) })
    }

    /// The query in the form for URLs. ASCII letters and digits, `*`, `-`, `.`, `_`, and commas in values stay as they are; everything else
    /// is encoded as in forms. A space in a value becomes `%20`.
    ///
    /// ```
    /// include=author,comments.author&fields%5Barticles%5D=title
    /// ```
    ///
    /// Assign it to `URLComponents.percentEncodedQuery`.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#appendix-query-details-serialization>
    public var percentEncoded: String { text(.name, .value) }

    private func text(_ names: FormEncoding.Style, _ values: FormEncoding.Style) -> String {
        FormEncoding.text(of: parameters.lazy.map { (name: $0.name, value: $0.value) }, names: names, values: values)
    }
}

extension Query: CustomStringConvertible {
    /// The query in a readable form: only characters that would change its meaning are encoded. It parses back to an equal query, but a URL
    /// may not be able to contain it. For URLs use `percentEncoded`.
    public var description: String { text(.readableName, .readableValue) }
}

// MARK: - URLs

extension Query {
    /// Creates the query of a URL; empty when the URL has none.
    ///
    /// `URL(string:)` encodes percent signs again when the text contains unencoded brackets. `DocumentLink.url` does not. If you have the
    /// text, use `init(parsing:)` with the part after `?`.
    public init(of url: URL) {
        self.init(parsing: URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedQuery ?? "")
    }

    /// The parameters as query items, not encoded.
    ///
    /// `URLComponents.queryItems` does not encode plus signs, which servers read as spaces. If values may contain them, use
    /// `percentEncodedQueryItems`.
    public var queryItems: [URLQueryItem] { parameters.map { URLQueryItem(name: $0.name, value: $0.value) } }

    /// The parameters as query items for `URLComponents.percentEncodedQueryItems`.
    public var percentEncodedQueryItems: [URLQueryItem] {
        parameters.map { URLQueryItem(name: FormEncoding.encoded($0.name, .name), value: FormEncoding.encoded($0.value, .value)) }
    }

    /// Returns the URL with this query after the one that it already has.
    public func appending(to url: URL) -> URL {
        Self.changing(url) { old in
            guard !isEmpty else { return old }
            guard let old, !old.isEmpty else { return percentEncoded }
            return old + "&" + percentEncoded
        } ?? url.appending(queryItems: queryItems)
    }

    /// Returns the URL with this query instead of its own; without `?` when this query is empty. If Foundation cannot take the URL apart,
    /// this query is added after its own, so that it is not lost.
    ///
    /// ```swift
    /// var query = Query(of: url)
    /// query.page["after"] = cursor
    /// let next = query.replacingQuery(of: url)
    /// ```
    public func replacingQuery(of url: URL) -> URL {
        Self.changing(url) { _ in isEmpty ? nil : percentEncoded } ?? url.appending(queryItems: queryItems)
    }

    /// Returns the URL with another percent-encoded query; nil if Foundation cannot create it.
    static func changing(_ url: URL, _ change: (String?) -> String?) -> URL? {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
        components.percentEncodedQuery = change(components.percentEncodedQuery)
        return components.url
    }
}

// MARK: - Lists

extension Array {
    /// Replaces all elements that match by the given one, in place of the first or at the end. With nil it only removes them.
    mutating func replaceAll(where isOld: (Element) -> Bool, with new: Element?) {
        let position = firstIndex(where: isOld) ?? endIndex
        removeAll(where: isOld)
        if let new { insert(new, at: position) }
    }
}

extension String {
    /// Returns the parts between the separators, including empty ones. The separator is an ASCII byte, whatever combining character follows
    /// it.
    func parts(separatedBy separator: UInt8) -> [String] {
        utf8.split(separator: separator, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The elements of a list separated by commas; none in an empty text.
    var commaSeparated: [String] { isEmpty ? [] : parts(separatedBy: UInt8(ascii: ",")) }
}
