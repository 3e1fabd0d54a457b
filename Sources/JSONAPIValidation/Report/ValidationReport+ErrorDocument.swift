import JSONAPICodec

extension ValidationReport: ErrorDocumentRepresentable {
    /// A document with `errorObjects`, for a server that rejects a request.
    ///
    /// ```swift
    /// let report = Validator(ValidationContext(.create)).validate(body)
    /// if !report.isValid { throw report }
    /// ```
    ///
    /// <https://jsonapi.org/format/1.1/#errors>
    public var errorDocument: ErrorDocument { ErrorDocument(errors: errorObjects) }
}
