import JSONAPICodec
import JSONMapping
import JSONText

/// Tries one type after another, as hand-written models of any value do.
enum Guess: Codable {
    case bool(Bool)
    case text(String)
    case number(Int)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else {
            self = .number(try container.decode(Int.self))
        }
    }

    func encode(to encoder: any Encoder) throws {}
}

struct Guessing: Resource {
    static let type = "tags"
    var id: String
    var name: [Guess]
}

/// Counts the elements that are not numbers.
struct Numbers: Codable {
    var dropped = 0

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            if (try? container.decode(Int.self)) == nil {
                dropped += 1
                _ = try container.decode(String.self)
            }
        }
    }

    func encode(to encoder: any Encoder) throws {}
}

struct Dropping: Resource {
    static let type = "tags"
    var id: String
    var name: Numbers
}

struct Counting: Resource {
    static let type = "tags"
    var id: String
    var name: [String: Int]
}

/// Reads and writes attributes by path.
struct PathModel: Resource {
    static let type = "tags"
    var id: String
    var values: [String: Int]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        id = try container.decode(String.self, forKey: .id)
        values = [:]
        var count = 0
        while let value = try container.decodeIfPresent(Int.self, forKey: .attributes("member-\(count)")) {
            values["member-\(count)"] = value
            count += 1
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for number in 0..<values.count {
            let name = "member-\(number)"
            try container.encode(values[name] ?? 0, forKey: .attributes(name))
        }
    }
}

/// The members of one attribute, each with a field of a schema or a rule of a rewriter.
struct ParentFields {
    private let resource: ResourceObject
    private let paths: [Paths]
    private let schema: MappingSchema<DynamicObject>

    init(_ resource: ResourceObject) {
        self.resource = resource
        let count = resource.attributes?["parent"]?.object?.count ?? 0
        paths = (0..<count).map { Paths(MappingPath(segments: ["parent", "member-\($0)"])) }
        let fields = paths.enumerated().map { SchemaField<DynamicObject>(MappingField("member-\($0)", from: $1, .required, .int)) }
        schema = MappingSchema("fields", fields: fields) { _ in DynamicObject() }
    }

    func read() throws -> DynamicObject { try schema.decode(.object(resource.attributes ?? [:])) }

    func written(_ object: DynamicObject) throws -> ResourceObject {
        var written = resource
        written.attributes = try schema.encode(object)
        return written
    }

    func rewritten() throws -> JSONObject {
        let rules = paths.enumerated().map { Rule("member-\($0)", from: $1) }
        return try Rewriter(rules: rules).rewrite(.object(resource.attributes ?? [:]))
    }
}

/// Decodes its name on demand.
struct Late: Resource {
    static let type = "late"
    var id: String
    let name: @Sendable () throws -> String

    enum CodingKeys: String, CodingKey { case id, name }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        // The closure is called on the thread that created it.
        nonisolated(unsafe) let kept = container
        name = { try kept.decode(String.self, forKey: .name) }
    }

    func encode(to encoder: any Encoder) throws {}
}
