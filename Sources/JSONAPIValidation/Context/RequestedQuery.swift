import JSONAPICodec

/// The parts of a request's query that affect its response: include paths, fieldsets, and the cursors and the size of a page.
///
///     include=author,comments.author&fields[people]=name&page[size]=2
///
/// Names and values are decoded as form data. Brackets can be percent-encoded. Repeated `include` and `fields` parameters are combined.
///
/// <https://jsonapi.org/format/1.1/#query-parameters>
struct RequestedQuery: Sendable {
    /// The paths of `include`, with names as bytes. Nil without the parameter, and empty for `include=`.
    private(set) var include: [[[UInt8]]]?
    /// The names in `fields[type]` by type, as bytes.
    private(set) var fields: [[UInt8]: Set<[UInt8]>] = [:]
    private(set) var pageSize: Int?
    private(set) var hasPageAfter = false
    private(set) var hasPageBefore = false
    /// Whether there is a parameter of the `page` family.
    private(set) var hasPage = false

    /// Parses a query, with or without its question mark.
    init(_ text: String) {
        let text = text.utf8.first == UInt8(ascii: "?") ? String(text.dropFirst()) : text
        for pair in FormEncoding.pairs(of: text) { take(Array(pair.name.utf8), Array(pair.value.utf8)) }
    }

    private mutating func take(_ name: [UInt8], _ value: [UInt8]) {
        if name.elementsEqual("include".utf8) {
            let paths = Self.list(value).map { path in
                path.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Array($0) }
            }
            if include == nil { include = [] }
            include?.append(contentsOf: paths)
        } else if name.starts(with: "page[".utf8) || name.elementsEqual("page".utf8) {
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
