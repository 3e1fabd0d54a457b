import JSONText

/// One operation of a JSON:API service.
struct APIOperation {
    /// The body of a request.
    enum Body {
        case none
        /// A new resource, and which identity the client can choose.
        case create(ResourceSchema, allowsID: Bool, allowsLID: Bool)
        case update(ResourceSchema)
        case linkage(isToMany: Bool, isNullable: Bool)
        case atomic
        /// A JSON:API document of another form.
        case other
    }

    /// A parameter in the query or in a header.
    struct Parameter {
        let name: String
        let schema: JSON
        let description: String?
        let isRequired: Bool
        /// Whether a list repeats the parameter instead of joining its values.
        let isRepeated: Bool
        /// The text between the values of a list that is not repeated; nil for a comma.
        var delimiter: String?
    }

    let method: String
    let path: String
    /// `operationId`, or the method and the path.
    let name: String
    let tag: String?
    let text: [String]
    let isDeprecated: Bool
    var pathParameters: [String] = []
    var query: [Parameter] = []
    var headers: [Parameter] = []
    var body = Body.none
    /// The resources that the body creates or updates. They are set even if the body has another form, because it has several resources,
    /// resources of several types, or included ones.
    var changes: [Body] = []
    /// The media type of the body; nil for the media type of JSON:API.
    var contentType: String?
    /// The media type of the response; nil for the media type of JSON:API.
    var accepts: String?
    /// The data of the response.
    var answer = DocumentSchema.Data.none
    /// The schema of the resources that the response can include.
    var included: JSON?

    /// What the request leaves out, each with the reason.
    var omissions: [String] = []
    /// Whether only the path shows that the operation uses JSON:API.
    var isSilent = false

    /// The method and path, to show in messages.
    var shown: String { SwiftText.plain("\(method.uppercased()) \(path)") }

    /// The index of the path variable with the id of the resource at the path: the one with which the path ends. Nil if it ends otherwise,
    /// as `/users/{id}/profile` does.
    var idPosition: Int? {
        guard let last = path.split(separator: "/").last else { return nil }
        return pathParameters.lastIndex { last.utf8.starts(with: "{\($0)}".utf8) }
    }

    /// The parts of the path.
    var place: [ByteText] { path.split(separator: "/").map { ByteText(String($0)) } }

    /// The parts of the path of the collection that contains the resource; nil if the path does not end with an id.
    var collection: [ByteText]? { idPosition == nil ? nil : place.dropLast() }

    /// The resource types of the operation.
    var types: [String] {
        var types: [String] = []
        switch answer {
        case .resources(let resources, _, _): types += resources.map(\.type)
        case .identifiers(_, _, let identified): types += identified
        case .none, .atomic: break
        }
        for change in changes {
            switch change {
            case .create(let resource, _, _), .update(let resource): types.append(resource.type)
            default: break
            }
        }
        return types
    }
}
