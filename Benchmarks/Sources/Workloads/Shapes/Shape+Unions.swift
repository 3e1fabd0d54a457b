import JSONAPICodec

extension Shape {
    static let unions = Shape(
        "unions", "100 resources with 8 blocks each, of three types, all embedded",
        read: { try JSONAPIDecoder().decode([Story].self, from: $0) }, write: { try JSONAPIEncoder().encode($0) }, result: { $0 },
        resolve: { (document: FoundationStories) in document.stories }
    ) {
        var random = SplitMix64(seed: 40)
        var blocks: [Node] = []
        func block(_ i: Int) -> Node {
            let words = (0..<8).map { _ in random.pick(Vocabulary.words) }.joined(separator: " ")
            let (type, attributes): (String, [(name: String, value: Node)]) =
                switch random.below(3) {
                case 0: ("paragraphs", [("text", .string(words)), ("isLead", .bool(random.below(5) == 0))])
                case 1:
                    (
                        "images",
                        [
                            ("address", .string("https://cdn.example.com/\(i).png")), ("width", .int(random.below(2_000))),
                            ("height", .int(random.below(2_000))),
                        ]
                    )
                default: ("quotes", [("text", .string(words)), ("speaker", .string(random.pick(Vocabulary.lastNames)))])
                }
            blocks.append(resource(type, i, attributes))
            return .object([("type", .string(type)), ("id", .string("\(i)"))])
        }
        let stories = (0..<100).map { i in
            Node.object([
                ("type", .string("stories")), ("id", .string("\(i)")), ("attributes", .object([("title", .string("Story \(i)"))])),
                (
                    "relationships",
                    .object([("blocks", .object([("data", .array((0..<8).map { block(i * 8 + $0) }))]))])
                ),
            ])
        }
        return BlogDocument.compactText([("data", .array(stories)), ("included", .array(blocks))])
    }
}

private struct Story: Resource {
    static let type = "stories"
    var id: String
    var title: String
    var blocks: [Block]
}

private enum Block: ResourceUnion {
    case paragraph(Paragraph), image(Image), quote(Quote), unknown(ResourceObject)

    static let members: [UnionMember<Block>] = [.init(Block.paragraph), .init(Block.image), .init(Block.quote)]

    var resource: any ResourceRepresentable {
        switch self {
        case .paragraph(let paragraph): paragraph
        case .image(let image): image
        case .quote(let quote): quote
        case .unknown(let object): object
        }
    }
}

private struct Paragraph: Resource {
    static let type = "paragraphs"
    var id: String
    var text: String
    var isLead: Bool
}

private struct Image: Resource {
    static let type = "images"
    var id: String
    var address: String
    var width: Int
    var height: Int
}

private struct Quote: Resource {
    static let type = "quotes"
    var id: String
    var text: String
    var speaker: String
}

/// The same by hand.
private struct FoundationStories: Codable {
    var data: [PlainLinked<Attributes, Links>]
    var included: [Included]

    struct Attributes: Codable { var title: String }
    struct Links: Codable { var blocks: FoundationToMany }

    enum Included: Codable {
        case paragraph(id: String, ParagraphAttributes)
        case image(id: String, ImageAttributes)
        case quote(id: String, QuoteAttributes)

        private enum CodingKeys: CodingKey { case type, id, attributes }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let id = try container.decode(String.self, forKey: .id)
            switch try container.decode(String.self, forKey: .type) {
            case "paragraphs": self = .paragraph(id: id, try container.decode(ParagraphAttributes.self, forKey: .attributes))
            case "images": self = .image(id: id, try container.decode(ImageAttributes.self, forKey: .attributes))
            default: self = .quote(id: id, try container.decode(QuoteAttributes.self, forKey: .attributes))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            func put(_ type: String, _ id: String, _ attributes: some Encodable) throws {
                try container.encode(type, forKey: .type)
                try container.encode(id, forKey: .id)
                try container.encode(attributes, forKey: .attributes)
            }
            switch self {
            case .paragraph(let id, let attributes): try put("paragraphs", id, attributes)
            case .image(let id, let attributes): try put("images", id, attributes)
            case .quote(let id, let attributes): try put("quotes", id, attributes)
            }
        }
    }

    struct ParagraphAttributes: Codable {
        var text: String
        var isLead: Bool
    }

    struct ImageAttributes: Codable {
        var address: String
        var width: Int
        var height: Int
    }

    struct QuoteAttributes: Codable {
        var text: String
        var speaker: String
    }

    /// The stories with their blocks, found by type and id.
    var stories: [Story] {
        var paragraphs: [String: Block] = [:]
        var images: [String: Block] = [:]
        var quotes: [String: Block] = [:]
        for resource in included {
            switch resource {
            case .paragraph(let id, let attributes):
                paragraphs[id] = .paragraph(Paragraph(id: id, text: attributes.text, isLead: attributes.isLead))
            case .image(let id, let attributes):
                images[id] = .image(Image(id: id, address: attributes.address, width: attributes.width, height: attributes.height))
            case .quote(let id, let attributes):
                quotes[id] = .quote(Quote(id: id, text: attributes.text, speaker: attributes.speaker))
            }
        }
        return data.map { story in
            Story(
                id: story.id, title: story.attributes.title,
                blocks: story.relationships.blocks.data.compactMap { block in
                    switch block.type {
                    case "paragraphs": paragraphs[block.id]
                    case "images": images[block.id]
                    default: quotes[block.id]
                    }
                })
        }
    }
}
