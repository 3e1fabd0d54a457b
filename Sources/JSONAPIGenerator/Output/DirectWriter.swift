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

    private func read(_ property: Property) -> String {
        let name = SwiftText.quoted(property.member)
        if property.type.wrapper != nil {
            let value = property.type.isOptional ? "IfPresent(\(name)) ?? .init(wrappedValue: nil)" : "(\(name))"
            return "_\(property.name) = try resource.attribute\(value)"
        }
        let ending = property.type.isOptional ? "IfPresent(\(name))" : "(\(name))"
        let value =
            switch property.role {
            case .id, .localID: "resource.id()"
            case .attribute, .relationshipPart: "resource.attribute\(ending)"
            case .relationship: "resource.relationship\(ending)"
            case .links: "ResourceLinks(resource.links())"
            case .meta: "resource.metaIfPresent().map { ResourceMeta($0) }"
            }
        return "\(own(property)) = try \(value)"
    }

    private func write(_ property: Property) -> String? {
        let name = SwiftText.quoted(property.member)
        if property.type.wrapper != nil {
            let line = "try resource.attribute(\(name), _\(property.name))"
            return property.type.isOptional ? "if \(own(property)) != nil { \(line) }" : line
        }
        switch property.role {
        case .id, .localID: return nil
        case .attribute, .relationshipPart: return "try resource.attribute(\(name), \(own(property)))"
        case .relationship: return "try resource.relationship(\(name), \(own(property)))"
        case .links: return "resource.links(\(own(property)).links)"
        case .meta: return "if let \(property.name) { try resource.meta(\(property.name).value) }"
        }
    }
}
