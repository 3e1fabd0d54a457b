import Foundation

/// Combines every field of articles and their embedded resources into one number, in order.
struct Checksum {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    init(_ articles: [Article]) {
        add(articles.count)
        for article in articles { add(article) }
    }

    private mutating func add(_ article: Article) {
        add(article.id)
        add(article.title)
        add(article.slug)
        add(article.body)
        add(article.viewCount)
        add(article.rating)
        add(article.featured)
        add(article.publishedAt.timeIntervalSince1970)
        add(article.seo.description)
        add(article.seo.priority)
        add(article.seo.noIndex)
        add(article.keywords.count)
        for keyword in article.keywords { add(keyword) }
        add(article.subtitle)
        add(article.author)
        add(article.comments.count)
        for comment in article.comments {
            add(comment.id)
            add(comment.body)
            add(comment.createdAt.timeIntervalSince1970)
            add(comment.likes)
            add(comment.author)
        }
        add(article.tags.count)
        for tag in article.tags {
            add(tag.id)
            add(tag.name)
            add(tag.color)
        }
    }

    private mutating func add(_ person: Person?) {
        add(person != nil)
        guard let person else { return }
        add(person.id)
        add(person.firstName)
        add(person.lastName)
        add(person.email)
        add(person.twitter)
    }

    private mutating func add(_ text: String?) {
        add(text != nil)
        guard let text else { return }
        add(text.utf8.count)
        for byte in text.utf8 { mix(UInt64(byte)) }
    }

    private mutating func add(_ number: Int) { mix(UInt64(bitPattern: Int64(number))) }
    private mutating func add(_ number: Double) { mix(number.bitPattern) }
    private mutating func add(_ flag: Bool) { mix(flag ? 1 : 2) }

    private mutating func mix(_ bits: UInt64) {
        value = (value ^ bits) &* 0x0000_0100_0000_01B3
        value ^= value >> 29
    }
}
