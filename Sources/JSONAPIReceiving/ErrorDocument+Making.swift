import JSONAPICodec
import JSONMapping
import JSONText

// Errors of the server as a document for the client.

extension ErrorDocument {
    /// Creates the response to a request that caused the given error.
    ///
    /// ```swift
    /// do {
    ///     article = try decoder.decode(Article.self, from: body)
    /// } catch {
    ///     return JSONAPIResponse(error)     // for example 422, /data/attributes/title
    /// }
    /// ```
    ///
    /// A `DecodingError` of `JSONAPIDecoder` becomes an error with a pointer. Its status is 400 for a text that is not a valid document; 409
    /// for a resource of another type; 413 for a document that is too large; and 422 for a field that does not fit the model: a missing
    /// attribute, a value of another JSON type, or an invalid value, such as a text that is not a date. If the decoder collects all problems
    /// (`problems = .all`), each becomes an error, up to `maximumBytes`. A `DecodingError` of another decoder, for example for the server's
    /// own files, also becomes 400; catch it before.
    ///
    /// An `ErrorDocument` stays as it is, and so do the documents of a rejected negotiation, a failed precondition, a validation report, a
    /// query problem and every other `ErrorDocumentRepresentable`. A header that is not a media type becomes status 400. The
    /// `ValidationError` of a schema becomes a 422 for each problem, up to `maximumBytes`. The `EncodingError` for include paths that exceed
    /// the encoder's limit becomes 400 for the parameter. Every other error becomes status 500 without any
    /// details.
    public init(_ error: any Error) {
        switch error {
        case let error as any ErrorDocumentRepresentable: self = error.errorDocument
        case let error as ValidationError where error.issues.isEmpty: self.init(errors: [.invalid])
        case let error as ValidationError: self.init(errors: ErrorDocument.errors(of: error.issues) { ErrorObject($0) })
        case let failure as DecodingFailure: self.init(errors: ErrorDocument.errors(of: failure))
        case let error as DecodingError: self.init(errors: error.failure.map { ErrorDocument.errors(of: $0) } ?? [.unreadable])
        case let error as EncodingError where error.failure?.kind == .includeLimit: self.init(errors: [.longInclude])
        default: self.init(errors: [.internalError])
        }
    }

    /// The maximum size of the errors for many problems together: 1 MiB. Further problems are left out, and a last error states their
    /// number.
    ///
    /// Each error repeats names from the document. Without a limit, a small request could cause a very large response.
    public static let maximumBytes = 1 << 20

    private static func errors(of failure: DecodingFailure) -> [ErrorObject] {
        errors(of: [failure] + failure.others, omitting: failure.omittedCount) { ErrorObject($0) }
    }

    /// Returns errors for as many of the problems as the budget covers, and one for the others, some of which may have been omitted before.
    ///
    /// An error has the text of its place, which can be as long as the request. Therefore, errors are made one by one, and no longer after
    /// the budget did not cover a few of them.
    static func errors<Problems: Collection>(
        of problems: Problems, omitting omitted: Int = 0, _ error: (Problems.Element) -> ErrorObject
    ) -> [ErrorObject] {
        var budget = ReportBudget(maximumBytes)
        var errors: [ErrorObject] = []
        var omitted = omitted
        var refusals = 0
        for problem in problems {
            if refusals < mostRefusals {
                let error = error(problem)
                if budget.pays(error.cost) {
                    errors.append(error)
                    continue
                }
                refusals += 1
            }
            omitted += 1
        }
        if omitted > 0 { errors.append(.omitted(omitted)) }
        return errors
    }

    /// The number of errors that the budget does not cover, after which no more are made.
    private static let mostRefusals = 8

    /// The status that all errors have. When they differ, 500 if one of them is at least 500, otherwise 400.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#errors-processing>
    public var commonStatus: Int {
        let statuses = errors.compactMap { $0.status.flatMap { Int($0) } }.filter { 400...599 ~= $0 }
        if let first = statuses.first, statuses.count == errors.count, statuses.allSatisfy({ $0 == first }) { return first }
        return statuses.isEmpty || statuses.contains { $0 >= 500 } ? 500 : 400
    }
}

extension ErrorObject {
    /// Creates an error for a fault in a request's document, with the pointer to it.
    ///
    /// `status` defaults to the one that `ErrorDocument.init(_:)` describes.
    public init(_ failure: DecodingFailure, status: Int? = nil) {
        let isText = failure.kind.category == .text
        let title = failure.isLimit ? "The document is too large" : isText ? "The text is not JSON" : "The document does not fit"
        self.init(
            status: String(status ?? failure.status), code: failure.kind.description, title: title,
            detail: failure.syntaxError.map { $0.reason } ?? "Expected \(failure.expected), found \(failure.found).",
            source: isText ? nil : ErrorSource(pointer: failure.pointer))
    }

    /// The approximate number of bytes in JSON text.
    fileprivate var cost: Int {
        let texts = [id, status, code, title, detail, source?.pointerText, source?.parameter, source?.header]
        return 120 + texts.reduce(0) { $0 + ($1.map { ReportBudget.cost(of: $0) } ?? 0) }
    }

    fileprivate static let unreadable = ErrorObject(status: "400", title: "The document cannot be read")
    fileprivate static let invalid = ErrorObject(status: "422", title: "The document does not fit")
    fileprivate static let longInclude = ErrorObject(
        status: "400", title: "Unsupported include", detail: "The paths lead through the same resources too often.",
        source: ErrorSource(parameter: "include"))
    fileprivate static let internalError = ErrorObject(status: "500", title: "Internal server error")
}

extension DecodingFailure {
    /// The HTTP status for a request with this fault.
    fileprivate var status: Int {
        switch (kind, kind.category) {
        case _ where isLimit: 413
        case (.unexpectedType, _): 409
        case (_, .value): 422
        default: concernsField ? 422 : 400
        }
    }

    /// Whether the document exceeds a limit of the decoder, including the limits of the text.
    fileprivate var isLimit: Bool { kind.category == .limit || syntaxError?.kind.isLimit == true }
}
