import JSONAPICodec

/// Models that the tests of requests and responses share.
enum Blog {
    struct Person: Resource, Equatable {
        static let type = "people"
        var id: String
        var name: String
    }

    struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: String
    }
}
