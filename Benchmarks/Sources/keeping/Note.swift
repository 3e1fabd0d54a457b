import Foundation
import JSONAPICodec

/// The stored value: a resource with seven attributes.
struct Note: Resource, Codable, Equatable {
    static let type = "notes"
    var id: String
    var title: String
    var body: String
    var author: String
    var views: Int
    var rating: Double
    var isPublished: Bool
    var tag: String?

    init(number: Int) {
        id = "\(number)"
        title = "Title of number \(number)"
        body = String(repeating: "Some words of a body that is not long. ", count: 3)
        author = "Author \(number % 100)"
        views = number
        rating = Double(number % 50) / 10
        isPublished = number % 2 == 0
        tag = number % 3 == 0 ? "tag \(number % 7)" : nil
    }

    init(
        id: String, title: String, body: String, author: String, views: Int, rating: Double, isPublished: Bool, tag: String?
    ) {
        self.id = id
        self.title = title
        self.body = body
        self.author = author
        self.views = views
        self.rating = rating
        self.isPublished = isPublished
        self.tag = tag
    }
}

/// The same without the library, for the other formats: its `Codable` is plain.
struct PlainNote: Codable, Equatable {
    var id: String
    var title: String
    var body: String
    var author: String
    var views: Int
    var rating: Double
    var isPublished: Bool
    var tag: String?

    init(_ note: Note) {
        id = note.id
        title = note.title
        body = note.body
        author = note.author
        views = note.views
        rating = note.rating
        isPublished = note.isPublished
        tag = note.tag
    }
}
