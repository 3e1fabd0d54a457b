/// What of a request's query bears on its response: include paths, fieldsets, the cursors and the size of a page.
///
///     include=author,comments.author&fields[people]=name&page[size]=2
///
/// Names and values are decoded as forms are; brackets may be encoded or not; a parameter that is repeated adds to the one before.
///
/// <https://jsonapi.org/format/1.1/#query-parameters>
struct RequestedQuery: Sendable {
    /// The paths of `include`, their names as bytes; nil without the parameter, empty for `include=`.
    private(set) var include: [[[UInt8]]]?
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

    private mutating func take(_ name: [UInt8], _ value: [UInt8]) {
        if name.elementsEqual("include".utf8) {
            let paths = Self.list(value).map { path in
                path.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Array($0) }
            }
            include = (include ?? []) + paths
        } else if name.starts(with: "page[".utf8) {
            hasPage = true
            if name.elementsEqual("page[after]".utf8) { hasPageAfter = true }
            if name.elementsEqual("page[before]".utf8) { hasPageBefore = true }
            if name.elementsEqual("page[size]".utf8) { pageSize = Int(String(decoding: value, as: UTF8.self)) }
        } else if name.starts(with: "fields[".utf8), name.last == UInt8(ascii: "]") {
            fields[Array(name[7..<(name.count - 1)]), default: []].formUnion(Self.list(value))
        }
    }

    private static func list(_ value: [UInt8]) -> [[UInt8]] { value.split(separator: UInt8(ascii: ",")).map { Array($0) } }

    /// Names and values of a query, decoded, in order.
    private static func pairs(_ text: String) -> [(name: [UInt8], value: [UInt8])] {
        let bytes = Array(text.utf8)
        let query = bytes.first == UInt8(ascii: "?") ? bytes.dropFirst() : bytes[...]
        return query.split(separator: UInt8(ascii: "&")).map { pair in
            let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let value = end < pair.endIndex ? pair[pair.index(after: end)...] : pair[end...]
            return (decoded(pair[..<end]), decoded(value))
        }
    }

    /// `+` is a space, `%2C` a comma; a percent sign without two digits stands for itself.
    private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let bytes = Array(text)
        var decoded: [UInt8] = []
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "%"), position + 2 < bytes.count, let high = digit(bytes[position + 1]),
                let low = digit(bytes[position + 2])
            {
                decoded.append(high << 4 | low)
                position += 3
            } else {
                decoded.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                position += 1
            }
        }
        return decoded
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
