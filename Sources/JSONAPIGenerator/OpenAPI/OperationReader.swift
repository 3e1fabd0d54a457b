import JSONText

/// Reads the operations of an OpenAPI description.
///
/// <https://spec.openapis.org/oas/v3.1.0#operation-object>
struct OperationReader {
    let reader: SchemaReader
    private var document: OpenAPIDocument { reader.document }

    static let methods = ["get", "post", "put", "patch", "delete"]

    init(_ reader: SchemaReader) { self.reader = reader }

    /// Returns the operations that use JSON:API, and the others by method and path.
    func operations() -> (operations: [APIOperation], others: [String]) {
        var paths: [(methods: [String], name: String, found: [APIOperation])] = []
        for path in document.root["paths"]?.object ?? [:] {
            guard let item = document.resolved(path.value)?.object else { continue }
            let members = item.filter { OperationReader.methods.contains($0.name) }
            paths.append((members.map(\.name), path.name, members.compactMap { operation($0, path.name, item) }))
        }
        let places = Set(paths.flatMap(\.found).filter { !$0.isSilent }.map(\.place))
        var operations: [APIOperation] = []
        var others: [String] = []
        for path in paths {
            // A request without a document counts as JSON:API if other operations of its path do. A path that only has DELETE can be that of a
            // resource in a collection with such operations.
            let isOwn = path.found.first.map { places.contains($0.place) } ?? false
            let isInCollection = path.methods == ["delete"] && path.found.first?.collection.map(places.contains) ?? false
            let found = isOwn || isInCollection ? path.found : []
            let names = Set(found.map(\.method))
            others += path.methods.filter { !names.contains($0) }.map { SwiftText.plain("\($0.uppercased()) \(path.name)") }
            operations += found
        }
        return (operations, others)
    }

    private func operation(_ member: JSONObject.Member, _ path: String, _ item: JSONObject) -> APIOperation? {
        let json = member.value
        let written = json["operationId"]?.string ?? ""
        var operation = APIOperation(
            method: member.name, path: path, name: written.isEmpty ? "\(member.name) \(path)" : written,
            tag: json["tags"]?[0]?.string, text: ["summary", "description"].compactMap { json[$0]?.string },
            isDeprecated: json["deprecated"]?.bool == true)
        if json["servers"] ?? item["servers"] != nil {
            operation.omissions.append("the address under servers, since all requests go to that of the configuration")
        }
        addParameters(json["parameters"], item["parameters"], to: &operation)
        guard addBody(json["requestBody"], to: &operation), addAnswer(json["responses"], to: &operation) else { return nil }
        return operation
    }
}

// MARK: - Parameters

extension OperationReader {
    private func addParameters(_ own: JSON?, _ shared: JSON?, to operation: inout APIOperation) {
        var known: Set<ByteText> = []
        for entry in Array(own?.array ?? []) + Array(shared?.array ?? []) {
            guard let parameter = document.resolved(entry), let name = parameter["name"]?.string,
                let place = parameter["in"]?.string, known.insert(ByteText("\(place) \(name)")).inserted
            else { continue }
            switch place {
            case "query":
                let parameters = query(name, parameter)
                operation.query += parameters
                if parameters.isEmpty {
                    operation.omissions.append("the members of \(SwiftText.shown(name)), which have no names; append them to the query")
                }
            case "header" where !OperationReader.isOwnHeader(name): operation.headers.append(plain(name, parameter))
            case "cookie" where parameter["required"]?.bool == true:
                operation.omissions.append("the cookie \(SwiftText.shown(name)), which the configuration can send as a header")
            default: break
            }
        }
        operation.pathParameters = OperationReader.variables(in: operation.path)
    }

    /// Whether a header field follows from the documents, or OpenAPI describes it elsewhere.
    private static func isOwnHeader(_ name: String) -> Bool { ["accept", "content-type", "authorization"].contains(name.lowercased()) }

    /// The names in braces, each once.
    static func variables(in path: String) -> [String] {
        let names = path.split(separator: "{").dropFirst(path.hasPrefix("{") ? 0 : 1).compactMap { part in
            part.firstIndex(of: "}").map { String(part[..<$0]) }
        }
        return ByteText.distinct(names)
    }

    private func plain(_ name: String, _ parameter: JSON) -> APIOperation.Parameter {
        APIOperation.Parameter(
            name: name, schema: schema(of: parameter), description: parameter["description"]?.string,
            isRequired: parameter["required"]?.bool == true, isRepeated: false)
    }

    private func schema(of parameter: JSON) -> JSON {
        parameter["schema"] ?? parameter["content"]?.object?.first?.value["schema"] ?? JSON.object([:])
    }

    /// Returns one parameter for each value: an object becomes a parameter for each of its properties, if its style says so. There is none
    /// for an object of any members.
    ///
    /// <https://spec.openapis.org/oas/v3.1.0#style-examples>
    private func query(_ name: String, _ parameter: JSON) -> [APIOperation.Parameter] {
        let schema = schema(of: parameter)
        let flat = reader.flat(schema)
        let style = parameter["style"]?.string ?? "form"
        let isExploded = parameter["explode"]?.bool ?? (style == "form")
        // A value in a media type is one text, whatever its schema is.
        let isText = parameter["schema"] == nil
        if flat.isObject, !isText, isExploded || style == "deepObject" {
            return flat.properties.map { property in
                APIOperation.Parameter(
                    name: style == "deepObject" ? "\(name)[\(property.name)]" : property.name, schema: property.schema,
                    description: parameter["description"]?.string,
                    isRequired: parameter["required"]?.bool == true && flat.requires(property.name), isRepeated: false)
            }
        }
        // Parameters that the specification defines as lists are never repeated.
        let isList = ["include", "sort"].contains(name) || name.hasPrefix("fields[")
        let isArray = flat.isArray && !isText
        let isRepeated = isExploded && !isList && isArray
        return [
            APIOperation.Parameter(
                name: name, schema: isText || flat.isObject ? ["type": "string"] : schema, description: parameter["description"]?.string,
                isRequired: parameter["required"]?.bool == true, isRepeated: isRepeated,
                delimiter: isArray && !isRepeated && !isList ? OperationReader.delimiters[style] : nil)
        ]
    }

    /// The text between the values of a list, for the styles that do not use commas.
    ///
    /// <https://spec.openapis.org/oas/v3.1.0#style-values>
    private static let delimiters = ["pipeDelimited": "|", "spaceDelimited": " "]
}

// MARK: - Bodies and answers

extension OperationReader {
    /// The media type and schema of a JSON document; nil if there is none.
    private func document(in content: JSON?) -> (mediaType: String?, schema: JSON)? {
        let all = (content?.object ?? [:]).compactMap { member -> (essence: String, schema: JSON)? in
            let essence = member.name.split(separator: ";").first.map { $0.lowercased().filter { $0 != " " } } ?? ""
            guard essence.hasSuffix("/json") || essence.hasSuffix("+json"), let schema = member.value["schema"] else { return nil }
            return (essence, schema)
        }
        let own = "application/vnd.api+json"
        guard let chosen = all.first(where: { $0.essence == own }) ?? all.first else { return nil }
        return (chosen.essence == own ? nil : chosen.essence, chosen.schema)
    }

    /// Whether the path is that of a relationship, such as `/articles/{id}/relationships/author`. Without a variable before it,
    /// `relationships` can be a resource type.
    private func isLinkage(_ operation: APIOperation) -> Bool {
        let parts = operation.path.split(separator: "/")
        return parts.indices.dropFirst().dropLast().contains { parts[$0] == "relationships" && parts[$0 - 1].last == "}" }
    }

    /// Adds the body of the request. Returns false if the body is not JSON:API.
    private func addBody(_ body: JSON?, to operation: inout APIOperation) -> Bool {
        guard let content = self.document.resolved(body)?["content"], content.object?.isEmpty == false else { return true }
        guard operation.method != "get" else {
            operation.omissions.append("the body, since requests to fetch have none")
            return true
        }
        guard let (mediaType, schema) = document(in: content), let document = reader.document(schema, isLinkage: isLinkage(operation))
        else { return false }
        operation.contentType = mediaType
        operation.changes = changes(document, operation)
        operation.body = self.body(document, operation)
        return true
    }

    private func body(_ document: DocumentSchema, _ operation: APIOperation) -> APIOperation.Body {
        switch document.data {
        case .atomic: return .atomic
        case .identifiers(let isArray, let isNullable, _): return .linkage(isToMany: isArray, isNullable: isNullable)
        case .resources(let resources, let isArray, _):
            // The fields alone do not say which resources to include, or which of several types is meant.
            let isClear = !isArray && !document.hasIncluded && Set(resources.map { ByteText($0.type) }).count == 1
            return isClear ? operation.changes.first ?? .other : .other
        case .none: return .other
        }
    }

    /// Returns the resources that a body creates or updates.
    private func changes(_ document: DocumentSchema, _ operation: APIOperation) -> [APIOperation.Body] {
        guard case .resources(let resources, _, _) = document.data else { return [] }
        // A type can have several schemas.
        let types = { (member: String) -> Set<ByteText> in
            let found = resources.filter { resource in
                reader.parts(of: resource.schema, type: resource.type).contains { $0.property(member) != nil }
            }
            return Set(found.map { ByteText($0.type) })
        }
        let (withID, withLID) = (types("id"), types("lid"))
        return resources.compactMap { resource in
            let type = ByteText(resource.type)
            let isUpdate = operation.method == "patch" || operation.method == "put" && withID.contains(type)
            if isUpdate { return .update(resource) }
            guard operation.method == "post" || operation.method == "put" else { return nil }
            return .create(resource, allowsID: withID.contains(type), allowsLID: withLID.contains(type))
        }
    }

    /// Adds the response. Returns false if there is a response that is not JSON:API.
    private func addAnswer(_ responses: JSON?, to operation: inout APIOperation) -> Bool {
        var hasOther = false
        var chosen: (status: String, schema: JSON)?
        for member in responses?.object ?? [:] where member.name.utf8.first == UInt8(ascii: "2") {
            guard let content = self.document.resolved(member.value)?["content"], content.object?.isEmpty == false else { continue }
            guard let (mediaType, schema) = document(in: content), let answer = reader.document(schema, isLinkage: isLinkage(operation))
            else {
                hasOther = true
                continue
            }
            if let chosen {
                guard chosen.schema != schema else { continue }
                operation.omissions.append(
                    "the form of the response \(SwiftText.plain(member.name)), since the result is that of \(SwiftText.plain(chosen.status))"
                )
                continue
            }
            chosen = (member.name, schema)
            operation.accepts = mediaType
            operation.answer = answer.data
            operation.included = answer.included
        }
        guard chosen == nil else { return true }
        guard !hasOther else { return false }
        guard case .none = operation.body else { return true }
        operation.isSilent = !hasJSONAPIErrors(responses)
        return operation.method != "get"
    }

    /// Whether the responses with errors are documents of JSON:API.
    private func hasJSONAPIErrors(_ responses: JSON?) -> Bool {
        (responses?.object ?? [:]).contains { member in
            let content = self.document.resolved(member.value)?["content"]
            return document(in: content).map { reader.flat($0.schema).property("errors") != nil } ?? false
        }
    }
}
