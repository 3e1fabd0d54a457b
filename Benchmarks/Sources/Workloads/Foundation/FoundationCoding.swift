import Foundation

/// The two baselines, for documents with one article and with an array of articles.
enum FoundationCoding {
    static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()

    static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .withoutEscapingSlashes
        return encoder
    }()

    typealias List = FoundationDocument<[FoundationArticle]>
    typealias Single = FoundationDocument<FoundationArticle>

    /// Baseline (b): decoded, then resolved.
    static func articles(_ input: Input) throws -> [Article] {
        if input.isSingle {
            let document = try decoder.decode(Single.self, from: input.text)
            return [FoundationResolution(document.included ?? []).article(document.data)]
        }
        let document = try decoder.decode(List.self, from: input.text)
        let resolution = FoundationResolution(document.included ?? [])
        return document.data.map(resolution.article)
    }

    /// The document for encoding: without links, which the models do not have either.
    static func documentWithoutLinks(_ input: Input) throws -> List {
        var document = try decoder.decode(List.self, from: input.text)
        for i in document.data.indices {
            document.data[i].links = nil
            document.data[i].relationships.comments.links = nil
        }
        return document
    }
}
