import Foundation
import Fuzzing
import JSONAPICodec
import JSONAPIHTTP
import JSONAPILegacy
import JSONAPIValidation
import JSONText

extension FuzzTarget {
    /// All rules on any text, as every kind of document: every reported place must exist.
    static let validator = FuzzTarget(name: "validator", seeds: { $0.documents }) { input, random in
        let report = Validator(random.pick(ValidationContext.Kind.allCases)).validate(input)
        let tree = unambiguousTree(input)
        _ = report.description
        for issue in report.issues {
            guard let tree else { break }
            try require(exists(issue.pointer, in: tree), "no such place: \(issue)")
        }
        if tree == nil, (try? JSON(parsing: input)) == nil { try require(!report.isValid, "no JSON, and valid") }
    }

    /// Queries: a printed query must parse equal.
    static let query = FuzzTarget(name: "query", seeds: { $0.queries }) { input, _ in
        let query = Query(parsing: String(decoding: input, as: UTF8.self))
        let again = Query(parsing: query.description)
        try require(again == query, "printed as \(query.description), read as \(again.description)")
        guard let url = URL(string: "https://example.com/a") else { return }
        let address = query.appending(to: url)
        try require(Query(of: address) == query, "in an address: \(address)")
    }

    /// Media types and headers.
    static let mediaType = FuzzTarget(name: "mediatype", seeds: { $0.mediaTypes }) { input, random in
        let text = String(decoding: input, as: UTF8.self)
        for type in [try? MediaType(parsing: text), try? MediaType(lenient: text)].compactMap({ $0 }) {
            try require(try MediaType(lenient: type.description) == type, "printed as \(type.description)")
        }
        let negotiation = ContentNegotiation(extensions: ["https://jsonapi.org/ext/atomic"], profiles: [])
        do throws(MediaTypeError) {
            _ = try negotiation.verdict(onContentType: text)
            _ = try negotiation.verdict(onAccept: text)
        } catch {
            try require((0...text.utf8.count).contains(error.offset), "an error at \(error.offset)")
        }
    }

    /// URL templates, and legacy documents that use them.
    static let template = FuzzTarget(name: "template", seeds: { $0.templates + $0.documents }) { input, random in
        let text = String(decoding: input, as: UTF8.self)
        if let template = try? URITemplate(parsing: text) {
            let values = Dictionary(uniqueKeysWithValues: template.variables.map { ($0, URITemplate.Value.list([$0, "a/b ü"])) })
            try require(template.expand(values) != nil, "all values are there, and it does not expand")
            try require(try URITemplate(parsing: template.description) == template, "printed as \(template.description)")
        }
        guard let tree = try? JSON(parsing: input) else { return }
        let expander = Expander(missing: random.pick([.stub, .omit, .error]))
        do throws(ExpansionError) { _ = try expander.expand(legacy: tree) } catch { _ = error.description }
        do {
            _ = try LegacyDocument(parsing: Data(input)).decode([ResourceObject].self)
        } catch is ExpansionError {
        } catch is DecodingError {
        } catch is ErrorDocument {
        }
        if let members = tree.object {
            do throws(ExpansionError) { _ = try expander.expand(DocumentObject(members: members)) } catch { _ = error.description }
        }
    }
}
