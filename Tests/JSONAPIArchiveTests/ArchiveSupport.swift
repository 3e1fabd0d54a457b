import Foundation
import JSONAPICodec
import JSONText
import TestSupport
import Testing

@testable import JSONAPIArchive

struct Person: Resource, Equatable {
    static let type = "people"
    var id: String
    var name: String
    var city: String?
}

struct Comment: Resource, Equatable {
    static let type = "comments"
    var id: String
    var body: String
    var author: ToOne<Person>
}

struct Article: Resource, Equatable {
    static let type = "articles"
    var id: String
    var title: String
    var publishedAt: Date?
    var author: Person?
    var comments: ToMany<Comment> = .notLoaded
}

/// Two resources that refer to each other.
struct Node: Resource, Equatable {
    static let type = "nodes"
    var id: String
    var next: ToOne<Node>
}

struct Settings: Codable, Equatable {
    var theme: String
    var sizes: [Int]
    var savedAt: Date
    var ratio: Double
}

enum Sample {
    static let marit = Person(id: "9", name: "Marit Osei", city: "Kampala")
    static let ben = Person(id: "2", name: "Ben Ødegård \"quoted\"", city: nil)
    static let comments = [
        Comment(id: "5", body: "First!", author: ToOne(ben)), Comment(id: "12", body: "I like XML better", author: ToOne(marit)),
    ]
    static let articles = [
        Article(
            id: "1", title: "JSON:API", publishedAt: Date(timeIntervalSinceReferenceDate: 700_000_000.123456), author: marit,
            comments: ToMany(comments)),
        Article(id: "é", title: "Zweiter\nArtikel", publishedAt: nil, author: ben),
    ]
    static let settings = Settings(theme: "dark", sizes: [1, 2, 3], savedAt: Date(timeIntervalSinceReferenceDate: 1.5), ratio: 0.1)

    /// A small archive with all kinds of contents.
    static func writer() throws -> Archive.Writer {
        var writer = Archive.Writer(modelVersion: 3)
        try writer.encode(articles, forKey: "home")
        try writer.encode(marit, forKey: "me")
        try writer.encode(settings, forKey: "settings")
        return writer
    }

    static func archive() throws -> Archive { try Archive(data: try writer().data()) }
}

/// Runs `body` with a temporary folder.
func withFolder<Answer>(_ body: (URL) throws -> Answer) throws -> Answer {
    let folder = TestFolder.url.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}

extension ResourceObject {
    init(_ text: String) throws { self.init(members: try #require(try JSON(parsing: text).object)) }
}

/// The error of the given kind that `body` throws.
func archiveError(_ body: () throws -> Void) -> ArchiveError? {
    do { try body() } catch { return error as? ArchiveError }
    return nil
}
