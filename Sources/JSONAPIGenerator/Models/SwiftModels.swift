import JSONText

/// Swift types for the contents of samples, before they are written as text.
package struct SwiftModels {
    /// How to decode the primary data of a sample.
    struct Sample {
        let file: String
        /// The type to decode, such as `[Article]` or `ResourceIdentifier`; nil if the document has no data.
        let data: String?
        /// Whether the decoder needs `source = .request`.
        let isRequest: Bool
    }

    /// Whether values come from plain JSON instead of documents of JSON:API.
    var isPlain = false
    var types: [TypeDeclaration] = []
    var samples: [Sample] = []
    /// What was guessed from the samples.
    package var guesses: [String] = []
    /// The files of the types; empty if each type has its own file.
    var files: [File] = []

    /// A file with types, or with the requests of an API.
    struct File {
        let name: String
        var types: [TypeDeclaration] = []
        var requests: RequestGroup?
    }
}

/// A struct or enum to write.
struct TypeDeclaration {
    enum Kind {
        /// A resource of that type, optionally with a direct initializer.
        case resource(type: String, isDirect: Bool)
        /// A union of resources.
        case union([UnionCase])
        /// A JSON object.
        case value
        /// The fields that a request for a resource of that type can have.
        case fields(type: String)
        /// Strings that the API lists. The API can send others.
        case enumeration([EnumerationCase])
    }

    /// A case of an enumeration, and its string.
    struct EnumerationCase {
        let name: String
        let value: String
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
    /// The fields that clients do not write, by their names in the document.
    var readOnlyFields: [String] = []
    var createOnlyFields: [String] = []
    /// The types inside this one.
    var nested: [TypeDeclaration] = []
}

/// A property to write.
struct Property {
    enum Role {
        case id, localID, attribute, relationship, links, meta
    }

    /// The name of the member.
    let member: String
    /// The name of the property, without backticks.
    let name: String
    /// The coding key.
    let key: String
    let role: Role
    let type: SwiftType
    var notes: [String] = []
    /// The default value as source text.
    var initial: String?
    /// Whether nil is written in the form that was read: null, an empty string, or an empty array or object.
    var keepsEmpty = false
    /// What stands for no value in the samples, beside null: an empty string, array, or object.
    var emptyForms: [JSON] = []

    /// The property wrapper; nil for a property without one.
    var wrapper: String? { type.wrapper ?? (keepsEmpty && type.isOptional ? "EmptyAsNil" : nil) }

    /// Whether both properties have the same declaration and coding key.
    func isSame(as other: Property) -> Bool {
        ByteText(member) == ByteText(other.member) && name == other.name && type == other.type && keepsEmpty == other.keepsEmpty
    }
}

/// The type of a property.
indirect enum SwiftType: Equatable {
    case bool, int, double, string, date, url
    /// A date without a time zone, which the strategy for other dates does not read. A property of this type is optional.
    case localDate
    /// A decimal number in a string. A property of this type is optional.
    case decimal
    case json, jsonNumber, jsonObject
    case named(String)
    case array(SwiftType)
    case dictionary(SwiftType)
    case field(SwiftType)
    case optional(SwiftType)
    case toOne(String), toMany(String), relationshipObject
    /// A relationship whose resources are used like values.
    case embeddedOne(String), embeddedMany(String)
    case links, meta(SwiftType), localID

    /// The type as source text.
    var text: String {
        switch self {
        case .bool: "Bool"
        case .int: "Int"
        case .double: "Double"
        case .string: "String"
        case .date, .localDate: "Date"
        case .decimal: "Decimal"
        case .url: "URL"
        case .json: "JSON"
        case .jsonNumber: "JSONNumber"
        case .jsonObject: "JSONObject"
        case .named(let name): name
        case .array(let element): "[\(element.text)]"
        case .dictionary(let element): "[String: \(element.text)]"
        case .field(let value): "Field<\(value.text)>"
        case .optional(let wrapped): "\(wrapped.text)?"
        case .toOne(let target): "ToOne<\(target)>"
        case .toMany(let target): "ToMany<\(target)>"
        case .embeddedOne(let target): "\(target)?"
        case .embeddedMany(let target): "[\(target)]?"
        case .relationshipObject: "RelationshipObject"
        case .links: "ResourceLinks"
        case .meta(let value): "ResourceMeta<\(value.text)>"
        case .localID: "LocalID"
        }
    }

    var isOptional: Bool {
        switch self {
        case .optional, .embeddedOne, .embeddedMany: true
        default: false
        }
    }

    /// The same for a place where no property wrapper can be.
    var unwrapped: SwiftType { isAlwaysOptional ? .string : self }

    /// Whether only a property wrapper for optional values writes the type as it was read.
    var isAlwaysOptional: Bool { self == .localDate || self == .decimal }

    /// The property wrapper that reads the type; nil for types that read themselves.
    var wrapper: String? {
        switch self {
        case .optional(.localDate): "DateFormatAsRead<DateLayouts.ISO8601>"
        case .optional(.decimal): "DecimalText"
        case .embeddedOne(let target): "Embedded<ToOne<\(target)>>"
        case .embeddedMany(let target): "Embedded<ToMany<\(target)>>"
        default: nil
        }
    }

    /// The optional type.
    var orNil: SwiftType { isOptional ? self : .optional(self) }

    /// The innermost type inside arrays, dictionaries, optionals, and meta.
    var core: SwiftType {
        switch self {
        case .array(let inner), .dictionary(let inner), .field(let inner), .optional(let inner), .meta(let inner): inner.core
        default: self
        }
    }
}
