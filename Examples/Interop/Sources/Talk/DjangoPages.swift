import Foundation
import JSONAPICodec
import JSONAPIHTTP

/// Pages of Django REST framework JSON:API: by number, by offset, and by cursors that occur only in links.
enum DjangoPages {
    private static let titles = ["Clocks", "Doors", "Keys", "Lamps", "Maps", "Pins"]
    private static let query = Query(sort: ["title"], page: ["size": "4"])

    static let steps = [
        Step("pages-by-links") { talk in
            let found = try await pages(Pages(DjangoTalk.articles(talk).list(query)) { try await talk.send($0) })
            try expect(found, [Array(titles[..<4]), Array(titles[4...])])
            return "\(found)"
        },
        Step("pages-backwards") { talk in
            let articles = DjangoTalk.articles(talk)
            let first = try await talk.ask(articles.list(query))
            let last = try articles.follow(first.links.last, as: [Article].self)
            let found = try await pages(Pages(last, by: .previousLinks) { try await talk.send($0) })
            try expect(found, [Array(titles[4...]), Array(titles[..<4])])
            return "\(found)"
        },
        Step("pages-by-numbers") { talk in
            let found = try await pages(Pages(DjangoTalk.articles(talk).list(query), by: .numbers()) { try await talk.send($0) })
            try expect(found, [Array(titles[..<4]), Array(titles[4...])])
            return "\(found)"
        },
        Step("pages-by-offsets") { talk in
            let articles = talk.endpoint("/by-offset/", of: Article.self)
            let query = Query(sort: ["title"], page: ["limit": "3"])
            // Six articles in pages of three: `last` leads to a page after the end, which is empty.
            for walk in [PageWalk<Article>.links, .offsets()] {
                let found = try await pages(Pages(articles.list(query), by: walk) { try await talk.send($0) })
                try expect(found.filter { !$0.isEmpty }, [Array(titles[..<3]), Array(titles[3...])])
            }
            return "by links and by numbers"
        },
        Step("pages-by-cursors") { talk in
            let articles = talk.endpoint("/by-cursor/", of: Article.self)
            let request = try articles.list(Query(page: ["size": "4"]))
            let byLinks = try await pages(Pages(request) { try await talk.send($0) })
            try expect(byLinks.map(\.count), [4, 2])
            let walk = PageWalk<Article>.cursors("page[cursor]") { page in
                page.links.next?.url.flatMap { Query(of: $0)["page[cursor]"] }
            }
            let byCursors = try await pages(Pages(request, by: walk) { try await talk.send($0) })
            try expect(byCursors, byLinks)
            return "\(byLinks)"
        },
    ]

    private static func pages(_ pages: Pages<Article>) async throws -> [[String]] {
        var found: [[String]] = []
        for try await page in pages { found.append(page.data.map(\.title)) }
        return found
    }
}
