import Foundation
import JSONAPICodec

extension Work {
    static let writing = [foundationEncode, encodeCodable, encodeDirect, encodeReferences]

    static let foundationEncode = Work("foundation-encode", "(a) JSONEncoder of structs of the document's shape") { input in
        let document = try FoundationCoding.documentWithoutLinks(input)
        return Job({ try FoundationCoding.encoder.encode(document) }, articles: { try articles(in: $0, input) })
    }

    static let encodeCodable = Work("encode-codable", "JSONAPIEncoder of synthesized Codable models, `included` built and deduped") {
        input in
        let articles = try JSONAPIDecoder().decode([Article].self, from: input.text)
        return encode(articles, input)
    }

    static let encodeDirect = Work("encode-direct", "JSONAPIEncoder of models with direct writers, `included` built and deduped") { input in
        let articles = try JSONAPIDecoder().decode([DirectArticle].self, from: input.text)
        return encode(articles, input)
    }

    static let encodeReferences = Work("encode-references", "JSONAPIEncoder of models with ToOne and ToMany") { input in
        let articles = try JSONAPIDecoder().decode([ReferringArticle].self, from: input.text)
        return encode(articles, input)
    }

    private static func encode<Primary: PrimaryValue>(_ values: Primary, _ input: Input) -> Job {
        let encoder = JSONAPIEncoder()
        return Job({ try encoder.encode(values) }, articles: { try articles(in: $0, input) })
    }

    /// The output, decoded by Foundation.
    private static func articles(in text: Data, _ input: Input) throws -> [Article] {
        try FoundationCoding.articles(Input(name: input.name, text: text))
    }
}
