import Foundation
import JSONAPICodec
import JSONAPIValidation
import JSONText

extension Work {
    static let reading = [
        foundationDecode, foundationResolve, decodeCodable, decodeDirect, decodeReferences, decodeDocument, decodeObject, text, tree,
        serialization, validate,
    ]

    /// Baseline (a).
    static let foundationDecode = Work("foundation-decode", "(a) JSONDecoder into structs of the document's shape, nothing resolved") {
        input in
        let check = { (_: Any) in try FoundationCoding.articles(input) }
        if input.isSingle {
            return Job({ try FoundationCoding.decoder.decode(FoundationCoding.Single.self, from: input.text) }, articles: check)
        }
        return Job({ try FoundationCoding.decoder.decode(FoundationCoding.List.self, from: input.text) }, articles: check)
    }

    /// Baseline (b).
    static let foundationResolve = Work("foundation-resolve", "(b) the same, relationships resolved by hand with dictionaries") { input in
        Job({ try FoundationCoding.articles(input) }, articles: { $0 })
    }

    static let decodeCodable = Work("decode-codable", "JSONAPIDecoder into synthesized Codable models, everything resolved") { input in
        let decoder = decoder(for: input)
        if input.isSingle { return Job({ try decoder.decode(Article.self, from: input.text) }, articles: { [$0] }) }
        return Job({ try decoder.decode([Article].self, from: input.text) }, articles: { $0 })
    }

    static let decodeDirect = Work("decode-direct", "JSONAPIDecoder into models with direct initializers, everything resolved") { input in
        let decoder = decoder(for: input)
        if input.isSingle { return Job({ try decoder.decode(DirectArticle.self, from: input.text) }, articles: { [Article($0)] }) }
        return Job({ try decoder.decode([DirectArticle].self, from: input.text) }, articles: { $0.map(Article.init) })
    }

    /// Linked resources that are not included are omitted, as in the hand-written baseline.
    private static func decoder(for input: Input) -> JSONAPIDecoder {
        var decoder = JSONAPIDecoder()
        if input.name == "flat" { decoder.missingResources = .omit }
        return decoder
    }

    static let decodeReferences = Work("decode-references", "JSONAPIDecoder into models with ToOne and ToMany") { input in
        let decoder = JSONAPIDecoder()
        return Job({ try decoder.decode([ReferringArticle].self, from: input.text) }, articles: { $0.map(Article.init) })
    }

    static let decodeDocument = Work("decode-document", "JSONAPIDecoder into Document<[Article]>") { input in
        let decoder = JSONAPIDecoder()
        return Job({ try decoder.decode(Document<[Article]>.self, from: input.text) }, articles: { $0.data })
    }

    static let decodeObject = Work("decode-object", "JSONAPIDecoder into DocumentObject, no models") { input in
        let decoder = JSONAPIDecoder()
        return Job({ try decoder.decode(DocumentObject.self, from: input.text) }) { document in
            try articles(inTree: .object(document.members), input)
        }
    }

    /// The tape is not public. A document whose `meta` contains the whole text, and whose `data` is null, costs little more than its tape.
    static let text = Work("text", "the text layer alone: text to tape, grammar and UTF-8 checked") { input in
        let decoder = JSONAPIDecoder()
        let wrapped = Data(#"{"data":null,"meta":{"text":"#.utf8) + input.text + Data("}}".utf8)
        return Job({ try decoder.decode(Article?.self, from: wrapped) }) { article in
            guard article == nil, try isRefusedWhenDamaged(wrapped, decoder) else { throw WrongResult("the text layer checks nothing") }
            return try articles(inTree: try JSON(parsing: input.text), input)
        }
    }

    static let tree = Work("tree", "JSON(parsing:)") { input in
        Job({ try JSON(parsing: input.text) }, articles: { try articles(inTree: $0, input) })
    }

    static let serialization = Work("serialization", "Foundation's JSONSerialization") { input in
        Job({ try JSONSerialization.jsonObject(with: input.text) }) { object in
            try FoundationCoding.articles(Input(name: input.name, text: try JSONSerialization.data(withJSONObject: object)))
        }
    }

    static let validate = Work("validate", "Validator over the whole document, every rule") { input in
        let validator = Validator()
        return Job({ validator.validate(input.text) }) { report in
            guard report.isValid else { throw WrongResult("the validator finds faults in \(input.name)") }
            return try FoundationCoding.articles(input)
        }
    }

    /// A tree, written and then read by Foundation.
    private static func articles(inTree tree: JSON, _ input: Input) throws -> [Article] {
        try FoundationCoding.articles(Input(name: input.name, text: Data(try JSONWriter().write(tree))))
    }

    /// Whether invalid UTF-8, in a part of the document that is not decoded, is an error.
    private static func isRefusedWhenDamaged(_ text: Data, _ decoder: JSONAPIDecoder) throws -> Bool {
        var damaged = text
        guard let place = damaged[(damaged.count / 2)...].firstIndex(where: { (0x61...0x7A).contains($0) }) else { return false }
        damaged[place] = 0xFF
        do {
            _ = try decoder.decode(Article?.self, from: damaged)
            return false
        } catch is DecodingError {
            return true
        }
    }
}
