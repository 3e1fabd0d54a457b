import Foundation
import JSONAPICodec
import JSONText

extension FuzzTarget {
    /// Whole documents without models: they keep the contents of the text, and every reported place exists.
    static let document = FuzzTarget(name: "document", seeds: { $0.documents }) { input, random in
        let decoder = FuzzModels.decoder(&random)
        let tree = unambiguousTree(input)
        do {
            let (document, diagnostics) = try decoder.decodeWithDiagnostics(DocumentObject.self, from: Data(input))
            try require(.object(document.members) == (try JSON(parsing: input)), "the document holds something else than the text")
            _ = (document.data, document.errors, document.included, document.links, document.meta, document.jsonapi, document.linkage)
            guard let tree else { return }
            for diagnostic in diagnostics {
                try require(exists(diagnostic.pointer, in: tree), "no such place: \(diagnostic)")
            }
        } catch let error as DecodingError {
            try check(error, input, tree)
        } catch is ErrorDocument {
            // The errors of the server, if another part cannot be decoded.
        }
    }

    /// Models of every kind.
    static let models = FuzzTarget(name: "models", seeds: { $0.sound }) { input, random in
        let decoder = FuzzModels.decoder(&random)
        let data = Data(input)
        do {
            switch random.below(9) {
            case 0: for article in try decoder.decode([FuzzModels.Article].self, from: data) { _ = article.author.value?.articles.values }
            case 1: for comment in try decoder.decode([FuzzModels.Comment].self, from: data) { _ = comment.author.value }
            case 2: _ = try decoder.decode([FuzzModels.Story].self, from: data)
            case 3: _ = try decoder.decode([FuzzModels.Wide].self, from: data)
            case 4: _ = try decoder.decode(FuzzModels.Wide?.self, from: data)
            case 5: _ = try decoder.decode([FuzzModels.Direct].self, from: data)
            case 6: _ = try decoder.decode([FuzzModels.Contributor].self, from: data)
            case 7: _ = try decoder.decode(FuzzModels.Story.self, from: data)
            default:
                let document = try decoder.decode(Document<[FuzzModels.Contributor]>.self, from: data)
                _ = (document.included, document.object, document.links, document.meta)
                for diagnostic in document.diagnostics { _ = diagnostic.description }
            }
        } catch let error as DecodingError {
            try check(error, input, unambiguousTree(input))
        } catch is ErrorDocument {
        }
    }

    /// The encoder must encode what the decoder has decoded, and the result must decode equal.
    static let roundtrip = FuzzTarget(name: "roundtrip", seeds: { $0.sound }) { input, random in
        switch random.below(4) {
        case 0: try roundTrip([FuzzModels.Article].self, input)
        case 1: try roundTrip([FuzzModels.Story].self, input)
        case 2: try roundTrip([FuzzModels.Contributor].self, input)
        default: try roundTrip([ResourceObject].self, input)
        }
    }

    private static func roundTrip<Primary: PrimaryValue & Equatable>(_ type: Primary.Type, _ input: [UInt8]) throws {
        let decoder = JSONAPIDecoder()
        guard let document = try? decoder.decode(Document<Primary>.self, from: Data(input)) else { return }
        let text: Data
        do { text = try JSONAPIEncoder().encode(document) } catch is EncodingError { return }
        let again: Document<Primary>
        do { again = try decoder.decode(Document<Primary>.self, from: text) } catch {
            throw FuzzFinding("what was written cannot be read: \(error) in \(String(decoding: text, as: UTF8.self))")
        }
        try require(again.data == document.data, "what was written is read differently: \(String(decoding: text, as: UTF8.self))")
        try require(again.meta == document.meta && again.links == document.links, "the members of the document differ")
        try require(try JSONAPIEncoder().encode(again) == text, "the second text differs from the first")
    }

    /// Checks that an error has an existing place, or the place of a missing member.
    static func check(_ error: DecodingError, _ input: [UInt8], _ tree: JSON?) throws {
        guard let failure = error.failure else { throw FuzzFinding("an error without a place: \(error)") }
        _ = failure.description
        if let offset = failure.offset { try require((0...input.count).contains(offset), "an offset of \(offset)") }
        guard let tree, failure.syntaxError == nil else { return }
        try require(exists(failure.pointer, in: tree), "no such place: \(failure)")
    }
}
