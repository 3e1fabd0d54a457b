/// Swift types that stand for what samples hold, before they are written as text.
struct SwiftModels {
    /// How the primary data of a sample is read.
    struct Sample {
        let file: String
        /// What a decoder is asked for: `[Article]`, `ResourceIdentifier`; nil when the document has no data.
        let data: String?
        /// Whether the decoder has to be told that it reads a request.
        let isRequest: Bool
    }

    /// Where values come from: documents of JSON:API, or plain JSON.
    var isPlain = false
    var types: [TypeDeclaration] = []
    var samples: [Sample] = []
}

/// A struct or enum to be written.
struct TypeDeclaration {
    enum Kind {
        /// A resource of that type, maybe with a direct initialiser.
        case resource(type: String, isDirect: Bool)
        /// A union of resources.
        case union([UnionCase])
        /// A JSON object.
        case value
    }

    struct UnionCase {
        let type: String
        let name: String
        let model: String
    }

    let name: String
    let kind: Kind
    var notes: [String] = []
    var properties: [Property] = []
    /// The types inside this one.
    var nested: [TypeDeclaration] = []
}

/// A property to be written.
struct Property {
    enum Role {
        case id, localID, attribute, relationship, links, meta
    }

    /// The name of the member that it stands for.
    let member: String
    /// Its own name, without backticks.
    let name: String
    /// Its coding key.
    let key: String
    let role: Role
    let type: SwiftType
    var notes: [String] = []

    /// Whether both are declared and coded alike.
    func isSame(as other: Property) -> Bool {
        MemberKey(member) == MemberKey(other.member) && name == other.name && type == other.type
    }
}

/// The type of a property.
indirect enum SwiftType: Equatable {
    case bool, int, double, string, date, url
    case json, jsonNumber, jsonObject
    case named(String)
    case array(SwiftType)
    case optional(SwiftType)
    case toOne(String), toMany(String), relationshipObject
    case links, meta(SwiftType), localID

    /// As it stands in source text.
    var text: String {
        switch self {
        case .bool: "Bool"
        case .int: "Int"
        case .double: "Double"
        case .string: "String"
        case .date: "Date"
        case .url: "URL"
        case .json: "JSON"
        case .jsonNumber: "JSONNumber"
        case .jsonObject: "JSONObject"
        case .named(let name): name
        case .array(let element): "[\(element.text)]"
        case .optional(let wrapped): "\(wrapped.text)?"
        case .toOne(let target): "ToOne<\(target)>"
        case .toMany(let target): "ToMany<\(target)>"
        case .relationshipObject: "RelationshipObject"
        case .links: "ResourceLinks"
        case .meta(let value): "ResourceMeta<\(value.text)>"
        case .localID: "LocalID"
        }
    }

    var isOptional: Bool { if case .optional = self { true } else { false } }

    /// The type that is innermost in arrays, optionals and meta.
    var core: SwiftType {
        switch self {
        case .array(let inner), .optional(let inner), .meta(let inner): inner.core
        default: self
        }
    }
}
