/// An error that defines the response to the client.
///
/// ```swift
/// struct NotYours: ErrorDocumentRepresentable {
///     var errorDocument: ErrorDocument { ErrorDocument(errors: [ErrorObject(status: "403", title: "Not yours")]) }
/// }
/// ```
///
/// `ErrorDocument(error)` of the module JSONAPIReceiving, which JSONAPIHTTP exports, returns this document.
///
/// Specification: <https://jsonapi.org/format/1.1/#errors>
public protocol ErrorDocumentRepresentable: Error {
    /// The document that the client receives. Each error should have a `status`.
    var errorDocument: ErrorDocument { get }
}

extension ErrorDocument: ErrorDocumentRepresentable {
    /// The document itself.
    public var errorDocument: ErrorDocument { self }
}
