import Foundation
import JSONAPICodec

extension Shape {
    /// The answers of a server to requests that it refuses. Reading ends with every field in a struct, because an `ErrorObject` reads a field
    /// only when it is asked for.
    static let errors = Shape(
        "errors", "200 documents of 1 to 5 errors each, and what each of them says", read: readErrors,
        write: { try encoder.encode($0.document) }, result: { $0.plain }, resolve: { (errors: PlainErrors) in errors }
    ) {
        var random = SplitMix64(seed: 39)
        func error(_ i: Int) -> Node {
            let isParameter = random.below(4) == 0
            let name = random.pick(Vocabulary.words)
            return .object([
                ("id", .string("e-\(random.below(1_000_000))")),
                ("links", .object([("about", .string("https://api.example.com/errors/\(random.below(100))"))])),
                ("status", .string(isParameter ? "400" : "422")), ("code", .string("\(100 + random.below(100))")),
                ("title", .string(isParameter ? "Invalid query parameter" : "Invalid attribute")),
                ("detail", .string("The \(name) of the \(random.pick(Vocabulary.words)) must not be \"\(random.below(100))\".")),
                (
                    "source",
                    .object([isParameter ? ("parameter", .string(name)) : ("pointer", .string("/data/attributes/" + name))])
                ),
                ("meta", .object([("trace", .string("t-\(random.below(1_000_000))"))])),
            ])
        }
        return lines((0..<200).map { _ in [("errors", .array((0..<1 + random.below(5)).map(error)))] })
    }

    private static let decoder = JSONAPIDecoder()
    private static let encoder = JSONAPIEncoder()

    private struct Answer {
        let document: ErrorDocument
        let plain: PlainErrors
    }

    @Sendable private static func readErrors(_ text: Data) throws -> Answer {
        do {
            _ = try decoder.decode([ResourceObject].self, from: text)
            throw WrongResult("errors were read as data")
        } catch let document as ErrorDocument {
            // Without the object that was read, as a server would make it.
            return Answer(document: ErrorDocument(errors: document.errors), plain: PlainErrors(document))
        }
    }
}

private struct PlainErrors: Codable {
    var errors: [Item]

    struct Item: Codable {
        var id: String?
        var links: Links?
        var status: String?
        var code: String?
        var title: String?
        var detail: String?
        var source: Source?
        var meta: Meta?
    }

    struct Links: Codable { var about: String? }

    struct Source: Codable {
        var pointer: String?
        var parameter: String?
    }

    struct Meta: Codable { var trace: String? }

    init(_ document: ErrorDocument) {
        errors = document.errors.map { error in
            Item(
                id: error.id, links: error.links.map { Links(about: $0.about?.href) }, status: error.status, code: error.code,
                title: error.title, detail: error.detail,
                source: error.source.map { Source(pointer: $0.pointerText, parameter: $0.parameter) },
                meta: error.meta.map { Meta(trace: $0["trace"]?.string) })
        }
    }
}
