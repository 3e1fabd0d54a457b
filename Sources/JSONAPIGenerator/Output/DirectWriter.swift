/// Writes the extension that decodes and encodes a resource without `Codable`.
struct DirectWriter {
    /// The access modifier of its members with a space, or an empty text.
    let modifier: String

    func lines(_ type: TypeDeclaration) -> [String] {
        let reading = ["\(modifier)init(resource: ResourceView) throws {"] + SwiftText.indented(type.properties.map(read)) + ["}"]
        let written = type.properties.compactMap(write)
        let writing = ["\(modifier)func write(to resource: ResourceWriter) throws {"] + SwiftText.indented(written) + ["}"]
        return ["extension \(type.name): DirectResource {"] + SwiftText.indented(SwiftText.separated([reading, writing])) + ["}"]
    }

    /// The property in a body with a parameter named `resource`.
    private func own(_ property: Property) -> String {
        property.name == "resource" ? "self.resource" : SwiftName.escaped(property.name)
    }

    private static func kind(of property: Property) -> String { property.role == .relationship ? "relationship" : "attribute" }

    private func read(_ property: Property) -> String {
        let name = SwiftText.quoted(property.member)
        // A wrapper knows the value of a missing member.
        if property.wrapper != nil { return "_\(property.name) = try resource.\(DirectWriter.kind(of: property))(\(name))" }
        let ending = property.type.isOptional ? "IfPresent(\(name))" : "(\(name))"
        let value =
            switch property.role {
            case .id, .localID: "resource.id()"
            case .attribute: "resource.attribute\(ending)"
            case .relationship: "resource.relationship\(ending)"
            case .links: "ResourceLinks(resource.links())"
            case .meta: "resource.metaIfPresent().map { ResourceMeta($0) }"
            }
        return "\(own(property)) = try \(value)"
    }

    private func write(_ property: Property) -> String? {
        let name = SwiftText.quoted(property.member)
        if property.wrapper != nil { return "try resource.\(DirectWriter.kind(of: property))(\(name), _\(property.name))" }
        switch property.role {
        case .id, .localID: return nil
        case .attribute: return "try resource.attribute(\(name), \(own(property)))"
        case .relationship: return "try resource.relationship(\(name), \(own(property)))"
        case .links: return "resource.links(\(own(property)).links)"
        case .meta: return "if let \(property.name) { try resource.meta(\(property.name).value) }"
        }
    }
}
