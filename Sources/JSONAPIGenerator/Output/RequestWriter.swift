import JSONText

/// Writes the requests of an API as Swift source text.
struct RequestWriter {
    /// The access modifier of its members with a space, or an empty text.
    let modifier: String
    let imports: [String]

    func lines(_ group: RequestGroup) -> [String] {
        let queries = group.queries.map(query)
        let enumerations = group.enumerations.map(enumeration)
        let functions = group.functions.map(function)
        let body = functions.isEmpty ? [] : ["extension \(group.api) {"] + SwiftText.indented(SwiftText.separated(functions)) + ["}"]
        return SwiftText.separated([imports] + [group.server.map { api($0, named: group.api) } ?? []] + [body] + queries + enumerations)
    }

    static func comment(_ notes: [String]) -> [String] { notes.map { $0.isEmpty ? "///" : "/// \($0)" } }
}

// MARK: - The API

extension RequestWriter {
    private func api(_ server: RequestGroup.Server, named name: String) -> [String] {
        var initializer = [
            "/// The API at that address.",
            "\(modifier)init(_ address: String = \(SwiftText.quoted(server.address))) {",
            "    server = JSONAPIServer(address)",
        ]
        if let mediaType = server.mediaType {
            initializer.append("    server.mediaType = (try? MediaType(parsing: \(SwiftText.quoted(mediaType)))) ?? .jsonapi")
        }
        initializer.append("}")
        let property = [
            "/// The server: its address, header fields, encoder and decoder.", "\(modifier)var server: JSONAPIServer",
        ]
        return RequestWriter.comment(server.notes) + ["\(modifier)struct \(name): Sendable {"]
            + SwiftText.indented(SwiftText.separated([property, initializer])) + ["}"]
    }

    private func function(_ function: RequestFunction) -> [String] {
        let parameters = function.parameters.map { parameter in
            let name = SwiftName.escaped(parameter.name)
            let label = parameter.label == "_" ? "_ \(name)" : name
            return "\(label): \(parameter.type)\(parameter.standard.map { " = \($0)" } ?? "")"
        }
        let answer = "JSONAPIRequest<\(function.answer)>"
        return RequestWriter.comment(function.notes)
            + SwiftText.call(
                "\(modifier)func \(SwiftName.escaped(function.name))", parameters, ending: " throws -> \(answer) {")
            + SwiftText.indented(body(of: function, answer)) + ["}"]
    }

    private func body(of function: RequestFunction, _ answer: String) -> [String] {
        guard !function.headers.isEmpty else { return SwiftText.call("try \(function.call)", function.arguments, ending: "") }
        let headers = function.headers.map { header in
            let setting = "request.headers[\(SwiftText.quoted(header.field))] = \(header.value)"
            return header.isOptional ? "if let \(header.value) { \(setting) }" : setting
        }
        let call = SwiftText.call("var request: \(answer) = try \(function.call)", function.arguments, ending: "")
        return call + headers + ["return request"]
    }
}

// MARK: - Queries

extension RequestWriter {
    private func query(_ query: QueryDeclaration) -> [String] {
        let properties = query.parameters.flatMap { parameter in
            RequestWriter.comment(parameter.notes.isEmpty ? ["`\(SwiftText.plain(parameter.name))`"] : parameter.notes) + [
                "\(modifier)var \(SwiftName.escaped(parameter.property)): \(parameter.type)\(parameter.isRequired ? "" : "?")"
            ]
        }
        let more = ["/// Other parameters, in front of these.", "\(modifier)var more = Query()"]
        let appended = query.parameters.map { parameter in
            let label = parameter.isRepeated ? "each: " : ""
            return "query.append(\(SwiftText.quoted(parameter.name)), \(label)\(RequestWriter.value(of: parameter)))"
        }
        let computed =
            ["/// All parameters as a query.", "\(modifier)var query: Query {", "    var query = more"] + SwiftText.indented(appended)
            + ["    return query", "}"]
        return ["/// The query of `\(query.operation)`.", "\(modifier)struct \(query.name): Sendable {"]
            + SwiftText.indented(SwiftText.separated([properties + more, initializer(query), computed])) + ["}"]
    }

    /// The expression for the value of a parameter. A query itself joins lists with commas.
    private static func value(of parameter: QueryDeclaration.Parameter) -> String {
        let name = SwiftName.escaped(parameter.property)
        guard let delimiter = parameter.delimiter else { return name }
        return "\(name)\(parameter.isRequired ? "" : "?").map(\\.queryText).joined(separator: \(SwiftText.quoted(delimiter)))"
    }

    /// The memberwise initializer, because the synthesized one is internal.
    private func initializer(_ query: QueryDeclaration) -> [String] {
        guard !modifier.isEmpty else { return [] }
        let parameters =
            query.parameters.map { parameter in
                "\(SwiftName.escaped(parameter.property)): \(parameter.type)\(parameter.isRequired ? "" : "? = nil")"
            } + ["more: Query = Query()"]
        let assignments = (query.parameters.map(\.property) + ["more"]).map { "self.\(SwiftName.escaped($0)) = \(SwiftName.escaped($0))" }
        return ["/// A query of those parameters."] + SwiftText.call("\(modifier)init", parameters, ending: " {")
            + SwiftText.indented(assignments) + ["}"]
    }

    private func enumeration(_ enumeration: QueryEnumeration) -> [String] {
        let cases = enumeration.cases.map { entry in
            let name = SwiftName.escaped(entry.name)
            return ByteText(entry.name) == ByteText(entry.value) ? "case \(name)" : "case \(name) = \(SwiftText.quoted(entry.value))"
        }
        return RequestWriter.comment(enumeration.notes)
            + ["\(modifier)enum \(enumeration.name): String, QueryValue, CaseIterable {"] + SwiftText.indented(cases) + ["}"]
    }
}
