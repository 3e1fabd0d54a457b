import Foundation
import JSONAPICodec

/// A document of another form than the blog's, with its own models on both sides.
///
/// Its name is the document's. The works `foundation-resolve`, `foundation-encode`, `decode-codable` and `encode-codable` do for it what
/// they do for the blog.
struct Shape: Sendable {
    let name: String
    let summary: String
    let members: @Sendable () -> [(name: String, value: Node)]
    /// The number of references that are followed if all are.
    let followed: Int?
    /// The possible works, by name.
    private let jobs: [String: @Sendable (Input) throws -> Job]

    static let all = [numbers, text, wide, nested, links, chain]

    static func named(_ name: String) -> Shape? { all.first { $0.name == name } }

    /// The job of a work with the document of a shape; nil for other documents.
    static func job(_ work: String, _ input: Input) throws -> Job? {
        guard let shape = named(input.name) else { return nil }
        guard let job = shape.jobs[work] else { throw WrongResult("\(work) is nothing for \(input.name)") }
        return try job(input)
    }
}

// MARK: - Attributes alone

extension Shape {
    /// A list of resources with attributes and no relationships.
    ///
    /// - Parameters:
    ///   - model: what this library reads.
    ///   - attributes: what Foundation reads, as the document has it.
    ///   - plain: the model as id and attributes, so that both can be compared.
    init<Model: Resource & Sendable, Attributes: Codable & SendableMetatype>(
        _ name: String, _ summary: String, _ model: Model.Type, _ attributes: Attributes.Type, decoder: JSONAPIDecoder = JSONAPIDecoder(),
        encoder: JSONAPIEncoder = JSONAPIEncoder(), plain: @escaping @Sendable (Model) -> (id: String, attributes: Attributes),
        members: @escaping @Sendable () -> [(name: String, value: Node)]
    ) {
        typealias List = PlainList<Attributes>
        self.name = name
        self.summary = summary
        self.members = members
        followed = nil
        @Sendable func list(_ models: [Model]) -> List {
            List(data: models.map(plain).map { PlainResource(type: Model.type, id: $0.id, attributes: $0.attributes) })
        }
        jobs = [
            "foundation-resolve": { input in
                Job({ try FoundationCoding.decoder.decode(List.self, from: input.text) }, checksum: { try $0.checksum })
            },
            "foundation-encode": { input in
                let values = try FoundationCoding.decoder.decode(List.self, from: input.text)
                return Job({ try FoundationCoding.encoder.encode(values) }) {
                    try FoundationCoding.decoder.decode(List.self, from: $0).checksum
                }
            },
            "decode-codable": { input in
                Job({ try decoder.decode([Model].self, from: input.text) }) { try list($0).checksum }
            },
            "decode-document": { input in
                Job({ try decoder.decode(Document<[Model]>.self, from: input.text) }) { try list($0.data).checksum }
            },
            "encode-codable": { input in
                let values = try decoder.decode([Model].self, from: input.text)
                return Job({ try encoder.encode(values) }) { try FoundationCoding.decoder.decode(List.self, from: $0).checksum }
            },
        ]
    }

    /// Any other shape, given by its jobs.
    init(
        _ name: String, _ summary: String, following followed: Int, jobs: [String: @Sendable (Input) throws -> Job],
        members: @escaping @Sendable () -> [(name: String, value: Node)]
    ) {
        self.name = name
        self.summary = summary
        self.followed = followed
        self.jobs = jobs
        self.members = members
    }
}

struct PlainList<Attributes: Codable>: Codable { var data: [PlainResource<Attributes>] }

struct PlainResource<Attributes: Codable>: Codable {
    var type: String
    var id: String
    var attributes: Attributes
}

extension Encodable {
    /// A number computed from everything in the value.
    var checksum: UInt64 {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return try encoder.encode(self).reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        }
    }
}
