import JSONAPICodec

// The errors of this module that a server can respond with.

extension NegotiationRefusal: ErrorDocumentRepresentable {}

extension QueryProblem: ErrorDocumentRepresentable {
    /// A document with this error.
    public var errorDocument: ErrorDocument { ErrorDocument(errors: [error]) }
}

extension CursorProblem: ErrorDocumentRepresentable {
    /// A document with this error.
    public var errorDocument: ErrorDocument { ErrorDocument(errors: [error]) }
}

extension MediaTypeError: ErrorDocumentRepresentable {
    /// A document with one error, whose source is the header, if that is known.
    public var errorDocument: ErrorDocument {
        ErrorDocument(errors: [
            ErrorObject(
                status: "400", title: "Unreadable Header", detail: description, source: header.map { ErrorSource(header: $0.rawValue) })
        ])
    }
}
