import Foundation
import JSONAPICodec
import JSONAPIStreams
import JSONAPIValidation
import JSONText

extension Work {
    static let hostile = [hostileDecode, hostileEncode, hostileValidate, keptDecoders]

    static let hostileDecode = Work("hostile-decode", "JSONAPIDecoder of a hostile document, references followed") { input in
        let (family, size) = try hostileParts(input)
        return Job({ try decode(family, input.text) }, checksum: { try units(family, size, found: $0) })
    }

    static let hostileEncode = Work("hostile-encode", "JSONAPIEncoder of what a hostile document held") { input in
        let (family, size) = try hostileParts(input)
        let encode = try encoding(family, input.text)
        return Job({ try encode() }, checksum: { try units(family, size, found: try decode(family, $0)) })
    }

    static let hostileValidate = Work("hostile-validate", "Validator over a hostile document") { input in
        let (_, size) = try hostileParts(input)
        let validator = Validator()
        // The report as text, because its size counts as well.
        return Job({ validator.validate(input.text).description }, checksum: { _ in UInt64(size) })
    }

    static let keptDecoders = Work("kept-decoders", "2,000 decodes of a document whose models keep their decoders, dropped at once") {
        input in
        let (_, size) = try hostileParts(input)
        let decode = {
            for _ in 0..<2_000 { _ = try JSONAPIDecoder().decode([Late].self, from: input.text) }
        }
        return Job({ try decode() }, checksum: { _ in UInt64(size) })
    }

    private static func hostileParts(_ input: Input) throws -> (family: HostileFamily, size: Int) {
        guard let parts = HostileFamily.parse(input.name) else { throw WrongResult("\(input.name) is no hostile document") }
        return parts
    }

    private static func units(_ family: HostileFamily, _ size: Int, found: Int) throws -> UInt64 {
        guard found == size else { throw WrongResult("\(found) units of \(family)-\(size)") }
        return UInt64(size)
    }

    /// Decodes the document, and returns the number of units.
    private static func decode(_ family: HostileFamily, _ text: Data) throws -> Int {
        var decoder = JSONAPIDecoder()
        // Pairs embed each other, and each omits the other in its values.
        decoder.missingResources = .omit
        switch family {
        case .references:
            let embedding = try decoder.decode(EmbeddingList.self, from: text)
            let referring = try decoder.decode(ReferringList.self, from: text)
            return min(embedding.tags.count, referring.tags.values.count)
        case .chain, .ring: return try decoder.decode(ChainLink.self, from: text).length
        case .pairs: return try decoder.decode([Partner].self, from: text).count { $0.others.first?.others.isEmpty == true }
        case .mesh: return try decoder.decode([MeshNode].self, from: text).reduce(0) { $0 + $1.all.count }
        case .escapes: return try decoder.decode(Tag.self, from: text).name.unicodeScalars.count
        case .members:
            let document = try decoder.decode(DocumentObject.self, from: text)
            guard try decoder.decode(Tag.self, from: text).name == "last" else { return 0 }
            return (document.members["data"]?["attributes"]?.object?.count ?? 0) - 2
        case .duplicates:
            let document = try decoder.decode(DocumentObject.self, from: text)
            guard try decoder.decode(Tag.self, from: text).name == "last" else { return 0 }
            return (document.members["data"]?["attributes"]?.object?.count ?? 0) - 1
        case .swallowed: return try decoder.decode(Guessing.self, from: text).name.count
        case .dropped: return try decoder.decode(Dropping.self, from: text).name.dropped
        case .repeated:
            let members = try decoder.decode(Counting.self, from: text).name
            return members["member-0"] == members.count + 1 ? members.count + 1 : 0
        case .paths: return try decoder.decode(PathModel.self, from: text).values.count
        case .fields: return try ParentFields(decoder.decode(ResourceObject.self, from: text)).read().properties.count
        case .rules: return try ParentFields(decoder.decode(ResourceObject.self, from: text)).rewritten().count
        case .names:
            let document = try decoder.decode(Document<ResourceObject>.self, from: text)
            return document.diagnostics.reduce(0) { $0 + $1.description.utf8.count } >= 0 ? hostileMembers(document.data) : 0
        case .chunks: return try streamed(text)
        case .kept:
            let models = try decoder.decode([Late].self, from: text)
            return try models.count { try !$0.name().isEmpty }
        }
    }

    /// The number of members next to the data of a document in chunks of 64 bytes.
    private static func streamed(_ text: Data) throws -> Int {
        let tags = try runHere {
            let chunks = AsyncStream<Data> { continuation in
                for start in stride(from: 0, to: text.count, by: 64) { continuation.yield(text[start..<min(start + 64, text.count)]) }
                continuation.finish()
            }
            var count = 0
            for try await tag in DocumentStream(chunks, of: Tag.self) where tag.name == "one" { count += 1 }
            return count
        }
        return tags == 1 ? text.count { $0 == UInt8(ascii: "@") } : 0
    }

    /// The number of members of the attribute with the long name.
    private static func hostileMembers(_ resource: ResourceObject) -> Int {
        resource.attributes?.reduce(0) { max($0, $1.value.object?.count ?? 0) } ?? 0
    }

    private static func encoding(_ family: HostileFamily, _ text: Data) throws -> () throws -> Data {
        var decoder = JSONAPIDecoder()
        // Pairs embed each other, and each omits the other in its values.
        decoder.missingResources = .omit
        switch family {
        case .references: return encoding(try decoder.decode(EmbeddingList.self, from: text))
        case .chain, .ring: return encoding(try decoder.decode(ChainLink.self, from: text))
        case .pairs: return encoding(try decoder.decode([Partner].self, from: text))
        case .mesh: return encoding(try decoder.decode([MeshNode].self, from: text))
        case .escapes: return encoding(try decoder.decode(Tag.self, from: text))
        case .paths: return encoding(try decoder.decode(PathModel.self, from: text))
        case .fields:
            let fields = ParentFields(try decoder.decode(ResourceObject.self, from: text))
            let object = try fields.read()
            return { try JSONAPIEncoder().encode(fields.written(object)) }
        case .members, .duplicates, .swallowed, .dropped, .repeated, .rules, .names, .kept, .chunks:
            return encoding(try decoder.decode(ResourceObject.self, from: text))
        }
    }

    private static func encoding<Primary: PrimaryValue>(_ value: Primary) -> () throws -> Data {
        { try JSONAPIEncoder().encode(value) }
    }
}
