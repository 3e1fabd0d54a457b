import Foundation
import JSONAPICodec

/// A difference between the end of a walk through pages and what the server said.
///
/// ```swift
/// pages.onDiagnostic = { log("\($0)") }     // "The pages end at page[number]=3, but the link `last` leads to 7."
/// ```
public struct PagesDiagnostic: Sendable, Hashable {
    /// The kind of a difference. Kinds may be added, so always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind, for example `total`.
        public let description: String
        private init(_ name: String) { description = name }

        /// The link `last` names a different page number or offset from the last page that was fetched.
        public static let last = Kind("last")
        /// The pages have more or fewer resources than the total that the server stated last. Compared only if the walk began at the first
        /// page: its address has no other parameters than `include`, `sort`, fields, filters, page sizes, and known page numbers or offsets.
        public static let total = Kind("total")
    }

    /// The kind of the difference.
    public let kind: Kind
    /// The address of the page at which the walk ended.
    public let url: URL
    /// The number that the server stated: the page number or offset in `last`, or the total.
    public let expected: Int
    /// The number that was found: the page number or offset of the last page, or the number of resources on all pages.
    public let found: Int
    fileprivate let parameter: String
}

extension PagesDiagnostic: CustomStringConvertible {
    /// One sentence about the difference.
    public var description: String {
        kind == .last
            ? "The pages end at \(parameter.shown(60))=\(found), but the link `last` leads to \(expected)."
            : "The pages have \(found) resources, but the server says that there are \(expected)."
    }
}

/// Reads the total number of resources from a document's meta.
public enum PageTotal {
    /// Returns the first integer among `page.total`, `page.totalElements`, `pagination.total`, `pagination.count`, `total`, `totalCount`,
    /// `total_count`, `total-count`, `record-count` and `record_count`; nil when there is none.
    public static let usual: @Sendable (JSONObject) -> Int? = { meta in
        let nested = [("page", "total"), ("page", "totalElements"), ("pagination", "total"), ("pagination", "count")]
        let flat = ["total", "totalCount", "total_count", "total-count", "record-count", "record_count"]
        return nested.lazy.compactMap { meta[$0.0]?[$0.1]?.int }.first ?? flat.lazy.compactMap { meta[$0]?.int }.first
    }
}

/// The observations of a walk, for a comparison of its end with what the server said.
struct PageRecord {
    private(set) var itemCount = 0
    private var url: URL?
    /// The number of resources on the page with this address.
    private var pageCount = 0
    private var last: URL?
    private var total: Int?
    /// Whether the walk began at the first page of all, as far as that is known.
    private var beganAtFirst = true

    mutating func add<Item>(_ visit: PageVisit<Item>, total: Int?) {
        if visit.index == 0 {
            let first = visit.page.links.first.flatMap { $0.hasTarget ? $0.url(relativeTo: visit.url) : nil }
            beganAtFirst = visit.page.links.prev?.hasTarget != true && Self.isFirst(visit.url, first.map { Query(of: $0) })
        }
        itemCount = visit.itemCount
        // A page after the last one is fetched only to find that it is empty.
        if visit.page.itemCount() > 0 || url == nil { (url, pageCount) = (visit.url, visit.page.itemCount()) }
        if let last = visit.last { self.last = last }
        if let total { self.total = total }
    }

    /// Returns the differences at the end of the walk.
    func diagnostics(isBackward: Bool) -> [PagesDiagnostic] {
        guard let url, !isBackward else { return [] }
        var found: [PagesDiagnostic] = []
        if let last, let (parameter, expected, number) = difference(last, url) {
            found.append(PagesDiagnostic(kind: .last, url: url, expected: expected, found: number, parameter: parameter))
        }
        if beganAtFirst, let total, total != itemCount {
            found.append(PagesDiagnostic(kind: .total, url: url, expected: total, found: itemCount, parameter: ""))
        }
        return found
    }

    /// Returns the first page number or offset in `last` that differs from the one in the address of the page. An address without it is the
    /// first page. If another parameter differs, such as the size of a page, the numbers cannot be compared.
    private func difference(_ last: URL, _ url: URL) -> (parameter: String, expected: Int, found: Int)? {
        let (own, parameters) = (Query(of: url), Query(of: last).parameters)
        let areComparable = parameters.allSatisfy { parameter in
            Self.firstNumbers(parameter.name) != nil || own[parameter.name].map { UTF8Bytes.areEqual($0, parameter.value) } ?? true
        }
        guard areComparable else { return nil }
        for parameter in parameters {
            guard let first = Self.firstNumbers(parameter.name), let expected = Int(parameter.value),
                let found = own[parameter.name].map({ Int($0) }) ?? (first.contains(expected) ? expected : first.upperBound),
                found != expected
            else { continue }
            // A walk that began elsewhere can end behind the last page, or have pages that begin at other offsets than those of the server.
            if found > expected, !beganAtFirst { continue }
            if first.upperBound == 0, found < expected, expected - found < pageCount { continue }
            return (parameter.name, expected, found)
        }
        return nil
    }

    /// Returns whether a walk that begins at an address begins at the first page. An unknown parameter can be a position.
    ///
    /// - Parameter first: the query of the link `first`.
    private static func isFirst(_ url: URL, _ first: Query?) -> Bool {
        Query(of: url).parameters.allSatisfy { parameter in
            if let numbers = firstNumbers(parameter.name) {
                guard let number = Int(parameter.value), numbers.contains(number) else { return false }
                return first?[parameter.name].map { Int($0) == number } ?? true
            }
            return switch parameter.name {
            case "include", "sort", "filter", "page[size]", "page[limit]", "limit", "size", "per_page": true
            default: parameter.name.hasPrefix("fields[") || parameter.name.hasPrefix("filter[")
            }
        }
    }

    /// Returns the values that a parameter can have on the first page; nil when it is not known as a page number or an offset. Some servers
    /// count pages from 0.
    private static func firstNumbers(_ parameter: String) -> ClosedRange<Int>? {
        switch parameter {
        case "page[number]", "page", "page[page]": 0...1
        case "page[offset]", "offset", "page[skip]", "skip": 0...0
        default: nil
        }
    }
}
