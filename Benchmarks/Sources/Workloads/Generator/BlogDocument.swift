/// The shape of a compound document with articles and their related resources.
struct BlogDocument {
    var seed: UInt64
    var articles: Int
    var commentsEach = 3
    /// The number of people; nil means a third of the articles, but at least 2.
    var people: Int?
    /// The number of tags; nil means the number of articles, from 2 to 200.
    var tags: Int?
    var includes = true
    var plain = false
    /// Whether `data` is one article instead of an array.
    var isSingle = false

    /// The top-level members, in order.
    func members() -> [(name: String, value: Node)] {
        var maker = BlogResources(seed: seed, plain: plain)
        let people = people ?? max(2, articles / 3)
        let tags = tags ?? max(2, min(200, articles))
        let data = primaryData(&maker, people, tags)
        var members: [(name: String, value: Node)] = [
            ("jsonapi", .object([("version", .string("1.1"))])),
            ("links", .object([("self", .string("https://api.example.com/articles?include=author,comments.author,tags"))])),
            ("meta", .object([("total", .int(articles))])),
            ("data", isSingle ? data[0] : .array(data)),
        ]
        if includes { members.append(("included", .array(included(&maker, data, people, tags)))) }
        return members
    }

    private func primaryData(_ maker: inout BlogResources, _ people: Int, _ tags: Int) -> [Node] {
        (0..<articles).map { i in
            let count = min(tags, 1 + maker.random.below(4))
            var chosen: [Int] = []
            while chosen.count < count {
                let tag = maker.random.below(tags)
                if !chosen.contains(tag) { chosen.append(tag) }
            }
            // Every person is the author of something, for full linkage.
            let author = i < people ? i : maker.random.below(people)
            return maker.article(i, author: author, comments: i * commentsEach..<(i + 1) * commentsEach, tags: chosen)
        }
    }

    /// The people, comments, and tags that are linked.
    private func included(_ maker: inout BlogResources, _ data: [Node], _ people: Int, _ tags: Int) -> [Node] {
        let comments = (0..<articles * commentsEach).map { i in
            let author = articles < people ? i % people : maker.random.below(people)
            return maker.comment(i, author: author)
        }
        let usedPeople = ids(of: "author", in: data).union(ids(of: "author", in: comments))
        let usedTags = ids(of: "tags", in: data)
        let allPeople = (0..<people).map { maker.person($0) }.filter { usedPeople.contains($0["id"]?.text ?? "") }
        let allTags = (0..<tags).map { maker.tag($0) }.filter { usedTags.contains($0["id"]?.text ?? "") }
        return allPeople + comments + allTags
    }

    private func ids(of relationship: String, in resources: [Node]) -> Set<String> {
        var ids: Set<String> = []
        for resource in resources {
            guard let data = resource["relationships"]?[relationship]?["data"] else { continue }
            for identifier in data.elements + [data] { if let id = identifier["id"]?.text { ids.insert(id) } }
        }
        return ids
    }
}

// MARK: - Text

extension BlogDocument {
    /// The document on one line. In one of ten resources, non-ASCII text is written with escapes.
    static func compactText(_ members: [(name: String, value: Node)]) -> [UInt8] {
        var writer = NodeWriter()
        for (i, member) in members.enumerated() {
            writer.raw(i == 0 ? "{" : ",")
            writer.string(member.name)
            writer.raw(":")
            guard case .array(let elements) = member.value else {
                writer.write(member.value)
                continue
            }
            for (j, element) in elements.enumerated() {
                writer.raw(j == 0 ? "[" : ",")
                writer.escapesForeign = j % 10 == 9
                writer.write(element)
            }
            writer.escapesForeign = false
            writer.raw(elements.isEmpty ? "[]" : "]")
        }
        writer.raw("}")
        return writer.bytes
    }

    static func prettyText(_ members: [(name: String, value: Node)]) -> [UInt8] {
        var writer = NodeWriter()
        writer.indentation = 2
        writer.write(.object(members))
        return writer.bytes
    }
}
