import Foundation
import JSONAPICodec
import JSONAPIStore
import JSONText
import Testing

struct Person: Resource, Equatable {
    static let type = "people"
    var id: String
    var name: String
    var nick: String?
    var articles: ToMany<Article> = .notLoaded
}

struct Comment: Resource, Equatable {
    static let type = "comments"
    var id: String
    var body: String
    var author: Person?
}

struct Article: Resource, Equatable {
    static let type = "articles"
    var id: String
    var title: String
    var subtitle: String?
    var author: ToOne<Person> = .notLoaded
    var comments: [Comment] = []
}

/// A resource in a long chain.
struct Link: Resource {
    static let type = "links"
    var id: Int
    var next: ToOne<Link> = .notLoaded
}

extension ResourceIdentifier {
    static func person(_ id: String) -> ResourceIdentifier { ResourceIdentifier(type: "people", id: id) }
    static func article(_ id: String) -> ResourceIdentifier { ResourceIdentifier(type: "articles", id: id) }
}

func document(_ text: String) throws -> DocumentObject {
    DocumentObject(members: try #require(JSON(parsing: Array(text.utf8)).object))
}

func object(_ text: String) throws -> ResourceObject {
    ResourceObject(members: try #require(JSON(parsing: Array(text.utf8)).object))
}

/// An article with its author and a comment.
let articleText = """
    {"data": {"type": "articles", "id": "1", "attributes": {"title": "One"}, "relationships": {
        "author": {"data": {"type": "people", "id": "9"}},
        "comments": {"data": [{"type": "comments", "id": "5"}]}}},
     "included": [
        {"type": "people", "id": "9", "attributes": {"name": "Ann", "nick": "A"},
         "relationships": {"articles": {"data": [{"type": "articles", "id": "1"}]}}},
        {"type": "comments", "id": "5", "attributes": {"body": "Yes"},
         "relationships": {"author": {"data": {"type": "people", "id": "9"}}}}]}
    """

/// A log for several threads or callbacks.
final class Record<Element: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: [Element] = []

    var elements: [Element] {
        lock.lock()
        defer { lock.unlock() }
        return stored
    }

    func append(_ element: Element) {
        lock.lock()
        defer { lock.unlock() }
        stored.append(element)
    }
}

/// An object that can own observers.
final class Owner: Sendable {}

/// Runs `body` on a thread with a stack of 512 KiB.
func onSmallStack(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        body()
        done.signal()
    }
    thread.stackSize = 512 * 1024
    thread.start()
    done.wait()
}
