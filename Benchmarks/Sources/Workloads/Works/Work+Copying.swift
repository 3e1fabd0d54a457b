import Foundation

extension Work {
    static let copying = [copy]

    /// The allocations of the result itself: the cost of building it from existing values, with shared values once.
    static let copy = Work("copy", "a deep copy of the decoded models, made by hand from values at hand") { input in
        let articles = try FoundationCoding.articles(input)
        let contents = DistinctContents(articles)
        return Job({ contents.copy() }, articles: { _ in articles })
    }
}

/// The distinct parts of a result, so that each is copied once.
private struct DistinctContents {
    private let articles: [Article]
    private let people: [Person]
    private let tags: [Tag]
    private let comments: [Comment]

    init(_ articles: [Article]) {
        self.articles = articles
        let allComments = articles.flatMap(\.comments)
        comments = Self.distinct(allComments)
        people = Self.distinct(articles.compactMap(\.author) + allComments.compactMap(\.author))
        tags = Self.distinct(articles.flatMap(\.tags))
    }

    private static func distinct<Value: Identifiable>(_ values: [Value]) -> [Value] where Value.ID == String {
        var seen: Set<String> = []
        return values.filter { seen.insert($0.id).inserted }
    }

    /// Allocates the contents of a decoded result, and releases them.
    func copy() -> [Article] {
        for person in people { keepCopy(of: person) }
        for tag in tags { keepCopy(of: tag) }
        for comment in comments { keepCopy(of: comment) }
        return articles.map(copy)
    }

    private func copy(_ article: Article) -> Article {
        var result = article
        result.id = copy(article.id)
        result.title = copy(article.title)
        result.slug = copy(article.slug)
        result.body = copy(article.body)
        result.seo.description = copy(article.seo.description)
        result.keywords = article.keywords.map(copy)
        result.subtitle = article.subtitle.map(copy)
        result.comments = article.comments.map { $0 }
        result.tags = article.tags.map { $0 }
        return result
    }

    private func keepCopy(of person: Person) {
        keep(copy(person.id))
        keep(copy(person.firstName))
        keep(copy(person.lastName))
        keep(copy(person.email))
        if let twitter = person.twitter { keep(copy(twitter)) }
    }

    private func keepCopy(of tag: Tag) {
        keep(copy(tag.id))
        keep(copy(tag.name))
        keep(copy(tag.color))
    }

    private func keepCopy(of comment: Comment) {
        keep(copy(comment.id))
        keep(copy(comment.body))
    }

    private func copy(_ text: String) -> String {
        var text = text
        return text.withUTF8 { String(decoding: $0, as: UTF8.self) }
    }
}
