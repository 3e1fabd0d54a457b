import JSONText

/// Writes models as Swift source text.
package struct SourceWriter {
    /// `public`, `package`, or nil for internal.
    let access: String?
    /// The comment that says how to generate the text again; nil for none.
    let origin: String?

    package init(access: String?, origin: String? = nil) {
        self.access = access
        self.origin = origin
    }

    /// Returns one file with all models, and how to decode the samples.
    package func file(_ models: SwiftModels) -> String {
        let requests = models.files.compactMap(\.requests).map { RequestWriter(modifier: modifier, imports: []).lines($0) }
        guard requests.isEmpty else {
            let imports = imports(for: models.types, models) + ["import JSONAPIHTTP"]
            return text(SwiftText.separated([imports.sorted()] + models.types.map { lines($0) } + requests))
        }
        let guesses = models.guesses.isEmpty ? [] : ["// Guessed:"] + models.guesses.map { "// - \($0)" }
        return text(
            SwiftText.separated([imports(for: models.types, models)] + [usage(models)] + models.types.map { lines($0) } + [guesses]))
    }

    /// Returns a file for each model, with its name.
    package func files(_ models: SwiftModels) -> [(name: String, text: String)] {
        let files = models.files.isEmpty ? models.types.map { SwiftModels.File(name: $0.name, types: [$0]) } : models.files
        return files.map { file in
            if let requests = file.requests {
                let writer = RequestWriter(modifier: modifier, imports: ["import JSONAPICodec", "import JSONAPIHTTP"])
                return ("\(file.name).swift", text(head + writer.lines(requests)))
            }
            return (
                "\(file.name).swift", text(head + SwiftText.separated([imports(for: file.types, models)] + file.types.map { lines($0) }))
            )
        }
    }

    /// The comment at the start of each of several files.
    private var head: [String] { origin.map { ["// \($0)", ""] } ?? [] }

    private func text(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }

    /// The access modifier with a space, or an empty text.
    private var modifier: String { access.map { "\($0) " } ?? "" }
}

// MARK: - Heads

extension SourceWriter {
    private func imports(for types: [TypeDeclaration], _ models: SwiftModels) -> [String] {
        let cores = types.flatMap(SourceWriter.cores)
        var imports: [String] = []
        if [.date, .localDate, .decimal, .url].contains(where: cores.contains) { imports.append("import Foundation") }
        if types.contains(where: { needsCodec($0, models) }) { imports.append("import JSONAPICodec") }
        // A property wrapper, or a default value in a public signature, needs the module that declares it.
        if types.contains(where: SourceWriter.hasWrapper) || access != nil && types.contains(where: SourceWriter.hasField) {
            imports.append("import JSONMapping")
        }
        if [.json, .jsonNumber, .jsonObject].contains(where: cores.contains) { imports.append("import JSONText") }
        return imports
    }

    /// Whether a property of the type has a property wrapper of JSONMapping.
    private static func hasWrapper(_ type: TypeDeclaration) -> Bool {
        type.properties.contains { $0.role == .attribute && $0.wrapper != nil } || type.nested.contains(where: hasWrapper)
    }

    private static func hasField(_ type: TypeDeclaration) -> Bool {
        type.properties.contains { if case .field = $0.type { true } else { false } } || type.nested.contains(where: hasField)
    }

    /// Whether a type needs more than plain values.
    private func needsCodec(_ type: TypeDeclaration, _ models: SwiftModels) -> Bool {
        guard !models.files.isEmpty else { return !models.isPlain }
        switch type.kind {
        case .resource, .union, .fields: return true
        case .value, .enumeration: return false
        }
    }

    /// The types of all properties in a declaration.
    private static func cores(of type: TypeDeclaration) -> [SwiftType] {
        type.properties.map(\.type.core) + type.nested.flatMap(cores)
    }

    /// How to decode each kind of sample, once for each kind.
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
    /// Returns the lines of a type. The recursion is as deep as the nesting of objects with their own types.
    private func lines(_ type: TypeDeclaration) -> [String] {
        switch type.kind {
        case .union(let cases): return union(type.name, cases)
        case .enumeration(let cases): return EnumerationWriter(modifier: modifier).lines(type, cases)
        case .fields(let resource):
            let head = ["\(modifier)static let type = \(SwiftText.quoted(resource))"]
            return structure(type, conformance: "ResourceFields", head: head, documentation: type.notes)
        case .value: return value(type)
        case .resource(let resource, let isDirect):
            let documentation = ["Resources of the type \(SwiftText.shown(resource))."] + type.notes
            let head = ["\(modifier)static let type = \(SwiftText.quoted(resource))"] + restrictions(of: type)
            let conformance = head.count > 1 ? "Resource, RestrictedFields" : "Resource"
            let lines = structure(type, conformance: conformance, head: head, documentation: documentation)
            return isDirect ? SwiftText.separated([lines, DirectWriter(modifier: modifier).lines(type)]) : lines
        }
    }

    /// Returns the lines of a value. If it has property wrappers, its conformance has the modifier, because Swift 6.3 rejects them in a
    /// structure that has it.
    private func value(_ type: TypeDeclaration) -> [String] {
        let hasWrapper = type.properties.contains { $0.wrapper != nil }
        return structure(
            type, conformance: hasWrapper ? "nonisolated Codable, Hashable, Sendable" : "Codable, Hashable, Sendable", head: [],
            documentation: type.notes, isolation: hasWrapper ? "" : SwiftText.nonisolated)
    }

    private func structure(
        _ type: TypeDeclaration, conformance: String, head: [String], documentation: [String], isolation: String = ""
    ) -> [String] {
        let body = SwiftText.separated(
            [head + type.properties.flatMap(property), access == nil ? [] : initializer(type), codingKeys(type)]
                + type.nested.map { lines($0) })
        return RequestWriter.comment(documentation)
            + ["\(isolation)\(modifier)struct \(type.name): \(conformance) {"] + SwiftText.indented(body) + ["}"]
    }

    private func property(_ property: Property) -> [String] {
        let standard = property.initial ?? (property.wrapper != nil && property.type.isOptional ? "nil" : nil)
        let initial = standard.map { " = \($0)" } ?? ""
        let wrapper = property.wrapper.map { "@\($0) " } ?? ""
        return RequestWriter.comment(property.notes)
            + ["\(wrapper)\(modifier)var \(SwiftName.escaped(property.name)): \(property.type.text)\(initial)"]
    }

    /// The fields that clients do not write.
    private func restrictions(of type: TypeDeclaration) -> [String] {
        [("readOnlyFields", type.readOnlyFields), ("createOnlyFields", type.createOnlyFields)].flatMap { name, fields -> [String] in
            guard !fields.isEmpty else { return [] }
            let texts = fields.map(SwiftText.quoted)
            let line = "\(modifier)static let \(name) = [\(texts.joined(separator: ", "))]"
            guard line.utf8.count > 92 else { return [line] }
            return ["\(modifier)static let \(name) = ["] + SwiftText.indented(texts.map { $0 + "," }) + ["]"]
        }
    }

    /// Coding keys, if a name differs from its key.
    private func codingKeys(_ type: TypeDeclaration) -> [String] {
        guard type.properties.contains(where: { ByteText($0.key) != ByteText($0.name) }) else { return [] }
        let cases = type.properties.map { property in
            let name = SwiftName.escaped(property.name)
            return ByteText(property.key) == ByteText(property.name) ? "case \(name)" : "case \(name) = \(SwiftText.quoted(property.key))"
        }
        return ["enum CodingKeys: String, CodingKey {"] + SwiftText.indented(cases) + ["}"]
    }

    /// The memberwise initializer, because the synthesized one is internal.
    private func initializer(_ type: TypeDeclaration) -> [String] {
        let parameters = type.properties.map { property in
            "\(SwiftName.escaped(property.name)): \(property.type.text)\(SourceWriter.standard(property, type.kind))"
        }
        let assignments = type.properties.map { property in
            let name = SwiftName.escaped(property.name)
            return property.wrapper == nil ? "self.\(name) = \(name)" : "_\(property.name) = .init(wrappedValue: \(name))"
        }
        let head = SwiftText.call("\(modifier)init", parameters, ending: " {", longest: 100)
        return head + SwiftText.indented(assignments) + ["}"]
    }

    /// The default value of a parameter.
    private static func standard(_ property: Property, _ kind: TypeDeclaration.Kind) -> String {
        if case .fields = kind, property.initial == nil, !property.type.isOptional { return "" }
        if let initial = property.initial { return " = \(initial)" }
        return switch property.type {
        case .optional, .embeddedOne, .embeddedMany: " = nil"
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
        return [
            "/// Resources of several types; those of any other are kept as they are.",
            "\(SwiftText.nonisolated)\(modifier)enum \(name): ResourceUnion {",
        ]
            + SwiftText.indented(SwiftText.separated([declared, members, resource])) + ["}"]
    }
}
