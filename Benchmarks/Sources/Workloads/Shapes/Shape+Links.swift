import Foundation
import JSONAPICodec

// Documents whose references are followed.

// MARK: - Many links

extension Shape {
    static let links = Shape(
        "links", "200 resources with 40 references each, to 2,000 resources that refer to 50", following: 16_000,
        jobs: [
            "foundation-resolve": { input in
                Job({ try FoundationLinks.walk(input.text) }, checksum: { $0 })
            },
            "decode-walk": { input in
                let decoder = JSONAPIDecoder()
                return Job({ walk(try decoder.decode([Board].self, from: input.text)) }, checksum: { $0 })
            },
            "decode-references": { input in
                let decoder = JSONAPIDecoder()
                return Job({ try decoder.decode([Board].self, from: input.text) }, checksum: { walk($0) })
            },
            "walk": { input in
                let boards = try JSONAPIDecoder().decode([Board].self, from: input.text)
                return Job({ walk(boards) }, checksum: { $0 })
            },
            "foundation-encode": { input in
                let list = try FoundationCoding.decoder.decode(FoundationLinks.self, from: input.text)
                return Job({ try FoundationCoding.encoder.encode(list) }, checksum: { try FoundationLinks.walk($0) })
            },
            "encode-references": { input in
                let boards = try JSONAPIDecoder().decode([Board].self, from: input.text)
                let encoder = JSONAPIEncoder()
                return Job({ try encoder.encode(boards) }, checksum: { try FoundationLinks.walk($0) })
            },
        ]
    ) {
        var random = SplitMix64(seed: 25)
        let boards = (0..<200).map { i in
            resource(
                "boards", i, ["title": .string("Board \(i)")],
                ["notes": .array((0..<40).map { j in identifier("notes", (i * 10 + j * 7) % 2_000) })])
        }
        let notes = (0..<2_000).map { i in
            resource(
                "notes", i, ["text": .string("What note \(i) says"), "likes": .int(random.below(100))],
                ["author": identifier("writers", random.below(50))])
        }
        let writers = (0..<50).map { resource("writers", $0, ["name": .string("Writer \($0)")], [:]) }
        return [("data", .array(boards)), ("included", .array(notes + writers))]
    }

    private static func walk(_ boards: [Board]) -> UInt64 {
        var sum: UInt64 = 0
        for board in boards {
            for note in board.notes.values { sum &+= UInt64(note.likes) &+ UInt64(note.author.value?.name.utf8.count ?? 0) }
        }
        return sum
    }

    fileprivate static func resource(_ type: String, _ id: Int, _ attributes: [String: Node], _ links: [String: Node]) -> Node {
        var members: [(name: String, value: Node)] = [("type", .string(type)), ("id", .string("\(type)-\(id)"))]
        members.append(("attributes", .object(attributes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })))
        if !links.isEmpty {
            members.append(("relationships", .object(links.sorted { $0.key < $1.key }.map { ($0.key, .object([("data", $0.value)])) })))
        }
        return .object(members)
    }

    fileprivate static func identifier(_ type: String, _ id: Int) -> Node {
        .object([("type", .string(type)), ("id", .string("\(type)-\(id)"))])
    }
}

private struct Board: Resource {
    static let type = "boards"
    var id: String
    var title: String
    var notes: ToMany<Note>
}

private struct Note: Resource {
    static let type = "notes"
    var id: String
    var text: String
    var likes: Int
    var author: ToOne<Writer>
}

private struct Writer: Resource {
    static let type = "writers"
    var id: String
    var name: String
}

/// The same by hand.
private struct FoundationLinks: Codable {
    var data: [PlainLinked<BoardAttributes, BoardLinks>]
    var included: [Included]

    struct BoardAttributes: Codable { var title: String }
    struct BoardLinks: Codable { var notes: FoundationToMany }
    struct NoteAttributes: Codable {
        var text: String
        var likes: Int
    }
    struct NoteLinks: Codable { var author: FoundationToOne }
    struct WriterAttributes: Codable { var name: String }

    enum Included: Codable {
        case note(PlainLinked<NoteAttributes, NoteLinks>)
        case writer(PlainResource<WriterAttributes>)

        private enum CodingKeys: CodingKey { case type }

        init(from decoder: any Decoder) throws {
            let type = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .type)
            self = type == "notes" ? .note(try .init(from: decoder)) : .writer(try .init(from: decoder))
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .note(let note): try note.encode(to: encoder)
            case .writer(let writer): try writer.encode(to: encoder)
            }
        }
    }

    static func walk(_ text: Data) throws -> UInt64 {
        let document = try FoundationCoding.decoder.decode(FoundationLinks.self, from: text)
        var notes: [String: PlainLinked<NoteAttributes, NoteLinks>] = [:]
        var writers: [String: WriterAttributes] = [:]
        for resource in document.included {
            switch resource {
            case .note(let note): notes[note.id] = note
            case .writer(let writer): writers[writer.id] = writer.attributes
            }
        }
        var sum: UInt64 = 0
        for board in document.data {
            for identifier in board.relationships.notes.data {
                guard let note = notes[identifier.id] else { continue }
                let writer = note.relationships.author.data.flatMap { writers[$0.id] }
                sum &+= UInt64(note.attributes.likes) &+ UInt64(writer?.name.utf8.count ?? 0)
            }
        }
        return sum
    }
}

// MARK: - Chains

extension Shape {
    static let chain = Shape(
        "chain", "500 resources, each the head of a chain of four references", following: 2_000,
        jobs: [
            "foundation-resolve": { input in
                Job({ try FoundationChain.walk(input.text) }, checksum: { $0 })
            },
            "decode-walk": { input in
                let decoder = JSONAPIDecoder()
                return Job({ walk(try decoder.decode([Ring0].self, from: input.text)) }, checksum: { $0 })
            },
            "walk": { input in
                let heads = try JSONAPIDecoder().decode([Ring0].self, from: input.text)
                return Job({ walk(heads) }, checksum: { $0 })
            },
            "foundation-encode": { input in
                let list = try FoundationCoding.decoder.decode(FoundationChain.self, from: input.text)
                return Job({ try FoundationCoding.encoder.encode(list) }, checksum: { try FoundationChain.walk($0) })
            },
            "encode-references": { input in
                let heads = try JSONAPIDecoder().decode([Ring0].self, from: input.text)
                let encoder = JSONAPIEncoder()
                return Job({ try encoder.encode(heads) }, checksum: { try FoundationChain.walk($0) })
            },
        ]
    ) {
        func level(_ n: Int) -> [Node] {
            (0..<500).map { i in
                resource(
                    "rings\(n)", i, ["name": .string("Ring \(n) of \(i)"), "size": .int(i % 17)],
                    n == 4 ? [:] : ["next": identifier("rings\(n + 1)", (i * 3 + n) % 500)])
            }
        }
        return [("data", .array(level(0))), ("included", .array((1...4).flatMap(level)))]
    }

    private static func walk(_ heads: [Ring0]) -> UInt64 {
        var sum: UInt64 = 0
        for head in heads {
            guard let one = head.next.value, let two = one.next.value, let three = two.next.value, let four = three.next.value else {
                continue
            }
            sum &+= UInt64(head.size + one.size + two.size + three.size + four.size) &+ UInt64(four.name.utf8.count)
        }
        return sum
    }
}

private struct Ring0: Resource {
    static let type = "rings0"
    var id: String
    var name: String
    var size: Int
    var next: ToOne<Ring1>
}

private struct Ring1: Resource {
    static let type = "rings1"
    var id: String
    var name: String
    var size: Int
    var next: ToOne<Ring2>
}

private struct Ring2: Resource {
    static let type = "rings2"
    var id: String
    var name: String
    var size: Int
    var next: ToOne<Ring3>
}

private struct Ring3: Resource {
    static let type = "rings3"
    var id: String
    var name: String
    var size: Int
    var next: ToOne<Ring4>
}

private struct Ring4: Resource {
    static let type = "rings4"
    var id: String
    var name: String
    var size: Int
}

private struct FoundationChain: Codable {
    var data: [Ring]
    var included: [Ring]

    struct Ring: Codable {
        var type: String
        var id: String
        var attributes: Attributes
        var relationships: Links?
    }

    struct Attributes: Codable {
        var name: String
        var size: Int
    }

    struct Links: Codable { var next: FoundationToOne }

    static func walk(_ text: Data) throws -> UInt64 {
        let document = try FoundationCoding.decoder.decode(FoundationChain.self, from: text)
        var rings: [String: Ring] = [:]
        for ring in document.included { rings[ring.id] = ring }
        var sum: UInt64 = 0
        for head in document.data {
            var ring = head
            sum &+= UInt64(ring.attributes.size)
            while let next = ring.relationships?.next.data.flatMap({ rings[$0.id] }) {
                ring = next
                sum &+= UInt64(ring.attributes.size)
            }
            sum &+= UInt64(ring.attributes.name.utf8.count)
        }
        return sum
    }
}
