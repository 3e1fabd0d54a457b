import JSONAPICodec
import JSONText

/// A reason why a server responds to a query with status 400.
///
/// ```swift
/// let problem = Query(parsing: "includes=author").problems[0]
/// problem.parameter     // "includes"
/// problem.kind          // .reservedName
/// problem.message       // "The name consists of a-z only, which is reserved for the specification; did you mean `include`?"
/// problem.error.json    // {"status": "400", "title": …, "detail": …, "source": {"parameter": "includes"}}
/// ```
///
/// A problem contains names, never values of filters, pages or custom parameters. Two problems are equal when their parameters, kinds and
/// names are equal.
///
/// Specification: <https://jsonapi.org/format/1.1/#query-parameters-custom>
public struct QueryProblem: Error, Sendable {
    /// The kind of a problem. Kinds may be added, so always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind, for example `reservedName`.
        public let description: String
        /// Whether the name of the parameter alone requires status 400, whatever its value.
        public let isOfName: Bool
        let sentence: String

        private init(_ name: String, isOfName: Bool = true, _ sentence: String) {
            description = name
            self.isOfName = isOfName
            self.sentence = sentence
        }

        /// The base name, or a name in brackets, violates the rules for member names or extension parameters.
        public static let illegalName = Kind("illegalName", "The name of the parameter is illegal")
        /// The base name consists only of a–z, and the specification does not define it.
        public static let reservedName = Kind("reservedName", "The name consists of a-z only, which is reserved for the specification")
        /// The brackets are not well-formed or not allowed, or a `fields` does not have exactly one type.
        public static let illegalBrackets = Kind("illegalBrackets", "The brackets of the name are not valid")
        /// The namespace belongs to an extension that is not applied.
        public static let unknownExtension = Kind("unknownExtension", "The name belongs to an extension that is not applied")
        /// The server does not know or support the parameter.
        public static let unsupportedParameter = Kind("unsupportedParameter", "This endpoint does not support the parameter")
        /// A list contains an empty name.
        public static let emptyName = Kind("emptyName", isOfName: false, "The list contains an empty name")
        /// The server does not know or include a path.
        public static let unknownPath = Kind("unknownPath", isOfName: false, "This endpoint does not include the path")
        /// The server does not sort by a field.
        public static let unknownSortField = Kind("unknownSortField", isOfName: false, "This endpoint does not sort by the field")
    }

    /// The full name of the parameter, decoded.
    public let parameter: String
    /// The kind of the problem.
    public let kind: Kind
    /// The path or sort field that has the problem; nil when the parameter itself has it.
    public let name: String?
    /// A similar name that may have been meant; nil when there is none.
    public let nearest: String?

    init(_ parameter: String, _ kind: Kind, name: String? = nil, nearest: String? = nil) {
        self.parameter = parameter
        self.kind = kind
        self.name = name
        self.nearest = nearest
    }

    /// One sentence about the problem, with the solution if there is one.
    public var message: String {
        var text = kind.sentence
        if let name { text += ": `\(name.shown(60))`" }
        if kind == .illegalName { text += QueryParameterName(parameter).faultInWords.map { ": " + $0 } ?? "" }
        if kind == .illegalBrackets { text += Self.bracketRule(parameter) }
        if let nearest { text += "; did you mean `\(nearest)`?" } else { text += "." }
        return text
    }

    private static func bracketRule(_ parameter: String) -> String {
        switch QueryParameterName(parameter).base {
        case let base where base == "include" || base == "sort": ": `\(base)` has none"
        case "fields": ": they contain one type, as in `fields[articles]`"
        default: ": each pair closes before the next one opens, and nothing follows the last one"
        }
    }

    /// The problem as an error object with status 400.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#error-objects>
    public var error: ErrorObject {
        ErrorObject(
            status: "400", title: kind.isOfName ? "Invalid Query Parameter" : "Invalid Query Parameter Value", detail: message,
            source: ErrorSource(parameter: parameter))
    }
}

extension QueryProblem: ErrorDocumentRepresentable {
    /// A document with this error.
    public var errorDocument: ErrorDocument { ErrorDocument(errors: [error]) }
}

extension QueryProblem: Hashable, CustomStringConvertible {
    /// Whether parameter, kind and name are equal.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.kind == rhs.kind && UTF8Bytes.areEqual(lhs.parameter, rhs.parameter)
            && UTF8Bytes.areEqual(lhs.name ?? "", rhs.name ?? "")
    }

    /// Feeds kind and parameter to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        UTF8Bytes.hash(parameter, into: &hasher)
    }

    /// The parameter, and one sentence about the problem.
    public var description: String { "`\(parameter.shown(60))`: \(message)" }
}

extension String {
    /// Returns the beginning of the text for a message: at most `limit` scalars. Scalars that affect the text after them become U+FFFD.
    func shown(_ limit: Int) -> String {
        let replaced: [Unicode.GeneralCategory] = [.control, .format, .lineSeparator, .paragraphSeparator]
        let scalars = unicodeScalars.prefix(limit).map { replaced.contains($0.properties.generalCategory) ? "\u{FFFD}" : $0 }
        return String(UnicodeScalarView(scalars))
    }
}
