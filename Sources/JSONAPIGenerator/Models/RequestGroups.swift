import Foundation
import JSONText

/// Converts the operations of an API to functions that create requests, with one file for each tag or first part of the path.
struct RequestGroups {
    private let api: String
    private let server: RequestGroup.Server
    private let operations: [APIOperation]
    private let reader: SchemaReader
    /// The enumerations by their values, and the index of each.
    private var enumerations: [[String]: String] = [:]
    private var functionNames = NameScope(taken: ["server", "init", "self"])

    init(_ models: APIModels) {
        reader = models.reader
        operations = models.operations
        let info = reader.document.root["info"]
        let title = SwiftName.upperCamel(info?["title"]?.string ?? "")
        api = models.settings.prefix + (title.hasSuffix("API") ? title : title + "API")
        let version = info?["version"]?.string.map { ", version \($0)" } ?? ""
        server = RequestGroup.Server(
            notes: SwiftText.documentation("The requests of \(info?["title"]?.string ?? "an API")\(version)."),
            address: RequestGroups.address(reader.document.root["servers"]?[0]),
            mediaType: RequestGroups.mostCommon(models.operations.map { $0.contentType ?? $0.accepts }))
    }

    /// The address of a server, with variables replaced by their defaults. A default is text: braces in it are no variables.
    private static func address(_ server: JSON?) -> String {
        let parts = (server?["url"]?.string ?? "").split(separator: "}", omittingEmptySubsequences: false)
        var defaults: [ByteText: String] = [:]
        for variable in server?["variables"]?.object ?? [:] { defaults[ByteText(variable.name)] = variable.value["default"]?.string ?? "" }
        var address = ""
        for part in parts.dropLast() {
            if let brace = part.lastIndex(of: "{"), let text = defaults[ByteText(String(part[brace...].dropFirst()))] {
                address += String(part[..<brace]) + text
            } else {
                address += String(part) + "}"
            }
        }
        address += String(parts.last ?? "")
        return address == "/" ? "" : address
    }

    private static func mostCommon(_ types: [String?]) -> String? {
        var counts: [String: Int] = [:]
        for type in types { counts[type ?? "", default: 0] += 1 }
        let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
        return most.flatMap { $0.key.isEmpty ? nil : $0.key }
    }

    /// Returns the files with requests, by name; empty for an API without operations.
    mutating func groups(_ models: inout APIModels) -> [(String, RequestGroup)] {
        guard !operations.isEmpty else { return [] }
        let apiName = models.naming.typeNames.take(ReservedNames.type(api, word: "API"))
        var groups: [(String, RequestGroup)] = [(apiName, RequestGroup(api: apiName, server: server))]
        var positions: [String: Int] = [:]
        for operation in operations {
            let base = RequestGroups.group(of: operation)
            let position = positions[base] ?? groups.count
            if position == groups.count {
                positions[base] = position
                groups.append((models.naming.typeNames.take(models.settings.prefix + base + "Requests"), RequestGroup(api: apiName)))
            }
            add(operation, to: &groups[position].1, &models)
        }
        return groups
    }

    /// The tag, or the first part of the path that is not a version or a variable.
    private static func group(of operation: APIOperation) -> String {
        let tag = operation.tag.map(SwiftName.upperCamel) ?? ""
        guard tag.isEmpty else { return tag }
        let parts = operation.path.split(separator: "/").filter { !$0.hasPrefix("{") && $0 != "api" }
        let named = parts.first { !($0.hasPrefix("v") && $0.dropFirst().allSatisfy(\.isNumber)) } ?? parts.first ?? ""
        let name = SwiftName.upperCamel(String(named))
        return name.isEmpty ? "Other" : name
    }
}

// MARK: - Functions

extension RequestGroups {
    private mutating func add(_ operation: APIOperation, to group: inout RequestGroup, _ models: inout APIModels) {
        let base = SwiftName.lowerCamel(operation.name)
        let name = functionNames.take(ReservedNames.property(base) ?? (base.isEmpty ? "request" : base))
        var names = NameScope(taken: ["server", "request", "self", "query", "body", "operations", "identifier", "identifiers"])
        var parameters: [RequestFunction.Parameter] = []
        var values: [String] = []
        for variable in operation.pathParameters {
            let own = names.properties(for: [variable], reserved: ReservedNames.property)[0]
            parameters.append(.init(label: own, name: own, type: "String"))
            values.append("\(SwiftText.quoted(variable)): \(SwiftName.escaped(own))")
        }
        let path = SwiftText.quoted(operation.path)
        let variables = values.isEmpty ? [] : ["[\(values.joined(separator: ", "))]"]
        let body = self.body(operation, &names, &parameters, models)
        let headers = self.headers(operation, &names, &parameters)
        if case .atomic = operation.body {
            group.functions.append(
                RequestFunction(
                    name: name, notes: notes(operation), parameters: parameters, answer: "AtomicAnswer",
                    call: "server.send", arguments: ["operations", "to: \(path)"] + variables, headers: headers))
            return
        }
        let query = self.query(operation, name, &parameters, &group, &models)
        let answer = answer(operation, &models)
        let isRead = operation.method == "get"
        let arguments =
            (isRead ? [] : [RequestGroups.method(operation.method)]) + [path] + variables + ["query: \(query)"]
            + (body.map { ["body: \($0)"] } ?? [])
        group.functions.append(
            RequestFunction(
                name: name, notes: notes(operation), parameters: parameters, answer: answer,
                call: isRead ? "server.get" : "server.send", arguments: arguments, headers: headers))
    }

    private static func method(_ name: String) -> String { name == "put" ? "RequestMethod(\"PUT\")" : ".\(name)" }

    private func notes(_ operation: APIOperation) -> [String] {
        var notes = SwiftText.documentation("\(operation.method.uppercased()) \(operation.path)")
        for text in operation.text { notes += [""] + SwiftText.documentation(text) }
        if operation.isDeprecated { notes += ["", "Deprecated."] }
        return notes
    }

    /// Adds the parameters for the body, and returns the expression for it.
    private func body(
        _ operation: APIOperation, _ names: inout NameScope, _ parameters: inout [RequestFunction.Parameter], _ models: APIModels
    ) -> String? {
        switch operation.body {
        case .none: return nil
        case .atomic:
            parameters.append(.init(label: "_", name: "operations", type: "AtomicOperations"))
            return "operations"
        case .create(let resource, let allowsID, let allowsLID):
            guard let fields = models.requestFields(of: resource.type, isUpdate: false) else { return raw(&parameters) }
            parameters.append(.init(label: "_", name: "body", type: fields))
            var arguments = "body"
            for (isAllowed, argument) in [(allowsID, "id"), (allowsLID, "lid")] where isAllowed {
                let name = names.take(argument == "id" ? "clientID" : "lid")
                parameters.append(.init(label: name, name: name, type: "String?", standard: "nil"))
                arguments += ", \(argument): \(name)"
            }
            return "Create(\(arguments))"
        case .update(let resource):
            guard let fields = models.requestFields(of: resource.type, isUpdate: true) else { return raw(&parameters) }
            let id: String
            if let position = operation.idPosition {
                id = SwiftName.escaped(parameters[position].name)
            } else {
                id = names.take("resourceID")
                parameters.append(.init(label: id, name: id, type: "String"))
            }
            parameters.append(.init(label: "_", name: "body", type: fields))
            return "Patch(id: \(id), body)"
        case .linkage(true, _):
            let kind = ["post": "adding", "delete": "removing"][operation.method] ?? "replacing"
            parameters.append(.init(label: "_", name: "identifiers", type: "[ResourceIdentifier]"))
            return "Linkage(\(kind): identifiers)"
        case .linkage(false, let isNullable):
            parameters.append(.init(label: "_", name: "identifier", type: isNullable ? "ResourceIdentifier?" : "ResourceIdentifier"))
            return "Linkage(replacing: identifier)"
        case .other: return raw(&parameters)
        }
    }

    /// Adds a parameter for any document, for a body without its own type. Returns the expression for it.
    private func raw(_ parameters: inout [RequestFunction.Parameter]) -> String {
        parameters.append(.init(label: "_", name: "body", type: "some DocumentBody"))
        return "body"
    }

    private mutating func answer(_ operation: APIOperation, _ models: inout APIModels) -> String {
        let primary: String
        switch operation.answer {
        case .none, .atomic: primary = "NoData"
        case .identifiers(let isArray, let isNullable, _):
            primary = isArray ? "[ResourceIdentifier]" : isNullable ? "ResourceIdentifier?" : "ResourceIdentifier"
        case .resources(let resources, let isArray, let isNullable):
            let types = resources.map(\.type)
            let base = types.first.map { models.naming.full(SwiftName.singularUpperCamel($0)) } ?? ""
            let element = models.element(of: types, named: base + "Union")
            primary = isArray ? "[\(element)]" : isNullable ? "\(element)?" : element
        }
        return operation.method == "get" ? "Document<\(primary)>" : "ChangeAnswer<\(primary)>"
    }
}

// MARK: - Headers and queries

extension RequestGroups {
    private func headers(
        _ operation: APIOperation, _ names: inout NameScope, _ parameters: inout [RequestFunction.Parameter]
    ) -> [(field: String, value: String, isOptional: Bool)] {
        var headers: [(field: String, value: String, isOptional: Bool)] = []
        for parameter in operation.headers {
            let name = names.properties(for: [parameter.name], reserved: ReservedNames.property)[0]
            let standard = parameter.schema["default"]?.string
            let isOptional = !parameter.isRequired && standard == nil
            parameters.append(
                .init(
                    label: name, name: name, type: isOptional ? "String?" : "String",
                    standard: isOptional ? "nil" : standard.map(SwiftText.quoted)))
            headers.append((parameter.name, SwiftName.escaped(name), isOptional))
        }
        let own = "application/vnd.api+json"
        // Requests with atomic operations name their extension in the media type of JSON:API, whatever that of the server is.
        let standard = if case .atomic = operation.body { String?.none } else { server.mediaType }
        // Without documents in the response, any media type will do.
        let isEmpty = if case .none = operation.answer { operation.accepts == nil } else { false }
        if !isEmpty, operation.accepts != standard { headers.append(("Accept", SwiftText.quoted(operation.accepts ?? own), false)) }
        if case .none = operation.body { return headers }
        if operation.contentType != standard {
            headers.append(("Content-Type", SwiftText.quoted(operation.contentType ?? own), false))
        }
        return headers
    }

    /// Adds the parameter for the query, and returns the expression for it.
    private mutating func query(
        _ operation: APIOperation, _ function: String, _ parameters: inout [RequestFunction.Parameter], _ group: inout RequestGroup,
        _ models: inout APIModels
    ) -> String {
        guard !operation.query.isEmpty else {
            parameters.append(.init(label: "_", name: "query", type: "Query", standard: "Query()"))
            return "query"
        }
        let base = models.settings.prefix + function.prefix(1).uppercased() + function.dropFirst()
        let name = models.naming.typeNames.take(ReservedNames.type(base + "Query", word: "Query"))
        var names = NameScope(taken: ["query", "more", "self"])
        let chosen = names.properties(for: operation.query.map(\.name), reserved: ReservedNames.property)
        let declared = zip(operation.query, chosen).map { parameter, property in
            QueryDeclaration.Parameter(
                name: parameter.name, property: property, type: type(of: parameter, operation, &group, &models),
                notes: parameter.description.map { SwiftText.documentation($0) } ?? [], isRequired: parameter.isRequired,
                isRepeated: parameter.isRepeated, delimiter: parameter.delimiter)
        }
        group.queries.append(
            QueryDeclaration(
                name: name, operation: function, parameters: declared.filter(\.isRequired) + declared.filter { !$0.isRequired }))
        let isOptional = !declared.contains(where: \.isRequired)
        parameters.append(.init(label: "_", name: "query", type: name, standard: isOptional ? "\(name)()" : nil))
        return "query.query"
    }

    private mutating func type(
        of parameter: APIOperation.Parameter, _ operation: APIOperation, _ group: inout RequestGroup, _ models: inout APIModels
    ) -> String {
        let flat = reader.flat(parameter.schema)
        guard flat.isArray else { return scalar(flat, parameter, operation, &group, &models) }
        let items = flat.items.map { reader.flat($0) } ?? FlatSchema()
        return "[\(scalar(items, parameter, operation, &group, &models))]"
    }

    private mutating func scalar(
        _ flat: FlatSchema, _ parameter: APIOperation.Parameter, _ operation: APIOperation, _ group: inout RequestGroup,
        _ models: inout APIModels
    ) -> String {
        if let cases = ValueSchemas.cases(of: flat) { return enumeration(cases, parameter, operation, &group, &models) }
        switch ValueSchemas.scalar(flat.types, nil) {
        case .int where flat.alternatives.isEmpty: return "Int"
        case .double where flat.alternatives.isEmpty: return "Double"
        case .bool where flat.alternatives.isEmpty: return "Bool"
        default: return "String"
        }
    }

    /// Returns the enumeration for a parameter. Parameters with the same name and values share one.
    private mutating func enumeration(
        _ cases: [TypeDeclaration.EnumerationCase], _ parameter: APIOperation.Parameter, _ operation: APIOperation,
        _ group: inout RequestGroup, _ models: inout APIModels
    ) -> String {
        let key = [parameter.name] + cases.map(\.value)
        if let name = enumerations[key] { return name }
        let base: String
        if parameter.name.hasPrefix("fields["), parameter.name.hasSuffix("]") {
            base = SwiftName.singularUpperCamel(String(parameter.name.dropFirst("fields[".count).dropLast())) + "Field"
        } else {
            let subject = operation.types.first.map(SwiftName.singularUpperCamel) ?? ""
            base = subject + SwiftName.singularUpperCamel(parameter.name)
        }
        let name = models.naming.typeNames.take(ReservedNames.type(models.settings.prefix + base, word: "Value"))
        enumerations[key] = name
        group.enumerations.append(
            QueryEnumeration(
                name: name, cases: cases, notes: SwiftText.documentation("Values of the parameter `\(parameter.name)`.")))
        return name
    }
}
