/// Generates the resources of a blog API: people, tags, comments, and articles.
struct BlogResources {
    var random: SplitMix64
    /// Whether to omit escapes and non-ASCII text.
    let plain: Bool

    init(seed: UInt64, plain: Bool = false) {
        random = SplitMix64(seed: seed)
        self.plain = plain
    }

    enum Kind: String { case people, tags, comments, articles }

    /// Ids of two styles: UUIDs of 36 characters for comments, and short numbers for everything else.
    static func id(_ kind: Kind, _ i: Int) -> String {
        guard kind == .comments else { return "\(i + 1)" }
        var random = SplitMix64(seed: UInt64(i * 7919 + 13))
        let digits = Array((hexadecimal(random.next()) + hexadecimal(random.next())).utf8)
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(decoding: digits[$0], as: UTF8.self) }.joined(separator: "-")
    }

    private static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    static func identifier(_ kind: Kind, _ i: Int) -> Node {
        .object([("type", .string(kind.rawValue)), ("id", .string(id(kind, i)))])
    }
}

// MARK: - Resources

extension BlogResources {
    mutating func person(_ i: Int) -> Node {
        let first = random.pick(Vocabulary.firstNames)
        let last = random.pick(Vocabulary.lastNames)
        return resource(
            .people, i,
            [
                ("firstName", .string(plain ? "Ada" : first)), ("lastName", .string(plain ? "Lovelace" : last)),
                ("email", .string("user\(i)@example.com")),
                ("twitter", random.below(3) == 0 ? .null : .string("handle_\(i)")),
            ])
    }

    mutating func tag(_ i: Int) -> Node {
        let name = "\(random.pick(Vocabulary.words))-\(i)"
        return resource(.tags, i, [("name", .string(name)), ("color", .string(random.pick(Vocabulary.colors)))])
    }

    mutating func comment(_ i: Int, author: Int) -> Node {
        let body = body(8, 24)
        let created = date()
        return resource(
            .comments, i, [("body", .string(body)), ("createdAt", .string(created)), ("likes", .int(random.below(500)))],
            relationships: [("author", .object([("data", Self.identifier(.people, author))]))])
    }

    mutating func article(_ i: Int, author: Int, comments: Range<Int>, tags: [Int]) -> Node {
        let url = "https://api.example.com/articles/" + Self.id(.articles, i)
        return resource(
            .articles, i, articleAttributes(i),
            relationships: [
                ("author", .object([("data", Self.identifier(.people, author))])),
                (
                    "comments",
                    .object([
                        ("links", .object([("related", .string(url + "/comments"))])),
                        ("data", .array(comments.map { Self.identifier(.comments, $0) })),
                    ])
                ),
                ("tags", .object([("data", .array(tags.map { Self.identifier(.tags, $0) }))])),
            ],
            links: [("self", .string(url))])
    }

    private mutating func articleAttributes(_ i: Int) -> [(name: String, value: Node)] {
        var members: [(name: String, value: Node)] = []
        members.append(("title", .string(sentence(4, 9))))
        members.append(("slug", .string("article-\(i)-\(random.pick(Vocabulary.words))")))
        members.append(("body", .string(body(40, 90))))
        members.append(("viewCount", .int(random.below(10_000_000))))
        members.append(("rating", .double(Double(random.below(5000)) / 1000)))
        members.append(("featured", .bool(random.below(4) == 0)))
        members.append(("publishedAt", .string(date())))
        let description = sentence(6, 12)
        let priority = Double(random.below(100)) / 100
        members.append(
            (
                "seo",
                .object([
                    ("description", .string(description)), ("priority", .double(priority)), ("noIndex", .bool(random.below(10) == 0)),
                ])
            ))
        members.append(("keywords", .strings((0..<2 + random.below(5)).map { _ in random.pick(Vocabulary.words) })))
        members.append(("subtitle", random.below(2) == 0 ? .null : .string(sentence(3, 7))))
        return members
    }

    private func resource(
        _ kind: Kind, _ i: Int, _ attributes: [(name: String, value: Node)], relationships: [(name: String, value: Node)] = [],
        links: [(name: String, value: Node)] = []
    ) -> Node {
        var members: [(name: String, value: Node)] = [
            ("type", .string(kind.rawValue)), ("id", .string(Self.id(kind, i))), ("attributes", .object(attributes)),
        ]
        if !relationships.isEmpty { members.append(("relationships", .object(relationships))) }
        if !links.isEmpty { members.append(("links", .object(links))) }
        return .object(members)
    }
}

// MARK: - Text

extension BlogResources {
    private mutating func words(_ least: Int, _ most: Int) -> [String] {
        let count = least + random.below(most - least + 1)
        var words = (0..<count).map { _ in random.pick(Vocabulary.words) }
        guard !plain else { return words }
        if random.below(4) == 0 {
            let word = random.pick(Vocabulary.foreignWords)
            words[random.below(count)] = word
        }
        if random.below(5) == 0 { words.insert("\"quoted\"", at: random.below(count + 1)) }
        return words
    }

    private mutating func sentence(_ least: Int, _ most: Int) -> String {
        let text = words(least, most).joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    private mutating func body(_ least: Int, _ most: Int) -> String {
        var text = sentence(least, most) + "."
        if !plain, random.below(3) == 0 { text += "\n" + sentence(4, 8) + ".\tC:\\tmp\\" + random.pick(Vocabulary.words) }
        return text
    }

    private mutating func date() -> String {
        let year = 10 + random.below(15)
        let parts = [1 + random.below(12), 1 + random.below(28), random.below(24), random.below(60), random.below(60)]
            .map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "20\(year)-\(parts[0])-\(parts[1])T\(parts[2]):\(parts[3]):\(parts[4])Z"
    }
}
