import JSONAPICodec

// The models of the client and the server. Usually, each program has its own.

struct Person: Resource {
    static let type = "people"
    var id: String?
    var name: String
}

struct Tag: Resource {
    static let type = "tags"
    var id: String
    var label: String
}

struct Article: Resource, RestrictedFields {
    static let type = "articles"
    static let readOnlyFields = ["revision"]  // only the server counts
    var id: String?
    var title: String
    var subtitle: String?
    var revision: Int?
    var author: ToOne<Person> = .notLoaded
    var tags: ToMany<Tag> = .notLoaded
}
