import JSONText

/// The parts of a URI reference.
///
/// <https://www.rfc-editor.org/rfc/rfc3986#appendix-B>
package struct URIReference {
    private var scheme: [UInt8]?
    private var authority: ArraySlice<UInt8>?
    private let path: ArraySlice<UInt8>
    /// The query and the fragment, with their delimiters.
    private let rest: ArraySlice<UInt8>

    package init(_ text: String) {
        var rest = Array(text.utf8)[...]
        let name = Self.head(of: rest, until: ":/?#")
        if !name.isEmpty, rest.dropFirst(name.count).first == UInt8(ascii: ":") {
            scheme = Self.lowercased(name)
            rest = rest.dropFirst(name.count + 1)
        }
        if rest.starts(with: "//".utf8) {
            let name = Self.head(of: rest.dropFirst(2), until: "/?#")
            authority = name
            rest = rest.dropFirst(2 + name.count)
        }
        path = Self.head(of: rest, until: "?#")
        self.rest = rest.dropFirst(path.count)
    }

    private static func head(of text: ArraySlice<UInt8>, until delimiters: StaticString) -> ArraySlice<UInt8> {
        let delimiters = Array("\(delimiters)".utf8)
        return text.prefix { !delimiters.contains($0) }
    }
}

// MARK: - Comparing

extension URIReference {
    /// Whether the references lead to different places, whatever their common base is.
    ///
    /// What one of them leaves to the base is taken from the other: a network path has the scheme of the other, and an absolute path its
    /// host as well. Where a relative path leads is unknown. Texts that are equivalent by syntax or scheme are equal.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc3986#section-5.2>, <https://www.rfc-editor.org/rfc/rfc3986#section-6.2>
    package func isSurelyOther(than other: URIReference) -> Bool {
        if let one = scheme, let two = other.scheme, one != two { return true }
        let scheme = scheme ?? other.scheme
        if hasAuthority, other.hasAuthority, host(scheme) != other.host(scheme) { return true }
        guard hasPath, other.hasPath else { return false }
        return plainPath != other.plainPath || Self.plain(rest) != Self.plain(other.rest)
    }

    /// Whether the authority, or that there is none, is known without the base.
    private var hasAuthority: Bool { scheme != nil || authority != nil }

    private var hasPath: Bool { hasAuthority || path.first == UInt8(ascii: "/") }

    /// The authority without a port that is the default of the scheme. Without a scheme, any could be.
    private func host(_ scheme: [UInt8]?) -> [UInt8]? {
        guard let authority else { return nil }
        let start = authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? authority.startIndex
        var host = Self.lowercased(Self.plain(authority[start...])[...])
        let ports = [("http", ":80"), ("https", ":443")].filter { scheme?.elementsEqual($0.0.utf8) ?? true }.map(\.1) + [":"]
        if let port = ports.first(where: { host.suffix($0.utf8.count).elementsEqual($0.utf8) }) { host.removeLast(port.utf8.count) }
        return Self.plain(authority[..<start]) + host
    }

    /// The path without segments that are dots.
    private var plainPath: [UInt8] {
        let path = Self.plain(path)
        guard path.first == UInt8(ascii: "/") else { return path.isEmpty && authority != nil ? [UInt8(ascii: "/")] : path }
        let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var kept: [ArraySlice<UInt8>] = []
        for segment in segments {
            switch segment {
            case [UInt8(ascii: ".")]: break
            case [UInt8(ascii: "."), UInt8(ascii: ".")]: if kept.count > 1 { kept.removeLast() }
            default: kept.append(segment)
            }
        }
        if let last = segments.last, last.first == UInt8(ascii: "."), last.count < 3, last.allSatisfy({ $0 == UInt8(ascii: ".") }) {
            kept.append([])
        }
        return Array(kept.joined(separator: [UInt8(ascii: "/")]))
    }

    /// Returns a text in which only those characters are percent-encoded that need it.
    private static func plain(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var plain: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let decoded = value(ofDigits: rest.prefix(2)) {
                plain += isUnreserved(decoded) ? [decoded] : encoded(decoded)
                rest = rest.dropFirst(2)
            } else {
                plain += byte > 0x20 && byte < 0x7F ? [byte] : encoded(byte)
            }
        }
        return plain
    }

    private static func value(ofDigits digits: ArraySlice<UInt8>) -> UInt8? {
        guard digits.count == 2, digits.allSatisfy(\.isASCIILetterOrDigit) else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static func encoded(_ byte: UInt8) -> [UInt8] {
        Array("%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool { byte.isASCIILetterOrDigit || "-._~".utf8.contains(byte) }

    private static func lowercased(_ text: ArraySlice<UInt8>) -> [UInt8] { text.map { $0.isASCIILetter ? $0 | 0x20 : $0 } }
}
