import Foundation
import JSONAPICodec

/// Where a walk through pages ended otherwise than the server said.
///
/// ```swift
/// pages.onDiagnostic = { log("\($0)") }     // "The pages end at page[number]=3, but the link `last` leads to 7."
/// ```
public struct PagesDiagnostic: Sendable, Hashable {
    /// What differs. The set may grow: always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The kind's name, as `total`.
        public let description: String
        private init(_ name: String) { description = name }

        /// The link `last` leads to a page of another number or offset than the last one that was fetched.
        public static let last = Kind("last")
        /// The pages have more or fewer resources than the total that the server named last.
        public static let total = Kind("total")
    }

    /// What differs.
    public let kind: Kind
    /// The address of the page at which the walk ended.
    public let url: URL
    /// What the server said: the number or offset in `last`, or the total.
    public let expected: Int
    /// Where the walk ended: the number or offset of that page, or how many resources all pages have.
    public let found: Int
    fileprivate let parameter: String
}

extension PagesDiagnostic: CustomStringConvertible {
    /// The difference in one sentence.
    public var description: String {
        kind == .last
            ? "The pages end at \(parameter.shown(60))=\(found), but the link `last` leads to \(expected)."
            : "The pages have \(found) resources, but the server says that there are \(expected)."
    }
}

/// How many resources there are, as servers say it.
public enum PageTotal {
    /// The first whole number among `page.total`, `page.totalElements`, `pagination.total`, `pagination.count`, `total`, `totalCount`,
    /// `total_count`, `total-count`, `record-count` and `record_count` of a document's meta; nil without one.
    public static let usual: @Sendable (JSONObject) -> Int? = { meta in
        let nested = [("page", "total"), ("page", "totalElements"), ("pagination", "total"), ("pagination", "count")]
        let flat = ["total", "totalCount", "total_count", "total-count", "record-count", "record_count"]
        return nested.lazy.compactMap { meta[$0.0]?[$0.1]?.int }.first ?? flat.lazy.compactMap { meta[$0]?.int }.first
    }
}

/// What a walk has seen, to compare its end with what the server said.
struct PageRecord {
    private(set) var itemCount = 0
    private var url: URL?
    private var last: URL?
    private var total: Int?
    /// Whether the first page was the first of all, as far as can be told.
    private var beganAtFirst = true

    mutating func add<Item>(_ visit: PageVisit<Item>, total: Int?) {
        if visit.index == 0 { beganAtFirst = visit.page.links.prev?.href == nil && Self.isFirst(visit.url) }
        itemCount = visit.itemCount
        // A page behind the last one is asked for only to find that it is empty.
        if visit.page.itemCount() > 0 || url == nil { url = visit.url }
        if let link = visit.page.links.last?.url(relativeTo: visit.url) { last = link }
        if let total { self.total = total }
    }

    /// What differs at the end.
    func diagnostics(isBackward: Bool) -> [PagesDiagnostic] {
        guard let url, !isBackward else { return [] }
        var found: [PagesDiagnostic] = []
        if let last, let (parameter, expected, number) = Self.difference(last, url) {
            found.append(PagesDiagnostic(kind: .last, url: url, expected: expected, found: number, parameter: parameter))
        }
        if beganAtFirst, let total, total != itemCount {
            found.append(PagesDiagnostic(kind: .total, url: url, expected: total, found: itemCount, parameter: ""))
        }
        return found
    }

    /// The first parameter of `last` that is a number or an offset there and another one in the address of the page.
    private static func difference(_ last: URL, _ url: URL) -> (parameter: String, expected: Int, found: Int)? {
        let own = Query(of: url)
        for parameter in Query(of: last).parameters {
            guard let first = firstNumber(parameter.name), let expected = Int(parameter.value),
                let found = own[parameter.name].map({ Int($0) }) ?? first, found != expected
            else { continue }
            return (parameter.name, expected, found)
        }
        return nil
    }

    private static func isFirst(_ url: URL) -> Bool {
        Query(of: url).parameters.allSatisfy { parameter in
            switch parameter.name {
            case "page[after]", "page[before]", "cursor", "page[cursor]": false
            default: firstNumber(parameter.name).map { Int(parameter.value) == $0 } ?? true
            }
        }
    }

    /// What a parameter has on the first page, where it is one for numbers or offsets.
    private static func firstNumber(_ parameter: String) -> Int? {
        switch parameter {
        case "page[number]", "page", "page[page]": 1
        case "page[offset]", "offset", "page[skip]", "skip": 0
        default: nil
        }
    }
}
