import JSONAPICodec
import JSONAPIHTTP
import TestSupport
import Testing

@Suite("Any query")
struct QueryPropertyTests {
    static let pieces = [
        "a", "title", "-", "--", "_", ".", ",", "[", "]", "[]", "][", "=", "&", "+", "%", "%2", "%2C", "%zz", " ", "  ", "?", "#", ";", "/",
        ":",
        "\"", "\\", "é", "e\u{301}", "\u{301}", "名前", "💡", "\u{0}", "\n", "\r\n", "\u{7F}", "\u{85}", "\u{FEFF}", "\u{FFFD}", "include",
        "fields",
        "sort", "page", "filter", "@", "|", "{", "}", "<", ">", "'", "~", "*", "!", "$",
    ]

    static func text(_ random: inout SeededRandom) -> String {
        (0..<Int.random(in: 0...4, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    static func texts(_ random: inout SeededRandom) -> [String] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in text(&random) }
    }

    static func query(_ random: inout SeededRandom) -> Query {
        var query = Query()
        if Bool.random(using: &random) { query.include = texts(&random) }
        if Bool.random(using: &random) { query.sort = texts(&random).map { SortField($0) } }
        for type in texts(&random) { query.fields[type] = texts(&random) }
        for name in texts(&random) { query.page[name, text(&random)] = text(&random) }
        for name in texts(&random) { query.filter.append(text(&random), at: name) }
        for name in texts(&random) { query[name] = text(&random) }
        if Bool.random(using: &random) { query.filter.value = text(&random) }
        return query
    }

    @Test("A printed query parses equal, encoded or readable")
    func roundTrip() {
        var random = SeededRandom(seed: 2024)
        for _ in 0..<4_000 {
            let query = Self.query(&random)
            #expect(Query(parsing: query.percentEncoded) == query)
            #expect(Query(parsing: query.description) == query)
            #expect(query.percentEncoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x23 })
        }
    }

    @Test("Setting a part to its own value changes nothing")
    func idempotence() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<1_000 {
            let query = Self.query(&random)
            var copy = query
            copy.include = query.include
            copy.fields = query.fields
            copy.sort = query.sort
            copy.page = query.page
            copy.filter = query.filter
            #expect(copy == query)
        }
    }

    @Test("Any bytes parse as a query, and print and parse equal")
    func anyBytes() {
        var random = SeededRandom(seed: 99)
        let likely = Array("%&=+[]?,.-abc2C\u{E9}".utf8)
        for round in 0..<4_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                round.isMultiple(of: 2) ? UInt8.random(in: 0...255, using: &random) : likely.randomElement(using: &random) ?? 0
            }
            let query = Query(parsing: String(decoding: bytes, as: UTF8.self))
            _ = query.problems.map(\.error)
            _ = query.cursorPage
            #expect(Query(parsing: query.percentEncoded) == query)
            #expect(Query(parsing: query.description) == query)
        }
    }

    @Test("Long queries take linear time")
    func longQueries() {
        let growth = TimeGrowth(from: 5_000) { count in
            let many = (0..<count).map { "fields[t\($0)]=a&filter[]=\($0)" }.joined(separator: "&")
            let repeated = String(repeating: "include=a&", count: 2 * count)
            return processorSeconds {
                #expect(Query(parsing: many).parameters.count == 2 * count)
                #expect(Query(parsing: repeated).include?.count == 2 * count)
                #expect(Query(parsing: "filter" + String(repeating: "[", count: 4 * count)).problems.count == 1)
                #expect(Query(parsing: "include=" + String(repeating: ".,", count: 4 * count)).problems.count == 1)
            }
        }
        #expect(growth.isLinear, "\(growth)")
    }
}
