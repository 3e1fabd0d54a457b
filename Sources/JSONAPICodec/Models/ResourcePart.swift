/// The members of a resource object that are not fields, but after which properties are often named.
package enum ResourcePart: String {
    case attributes, relationships, links, meta

    /// Whether the part contains fields.
    var holdsFields: Bool { self == .attributes || self == .relationships }

    /// Whether the name is `id` or `type`.
    @inline(__always)
    package static func isIdentity(_ name: String) -> Bool {
        switch name.utf8.count {
        case 2: name == "id"
        case 4: name == "type"
        default: false
        }
    }

    init?(_ name: FieldName) {
        guard Self.mayBe(name) else { return nil }
        self.init(rawValue: name.text)
    }

    /// Whether the first letter and the length of a name are those of a part.
    @inline(__always)
    static func mayBe(_ name: FieldName) -> Bool {
        switch name.count {
        case 4: name[0] == UInt8(ascii: "m")
        case 5: name[0] == UInt8(ascii: "l")
        case 10: name[0] == UInt8(ascii: "a")
        case 13: name[0] == UInt8(ascii: "r")
        default: false
        }
    }

    func advice(_ type: Any.Type) -> String {
        switch self {
        case .attributes:
            "declare each attribute as a property of the model itself, or read an attribute of that name with the key `attributes.attributes`"
        case .relationships:
            "declare each relationship as a property of the model itself, or read an attribute of that name with the key `attributes.relationships`"
        case .links: "declare it as ResourceLinks, or read an attribute of that name with the key `attributes.links`"
        case .meta: "declare it as ResourceMeta<\(type)>, or read an attribute of that name with the key `attributes.meta`"
        }
    }
}
