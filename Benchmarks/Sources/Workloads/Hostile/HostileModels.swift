import JSONAPICodec

struct EmbeddingList: Resource {
    static let type = "lists"
    var id: String
    var tags: [Tag]
}

struct ReferringList: Resource {
    static let type = "lists"
    var id: String
    var tags: ToMany<Tag>
}

struct ChainLink: Resource {
    static let type = "links"
    var id: String
    var next: ToOne<ChainLink>

    /// The number of links until the chain ends or returns to its beginning.
    var length: Int {
        var length = 1
        var link = self
        while let next = link.next.value, next.id != id {
            length += 1
            link = next
        }
        return length
    }
}

struct Partner: Resource {
    static let type = "partners"
    var id: String
    var others: [Partner]
}

struct MeshNode: Resource {
    static let type = "nodes"
    var id: String
    var all: ToMany<MeshNode>
}
