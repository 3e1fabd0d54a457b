import Foundation
import JSONAPICodec

// MARK: - Any models

extension Shape {
    /// A shape given by its jobs.
    init(
        _ name: String, _ summary: String, following followed: Int, jobs: [String: @Sendable (Input) throws -> Job],
        members: @escaping @Sendable () -> [(name: String, value: Node)]
    ) {
        self.name = name
        self.summary = summary
        self.followed = followed
        self.jobs = jobs
        text = { BlogDocument.compactText(members()) }
    }

    /// A shape that is read and written, given by what both sides do with one document.
    ///
    /// - Parameters:
    ///   - read: how this library reads.
    ///   - write: how this library writes what it has read.
    ///   - result: what came of it, in a form that Foundation's result has as well. Not measured.
    ///   - resolve: what a program that reads `Raw` with Foundation does then. Measured.
    ///   - others: more works, by name.
    init<Value, Raw: Codable & SendableMetatype, Result: Encodable & SendableMetatype>(
        _ name: String, _ summary: String, read: @escaping @Sendable (Data) throws -> Value,
        write: @escaping @Sendable (Value) throws -> Data, result: @escaping @Sendable (Value) throws -> Result,
        resolve: @escaping @Sendable (Raw) -> Result, others: [String: @Sendable (Input) throws -> Job] = [:],
        text: @escaping @Sendable () -> [UInt8]
    ) {
        self.name = name
        self.summary = summary
        self.text = text
        followed = nil
        @Sendable func raw(_ text: Data) throws -> Raw { try FoundationCoding.decoder.decode(Raw.self, from: text) }
        @Sendable func written(_ texts: [Data]) throws -> UInt64 { try texts.map { resolve(try raw($0)) }.checksum }
        jobs = others.merging([
            "foundation-resolve": { input in
                let texts = input.documents
                return Job({ try texts.map { resolve(try raw($0)) } }, checksum: { try $0.checksum })
            },
            "foundation-encode": { input in
                let values = try input.documents.map(raw)
                return Job({ try values.map { try FoundationCoding.encoder.encode($0) } }, checksum: written)
            },
            "decode-codable": { input in
                let texts = input.documents
                return Job({ try texts.map(read) }, checksum: { try $0.map(result).checksum })
            },
            "encode-codable": { input in
                let values = try input.documents.map(read)
                return Job({ try values.map(write) }, checksum: written)
            },
        ]) { $1 }
    }
}

extension Input {
    /// The lines of the text, each of which is a document. Texts of one document have no line breaks.
    fileprivate var documents: [Data] { text.split(separator: UInt8(ascii: "\n")).map { Data($0) } }
}

// MARK: - Attributes alone

extension Shape {
    /// A list of resources with attributes and no relationships.
    ///
    /// - Parameters:
    ///   - model: what this library reads.
    ///   - attributes: what Foundation reads, as the document has it.
    ///   - separator: what the document has before an uppercase letter of the model's names, which is then lowercase.
    init<Model: Resource, Attributes: Codable & SendableMetatype>(
        _ name: String, _ summary: String, _ model: Model.Type, _ attributes: Attributes.Type, separator: Character? = nil,
        decoder: JSONAPIDecoder = JSONAPIDecoder(), encoder: JSONAPIEncoder = JSONAPIEncoder(),
        others: [String: @Sendable (Input) throws -> Job] = [:], members: @escaping @Sendable () -> [(name: String, value: Node)]
    ) where Model.ID == String {
        self.init(
            name, summary, read: { try decoder.decode([Model].self, from: $0) }, write: { try encoder.encode($0) },
            result: { try PlainList<Attributes>(data: $0.map { try PlainResource($0, separator) }) },
            resolve: { (list: PlainList<Attributes>) in list },
            others: others.merging([
                "decode-document": { input in
                    Job({ try decoder.decode(Document<[Model]>.self, from: input.text) }) { document in
                        try [PlainList<Attributes>(data: document.data.map { try PlainResource($0, separator) })].checksum
                    }
                }
            ]) { $1 }
        ) { BlogDocument.compactText(members()) }
    }

    /// Documents with one such resource each.
    init<Model: Resource, Attributes: Codable & SendableMetatype>(
        _ name: String, _ summary: String, each model: Model.Type, _ attributes: Attributes.Type,
        documents: @escaping @Sendable () -> [[(name: String, value: Node)]]
    ) where Model.ID == String {
        let decoder = JSONAPIDecoder()
        let encoder = JSONAPIEncoder()
        self.init(
            name, summary, read: { try decoder.decode(Model.self, from: $0) }, write: { try encoder.encode($0) },
            result: { try PlainOne<Attributes>(data: PlainResource($0, nil)) }, resolve: { (one: PlainOne<Attributes>) in one }
        ) { Self.lines(documents()) }
    }

    /// The text of documents, each on its line.
    static func lines(_ documents: [[(name: String, value: Node)]]) -> [UInt8] {
        Array(documents.map(BlogDocument.compactText).joined(separator: [UInt8(ascii: "\n")]))
    }

    /// A document of resources of one type.
    static func list(
        _ type: String, _ count: Int, _ attributes: (Int) -> [(name: String, value: Node)]
    ) -> [(name: String, value: Node)] {
        [("data", .array((0..<count).map { resource(type, $0, attributes($0)) }))]
    }

    static func resource(_ type: String, _ id: Int, _ attributes: [(name: String, value: Node)]) -> Node {
        .object([("type", .string(type)), ("id", .string("\(id)")), ("attributes", .object(attributes))])
    }
}
