/// Writes models as Swift source text.
struct SourceWriter {
    /// `public`, `package`, or nothing for what the language assumes.
    let access: String?

    /// One file with all models, and how to read the samples.
    func file(_ models: SwiftModels) -> String {
        text(SwiftText.separated([imports(for: models.types, models)] + [usage(models)] + models.types.map { lines($0) }))
    }

    /// A file for each model, with its name.
    func files(_ models: SwiftModels) -> [(name: String, text: String)] {
        models.types.map { type in
            ("\(type.name).swift", text(SwiftText.separated([imports(for: [type], models), lines(type)])))
        }
    }

    private func text(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }

    /// A modifier with a space behind it, or nothing.
    private var modifier: String { access.map { "\($0) " } ?? "" }
}

// MARK: - Heads

extension SourceWriter {
    private func imports(for types: [TypeDeclaration], _ models: SwiftModels) -> [String] {
        let cores = types.flatMap(SourceWriter.cores)
        var imports: [String] = []
        if cores.contains(.date) || cores.contains(.url) { imports.append("import Foundation") }
        if !models.isPlain { imports.append("import JSONAPICodec") }
        if [.json, .jsonNumber, .jsonObject].contains(where: cores.contains) { imports.append("import JSONText") }
        return imports
    }

    /// The types of all properties in a declaration.
    private static func cores(of type: TypeDeclaration) -> [SwiftType] {
        type.properties.map(\.type.core) + type.nested.flatMap(cores)
    }

    /// How each kind of sample is read, once for each.
    private func usage(_ models: SwiftModels) -> [String] {
        guard !models.isPlain else { return [] }
        var known: Set<String> = []
        return models.samples.flatMap { sample -> [String] in
            guard let data = sample.data else { return [] }
            let lines =
                sample.isRequest
                ? [
                    "// var decoder = JSONAPIDecoder(); decoder.source = .request",
                    "// try decoder.decode(Document<\(data)>.self, from: data)",
                ]
                : ["// try JSONAPIDecoder().decode(Document<\(data)>.self, from: data)"]
            return known.insert(lines.joined()).inserted ? lines : []
        }
    }
}

// MARK: - Types

extension SourceWriter {
    /// Recursion ends with the levels at which objects are told apart.
    private func lines(_ type: TypeDeclaration) -> [String] {
        switch type.kind {
        case .union(let cases): return union(type.name, cases)
        case .value: return structure(type, conformance: "Codable, Hashable, Sendable", head: [], documentation: type.notes)
        case .resource(let resource, let isDirect):
            let documentation = ["Resources of the type \(SwiftText.shown(resource))."] + type.notes
            let head = ["\(modifier)static let type = \(SwiftText.quoted(resource))"]
            let lines = structure(type, conformance: "Resource", head: head, documentation: documentation)
            return isDirect ? SwiftText.separated([lines, DirectWriter(modifier: modifier).lines(type)]) : lines
        }
    }

    private func structure(_ type: TypeDeclaration, conformance: String, head: [String], documentation: [String]) -> [String] {
        let body = SwiftText.separated(
            [head + type.properties.flatMap(property), access == nil ? [] : initialiser(type), codingKeys(type)]
                + type.nested.map { lines($0) })
        return documentation.map { "/// \($0)" }
            + ["\(modifier)struct \(type.name): \(conformance) {"] + SwiftText.indented(body) + ["}"]
    }

    private func property(_ property: Property) -> [String] {
        property.notes.map { "/// \($0)" } + ["\(modifier)var \(SwiftName.escaped(property.name)): \(property.type.text)"]
    }

    /// Coding keys, where a name differs from its key.
    private func codingKeys(_ type: TypeDeclaration) -> [String] {
        guard type.properties.contains(where: { MemberKey($0.key) != MemberKey($0.name) }) else { return [] }
        let cases = type.properties.map { property in
            let name = SwiftName.escaped(property.name)
            return MemberKey(property.key) == MemberKey(property.name) ? "case \(name)" : "case \(name) = \(SwiftText.quoted(property.key))"
        }
        return ["enum CodingKeys: String, CodingKey {"] + SwiftText.indented(cases) + ["}"]
    }

    /// The memberwise initialiser, which the language keeps to the module.
    private func initialiser(_ type: TypeDeclaration) -> [String] {
        let parameters = type.properties.map { property in
            "\(SwiftName.escaped(property.name)): \(property.type.text)\(SourceWriter.standard(property.type))"
        }
        let assignments = type.properties.map { "self.\(SwiftName.escaped($0.name)) = \(SwiftName.escaped($0.name))" }
        let line = "\(modifier)init(\(parameters.joined(separator: ", "))) {"
        let head =
            line.utf8.count <= 100
            ? [line]
            : ["\(modifier)init("] + SwiftText.indented(parameters.dropLast().map { $0 + "," } + parameters.suffix(1)) + [") {"]
        return head + SwiftText.indented(assignments) + ["}"]
    }

    /// What a parameter is when it is not given.
    private static func standard(_ type: SwiftType) -> String {
        switch type {
        case .optional: " = nil"
        case .toOne, .toMany: " = .notLoaded"
        case .links: " = ResourceLinks()"
        default: ""
        }
    }

    private func union(_ name: String, _ cases: [TypeDeclaration.UnionCase]) -> [String] {
        let declared = cases.map { "case \(SwiftName.escaped($0.name))(\($0.model))" } + ["case unknown(ResourceObject)"]
        let rows = cases.map { ".init(\(name).\(SwiftName.escaped($0.name)))," }
        let members = ["\(modifier)static let members: [UnionMember<\(name)>] = ["] + SwiftText.indented(rows) + ["]"]
        let branches = (cases.map(\.name) + ["unknown"]).map { "case .\(SwiftName.escaped($0))(let value): value" }
        let resource =
            ["\(modifier)var resource: any ResourceRepresentable {"]
            + SwiftText.indented(["switch self {"] + branches + ["}"]) + ["}"]
        return ["/// Resources of several types; those of any other are kept as they are.", "\(modifier)enum \(name): ResourceUnion {"]
            + SwiftText.indented(SwiftText.separated([declared, members, resource])) + ["}"]
    }
}
