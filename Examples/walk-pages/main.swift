// Iterates over all pages of a collection. Replace `fetch` with your network code.

import Foundation
import JSONAPICodec
import JSONAPIHTTP

struct Article: Resource {
    static let type = "articles"
    var id: String
    var title: String
}

/// Returns one of three pages, as a server would.
@Sendable func fetch(_ url: URL) async throws -> Data {
    print("GET \(url.absoluteString)")
    let number = Query(of: url).page["number"].flatMap { Int($0) } ?? 1
    let articles = (1...2).map { Article(id: "\(number)-\($0)", title: "Article \($0) of page \(number)") }
    let next: DocumentLink = number < 3 ? "/articles?page[number]=\(number + 1)" : .null
    return try JSONAPIEncoder().encode(articles, links: ["next": next])
}

guard let address = URL(string: "https://blog.example/articles") else { exit(1) }
let query = Query(fields: ["articles": ["title"]], sort: ["title"], page: ["number": "1"])
let pages = Pages(of: Article.self, from: query.appending(to: address), fetch: fetch)

for try await page in pages {
    print("  \(page.data.map(\.title).joined(separator: ", "))")
}

var count = 0
for try await article in pages.elements where article.title.hasPrefix("Article 1") {
    count += 1
    if count == 2 { break }  // the third page is not fetched
}
print("found \(count)")
