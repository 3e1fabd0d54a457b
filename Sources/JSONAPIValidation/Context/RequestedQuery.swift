/// What of a request's query bears on its response: include paths, fieldsets, the cursors and the size of a page.
///
///     include=author,comments.author&fields[people]=name&page[size]=2
///
/// Names and values are decoded as forms are; brackets may be encoded or not; a parameter that is repeated adds to the one before.
///
/// <https://jsonapi.org/format/1.1/#query-parameters>
struct RequestedQuery: Sendable {
    /// The paths of `include`; nil without the parameter, empty for `include=`.
    private(set) var include: [[String]]?
    /// For each type, as bytes, the names of `fields[type]`, as bytes.
    private(set) var fields: [[UInt8]: Set<[UInt8]>] = [:]
    private(set) var pageSize: Int?
    private(set) var hasPageAfter = false
    private(set) var hasPageBefore = false
    /// Whether there is any parameter of the family `page`.
    private(set) var hasPage = false

    /// Reads a query, with or without its question mark.
    init(_ text: String) {
        for pair in Self.pairs(text) { take(pair.name, pair.value) }
    }

    private mutating func take(_ name: String, _ value: String) {
        switch name {
        case "include":
            let paths = Self.list(value).map { $0.split(separator: ".", omittingEmptySubsequences: false).map(String.init) }
            include = (include ?? []) + paths
        case "page[size]":
            hasPage = true
            pageSize = Int(value)
        case "page[after]": (hasPage, hasPageAfter) = (true, true)
        case "page[before]": (hasPage, hasPageBefore) = (true, true)
        default:
            if name.hasPrefix("page[") { hasPage = true }
            guard name.hasPrefix("fields["), name.hasSuffix("]") else { return }
            let type = Array(name.utf8.dropFirst(7).dropLast())
            fields[type, default: []].formUnion(Self.list(value).map { Array($0.utf8) })
        }
    }

    private static func list(_ value: String) -> [String] {
        value.split(separator: ",").map(String.init)
    }

    /// Names and values of a query, decoded, in order.
    static func pairs(_ text: String) -> [(name: String, value: String)] {
        let query = text.utf8.first == UInt8(ascii: "?") ? text.dropFirst() : text[...]
        return query.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let value = end < pair.endIndex ? pair[pair.index(after: end)...] : pair[end...]
            return (decoded(pair[..<end]), decoded(value))
        }
    }

    /// `+` is a space, `%2C` a comma; a percent sign without two digits stands for itself.
    private static func decoded(_ bytes: Substring.UTF8View.SubSequence) -> String {
        let bytes = Array(bytes)
        var text: [UInt8] = []
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "%"), position + 2 < bytes.count, let high = digit(bytes[position + 1]),
                let low = digit(bytes[position + 2])
            {
                text.append(high << 4 | low)
                position += 3
            } else {
                text.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                position += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
