import JSONAPICodec

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
        let text = text.utf8.first == UInt8(ascii: "?") ? String(text.dropFirst()) : text
        for pair in FormEncoding.pairs(of: text) { take(Array(pair.name.utf8), Array(pair.value.utf8)) }
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
}
