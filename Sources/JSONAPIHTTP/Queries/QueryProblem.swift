import JSONAPICodec
import JSONText

/// Why a server answers a query with 400.
///
/// ```swift
/// let problem = Query(parsing: "includes=author").problems[0]
/// problem.parameter     // "includes"
/// problem.kind          // .reservedName
/// problem.message       // "The name consists of a-z only, which is reserved for the specification; did you mean `include`?"
/// problem.error.json    // {"status": "400", "title": …, "detail": …, "source": {"parameter": "includes"}}
/// ```
///
/// It holds names, never values of filters, pages or custom parameters. Two problems are equal when parameter, kind and name are.
///
/// Specification: <https://jsonapi.org/format/1.1/#query-parameters-custom>
public struct QueryProblem: Error, Sendable {
    /// What is wrong. The set may grow: always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The kind's name, as `reservedName`.
        public let description: String
        /// Whether the name of the parameter alone forces the 400, whatever its value.
        public let isOfName: Bool
        let sentence: String

        private init(_ name: String, isOfName: Bool, _ sentence: String) {
            description = name
            self.isOfName = isOfName
            self.sentence = sentence
        }

        /// The base name, or what stands in brackets, breaks the rules for member names or extension parameters.
        public static let illegalName = Kind(
            "illegalName", isOfName: true, "The name of the parameter is illegal")
        /// A base name of a–z only, which is none of the specification's.
        public static let reservedName = Kind(
            "reservedName", isOfName: true, "The name consists of a-z only, which is reserved for the specification")
        /// Brackets that are not well-formed, or where there may be none, or a `fields` without one type.
        public static let illegalBrackets = Kind("illegalBrackets", isOfName: true, "The brackets of the name are not as they must be")
        /// The namespace of an extension that is not applied.
        public static let unknownExtension = Kind(
            "unknownExtension", isOfName: true, "The name belongs to an extension that is not applied")
        /// A parameter that the server does not know or support.
        public static let unsupportedParameter = Kind(
            "unsupportedParameter", isOfName: true, "This endpoint does not support the parameter")
        /// A list with an empty name in it.
        public static let emptyName = Kind("emptyName", isOfName: false, "The list has an empty name in it")
        /// A path that the server does not know or does not include.
        public static let unknownPath = Kind("unknownPath", isOfName: false, "This endpoint does not include the path")
        /// A sort field that the server does not sort by.
        public static let unknownSortField = Kind("unknownSortField", isOfName: false, "This endpoint does not sort by the field")
    }

    /// The whole name of the parameter, decoded.
    public let parameter: String
    /// What is wrong.
    public let kind: Kind
    /// The path or sort field that it is about; nil when it is about the parameter.
    public let name: String?
    /// What may have been meant.
    public let nearest: String?

    init(_ parameter: String, _ kind: Kind, name: String? = nil, nearest: String? = nil) {
        self.parameter = parameter
        self.kind = kind
        self.name = name
        self.nearest = nearest
    }

    /// The problem in words, with the cure when there is one.
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
        case let base where base == "include" || base == "sort": ": `\(base)` takes none"
        case "fields": ": there is one type in them, as in `fields[articles]`"
        default: ": each closes before the next opens, and nothing follows the last"
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

extension QueryProblem: Hashable, CustomStringConvertible {
    /// Whether parameter, kind and name are equal.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.kind == rhs.kind && UTF8Bytes.areEqual(lhs.parameter, rhs.parameter)
            && UTF8Bytes.areEqual(lhs.name ?? "", rhs.name ?? "")
    }

    /// Feeds parameter, kind and name to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        UTF8Bytes.hash(parameter, into: &hasher)
    }

    /// The parameter and the problem in words.
    public var description: String { "`\(parameter.shown(60))`: \(message)" }
}

extension String {
    /// The beginning of the text for a message: at most that many scalars, with U+FFFD for those that move what follows them.
    func shown(_ limit: Int) -> String {
        var shown = UnicodeScalarView()
        for scalar in unicodeScalars.prefix(limit) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: shown.append("\u{FFFD}")
            default: shown.append(scalar)
            }
        }
        return String(shown)
    }
}
