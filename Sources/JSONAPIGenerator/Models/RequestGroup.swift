/// The requests of an API that are in one file.
struct RequestGroup {
    /// The name of the struct that they belong to.
    let api: String
    /// The declaration of that struct; nil for a file that extends it.
    var server: Server?
    var functions: [RequestFunction] = []
    /// The queries and their enumerations.
    var queries: [QueryDeclaration] = []
    var enumerations: [QueryEnumeration] = []

    /// The server of an API.
    struct Server {
        let notes: [String]
        let address: String
        /// The media type of most documents; nil for the media type of JSON:API.
        let mediaType: String?
    }
}

/// A function that creates a request.
struct RequestFunction {
    struct Parameter {
        /// The argument label, or `_` followed by the name.
        let label: String
        var name: String
        let type: String
        var standard: String?
    }

    let name: String
    let notes: [String]
    let parameters: [Parameter]
    let answer: String
    /// The function of the server that creates the request, with its arguments.
    let call: String
    let arguments: [String]
    /// Header fields, and the expressions for their values.
    var headers: [(field: String, value: String, isOptional: Bool)] = []
}

/// A struct with the parameters of a query.
struct QueryDeclaration {
    struct Parameter {
        let name: String
        let property: String
        let type: String
        let notes: [String]
        let isRequired: Bool
        let isRepeated: Bool
        /// The text between the values of a list that is not repeated; nil for a comma.
        var delimiter: String?
    }

    let name: String
    let operation: String
    let parameters: [Parameter]
}

/// The values of a query parameter that an API lists.
struct QueryEnumeration {
    let name: String
    let cases: [TypeDeclaration.EnumerationCase]
    let notes: [String]
}
