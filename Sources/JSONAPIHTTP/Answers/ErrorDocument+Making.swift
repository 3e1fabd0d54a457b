import Foundation
import JSONAPICodec
import JSONMapping
import JSONText

// Errors of our own as a document for the client that sent the request.

extension ErrorDocument {
    /// The answer to a request that led to this error.
    ///
    /// ```swift
    /// do {
    ///     article = try decoder.decode(Article.self, from: body)
    /// } catch {
    ///     return try JSONAPIResponse.errors(ErrorDocument(error))     // 422, /data/attributes/title
    /// }
    /// ```
    ///
    /// A `DecodingError` of `JSONAPIDecoder` says where and what: 400 for a text that is no document or has another shape than
    /// asked for, 409 for a resource of another type, 413 for one that is too large, 422 for values that do not fit. An
    /// `ErrorDocument`, a refused negotiation, a failed precondition, a report of validation, problems of queries and every other
    /// `ErrorDocumentRepresentable` stay what they are; a header that is no media type is a 400; the
    /// `ValidationError` of a schema gives a 422 for each problem, up to `maximumBytes`. Everything else is a 500 that tells nothing
    /// about the inside of the server.
    public init(_ error: any Error) {
        switch error {
        case let error as any ErrorDocumentRepresentable: self = error.errorDocument
        case let error as ValidationError: self.init(errors: ErrorDocument.errors(of: error.issues.lazy.map { ErrorObject($0) }))
        case let failure as DecodingFailure: self.init(errors: [ErrorObject(failure)])
        case let error as DecodingError: self.init(errors: [error.failure.map { ErrorObject($0) } ?? .unreadable])
        default: self.init(errors: [.internalError])
        }
    }

    /// The most bytes that the errors of many problems take together: 1 MiB. Problems beyond are left out, and a last error says how
    /// many they are.
    ///
    /// Each error repeats the names around its fault, so without a limit a small request could ask for a huge answer.
    public static let maximumBytes = 1 << 20

    /// As many of the errors as the budget pays for.
    static func errors(of problems: some Collection<ErrorObject>) -> [ErrorObject] {
        var budget = ReportBudget(maximumBytes)
        var errors: [ErrorObject] = []
        var omitted = 0
        for error in problems {
            if budget.pays(error.cost) { errors.append(error) } else { omitted += 1 }
        }
        if omitted > 0 { errors.append(.omitted(omitted)) }
        return errors
    }

    /// The status that all errors have; 400 or 500 when they differ, by the worst of them.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#errors-processing>
    public var commonStatus: Int {
        let statuses = errors.compactMap { $0.status.flatMap { Int($0) } }.filter { 400...599 ~= $0 }
        guard let first = statuses.first, statuses.count == errors.count else {
            return statuses.contains { $0 >= 500 } || statuses.isEmpty ? 500 : 400
        }
        if statuses.allSatisfy({ $0 == first }) { return first }
        return statuses.contains { $0 >= 500 } ? 500 : 400
    }
}

extension ErrorObject {
    /// What was wrong in a request's document, with the pointer to it.
    ///
    /// `status` is the status to say; by default the one that `ErrorDocument.init(_:)` describes.
    public init(_ failure: DecodingFailure, status: Int? = nil) {
        let isText = failure.kind.category == .text
        let title = failure.isLimit ? "The document is too large" : isText ? "The text is not JSON" : "The document does not fit"
        self.init(
            status: String(status ?? failure.status), code: failure.kind.description, title: title,
            detail: failure.syntaxError.map { $0.reason } ?? "Expected \(failure.expected), found \(failure.found).",
            source: isText ? nil : ErrorSource(pointer: failure.pointer))
    }

    /// Bytes in JSON text, about.
    fileprivate var cost: Int {
        let texts = [id, status, code, title, detail, source?.pointerText, source?.parameter, source?.header]
        return 120 + texts.reduce(0) { $0 + ($1.map { ReportBudget.cost(of: $0) } ?? 0) }
    }

    fileprivate static let unreadable = ErrorObject(status: "400", title: "The document cannot be read")
    fileprivate static let internalError = ErrorObject(status: "500", title: "Internal server error")
}

extension NegotiationRefusal: ErrorDocumentRepresentable {}

extension QueryProblem: ErrorDocumentRepresentable {
    /// A document with the one error.
    public var errorDocument: ErrorDocument { ErrorDocument(errors: [error]) }
}

extension CursorProblem: ErrorDocumentRepresentable {
    /// A document with the one error.
    public var errorDocument: ErrorDocument { ErrorDocument(errors: [error]) }
}

extension MediaTypeError: ErrorDocumentRepresentable {
    /// A document with one error, whose source is the header, where that is known.
    public var errorDocument: ErrorDocument {
        ErrorDocument(errors: [
            ErrorObject(
                status: "400", title: "Unreadable Header", detail: description, source: header.map { ErrorSource(header: $0.rawValue) })
        ])
    }
}

extension DecodingFailure {
    /// The HTTP status for a request with this fault.
    fileprivate var status: Int {
        switch (kind, kind.category) {
        case _ where isLimit: 413
        case (.unexpectedType, _): 409
        case (_, .value): 422
        default: 400
        }
    }

    /// Whether the document is larger than a limit of the decoder, its text included.
    fileprivate var isLimit: Bool { kind.category == .limit || syntaxError?.kind.isLimit == true }
}
