import JSONAPICodec

// Models that these tests share.

struct Writer: Resource, Equatable {
    static let type = "people"
    var id: String
    var firstName: String
    var twitter: String?
}

struct Remark: Resource, Equatable {
    static let type = "comments"
    var id: String
    var body: String
    var author: Writer?
}

struct Team: Resource, Equatable {
    static let type = "teams"
    var id: String
    var name: String
}

enum Contributor: ResourceUnion, Equatable {
    case person(Writer)
    case team(Team)
    case unknown(ResourceObject)

    static let members: [UnionMember<Contributor>] = [.init(Contributor.person), .init(Contributor.team)]

    var resource: any ResourceRepresentable {
        switch self {
        case .person(let person): person
        case .team(let team): team
        case .unknown(let object): object
        }
    }
}

struct Story: Resource, Equatable {
    static let type = "articles"
    var id: String
    var title: String
    var subtitle: String?
    var author: ToOne<Writer>
    var editor: Writer?
    var comments: [Remark] = []
    var reviewers: ToMany<Contributor> = .notLoaded
}
